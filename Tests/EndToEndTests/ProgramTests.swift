import Foundation
import TestSupport
import Testing

/// Programs that feedfall starts to list videos: none keeps running, however feedfall ends.
@Suite(.hangLimit, .serialized)
struct ProgramTests {
  /// A folder with a yt-dlp that never answers, whose children ignore all signals that can be ignored.
  private struct HungProgram {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-program-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let script = """
        trap '' TERM HUP INT QUIT
        sleep 1000 & echo $$ $! > "\(folder.path)/ids.new"; mv "\(folder.path)/ids.new" "\(folder.path)/ids"
        while :; do sleep 1000; done
        """
      _ = try writeScript(script, to: folder.appendingPathComponent("yt-dlp").path)
    }

    var environment: [String: String] {
      ["PATH": folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
    }

    /// Returns the running processes, once all have started.
    func processes() throws -> [pid_t] {
      let ids = folder.appendingPathComponent("ids")
      try blockUntil("the program has started") { FileManager.default.fileExists(atPath: ids.path) }
      return try String(contentsOf: ids, encoding: .utf8).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  private func waitForEnd(of processes: [pid_t]) throws {
    try blockUntil("\(processes) have ended") { !processes.contains(where: isRunning) }
  }

  @Test(arguments: ["q", "\u{3}"])
  func `a key that ends the program also ends its child processes`(key: String) async throws {
    try await onThread {
      let hung = try HungProgram()
      defer { hung.remove() }
      let terminal = try ScriptedTerminal(
        Feedfall.path, "yt-dlp:https://v.example/", environment: hung.environment)
      let processes = try hung.processes()
      try terminal.waitFor("v.example")
      #expect(processes.count == 2 && processes.allSatisfy(isRunning))
      terminal.type(key)
      try waitForEnd(of: processes)
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGKILL, SIGSEGV, SIGUSR1, SIGSYS])
  func `a signal that ends the program ends its child processes`(signal: Int32) async throws {
    try await onThread {
      let hung = try HungProgram()
      defer { hung.remove() }
      let terminal = try ScriptedTerminal(
        Feedfall.path, "yt-dlp:https://v.example/", environment: hung.environment)
      let processes = try hung.processes()
      kill(terminal.process, signal)
      try waitForEnd(of: processes)
    }
  }

  @Test func `killing a running list command leaves no child process`() async throws {
    try await onThread {
      let hung = try HungProgram()
      defer { hung.remove() }
      let terminal = try ScriptedTerminal(
        Feedfall.path, "list", "yt-dlp:https://v.example/", environment: hung.environment)
      let processes = try hung.processes()
      kill(terminal.process, SIGINT)
      try waitForEnd(of: processes)
    }
  }

  @Test func `a folder is listed, and its videos play from the disk`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-films-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("film".utf8).write(to: folder.appendingPathComponent("A film.mp4"))
    let listed = try await Feedfall.run("list", folder.path)
    #expect(listed.status == 0)
    #expect(listed.output == "A film\t\t\tfile://\(folder.path)/A%20film.mp4\n")
    let shown = try await Feedfall.run("render", folder.path, "--size", "60x20")
    #expect(shown.output.contains("A film"))
  }
}
