import CFeedfall
import CFeedfallPty
import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallSystem
import FeedfallText
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallPlayer
@testable import FeedfallProgram
@testable import FeedfallTerminal

extension LoopBoundTests {
  // MARK: - Other programs and the disk

  static let files: [LoopBound] = [
    LoopBound("frames of mpv without an end", atMost: 2_001) {
      try await announcements(of: mpv_frame(slot: 0, width: 4, height: 2, stride: 64, entry: 7))
    },
    LoopBound("frames of mpv outside of its memory", atMost: 1) {
      try await announcements(of: mpv_frame(slot: 2, width: 1_000, height: .max, stride: .max, entry: 7))
    },
    LoopBound("calls by D-Bus without an end", atMost: 5_000) {
      guard TestBus.path != nil else { return 1 }
      return try await withFolder { folder in try await onThread { try answeredCalls(on: TestBus(in: folder)) } }
    },
    LoopBound("changes of a folder without an end", atMost: 1_024) {
      try await withFolder { folder in
        // Its parent is watched too, and other tests change that of `folder`.
        let watched = folder + "/a"
        _ = try Files.makeFolder(watched, mode: 0o700)
        let watch = try #require(FolderWatch(watched))
        for number in 0..<3_000 { try Data().write(to: URL(filePath: "\(watched)/\(number)")) }
        return if case .files(let names) = watch.next() { names.count } else { 2_000 }
      }
    },
    LoopBound("a log that grows while it is read", atMost: 1) {
      try await withFolder { folder in
        let path = folder + "/a.jsonl"
        try Data("{}\n".utf8).write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        var count = 0
        _ = UserLogReader.read(path, from: nil, prepare: { _ in }) { bytes, _ in
          count += 1
          if count < 1_000 { _ = try? (file.seekToEnd(), file.write(contentsOf: Data("{}\n".utf8))) }
          return bytes.count
        }
        return count
      }
    },
    LoopBound("a file without an end", atMost: 18) {
      let zeros = open("/dev/zero", O_RDONLY)
      defer { close(zeros) }
      var count = 0
      _ = try? Files.read(descriptor: zeros, limit: 1 << 20) {
        count += 1
        return count > 1_000
      }
      return count
    },
    LoopBound("a lock that another program holds", atMost: 1) {
      try await withFolder { folder in
        let held = try Files.lock(folder + "/a")
        defer { Files.unlock(held) }
        return (try? Files.lock(folder + "/a", attempts: 2)) == nil ? 1 : 0
      }
    },
  ]

  /// A child that announces a frame until its reader closes the socket.
  private final class FrameSender: Sendable {
    let count = Atomic(0)
    let hasEnded = Atomic(false)

    func run(_ packet: [UInt8], _ socket: Int32) {
      var answer: UInt8 = 0
      while count.load(ordering: .relaxed) < 10_000,
        send(socket, packet, packet.count, Int32(MSG_NOSIGNAL)) == packet.count
      {
        count.add(1, ordering: .relaxed)
        guard recv(socket, &answer, 1, 0) == 1 else { break }
      }
      close(socket)
      hasEnded.store(true, ordering: .releasing)
    }
  }

  /// Returns how often a child could announce the frame.
  private static func announcements(of frame: mpv_frame) async throws -> Int {
    try await onThread {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
      let (own, other, sender) = (ends[0], ends[1], FrameSender())
      let packet = withUnsafeBytes(of: frame) { Array($0) }
      try #require(DetachedThread.start { sender.run(packet, other) })
      try read(own)
      try blockUntil("the child has ended") { sender.hasEnded.load(ordering: .acquiring) }
      return sender.count.load(ordering: .relaxed)
    }
  }

  /// Reads frames at one moment, and closes the socket.
  private static func read(_ socket: Int32) throws {
    let memory = mpv_ring_create(3 * 4_096)
    defer { close(memory) }
    let reader = try #require(FrameRing.Reader(socket: socket, memory: memory, byteCount: 3 * 4_096))
    let now = SuspendingClock.now
    _ = reader.read(into: FrameBox()) { now }
  }

  /// Asks the player for a property until it leaves the bus. Returns the number of its answers.
  private static func answeredCalls(on bus: TestBus) throws -> Int {
    defer { bus.stop() }
    let environment = Environment(["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let (controls, name) = (MediaControls(environment, instance: "one"), "org.mpris.MediaPlayer2.feedfall.one")
    controls.publish(try nowPlaying())
    let client = try #require(BusConnection(environment))
    let call = BusMessage(
      path: MediaPlayer.path, interface: MediaPlayer.propertiesInterface, member: "Get",
      arguments: [.string(MediaPlayer.Interface.player.rawValue), .string("Volume")])
    try blockUntil("the player is on the bus") { client.call(call, of: name, milliseconds: 1_000) != nil }
    var (count, hasLeft) = (0, false)
    while !hasLeft, count < 10_000 {
      for _ in 0..<50 { client.send(call, to: name) }
      var left = 50
      while left > 0, client.wait() {
        while client.handleNext({ message in
          if case .reply(_, let values) = message {
            left -= 1
            if values == nil { hasLeft = true } else { count += 1 }
          }
          return nil
        }) {}
      }
    }
    return count
  }

  private static func nowPlaying() throws -> NowPlaying {
    let address = try #require(WebAddress("https://v.example/1.mp4"))
    var session = PlaySession()
    _ = session.perform(.play(PlayItem(Video(single: .web(address)))))
    _ = session.handle(.event(PlayID(1), .ready))
    return try #require(NowPlaying(session))
  }

  // MARK: - Terminals

  static let terminals: [LoopBound] = [
    LoopBound("a terminal that reads a few bytes at a time", atMost: 51) {
      try await onThread {
        var buffer = [UInt8](repeating: 0, count: 64)
        let (device, clock) = try device { _ = pty_read($0, &buffer, buffer.count, 0) }
        device.write([UInt8](repeating: 0x61, count: 4 << 20), limit: 500)
        return device.isHoldingBytes ? 0 : clock.waitCount
      }
    },
    LoopBound("bytes of keys of a terminal without an end", atMost: 68 << 10) {
      try await onThread {
        let keys = [UInt8](repeating: 0x6A, count: 4_000)
        let (device, _) = try device { _ = write($0, keys, keys.count) }
        device.makeRaw()
        return device.read().count
      }
    },
    LoopBound("a string of a terminal without an end", atMost: 66_000) {
      var (decoder, count) = (InputDecoder(), 1)
      _ = decoder.decode(Array("\u{1B}]".utf8))
      while decoder.decode([0x61]).isEmpty, count < 1_000_000 { count += 1 }
      return count
    },
    LoopBound("a paste of a terminal without an end", atMost: 64 << 10) {
      var decoder = InputDecoder()
      _ = decoder.decode(Array("\u{1B}[200~".utf8))
      for _ in 0..<16 { _ = decoder.decode([UInt8](repeating: 0x61, count: 64 << 10)) }
      guard case .event(.paste(let text))? = decoder.flush().first else { return 0 }
      return text.utf8.count
    },
    LoopBound("queries to a terminal that never answers", atMost: 8) { try await queries { _ in } },
    LoopBound("answers of a terminal without an end", atMost: 8) {
      try await queries { terminal in
        for name in ["tmux 3.4", "XTerm(379)", "kitty(0.31.0)"] {
          terminal.type("\u{1B}P>|\(name)\u{1B}\\\u{1B}[>1;95;0c\u{1B}_Gi=1;OK\u{1B}\\\u{1B}[?62;4;22c\u{1B}[0n")
        }
      }
    },
    LoopBound("the end of the program in a terminal that never reads", atMost: 1) {
      try await onThread {
        let terminal = try ScriptedTerminal(Feedfall.path, "--images", "none")
        try blockUntil("the program waits for room") {
          terminal.type("\u{C}")
          return terminal.isBlocked
        }
        kill(terminal.process, SIGTERM)
        var status: Int32 = 0
        try blockUntil("the program has ended") { waitpid(terminal.process, &status, WNOHANG) != 0 }
        return status & 0x7f == SIGTERM ? 1 : 0
      }
    },
  ]

  /// Starts and ends the program. Returns the number of its queries that every terminal answers.
  private static func queries(_ answer: @escaping @Sendable (ScriptedTerminal) -> Void) async throws -> Int {
    try await onThread {
      let terminal = try ScriptedTerminal(Feedfall.path, "--images", "none")
      var written = try terminal.waitFor("Sintel")
      var status: Int32 = 0
      for _ in 0..<10 { answer(terminal) }
      terminal.type("q")
      try blockUntil("the program has ended") {
        answer(terminal)
        written += terminal.drain()
        return waitpid(terminal.process, &status, WNOHANG) != 0
      }
      return written.split(separator: "\u{1B}[c", omittingEmptySubsequences: false).count - 1
    }
  }

  /// A terminal whose other end acts in each wait of the program.
  private static func device(_ act: @escaping (Int32) -> Void) throws -> (TerminalDevice, ActingClock) {
    var inner: Int32 = -1
    let outer = pty_open(24, 80, &inner)
    let clock = ActingClock(outer, act)
    return (try TerminalDevice(input: inner, output: inner, clock: clock), clock)
  }
}

/// A clock whose waits take 10 ms each.
private final class ActingClock: TerminalDevice.Clock {
  private let outer: Int32
  private let act: (Int32) -> Void
  private(set) var waitCount = 0

  init(_ outer: Int32, _ act: @escaping (Int32) -> Void) { (self.outer, self.act) = (outer, act) }

  deinit { close(outer) }

  var now: Int { waitCount * 10 }

  /// Times out after far more waits than any limit permits.
  func wait(for descriptor: Int32, events: Int32, milliseconds: Int) -> Bool {
    waitCount += 1
    act(outer)
    return waitCount < 10_000
  }
}
