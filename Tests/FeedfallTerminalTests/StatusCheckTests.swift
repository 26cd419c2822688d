import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct StatusCheckTests {
  @Test func `the answers to earlier video frames come first`() {
    var check = StatusCheck()
    check.countVideoQuery()
    check.countVideoQuery()
    check.begin(at: 0)
    check.countVideoQuery()
    #expect([check.handleAnswer(), check.handleAnswer()] == [false, false])
    #expect(check.isPending)
    #expect(check.handleAnswer() == true)
    #expect(!check.isPending)
    #expect(check.handleAnswer() == false)
    check.begin(at: 0)
    #expect(check.handleAnswer() == true)
  }

  @Test func `an answer is expected until its limit`() {
    var check = StatusCheck()
    #expect(check.remainingTime(at: 5) == 0)
    check.begin(at: 5)
    #expect(check.remainingTime(at: 5) == StatusCheck.answerLimit)
    #expect(check.remainingTime(at: 5 + StatusCheck.answerLimit) == 0)
    _ = check.handleAnswer()
    #expect(check.remainingTime(at: 5) == 0)
  }
}

extension CursesPainterTests {
  @Suite(.serialized) struct StatusRequestTests {
    @Test func `a status query is pending until its own answer`() throws {
      let shown = try ModelTerminal(size: Size(width: 60, height: 20), answers: false)
      var canvas = Canvas(size: Size(width: 60, height: 20))
      canvas.reserve(Rect(x: 30, y: 3, width: 4, height: 2), brightness: 50)
      shown.paint(canvas)
      let white = PixelBuffer(size: Size(width: 4, height: 4), bytes: Array(repeating: 255, count: 48))
      shown.show(try #require(white))
      #expect(!shown.terminal.isAwaitingStatus)
      #expect(shown.terminal.requestStatus())
      shown.read()
      shown.type("\u{1B}[0n")
      #expect(shown.terminal.isAwaitingStatus)
      shown.type("\u{1B}[0n")
      #expect(!shown.terminal.isAwaitingStatus)
      #expect(shown.events.isEmpty)
    }
  }
}
