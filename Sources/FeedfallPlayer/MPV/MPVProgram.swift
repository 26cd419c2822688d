import CFeedfallGuard
import FeedfallPlaying
import FeedfallSystem
import Glibc

/// An mpv that runs, its keeper, and the socket that we speak to it over. Belongs to one thread.
final class MPVProgram {
  let launch: MPVLaunch
  /// Readable when it has ended.
  let lifeline: Int32
  private let keeper: pid_t
  /// -1 once mpv has closed its end.
  private(set) var socket: Int32
  private var outgoing: [UInt8] = []
  private var lines = LineSplitter()

  /// What may wait to be sent; an mpv that takes less is past help.
  private static let maximumWaitingByteCount = 1 << 20

  /// Starts it; its pictures go to the box.
  init(_ launch: MPVLaunch, picturesTo box: FrameBox) throws(PlayFailure) {
    self.launch = launch
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw .notStarted(reason: SystemError().message)
    }
    guard let pipe = makePipe() else {
      let reason = SystemError().message
      for end in ends { close(end) }
      throw .notStarted(reason: reason)
    }
    var keeper: pid_t = 0
    let files = [Int32(GUARD_NULL), pipe.writing, Int32(GUARD_NULL), ends[1]]
    let lifeline = withArguments(launch.arguments.map { Array($0.utf8) }) {
      guard_spawn_kept($0, files, Int32(files.count), &keeper)
    }
    let reason = SystemError().message
    close(pipe.writing)
    close(ends[1])
    guard lifeline >= 0 else {
      close(pipe.reading)
      close(ends[0])
      throw .notStarted(reason: reason)
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    socket = ends[0]
    self.lifeline = lifeline
    self.keeper = keeper
    guard FrameReader.start(pipe: pipe.reading, into: box) else {
      close(pipe.reading)
      _ = end()
      throw .notStarted(reason: "there is no thread to read its pictures")
    }
  }

  var hasEnded: Bool {
    var end = pollfd(fd: lifeline, events: Int16(POLLIN), revents: 0)
    return poll(&end, 1, 0) > 0
  }

  var hasOutgoing: Bool { !outgoing.isEmpty }

  /// Sends as much as it takes now, and the rest when there is room; false where it has taken nothing for long.
  func send(_ commands: [MPVCommand]) -> Bool {
    for command in commands { outgoing += command.line }
    while socket >= 0, !outgoing.isEmpty {
      let count = outgoing.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      outgoing.removeFirst(count)
    }
    return outgoing.count <= Self.maximumWaitingByteCount
  }

  /// The messages that are there.
  func receive() -> [MPVMessage] {
    var messages: [MPVMessage] = []
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      while socket >= 0 {
        let count = recv(socket, buffer.baseAddress, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { return }
        guard count > 0 else { return hangUp() }
        messages += lines.take(buffer[..<count]).compactMap(MPVMessage.init(line:))
      }
    }
    return messages
  }

  /// Ends the conversation, at which mpv ends by itself.
  func hangUp() {
    if socket >= 0 { close(socket) }
    socket = -1
  }

  /// Ends it and all that it has started, and gives why it has ended: nil where that was in order. To be called once.
  func end() -> PlayFailure? {
    hangUp()
    shutdown(lifeline, Int32(SHUT_RDWR))
    return takeEnd()
  }

  /// What `end` gives, of one that has ended already.
  func takeEnd() -> PlayFailure? {
    hangUp()
    let status = guard_await_kept(lifeline, keeper)
    if status < 0 { return errno == ENOENT ? .notInstalled : .notStarted(reason: SystemError().message) }
    if status & 0x7f != 0 { return .crashed }
    // Other numbers tell of films that could not be played.
    return status >> 8 & 0xff == 1 ? .notStarted(reason: "it does not know its options; a newer one may") : nil
  }
}
