import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct StatusCheckTests {
  @Test func `an answer is expected until its limit`() {
    var check = FrameSender.StatusCheck()
    #expect(check.timeout(at: 5) == nil)
    check.begin(at: 5)
    #expect(check.timeout(at: 5) == FrameSender.StatusCheck.answerLimit)
    #expect(check.timeout(at: 5 + FrameSender.StatusCheck.answerLimit) == 0)
    _ = check.handleAnswer()
    #expect(check.timeout(at: 5) == nil)
  }

  @Test func `after a lapsed query no earlier answer is expected`() {
    var check = FrameSender.StatusCheck()
    check.countVideoQuery()
    check.begin(at: 0)
    check.begin(at: FrameSender.StatusCheck.answerLimit)
    #expect(check.handleAnswer() == true)
  }

  @Test func `the query of a frame that was cut is not expected`() {
    var check = FrameSender.StatusCheck()
    check.countVideoQuery()
    check.uncountVideoQuery()
    check.begin(at: 0)
    #expect(check.handleAnswer() == true)
  }
}

extension ScreenPainterTests {
  @Suite(.serialized) struct StatusRequestTests {
    @Test func `a status query is pending until its own answer`() throws {
      let shown = try ModelTerminal(size: Size(width: 60, height: 20), answers: false)
      var canvas = Canvas(size: Size(width: 60, height: 20))
      canvas.reserve(Rect(x: 30, y: 3, width: 4, height: 2), brightness: 50)
      shown.paint(canvas)
      let white = PixelBuffer(size: Size(width: 4, height: 4), bytes: Array(repeating: 255, count: 48))
      shown.show(try #require(white))
      #expect(shown.terminal.statusTimeout == nil)
      #expect(shown.terminal.requestStatus())
      shown.read()
      shown.type("\u{1B}[0n")
      #expect(shown.terminal.statusTimeout != nil)
      shown.type("\u{1B}[0n")
      #expect(shown.terminal.statusTimeout == nil)
      #expect(shown.events.isEmpty)
    }

    @Test func `a terminal that does not read delays no paint, and shows the newest canvas once it reads`() throws {
      var random = SeededGenerator(seed: 5)
      let size = Size(width: 200, height: 60)
      let shown = try ModelTerminal(size: size, answers: false)
      shown.settle()
      for number in 0..<20 {
        var canvas = Canvas(size: size)
        for row in 0..<size.height {
          let text = (0..<size.width).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
          canvas.write(text, at: Point(x: 0, y: row), style: Style(number % 2 == 0 ? .key : .title))
        }
        shown.paint(canvas)
      }
      #expect(shown.terminal.videoOutput != nil)
      // No more than the rest of one canvas is held.
      #expect(shown.terminal.device.heldByteCount < 2 * size.width * size.height)
      shown.settle()
      #expect(shown.terminal.videoOutput == nil)
      #expect(try shown.faults() == [])
    }

    @Test func `the query of a frame whose last row waits during a resize is answered first`() throws {
      var random = SeededGenerator(seed: 3)
      let size = Size(width: 200, height: 60)
      let shown = try ModelTerminal(size: size, answers: false)
      var canvas = Canvas(size: size)
      canvas.reserve(Rect(x: 0, y: 0, width: 200, height: 59), brightness: 50)
      shown.paint(canvas)
      shown.settle()
      let bytes = (0..<200 * 118 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
      shown.show(try #require(PixelBuffer(size: Size(width: 200, height: 118), bytes: bytes)))
      // A row of these colors has more than 6,000 bytes.
      while shown.terminal.device.heldByteCount > 6000 {
        shown.read(atMost: 1000)
        shown.terminal.continueVideo()
      }
      try #require(shown.terminal.device.heldByteCount > 0)
      shown.resize(to: Size(width: 100, height: 30))
      #expect(shown.terminal.requestStatus())
      shown.read()
      shown.type("\u{1B}[0n")
      #expect(shown.terminal.statusTimeout != nil)
      shown.type("\u{1B}[0n")
      #expect(shown.terminal.statusTimeout == nil)
    }
  }
}
