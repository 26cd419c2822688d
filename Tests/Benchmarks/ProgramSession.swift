import CFeedfallPty
import FoundationEssentials
import Glibc
import WaterfallEngine

/// The program in a pseudo-terminal with all colors, in a home folder of its own.
final class ProgramSession {
  private let master: Int32
  private let process: pid_t
  /// The home folder.
  let folder: String
  private(set) var tail: [UInt8] = []
  private var isRunning = true
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  private static let longestWaitMilliseconds: Int32 = 20_000
  private static let tailByteCount = 4096

  /// `prepare` makes the files in the home folder with this path, which does not exist yet.
  init?(_ command: [String], size: Size, prepare: (_ home: String) -> Void = { _ in }) {
    folder = FileManager.default.temporaryDirectory.path + "/feedfall-bench-\(UInt64.random(in: .min ... .max))"
    prepare(folder)
    let environment = [
      "TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8", "HOME=\(folder)",
      "XDG_CACHE_HOME=\(folder)/cache",
      "PATH=/usr/bin:/bin",
    ]
    var process: pid_t = 0
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for string in arguments + variables { free(string) } }
    master = pty_spawn(arguments, variables, Int32(size.height), Int32(size.width), &process)
    self.process = process
    if master < 0 { return nil }
  }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  func waitFor(_ text: String) {
    var output: [UInt8] = []
    let expected = Array(text.utf8)
    while output.firstRange(of: expected) == nil, let piece = piece(withinMilliseconds: Self.longestWaitMilliseconds) {
      output += piece
    }
  }

  /// The time from a key to the next byte of output; nil if there is none within a second.
  func milliseconds(forKey key: String) -> Double? {
    readAll(forMilliseconds: 15)
    let start = ContinuousClock.now
    type(key)
    guard piece(withinMilliseconds: 1000) != nil else { return nil }
    return (ContinuousClock.now - start) / .milliseconds(1)
  }

  /// The cost of a key, in milliseconds.
  struct KeyCost {
    /// The time of the program's main thread, which handles keys and draws.
    var processor: Double
    /// The time to the next byte of output; nil if there was none within `readMilliseconds`.
    var wall: Double?

    static let readMilliseconds: Int32 = 100
  }

  /// Types a key, and waits until the main thread rests.
  func cost(ofKey key: String) -> KeyCost {
    let (before, start) = (mainThreadMilliseconds, ContinuousClock.now)
    type(key)
    let isAnswered = piece(withinMilliseconds: KeyCost.readMilliseconds) != nil
    let wall = (ContinuousClock.now - start) / .milliseconds(1)
    while isAlive, !isResting, ContinuousClock.now - start < .seconds(1) {
      _ = piece(withinMilliseconds: 1)
    }
    return KeyCost(processor: mainThreadMilliseconds - before, wall: isAnswered ? wall : nil)
  }

  /// The first number of `schedstat` is the time on a processor in nanoseconds.
  private var mainThreadMilliseconds: Double {
    let text = contents(of: "/proc/\(process)/schedstat").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e6
  }

  /// Whether the main thread waits for something.
  private var isResting: Bool {
    let text = contents(of: "/proc/\(process)/stat").map { String(decoding: $0, as: UTF8.self) } ?? ""
    // The state follows the name, which is in parentheses.
    return text.split(separator: ")").last?.first { $0 != " " } == "S"
  }

  @discardableResult
  func readAll(forMilliseconds milliseconds: Int) -> [UInt8] {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    var output: [UInt8] = []
    while case let left = end - .now, left > .zero {
      if let piece = piece(withinMilliseconds: Int32(left / .milliseconds(1)) + 1) { output += piece }
    }
    return output
  }

  func resize(to size: Size) { pty_resize(master, Int32(size.height), Int32(size.width)) }

  var isAlive: Bool {
    var information = siginfo_t()
    return isRunning && waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information.si_signo == 0
  }

  /// Quits, and returns the status that `waitpid` reports; nil if the program did not end within a minute.
  func quit() -> Int32? {
    type("\u{3}")
    let end = ContinuousClock.now + .seconds(60)
    while isAlive, .now < end { readAll(forMilliseconds: 100) }
    readAll(forMilliseconds: 100)
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return nil }
    isRunning = false
    return status
  }

  var residentMegabytes: Double {
    let status = contents(of: "/proc/\(process)/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
  }

  /// Quits and waits for the end.
  func end(keepingFolder: Bool = false) {
    if isRunning {
      type("\u{3}")
      while piece(withinMilliseconds: Self.longestWaitMilliseconds) != nil {}
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(master)
    if !keepingFolder { try? FileManager.default.removeItem(atPath: folder) }
  }

  private func piece(withinMilliseconds limit: Int32) -> ArraySlice<UInt8>? {
    let count = pty_read(master, &buffer, buffer.count, limit)
    guard count > 0 else { return nil }
    tail = (tail + buffer[..<count]).suffix(Self.tailByteCount)
    return buffer[..<count]
  }
}
