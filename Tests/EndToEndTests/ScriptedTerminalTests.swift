import Foundation
import TestSupport
import Testing

/// The bytes that a terminal and a shell receive.
@Suite(.hangLimit, .serialized)
struct ScriptedTerminalTests {
  private static let answers =
    "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;16;8t\u{1B}[?62;22c"

  /// Runs the program, then prints the input that it left unread.
  private static let thenUnread = """
    "\(Feedfall.path)"
    printf 'unread<%s>' "$(stty -icanon min 0 time 0; dd bs=4096 count=1 2>/dev/null | tr -cd '[:print:]')"
    """

  private func interactiveShell() throws -> ScriptedTerminal {
    let terminal = try ScriptedTerminal(
      "/usr/bin/env", "PS1=ready> ", "bash", "--norc", "--noprofile", "-i")
    try terminal.waitFor("ready>")
    return terminal
  }

  private func start(in terminal: ScriptedTerminal) throws {
    terminal.type("\(Feedfall.path)\n")
    try terminal.waitFor("\u{1B}[c")
    terminal.type(Self.answers)
    try terminal.waitFor("Elephants Dream")
  }

  private func waitForUnread(_ terminal: ScriptedTerminal) throws -> String {
    try terminal.waitFor("unread<")
    return String(try terminal.waitFor(">").dropLast())
  }

  @Test(arguments: [("1", "--mouse", false), ("1", "--color", true), ("", "--mouse", true), ("", "--no-color", false)])
  func `NO_COLOR counts unless an option overrides it`(noColor: String, option: String, isColored: Bool)
    async throws
  {
    try await onThread {
      let terminal = try ScriptedTerminal(Feedfall.path, option, environment: ["NO_COLOR": noColor])
      #expect(try terminal.waitFor("Elephants Dream").contains("8;5;") == isColored)
    }
  }

  @Test func `answers that arrive with the last key do not reach the shell`() async throws {
    let unread = try await onThread {
      let terminal = try ScriptedTerminal("/bin/sh", "-c", Self.thenUnread)
      try terminal.waitFor("\u{1B}[c")
      terminal.type("q" + Self.answers)
      return try waitForUnread(terminal)
    }
    #expect(unread == "")
  }

  @Test func `the answer after a change of size does not reach the shell`() async throws {
    let unread = try await onThread {
      let terminal = try ScriptedTerminal("/bin/sh", "-c", Self.thenUnread)
      try terminal.waitFor("\u{1B}[c")
      terminal.type(Self.answers)
      try terminal.waitFor("Elephants Dream")
      terminal.resize(rows: 30, columns: 90)
      try terminal.waitFor("\u{1B}[16t")
      terminal.type("q\u{1B}[6;16;8t\u{1B}[?62;22c")
      return try waitForUnread(terminal)
    }
    #expect(unread == "")
  }

  @Test func `fg paints the screen once`() async throws {
    let written = try await onThread {
      let terminal = try interactiveShell()
      try start(in: terminal)
      terminal.type("\u{1A}")
      try terminal.waitFor("ready>")
      terminal.type("fg\n")
      let painted = try terminal.waitFor("Elephants Dream")
      terminal.type("q")
      return try painted + terminal.waitFor("\u{1B}[?1049l")
    }
    #expect(written.components(separatedBy: "\u{1B}[2J").count == 2)
  }

  @Test func `a program in the background can be ended`() async throws {
    try await onThread {
      let terminal = try interactiveShell()
      try start(in: terminal)
      terminal.type("\u{1A}")
      try terminal.waitFor("ready>")
      terminal.type("bg; until jobs | grep -q Stopped; do sleep 0.05; done\n")
      try terminal.waitFor("ready>")
      terminal.type("kill %1; while kill -0 %1; do sleep 0.05; done; echo over$((1 + 1))\n")
      try terminal.waitFor("over2")
    }
  }

  @Test(arguments: [true, false])
  func `a program stopped by another one does not query the terminal in the background`(isEnded: Bool) async throws {
    let (inBackground, rest) = try await onThread {
      let terminal = try interactiveShell()
      terminal.type("sh -c 'echo \"process=$$.\"; exec \"\(Feedfall.path)\"'\n")
      try terminal.waitFor("process=$$.")
      try terminal.waitFor("process=")
      let process = try #require(try pid_t(terminal.waitFor(".").dropLast()))
      try terminal.waitFor("\u{1B}[c")
      terminal.type(Self.answers)
      try terminal.waitFor("Elephants Dream")
      // Once it is shown, the answers are read.
      terminal.type("?")
      try terminal.waitFor("Help")
      kill(process, SIGSTOP)
      try terminal.waitFor("ready>")
      terminal.type("bg; until jobs | grep -q Stopped; do sleep 0.05; done; echo in$((1 + 1))\n")
      let inBackground = try terminal.waitFor("in2")
      if isEnded {
        terminal.type("kill %1; while kill -0 %1; do sleep 0.05; done; echo over$((1 + 1))\n")
        return (inBackground, try terminal.waitFor("over2"))
      }
      terminal.type("fg\n")
      let rest = try terminal.waitFor("Help")
      terminal.type("qq" + Self.answers)
      return (inBackground, rest)
    }
    #expect(!inBackground.contains("\u{1B}[16t") && rest.contains("\u{1B}[16t") == !isEnded)
  }

  @Test(arguments: ["0<&-", "2>&-", "0<&- 2>&-"])
  func `closed standard files cause no failure`(closed: String) async throws {
    let isCooked = try await onThread {
      let terminal = try ScriptedTerminal("/bin/sh", "-c", "\"\(Feedfall.path)\" \(closed); echo status=$?; read line")
      try terminal.waitFor("\u{1B}[c")
      terminal.type(Self.answers)
      try terminal.waitFor("Elephants Dream")
      terminal.type("q")
      try terminal.waitFor("status=0")
      return terminal.isCooked
    }
    #expect(isCooked)
  }
}
