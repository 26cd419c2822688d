import FeedfallSystem
import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct TerminalSurveyTests {
  private func survey(
    _ variables: [String: String], _ entries: [String: Int] = ["xterm-256color": 256, "linux": 8, "vt100": -1]
  ) -> TerminalSurvey {
    TerminalSurvey(Environment(variables)) { type in
      entries[type].map { (true, $0) }
    }
  }

  @Test func `the type is the first similar one that this machine has`() {
    #expect(survey([:]).kind == .none && survey(["TERM": "dumb"]).kind == .none)
    #expect(survey(["TERM": "zzz"]).kind == .unknown)
    #expect(survey(["TERM": "xterm-ghostty"]).kind == .known("xterm-256color", canMoveCursor: true))
    #expect(survey(["TERM": "vt100"]).kind == .known("vt100", canMoveCursor: true))
  }

  @Test func `colors are those of the entry, or all if COLORTERM promises them`() {
    #expect(survey(["TERM": "vt100"]).colors == .none && survey(["TERM": "linux"]).colors == .indexed(8))
    #expect(survey(["TERM": "xterm-256color"]).colors == .indexed(256))
    #expect(survey(["TERM": "xterm-256color", "COLORTERM": "truecolor"]).colors == .direct)
    #expect(survey(["TERM": "xterm-256color", "COLORTERM": "truecolor", "STY": "1"]).colors == .indexed(256))
    #expect(survey(["TERM": "x"], ["x": 1 << 24]).colors == .direct)
    #expect(survey(["TERM": "vt100", "COLORTERM": "truecolor"]).colors == .none)
  }

  @Test func `pictures are known only if variables name the terminal itself`() {
    #expect(survey(["TERM": "xterm-kitty"]).pictures == .kittyPlaceholders)
    #expect(survey(["TERM": "xterm-kitty", "TMUX": "/tmp/x"]).pictures == nil)
    #expect(survey(["TERM": "linux"]).pictures == .cells && survey(["TERM": "screen", "STY": "1"]).pictures == .cells)
    #expect(survey(["TERM": "xterm-256color"]).pictures == nil)
  }

  @Test func `GNU Screen in tmux is tmux`() {
    #expect(survey(["STY": "1"]).multiplexer == .screen && survey([:]).multiplexer == nil)
    #expect(survey(["STY": "1", "TMUX": "/tmp/x"]).multiplexer == .tmux)
  }
}
