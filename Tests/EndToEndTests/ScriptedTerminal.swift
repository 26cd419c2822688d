import CFeedfallPty
import Foundation
import TestSupport
import Testing

/// A program in a pseudo terminal that sends nothing by itself: the test types, and answers the program's queries.
final class ScriptedTerminal {
  let process: pid_t
  private let master: Int32
  private var written: [UInt8] = []
  private let caches = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-caches-\(UUID())")

  init(_ words: String..., environment: [String: String] = [:]) throws {
    var settings = ProcessInfo.processInfo.environment.merging(
      [
        "TERM": "xterm-256color", "COLORTERM": "", "NO_COLOR": "", "LC_ALL": "C.UTF-8",
        "LLVM_PROFILE_FILE": "/dev/null",
        "XDG_CACHE_HOME": caches.path, "XDG_STATE_HOME": caches.path,
      ]
    ) { $1 }
    settings.merge(Feedfall.withoutConfiguration.merging(environment) { $1 }) { $1 }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = settings.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    master = pty_spawn(&arguments, &variables, 24, 80, &process)
    self.process = process
    guard master >= 0 else { throw TestFailure("no pseudo terminal: \(String(cString: strerror(errno)))") }
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    close(master)
    try? FileManager.default.removeItem(at: caches)
  }

  /// Whether it echoes and collects lines, as for a shell.
  var isCooked: Bool { pty_is_cooked(master) == 1 }

  /// Whether the program sleeps without reading its keys: it waits until the test reads before it can write more.
  ///
  /// The terminal is no help: while its buffers move, it may report room without waking the program.
  var isBlocked: Bool {
    pty_unread_count(master) > 0 && processState(process) == "S" && pty_unread_count(master) > 0
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  func resize(rows: Int, columns: Int) { pty_resize(master, Int32(rows), Int32(columns)) }

  /// Returns all output since the last call, without waiting for more.
  func drain() -> String {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = pty_read(master, &buffer, buffer.count, 0), count > 0 { written += buffer[..<count] }
    defer { written = [] }
    return String(decoding: written, as: UTF8.self)
  }

  /// Waits for a text; returns the output since the last call up to its end.
  @discardableResult
  func waitFor(_ text: String) throws -> String {
    let deadline = Date(timeIntervalSinceNow: hangLimitSeconds)
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      if let end = Data(written).range(of: Data(text.utf8))?.upperBound {
        defer { written.removeFirst(end) }
        return String(decoding: written[..<end], as: UTF8.self)
      }
      let count = Date() < deadline ? pty_read(master, &buffer, buffer.count, 100) : -1
      guard count >= 0 else {
        let last = String(decoding: written.suffix(500), as: UTF8.self).debugDescription
        throw TestFailure("“\(text)” was not written; the last was \(last)")
      }
      written += buffer[..<count]
    }
  }
}
