import CFeedfall
import FeedfallScreen
import FeedfallSystem
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

@Suite(.hangLimit) struct FrameRingTests {
  private static let ringByteCount = 3 * 4096

  private static func header(
    slot: UInt32 = 0, width: UInt32 = 4, height: UInt32 = 2, stride: UInt32 = 64, entry: Int64 = 7
  ) -> mpv_frame {
    mpv_frame(slot: slot, width: width, height: height, stride: stride, entry: entry)
  }

  @Test func `a frame is copied from its slot without its padding`() throws {
    let slot = try #require(RingSlot(Self.header(slot: 1), ringByteCount: Self.ringByteCount))
    var ring = [UInt8](repeating: 255, count: Self.ringByteCount)
    for x in 0..<12 { (ring[4096 + x], ring[4096 + 64 + x]) = (UInt8(x), UInt8(100 + x)) }
    let frame = try #require(ring.withUnsafeBytes { slot.frame(in: $0) })
    #expect(frame.size == Size(width: 4, height: 2))
    #expect(frame.bytes == Array(0..<12) + Array(100..<112))
    #expect(slot.entry == 7)
  }

  @Test func `a frame may fill its slot`() {
    #expect(RingSlot(Self.header(slot: 2, height: 64), ringByteCount: Self.ringByteCount) != nil)
  }

  @Test(arguments: [
    header(slot: 3), header(slot: .max), header(width: 0), header(height: 0), header(width: 22), header(stride: 11),
    header(stride: 0), header(height: 65), header(width: .max, stride: .max), header(height: .max),
    header(width: .max / 3 + 2, height: 2, stride: 3), header(stride: .max), mpv_frame(),
    header(width: 1, height: .max, stride: .max), header(slot: .max, width: .max, height: .max, stride: .max),
  ])
  func `a frame outside of its slot is rejected`(header: mpv_frame) {
    #expect(RingSlot(header, ringByteCount: Self.ringByteCount) == nil)
  }

  /// Lets the reader receive these packets.
  private func read(_ packets: [[UInt8]], into frames: FrameBox) throws -> Bool {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let memory = mpv_ring_create(Self.ringByteCount)
    defer { close(memory) }
    let reader = try #require(FrameRing.Reader(socket: ends[0], memory: memory, byteCount: Self.ringByteCount))
    for packet in packets { #expect(send(ends[1], packet, packet.count, 0) == packet.count) }
    shutdown(ends[1], Int32(SHUT_WR))
    defer { close(ends[1]) }
    return reader.read(into: frames)
  }

  private func packet(_ header: mpv_frame) -> [UInt8] { withUnsafeBytes(of: header) { Array($0) } }

  @Test func `frames of the expected size arrive, and their slots are released`() throws {
    let frames = FrameBox()
    frames.size = Size(width: 4, height: 2)
    frames.setEntry(7)
    #expect(try read([packet(Self.header()), packet(Self.header(slot: 1, width: 5))], into: frames))
    #expect(frames.dequeue()?.size == Size(width: 4, height: 2))
    #expect(frames.dequeue() == nil)
  }

  @Test(arguments: [[], [1, 2, 3], [UInt8](repeating: 0, count: 100)])
  func `a packet of another length ends the reading`(bytes: [UInt8]) throws {
    let frames = FrameBox()
    frames.size = Size(width: 4, height: 2)
    #expect(try read([bytes, packet(Self.header())], into: frames))
    #expect(frames.dequeue() == nil)
  }

  @Test func `an invalid header ends the reading with a fault`() throws {
    #expect(try !read([packet(Self.header(slot: 9))], into: FrameBox()))
  }

  /// Sends frames on a thread, as many as the reader accepts within the time between them.
  private func read(count: Int, every interval: Duration) throws -> Bool {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let memory = mpv_ring_create(FrameRing.slotByteCount * 3)
    defer { close(memory) }
    let reader = try #require(FrameRing.Reader(socket: ends[0], memory: memory, byteCount: FrameRing.slotByteCount * 3))
    let frames = FrameBox()
    frames.size = Size(width: 640, height: 360)
    let packet = packet(Self.header(width: 640, height: 360, stride: 1920))
    let end = ends[1]
    let isStarted = DetachedThread.start {
      var answer: UInt8 = 0
      for _ in 0..<count {
        guard send(end, packet, packet.count, Int32(MSG_NOSIGNAL)) == packet.count, recv(end, &answer, 1, 0) == 1 else {
          break
        }
      }
      close(end)
    }
    try #require(isStarted)
    var now = SuspendingClock.now
    return reader.read(into: frames) {
      now += interval
      return now
    }
  }

  @Test func `a fast video is no flood, but frames without a pause are`() throws {
    #expect(try read(count: 3000, every: .milliseconds(1000) / 240))
    #expect(try !read(count: 3000, every: .zero))
  }

  @Test func `the last frame of a video stays until the next load`() {
    let frames = FrameBox()
    frames.size = Size(width: 1, height: 2)
    let frame = PixelBuffer(size: frames.size, bytes: [UInt8](repeating: 1, count: 6))!
    frames.setEntry(1)
    frames.replace(with: frame, entry: 1)
    #expect(isReadable(frames.descriptor))
    frames.discard()
    #expect(!isReadable(frames.descriptor))
    frames.replace(with: frame, entry: 1)
    #expect(frames.dequeue() == nil)
  }

  @Test func `the memory cannot shrink under the reader`() {
    let memory = mpv_ring_create(Self.ringByteCount)
    defer { close(memory) }
    #expect(ftruncate(memory, 1) != 0)
  }

  @Test func `a frame waits until its video is current`() {
    let frames = FrameBox()
    let size = Size(width: 1, height: 2)
    frames.size = size
    frames.setEntry(1)
    let old = PixelBuffer(size: size, bytes: [UInt8](repeating: 1, count: 6))!
    let new = PixelBuffer(size: size, bytes: [UInt8](repeating: 2, count: 6))!
    frames.replace(with: new, entry: 2)
    #expect(frames.dequeue() == nil)
    #expect(!isReadable(frames.descriptor))
    frames.setEntry(2)
    #expect(isReadable(frames.descriptor))
    #expect(frames.dequeue() == new)
    #expect(!isReadable(frames.descriptor))
    frames.replace(with: old, entry: 1)
    #expect(frames.dequeue() == nil)
  }

  @Test func `the newest frame waits again when its letterbox becomes known`() throws {
    let frames = FrameBox()
    frames.size = Size(width: 8, height: 6)
    frames.setEntry(1)
    frames.replace(with: PixelBuffer(size: frames.size, bytes: [UInt8](repeating: 1, count: 144))!, entry: 1)
    #expect(frames.dequeue()?.content == Rect(x: 0, y: 0, width: 8, height: 6))
    frames.setProportions(Size(width: 16, height: 8))
    #expect(isReadable(frames.descriptor))
    #expect(frames.dequeue()?.content == Rect(x: 0, y: 1, width: 8, height: 4))
    frames.setProportions(Size(width: 16, height: 8))
    #expect(!isReadable(frames.descriptor))
  }

  @Test(arguments: [
    (Size(width: 16, height: 9), Rect(x: 0, y: 13, width: 720, height: 405)),
    (Size(width: 1, height: 3), Rect(x: 288, y: 0, width: 143, height: 431)),
    (Size(width: 720, height: 431), Rect(x: 0, y: 0, width: 720, height: 431)),
    (Size(width: 1 << 20, height: 1), Rect(x: 0, y: 215, width: 720, height: 1)),
    (Size(width: 0, height: 9), Rect(x: 0, y: 0, width: 720, height: 431)),
  ])
  func `a picture is centered in its frame`(proportions: Size, content: Rect) {
    #expect(Rect(letterboxing: proportions, in: Size(width: 720, height: 431)) == content)
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }
}
