import Foundation
import TestSupport
import Testing

/// Pictures in terminals of all kinds, each represented by its recorded answers.
@Suite(.hangLimit, .serialized)
struct PictureTests {
  /// The recorded answers of a terminal.
  struct Answers: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String
    /// The picture protocol that the program reports, and what it writes to show a picture.
    var protocolName: String
    var writes: String
  }

  /// The start of a color of the 256-color palette, used if the terminal confirms no other colors.
  private static let nearestColor = "38;5;"

  private static let kitty31 = Answers(
    testDescription: "kitty 0.31",
    text: "\u{1B}[?2026;2$y\u{1B}P>|kitty(0.31.0)\u{1B}\\\u{1B}P1$r48:2:1:2:3m\u{1B}\\\u{1B}[6;20;9t\u{1B}[?62;c",
    protocolName: "kittyPlaceholders", writes: "\u{1B}_Ga=T,U=1,c=20,r=8,q=2,i=")
  private static let kitty26 = Answers(
    testDescription: "kitty 0.26",
    text: "\u{1B}[?2026;2$y\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}P1$r48:2:1:2:3m\u{1B}\\\u{1B}[6;20;9t\u{1B}[?62;c",
    protocolName: "kittyPlacements", writes: "\u{1B}_Ga=t,q=2,i=")
  private static let xterm = Answers(
    testDescription: "xterm as a VT340",
    text: "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\\u{1B}[6;15;8t\u{1B}[?63;1;2;4;6;9;15;16;22;28c"
      + "\u{1B}[?1;0;256S\u{1B}[?63;1;2;4;6;9;15;16;22;28c",
    protocolName: "sixel", writes: "\u{1B}P0;1;0q")

  static let all = [
    kitty31, kitty26, xterm,
    Answers(
      testDescription: "xterm",
      text: "\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c",
      protocolName: "cells", writes: "38;2;"),
    Answers(
      testDescription: "Ghostty",
      text:
        "\u{1B}[?2026;2$y\u{1B}P>|ghostty 1.0.1\u{1B}\\\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\\u{1B}[6;20;9t\u{1B}[?62;22c",
      protocolName: "kittyPlaceholders", writes: "\u{1B}_Ga=T,U=1,c=20,r=8,q=2,i="),
    Answers(
      testDescription: "foot",
      text: "\u{1B}]11;rgb:24/24/24\u{1B}\\\u{1B}[?2026;2$y\u{1B}P>|foot(1.13.1)\u{1B}\\"
        + "\u{1B}P1$r0;48:2::1:2:3m\u{1B}\\\u{1B}[6;20;9t\u{1B}[?62;4;22c",
      protocolName: "sixel", writes: "\u{1B}P0;1;0q"),
    Answers(testDescription: "Alacritty", text: "\u{1B}[?6c", protocolName: "cells", writes: nearestColor),
    Answers(
      testDescription: "tmux 3.3a", text: "\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c", protocolName: "cells",
      writes: nearestColor),
    Answers(testDescription: "a terminal without answers", text: "", protocolName: "cells", writes: nearestColor),
  ]

  private func start(_ answers: Answers, _ arguments: String = "") throws -> ScriptedTerminal {
    let terminal = try ScriptedTerminal("/bin/sh", "-c", "exec \"\(builtProgram("picture-painter"))\" \(arguments)")
    try terminal.waitFor("\u{1B}[c")
    terminal.type(answers.text)
    return terminal
  }

  @Test(arguments: all)
  func `the terminal's best protocol is used`(answers: Answers) async throws {
    try await onThread {
      let terminal = try start(answers)
      try terminal.waitFor("rows above: 0")
      let isAsBefore = answers.writes == Self.nearestColor
      if !isAsBefore { try terminal.waitFor(answers.writes) }
      // Writes all cells again, including the name of the protocol.
      terminal.type("\u{C}")
      let painted = try terminal.waitFor("rows above: 0")
      #expect(painted.contains("pictures by \(answers.protocolName)"))
      if isAsBefore { #expect(painted.contains(Self.nearestColor) && !painted.contains("38;2;")) }
      terminal.type("q")
      try terminal.waitFor("\u{1B}[?1049l")
    }
  }

  @Test func `in tmux the outer terminal is queried and receives the pictures`() async throws {
    try await onThread {
      let terminal = try start(Self.all[7])
      try terminal.waitFor("\u{1B}Ptmux;\u{1B}\u{1B}[>q\u{1B}\u{1B}[c\u{1B}\\")
      terminal.type("\u{1B}P>|kitty(0.31.0)\u{1B}\\\u{1B}[?62;c")
      let sent = try terminal.waitFor("\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T,U=1,c=20,r=8,q=2,i=")
      #expect(!sent.contains("\u{1B}_Ga=T,U=1,c=20,r=8\u{1B}\\"))
      try terminal.waitFor("\u{10EEEE}\u{305}\u{305}")
      terminal.type("q")
      try terminal.waitFor("\u{1B}Ptmux;\u{1B}\u{1B}_Ga=d,d=I,i=")
    }
  }

  @Test func `after tmux moves to another terminal, that terminal is queried`() async throws {
    try await onThread {
      let terminal = try start(Self.all[7])
      let query = "\u{1B}Ptmux;\u{1B}\u{1B}[>q\u{1B}\u{1B}[c\u{1B}\\"
      let kitty = "\u{1B}P>|kitty(0.31.0)\u{1B}\\\u{1B}[?62;c"
      try terminal.waitFor(query)
      // tmux has reported its name, which leads to a second batch.
      terminal.type("\u{1B}[?1;2c" + kitty)
      try terminal.waitFor("\u{10EEEE}")
      terminal.type("\u{C}")
      try terminal.waitFor(query)
      // Not every terminal reports its name.
      terminal.type("\u{1B}[?6c")
      try terminal.waitFor("cells")
      terminal.resize(rows: 30, columns: 90)
      try terminal.waitFor(query)
      terminal.type(kitty)
      try terminal.waitFor("\u{10EEEE}")
    }
  }

  @Test(arguments: [(kitty31, "\u{1B}_Ga=T"), (kitty26, "\u{1B}_Ga=t")])
  func `pictures are deleted when the program stops, and sent again`(answers: Answers, sends: String) async throws {
    try await onThread {
      let terminal = try start(answers)
      for _ in 0..<6 { try terminal.waitFor(sends) }
      for key in ["\u{1A}", "\u{C}"] {
        terminal.type(key)
        for _ in 0..<6 { try terminal.waitFor("\u{1B}_Ga=d,d=I,i=") }
        if key == "\u{1A}" { try terminal.waitFor("\u{1B}[?1049h") }
        for _ in 0..<6 { try terminal.waitFor(sends) }
      }
      terminal.type("n\u{C}")
      for _ in 0..<6 { try terminal.waitFor("\u{1B}_Ga=d,d=I,i=") }
      terminal.type("n")
      for _ in 0..<6 { try terminal.waitFor(sends) }
      terminal.resize(rows: 30, columns: 90)
      for _ in 0..<6 { try terminal.waitFor("\u{1B}_Ga=d,d=I,i=") }
      for _ in 0..<6 { try terminal.waitFor(sends) }
      terminal.type("x")
      let left = try terminal.waitFor("\u{1B}[?1049l")
      #expect(left.components(separatedBy: "\u{1B}_Ga=d,d=I,i=").count == 7)
    }
  }

  @Test func `pictures are deleted if the program stops before the next frame`() async throws {
    try await onThread {
      let terminal = try start(Self.kitty31)
      for _ in 0..<6 { try terminal.waitFor("\u{1B}_Ga=T") }
      try terminal.waitFor("\u{10EEEE}")
      // Both are read before the next frame.
      terminal.type("\u{C}\u{1A}")
      let left = try terminal.waitFor("\u{1B}[?1049l")
      #expect(left.components(separatedBy: "\u{1B}_Ga=d,d=I,i=").count == 7)
    }
  }

  @Test(arguments: [kitty26, xterm], [SIGTERM, SIGSEGV])
  func `a picture cut off by the program's end does not swallow the restore sequence`(
    answers: Answers, end: Int32
  ) async throws {
    try await onThread {
      let terminal = try start(answers)
      var written = try terminal.waitFor(answers.writes)
      while true {
        // The test reads nothing here, so the program waits for room, or for a key if it has sent all pictures.
        try blockUntil("the program waits") { processState(terminal.process) == "S" }
        kill(terminal.process, SIGSTOP)
        try blockUntil("the program is stopped") { processState(terminal.process) == "T" }
        written += terminal.drain()
        if isWithinString(written) { break }
        kill(terminal.process, SIGCONT)
        // Sends the pictures again.
        terminal.type("\u{C}")
        written += try terminal.waitFor(answers.writes)
      }
      // There is room now, but the program has to end the picture before it writes anything else.
      kill(terminal.process, end)
      kill(terminal.process, SIGCONT)
      let rest = try terminal.waitFor("\u{1B}[?1049l")
      #expect(rest.hasPrefix("\u{1B}\\"))
      #expect(!isWithinString(written + rest))
    }
  }

  /// Whether a picture or another string sequence is incomplete.
  private func isWithinString(_ written: String) -> Bool {
    written.replacing(/\x1B[_P\]][^\x1B]*\x1B\\/, with: "").contains(/\x1B[_P]/)
  }

  @Test(arguments: ["cells", "symbols", "none"])
  func `no pictures are sent if the user's choice excludes them`(choice: String) async throws {
    try await onThread {
      let terminal = try start(Self.kitty31, choice)
      // The terminal's answers are handled before the alert, and the alert before the idle frame.
      terminal.type("a")
      let written = try ["an alert", "resting"].map { try terminal.waitFor($0) }
      terminal.type("q")
      let last = try terminal.waitFor("\u{1B}[?1049l")
      // Queries with a=q show nothing; videos may use the graphics.
      let commands = (written + [last]).joined().split(separator: "\u{1B}_G").dropFirst()
      #expect(commands.allSatisfy { $0.hasPrefix("a=q,") })
    }
  }
}
