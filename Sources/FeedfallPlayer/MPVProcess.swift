import CFeedfall
import FeedfallApp
import FeedfallSystem
import FeedfallText
import Glibc

/// A running mpv, its watchdog process, and the socket to it. Belongs to one thread.
final class MPVProcess {
  let launch: MPVLaunch
  /// Readable once mpv has ended.
  let lifeline: Int32
  /// -1 after either side has closed it.
  private(set) var socket: Int32
  private let watchdog: pid_t
  private var output: [UInt8] = []
  private var lines = LineSplitter(maximumLength: maximumLineLength)
  private static let maximumLineLength = 1 << 20
  private var messageGauge = FloodGauge()
  private var hasTooManyMessages = false
  /// Posted when there are too many frames.
  private let flooded: WakeUp
  private let frames: FrameBox
  private var starting: FrameRing?
  private let startDeadline = SuspendingClock.now + startTime

  private static let startTime = Duration.seconds(20)
  static let exitTime = Duration.milliseconds(300)

  enum StartFailure: Error, Equatable {
    /// libmpv is not installed, or its interface is another one.
    case noLibrary
    case failed(PlayFailure)

    var reason: PlayFailure {
      switch self {
      case .noLibrary: .notInstalled
      case .failed(let reason): reason
      }
    }
  }

  /// An mpv that leaves more than this unread does not respond.
  private static let maximumOutputByteCount = 1 << 20
  /// The most bytes of messages per second and at a time. Each message counts as some more, for the work of parsing it;
  /// mpv sends about a hundred short ones per second, and long ones when it opens a file.
  private static let maximumMessageRate = (steady: 256 << 10, burst: 4 << 20)
  private static let messageOverhead = 256
  /// The number of bytes after which orders are handled.
  private static let maximumReceivedByteCount = 256 << 10

  /// Starts mpv; its frames go to the box. A library accepts commands only after `advanceStart()`.
  init(_ launch: MPVLaunch, _ frames: FrameBox) throws(StartFailure) {
    (self.launch, self.frames) = (launch, frames)
    do { flooded = try WakeUp() } catch { throw .failed(.notStarted(reason: error.message)) }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw .failed(.notStarted(reason: SystemError().message))
    }
    ends[1] = FrameRing.raised(ends[1])
    let ring = launch.form == .library ? FrameRing() : nil
    guard ends[1] >= 0, launch.form == .program || ring != nil else {
      let reason = SystemError().message
      for end in ends { close(end) }
      throw .failed(.notStarted(reason: reason))
    }
    var watchdog: pid_t = 0
    let files =
      [Int32](repeating: Int32(GUARD_NULL), count: Int(MPV_HOST_IPC)) + [ends[1]] + (ring.map(\.files) ?? [])
    let lifeline = withArguments(launch.arguments.map { Array($0.utf8) }) { arguments in
      withEnvironment(launch.variables) { environment in
        guard_spawn_watched(arguments, environment, files, Int32(files.count), GUARD_WORKER, &watchdog)
      }
    }
    let reason = SystemError().message
    ring?.closeOtherEnd()
    close(ends[1])
    guard lifeline >= 0 else {
      close(ends[0])
      throw .failed(.notStarted(reason: reason))
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    socket = ends[0]
    (self.lifeline, self.watchdog) = (lifeline, watchdog)
    starting = ring
  }

  /// Readable once `advanceStart()` must be called; -1 after the start.
  var startDescriptor: Int32 { starting?.startDescriptor ?? -1 }
  /// When `advanceStart()` must be called at the latest; nil after the start.
  var startDue: SuspendingClock.Instant? { starting == nil ? nil : startDeadline }

  /// Returns whether mpv has started. Throws if it cannot be; then it has ended.
  func advanceStart() throws(StartFailure) -> Bool {
    guard let ring = starting else { return true }
    var polled = [ring.startDescriptor, lifeline].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&polled, 2, 0) > 0 || startDeadline <= .now else { return false }
    starting = nil
    guard polled[0].revents != 0, ring.hasStarted() else { throw startFailure() }
    guard ring.startReading(into: frames, flooded: flooded) else {
      _ = end()
      throw .failed(.notStarted(reason: "no thread could be created"))
    }
    return true
  }

  private func startFailure() -> StartFailure {
    closeSocket()
    // The end of the process may follow that of its socket.
    guard hasEnded(within: Self.exitTime) else {
      _ = end()
      return .failed(.notResponding)
    }
    switch endOfProcess() {
    case .failed(ENOENT), .exited(Int(MPV_HOST_NO_LIBRARY)): return .noLibrary
    case let end: return .failed(end.failure ?? .crashed)
    }
  }

  func hasEnded(within time: Duration) -> Bool {
    var end = pollfd(fd: lifeline, events: Int16(POLLIN), revents: 0)
    return poll(&end, 1, Int32(time / .milliseconds(1))) > 0
  }

  var floodDescriptor: Int32 { flooded.descriptor }

  var isFlooding: Bool {
    var event = pollfd(fd: floodDescriptor, events: Int16(POLLIN), revents: 0)
    return hasTooManyMessages || poll(&event, 1, 0) > 0
  }

  var hasOutput: Bool { !output.isEmpty }

  /// The rest is written with the next call. Returns false if mpv does not respond.
  func send(_ commands: [MPVCommand]) -> Bool {
    for command in commands { output += command.line }
    while socket >= 0, !output.isEmpty {
      let count = output.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      output.removeFirst(count)
    }
    return output.count <= Self.maximumOutputByteCount
  }

  /// Of very many messages, only the first.
  func receive() -> [MPVMessage] {
    var messages: [MPVMessage] = []
    var receivedCount = 0
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      while socket >= 0, !hasTooManyMessages, receivedCount < Self.maximumReceivedByteCount {
        let count = recv(socket, buffer.baseAddress, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { return }
        guard count > 0 else { return closeSocket() }
        receivedCount += count
        // Without the lines that were cut.
        let received = lines.lines(in: buffer[..<count]).filter { $0.count < Self.maximumLineLength }
        hasTooManyMessages = !messageGauge.accepts(
          count + received.count * Self.messageOverhead, rate: Self.maximumMessageRate.steady,
          burst: Self.maximumMessageRate.burst, at: .now)
        messages += received.compactMap(MPVMessage.init(line:))
      }
    }
    return messages
  }

  /// Closes the socket, which makes mpv end by itself.
  func closeSocket() {
    if socket >= 0 { close(socket) }
    socket = -1
  }

  /// Kills mpv and its children. Returns why it failed, or nil. Must be called at most once, and not with `waitForEnd`.
  func end() -> PlayFailure? {
    shutdown(lifeline, Int32(SHUT_RDWR))
    return waitForEnd()
  }

  /// Waits for an mpv that has ended. Returns why it failed, or nil. Must be called at most once.
  func waitForEnd() -> PlayFailure? {
    starting = nil
    closeSocket()
    return endOfProcess().failure
  }

  private enum End {
    case failed(Int32)
    case killed
    case exited(Int)

    var failure: PlayFailure? {
      switch self {
      case .failed(ENOENT): .notInstalled
      case .failed(let number): .notStarted(reason: SystemError(number).message)
      case .killed: .crashed
      // An error in the options; greater numbers are about files that could not be played.
      case .exited(let status): status == 1 ? .notStarted(reason: "its version is too old") : nil
      }
    }
  }

  private func endOfProcess() -> End {
    let status = guard_await_watched(lifeline, watchdog)
    if status < 0 { return .failed(errno) }
    return status & 0x7f != 0 ? .killed : .exited(Int(status >> 8 & 0xff))
  }
}

struct MPVLaunch: Equatable, Sendable {
  let form: MPVConfiguration.Form
  let path: String
  /// The path of this program, which calls yt-dlp; nil if mpv must not search pages for videos.
  let pageHelper: String?
  let options: MPVOptions
  /// The environment variables for yt-dlp that differ from those of this process.
  let variables: [String: String]

  /// All users of the machine can read a process's arguments, so no address and no title is among them.
  var arguments: [String] {
    switch form {
    case .library:
      // By default the library ignores the keys of its windows.
      [path, MPVHost.word] + settings + ["input-default-bindings=yes", "input-vo-keyboard=yes"]
    case .program: [path] + settings.map { "--\($0)" }
    }
  }

  private var settings: [String] {
    var settings = [
      "config=no", "load-scripts=no", "terminal=no", "force-window=no", "osc=no", "input-ipc-client=fd://3",
      "profile=sw-fast", "vo=\(form.hiddenOutput)", "network-timeout=\(options.networkTimeoutSeconds)",
      "tls-verify=yes",
    ]
    settings += MPVConfiguration.fixedOptions.map { "\($0.name)=\($0.value)" }
    if let caCertificates = options.caCertificates { settings.append("tls-ca-file=\(caCertificates)") }
    // By default mpv would also try the bare console.
    if let windowSystem = options.windowSystem { settings.append("gpu-context=\(windowSystem)") }
    if let soundOutput = options.soundOutput { settings.append("ao=\(soundOutput)") }
    guard let pageHelper else { return settings + ["ytdl=no"] }
    // The length protects a path with commas.
    return settings + [
      "ytdl=yes",
      "script-opts=ytdl_hook-ytdl_path=%\(pageHelper.utf8.count)%\(pageHelper),ytdl_hook-try_ytdl_first=yes",
      // The user's configuration may name a format.
      "ytdl-format=ytdl",
      "ytdl-raw-options=\(MPVCommand.ytDlpOptions)",
    ]
  }
}

/// The process that runs mpv as a library. It is the program itself, started with a word that no user types.
public enum MPVHost {
  /// The first argument of the process.
  public static let word = "--mpv-host"

  /// Whether libmpv is installed. Loads it, which takes a tenth of a second.
  public static var isAvailable: Bool { mpv_host_is_available() }

  /// Runs mpv with the arguments after the word, each as `name=value`, until its client closes the connection.
  public static func run(_ arguments: some Collection<String>) -> Never {
    withArguments(arguments.map { Array($0.utf8) }) { options in
      mpv_host_run(
        UnsafeRawPointer(options).assumingMemoryBound(to: UnsafePointer<CChar>?.self), Int32(arguments.count))
    }
  }
}
