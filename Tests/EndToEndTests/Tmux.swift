import Foundation
import Synchronization
import TestSupport

/// A shell in tmux: tests send keys, and read the screen and the terminal's modes.
final class Tmux: Sendable {
  private let socket = "feedfall-\(UUID().uuidString.prefix(8))"
  let folder: URL
  private let idleReports: IdleReports
  /// The keys pressed since the program was started.
  private let keyCount = Mutex(0)

  static let path: String? = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/bin/tmux"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  init(width: Int, height: Int, environment: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(socket)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    idleReports = try IdleReports(path: folder.path + "/idle")
    var settings = [
      "NO_COLOR": "", "LLVM_PROFILE_FILE": "/dev/null", "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": folder.path,
      "XDG_STATE_HOME": folder.path,
      "FEEDFALL_IDLE": idleReports.path,
    ]
    settings.merge(Feedfall.withoutConfiguration.merging(environment) { $1 }) { $1 }
    let variables = settings.sorted { $0.key < $1.key }.flatMap { ["-e", "\($0.key)=\($0.value)"] }
    try tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(width)", "-y", "\(height)"] + variables
        + ["exec env PS1='ready> ' bash --norc --noprofile -i"])
    try tmux(["set", "-g", "status", "off"])
    try waitFor("ready>")
  }

  func close() {
    _ = try? tmux(["kill-server"])
    try? FileManager.default.removeItem(at: folder)
  }

  /// Types text as it is.
  func type(_ text: String) throws { try tmux(["send-keys", "-l", text]) }

  /// Types text as it is, then Enter.
  func enter(_ line: String) throws {
    try type(line)
    try tmux(["send-keys", "Enter"])
  }

  /// Runs a shell command and waits for its end.
  func runInShell(_ command: String) throws {
    // The typed line must not contain the text that the command prints.
    let mark = UUID().uuidString.prefix(8)
    try enter("\(command); printf 'end-%s\\n' \(mark)")
    try waitFor("end-\(mark)")
  }

  /// The shell must be at its prompt.
  func start(_ arguments: String = "") throws {
    idleReports.reset()
    keyCount.withLock { $0 = 0 }
    try enter("\(Feedfall.path) \(arguments)")
  }

  /// Presses keys of the program, all in one write, by tmux's names (`j`, `Enter`, `C-d`, `Up`).
  func press(_ keys: String...) throws { try press(keys) }

  func press(_ keys: [String]) throws {
    keyCount.withLock { $0 += keys.count }
    try tmux(["send-keys"] + keys)
  }

  /// Waits until the program has handled all keys and is idle; returns the screen.
  @discardableResult
  func waitUntilIdle() throws -> String {
    try idleReports.wait(for: keyCount.withLock { $0 }, "the screen is\n\((try? screen()) ?? "")")
    return try screen()
  }

  /// Waits until the program has ended and the shell shows its prompt.
  func waitForShell() throws {
    try waitUntil("the shell is back") { $0.split(separator: "\n").last == "ready>" }
  }

  func screen() throws -> String { try tmux(["capture-pane", "-p"]) }

  /// The screen with the escape sequences of its colors.
  func coloredScreen() throws -> String { try tmux(["capture-pane", "-p", "-e"]) }

  func resize(width: Int, height: Int) throws {
    try tmux(["resize-window", "-x", "\(width)", "-y", "\(height)"])
  }

  /// The modes in which the program has left the terminal: alternate screen, cursor, keypad, mouse.
  func modes() throws -> String {
    try tmux([
      "display", "-p",
      "alternate=#{alternate_on} cursor=#{cursor_flag} keypad=#{keypad_flag} cursor-keys=#{keypad_cursor_flag} "
        + "mouse=#{mouse_any_flag} sgr=#{mouse_sgr_flag} region=#{scroll_region_upper}-#{scroll_region_lower}",
    ])
  }

  /// The process that the shell is running.
  func child(named name: String) throws -> pid_t? {
    let shell = try tmux(["display", "-p", "#{pane_pid}"]).trimmingCharacters(in: .whitespacesAndNewlines)
    let children = (try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)) ?? ""
    return children.split(separator: " ").compactMap { pid_t($0) }.first { pid in
      let command = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
      return command?.hasPrefix(name) ?? false
    }
  }

  @discardableResult
  func waitFor(_ text: String) throws -> String {
    try waitUntil("the screen shows “\(text)”") { $0.contains(text) }
  }

  @discardableResult
  func waitUntil(_ what: String, _ holds: (String) throws -> Bool) throws -> String {
    var shown = ""
    try blockUntil("\(what); the screen is\n\(shown)") {
      shown = try screen()
      return try holds(shown)
    }
    return shown
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    guard let path = Self.path else { throw TestFailure("tmux is not installed") }
    let outcome = try runBlocking(path, ["-L", socket] + arguments, environment: ["TERM": "xterm-256color"])
    guard outcome.status == 0 else { throw TestFailure("tmux \(arguments): \(outcome.errors)") }
    return outcome.output
  }
}
