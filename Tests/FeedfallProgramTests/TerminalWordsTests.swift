import FeedfallTerminal
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallProgram

@Suite(.hangLimit) struct TerminalWordsTests {
  private func survey(_ name: String, _ kind: TerminalSurvey.Kind) -> TerminalSurvey {
    var survey = TerminalSurvey()
    (survey.name, survey.kind, survey.isTerminal) = (name, kind, true)
    (survey.size, survey.colors) = (Size(width: 120, height: 40), .direct)
    return survey
  }

  @Test func `a good terminal has no faults`() {
    let words = DoctorCommand.TerminalWords(of: survey("foot", .known("foot", canMoveCursor: true)))
    #expect(words.faults.isEmpty)
    #expect(
      words.facts == [
        "type: foot", "size: 120x40", "colors: 24-bit", "pictures: feedfall asks the terminal when it starts",
        "text: UTF-8",
      ])
  }

  @Test func `a terminal that cannot show the screen is a fault, but a missing one is not`() {
    let kinds: [(String, TerminalSurvey.Kind)] = [
      ("", .none), ("dumb", .none), ("zzz\u{1B}[", .unknown), ("tty33", .known("tty33", canMoveCursor: false)),
    ]
    for (name, kind) in kinds {
      var survey = survey(name, kind)
      let faults = DoctorCommand.TerminalWords(of: survey).faults
      #expect(faults.count == 1 && !faults[0].contains("\u{1B}"))
      survey.isTerminal = false
      #expect(DoctorCommand.TerminalWords(of: survey).faults.isEmpty)
      survey.hasUTF8 = false
      #expect(DoctorCommand.TerminalWords(of: survey).faults.count == 1)
    }
  }

  @Test func `each limitation comes with advice`() {
    var survey = survey("xterm-ghostty", .known("xterm-256color", canMoveCursor: true))
    (survey.colors, survey.multiplexer, survey.size) = (.indexed(256), .tmux, Size(width: 30, height: 9))
    let facts = DoctorCommand.TerminalWords(of: survey).facts
    for advice in ["Install ncurses-term", "at least 40 columns", "allow-passthrough on", "Set COLORTERM"] {
      #expect(facts.contains { $0.contains(advice) }, "\(facts)")
    }
    (survey.refusesColors, survey.multiplexer, survey.pictures) = (true, .screen, .cells)
    let others = DoctorCommand.TerminalWords(of: survey).facts
    for advice in ["--color", "use tmux", "kitty"] { #expect(others.contains { $0.contains(advice) }, "\(others)") }
  }

  @Test(
    arguments: [
      ("screen", nil, "screen-256color"), ("screen", .screen, "screen-256color"), ("xterm", .tmux, "screen-256color"),
      ("tmux", .tmux, "screen-256color"), ("xterm", nil, "xterm-256color"), ("vt100", nil, "xterm-256color"),
    ] as [(String, TerminalSurvey.Multiplexer?, String)])
  func `the advised type has many colors and fits the multiplexer`(
    name: String, multiplexer: TerminalSurvey.Multiplexer?, advised: String
  ) {
    var survey = survey(name, .known(name, canMoveCursor: true))
    survey.multiplexer = multiplexer
    for colors in [TerminalSurvey.Colors.none, .indexed(8)] {
      survey.colors = colors
      let facts = DoctorCommand.TerminalWords(of: survey).facts
      #expect(facts.contains { $0.hasPrefix("colors") && $0.contains("Set TERM to \(advised) ") }, "\(facts)")
    }
  }
}
