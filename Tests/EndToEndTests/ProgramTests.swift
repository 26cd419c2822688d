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

  /// Ends the program while yt-dlp hangs, which must end too.
  private func expectEnd(
    ofList isList: Bool = false, by end: @escaping @Sendable (ScriptedTerminal) throws -> Void
  ) async throws {
    try await onThread {
      let hung = try HungProgram()
      defer { hung.remove() }
      let (address, environment) = ("yt-dlp:https://v.example/", hung.environment)
      let terminal =
        try isList
        ? ScriptedTerminal(Feedfall.path, "list", address, environment: environment)
        : ScriptedTerminal(Feedfall.path, address, environment: environment)
      let processes = try hung.processes()
      #expect(processes.count == 2 && processes.allSatisfy(isRunning))
      try end(terminal)
      try blockUntil("\(processes) have ended") { !processes.contains(where: isRunning) }
    }
  }

  @Test(arguments: ["q", "\u{3}"])
  func `a key that ends the program also ends its child processes`(key: String) async throws {
    try await expectEnd { terminal in
      try terminal.waitFor("v.example")
      terminal.type(key)
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGKILL, SIGSEGV, SIGUSR1, SIGSYS])
  func `a signal that ends the program ends its child processes`(signal: Int32) async throws {
    try await expectEnd { kill($0.process, signal) }
  }

  @Test func `killing a running list command leaves no child process`() async throws {
    try await expectEnd(ofList: true) { kill($0.process, SIGINT) }
  }

  @Test func `a folder is listed, and its videos play from the disk`() async throws {
    try await withFolder { folder in
      try Data("film".utf8).write(to: URL(filePath: folder + "/A film.mp4"))
      let listed = try await Feedfall.run("list", folder)
      #expect(listed.status == 0)
      #expect(listed.output == "A film\t\t\tfile://\(folder)/A%20film.mp4\n")
      let shown = try await Feedfall.run("render", folder, "--size", "60x20")
      #expect(shown.output.contains("A film"))
    }
  }
}
