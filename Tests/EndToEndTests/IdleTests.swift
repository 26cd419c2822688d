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
}
