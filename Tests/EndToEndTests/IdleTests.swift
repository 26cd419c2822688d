import Foundation
import TestSupport
import Testing

/// Idle reports to the file that `FEEDFALL_IDLE` names.
@Suite(.hangLimit, .serialized) struct IdleTests {
  @Test(.enabled(if: Tmux.path != nil, "tmux is not installed"))
  func `each idle period writes a line with the number of input events, also to a regular file`() async throws {
    try await onThread {
      let tmux = try Tmux(width: 80, height: 24)
      defer { tmux.close() }
      let file = tmux.folder.path + "/lines"
      let lines = { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
      try tmux.runInShell("export FEEDFALL_IDLE=\(file)")
      try tmux.enter(Feedfall.path)
      try blockUntil("the first page is reported") { lines() == "0\n" }
      #expect(try tmux.screen().contains("1 of 30"))
      try tmux.press("G")
      try blockUntil("the key is reported") { lines() == "0\n1\n" }
      #expect(try tmux.screen().contains("30 of 30"))
      try tmux.press("q")
      try tmux.waitForShell()
      #expect(lines() == "0\n1\n")
    }
  }

  @Test(.enabled(if: Tmux.path != nil, "tmux is not installed"))
  func `a FIFO without a reader ends the program with status 2`() async throws {
    try await onThread {
      let tmux = try Tmux(width: 200, height: 24)
      defer { tmux.close() }
      let path = tmux.folder.path + "/unread"
      try tmux.runInShell("mkfifo \(path)")
      try tmux.runInShell("FEEDFALL_IDLE=\(path) \(Feedfall.path); echo status=$?")
      let screen = try tmux.screen()
      #expect(screen.contains("status=2"))
      #expect(screen.contains("\nfeedfall: Could not open \(path), which FEEDFALL_IDLE names: no process reads"))
    }
  }

  @Test func `a file that cannot be opened ends the program with status 2 before the terminal changes`() async throws {
    let outcome = try await run(
      "/usr/bin/script", ["-qec", Feedfall.path, "/dev/null"],
      environment: ["TERM": "xterm-256color", "FEEDFALL_IDLE": "/nowhere/idle"])
    #expect(outcome.status == 2)
    #expect(
      outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
        == "feedfall: Could not open /nowhere/idle, which FEEDFALL_IDLE names: No such file or directory. "
        + "Name a file that can be written, or unset FEEDFALL_IDLE.")
  }

  @Test func `the terminal is asked for its status before a report`() async throws {
    try await withFolder { folder in
      try await onThread {
        let terminal = try ScriptedTerminal(Feedfall.path, environment: ["FEEDFALL_IDLE": folder + "/lines"])
        _ = try terminal.waitFor("\u{1B}[c")
        terminal.type("\u{1B}[?62;22c")
        _ = try terminal.waitFor("Elephants Dream")
        _ = try terminal.waitFor("\u{1B}[5n")
        terminal.type("\u{1B}[0n")
        try blockUntil("the line is there") {
          (try? String(contentsOfFile: folder + "/lines", encoding: .utf8)) == "0\n"
        }
        terminal.type("q")
        _ = try terminal.waitFor("\u{1B}[?1049l")
      }
    }
  }
}
