import CFeedfall
import FeedfallScreen
import FeedfallSystem
import Glibc
import Synchronization
import WaterfallEngine

/// The frames of a new process in shared memory, and a socket whose packets announce them.
final class FrameRing {
  private let memory: Int32
  private var ownEnd: Int32
  private var otherEnd: Int32

  /// The maximum size of a frame in bytes, with its padding: enough for 1,000 by 1,000 cells of 2 by 2 pixels.
  static let slotByteCount = 16 << 20
  private static let byteCount = slotByteCount * Int(MPV_RING_SLOTS)
  /// The lowest descriptor number that the child does not use.
  private static let firstFree: Int32 = 6

  /// Returns nil if the process has no descriptors left; `errno` has the reason.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
    ownEnd = ends[0]
    otherEnd = Self.raised(ends[1])
    memory = Self.raised(mpv_ring_create(Self.byteCount))
    guard otherEnd >= 0, memory >= 0 else { return nil }
  }

  deinit {
    for descriptor in [memory, ownEnd, otherEnd] where descriptor >= 0 { close(descriptor) }
  }

  /// Moves a descriptor above the child's own numbers, so that starting the child does not overwrite it.
  static func raised(_ descriptor: Int32) -> Int32 {
    guard (0..<firstFree).contains(descriptor) else { return descriptor }
    defer { close(descriptor) }
    return fcntl(descriptor, F_DUPFD_CLOEXEC, firstFree)
  }

  var files: [Int32] { [memory, otherEnd] }

  /// Closes the process's end. Call it once the process has started.
  func closeOtherEnd() {
    close(otherEnd)
    otherEnd = -1
  }

  /// Readable once mpv has started or the process has ended.
  var startDescriptor: Int32 { ownEnd }

  /// Call it once `startDescriptor` is readable.
  func hasStarted() -> Bool { Reader.receive(from: ownEnd) != nil }

  /// Starts a thread that reads frames until the process has ended. Returns false if no thread could be created.
  /// - Parameter flooded: is posted when the process sends more than any video needs, or something else than frames.
  func startReading(into frames: FrameBox, flooded: WakeUp) -> Bool {
    guard let reader = Reader(socket: ownEnd, memory: memory, byteCount: Self.byteCount) else { return false }
    // The reader closes it.
    ownEnd = -1
    return DetachedThread.start { if !reader.read(into: frames) { flooded.post() } }
  }

  final class Reader: Sendable {
    private let socket: Int32
    private let memory: Memory

    /// The shared memory, which the other process may change at any time. This process only reads it, from any thread.
    private struct Memory: @unchecked Sendable { let bytes: UnsafeRawBufferPointer }

    /// Maximum frames per second, and in a burst: far more than the fastest video at the highest speed. A frame waits
    /// until its slot is free, so no other limit is necessary.
    private static let maximumFrameRate = (steady: 1000, burst: 2000)

    /// Maps the memory and adopts the socket. Returns nil if the memory cannot be mapped; then the socket stays open.
    init?(socket: Int32, memory: Int32, byteCount: Int) {
      guard let start = mmap(nil, byteCount, PROT_READ, MAP_SHARED, memory, 0), start != MAP_FAILED else { return nil }
      self.socket = socket
      self.memory = Memory(bytes: UnsafeRawBufferPointer(start: start, count: byteCount))
    }

    deinit {
      munmap(UnsafeMutableRawPointer(mutating: memory.bytes.baseAddress), memory.bytes.count)
      close(socket)
    }

    /// Reads until the process has ended. Returns false if it sends too much, or something else than frames.
    func read(into frames: FrameBox, clock: () -> SuspendingClock.Instant = { .now }) -> Bool {
      var gauge = FloodGauge()
      while let header = Self.receive(from: socket) {
        let rate = Self.maximumFrameRate
        guard gauge.accepts(1, rate: rate.steady, burst: rate.burst, at: clock()),
          let slot = RingSlot(header, ringByteCount: memory.bytes.count)
        else { return false }
        if slot.size == frames.size, let frame = slot.frame(in: memory.bytes) {
          frames.replace(with: frame, entry: slot.entry)
        }
        // At most one packet for each slot waits, unless the process ignores them.
        guard send(socket, [UInt8(slot.index)], 1, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) == 1 else {
          return errno == EPIPE || errno == ECONNRESET
        }
      }
      return true
    }

    /// Waits for the next packet. Returns nil at the end, and for a packet of another length.
    static func receive(from socket: Int32) -> mpv_frame? {
      var header = mpv_frame()
      let length = MemoryLayout<mpv_frame>.size
      var count: Int
      repeat { count = recv(socket, &header, length, Int32(MSG_TRUNC)) } while count < 0 && errno == EINTR
      return count == length ? header : nil
    }
  }
}

/// The newest frame, shared by the thread that reads frames and the one that shows them.
final class FrameBox: Sendable {
  private let wakeUp = WakeUp.required()
  private let state = Mutex(State())

  private struct State {
    var size = Size.zero
    /// The playlist entry whose frames are shown; nil while it is unknown.
    var entry: Int?
    /// The proportions of the picture in a letterboxed frame; nil while they are unknown, or if it fills the frame.
    var proportions: Size?
    var newest: (frame: PixelBuffer, entry: Int)?
    /// Whether the newest frame was dequeued.
    var isShown = false

    var frame: PixelBuffer? {
      guard let newest, !isShown, newest.entry == entry else { return nil }
      var frame = newest.frame
      if let proportions { frame.setContent(Rect(letterboxing: proportions, in: frame.size)) }
      return frame
    }
  }

  /// Readable while a frame waits.
  var descriptor: Int32 { wakeUp.descriptor }

  /// The size of frames in pixels. A waiting frame of another size is discarded.
  var size: Size {
    get { state.withLock { $0.size } }
    set {
      change { state in
        guard state.size != newValue else { return }
        state.size = newValue
        state.newest = nil
      }
    }
  }

  /// Sets the playlist entry whose frames are shown. A frame of another one waits until it is set.
  func setEntry(_ entry: Int) { change { $0.entry = entry } }

  /// Nil if the picture fills the frame. If they have changed, the newest frame waits again.
  func setProportions(_ proportions: Size?) {
    change { state in
      guard state.proportions != proportions else { return }
      state.proportions = proportions
      state.isShown = false
    }
  }

  func replace(with frame: PixelBuffer, entry: Int) {
    change { state in
      guard frame.size == state.size else { return }
      state.newest = (frame, entry)
      state.isShown = false
    }
  }

  func dequeue() -> PixelBuffer? {
    change { state in
      guard let frame = state.frame else { return nil }
      state.isShown = true
      return frame
    }
  }

  /// Discards the waiting frame; frames wait again until their entry is set.
  func discard() { change { ($0.newest, $0.entry) = (nil, nil) } }

  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      let wasReady = state.frame != nil
      defer {
        let isReady = state.frame != nil
        if isReady, !wasReady { wakeUp.post() }
        if wasReady, !isReady { wakeUp.drain() }
      }
      return body(&state)
    }
  }
}
