import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  /// How long the program waits for the terminal's answers, measured by the test's clock.
  @Suite(.serialized) struct CursesTerminalTests {
    private static let answers = "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;16;8t\u{1B}[?62;22c"

    /// Closes the terminal; returns the elapsed time.
    private func close(_ shown: ModelTerminal) -> Int {
      // The first canvas is sent with the queries.
      shown.paint(Canvas(size: Size(width: 60, height: 20)))
      let start = shown.clock.now
      shown.terminal.close()
      return shown.clock.now - start
    }

    @Test func `late answers in pieces are not keys`() throws {
      let shown = try ModelTerminal(isIdentified: false, pictures: .auto)
      shown.clock.advance(by: 100)
      #expect(!shown.terminal.movesPictures)
      for piece in ["\u{1B}", "P>|kit", "ty(0.31.0)", "\u{1B}", "\\\u{1B}", "[?62", ";c"] {
        shown.type(piece)
        // Longer than the time-out of Escape.
        shown.clock.advance(by: 40)
        shown.type("")
      }
      #expect(shown.events == [])
      #expect(shown.terminal.pictureProtocol == .kittyPlaceholders)
      #expect(shown.terminal.movesPictures)
      shown.type("k")
      #expect(shown.events == [.key(.character("k"))])
    }

    @Test func `the colors of a canvas that is cut off end with the program, also without an alternate screen`() throws
    {
      let size = Size(width: 200, height: 60)
      let shown = try ModelTerminal(size: size, name: "linux")
      var canvas = Canvas(size: size)
      for place in 0..<size.width * size.height {
        let ink = RGB(red: place % 2 == 0 ? 255 : 0, green: 255, blue: 0)
        let style = Style(.cover, foreground: ink, background: RGB(red: 0, green: 0, blue: 255))
        canvas[place % size.width, place / size.width] = Cell(Glyph("x"), style)
      }
      shown.paint(canvas)
      try #require(shown.terminal.isHoldingCanvas)
      try shown.readingMeanwhile { shown.terminal.close() }
      var screen = shown.model
      screen.process(Array("\u{1B}[HX".utf8))
      #expect(screen[0, 0].text == "X" && screen[0, 0].foreground == [] && screen[0, 0].background == [])
    }

    @Test func `a copy follows a canvas that the terminal has not read`() throws {
      let size = Size(width: 200, height: 60)
      let shown = try ModelTerminal(size: size)
      var canvas = Canvas(size: size)
      for place in 0..<size.width * size.height {
        let style = Style(.cover, background: RGB(red: UInt8(place % 251), green: UInt8(place % 241), blue: 0))
        canvas[place % size.width, place / size.width] = Cell(Glyph("x"), style)
      }
      shown.paint(canvas)
      try #require(shown.terminal.isHoldingCanvas)
      shown.terminal.copyToClipboard("hello")
      #expect(try shown.faults() == [])
      #expect(shown.output().hasSuffix("\u{1B}]52;c;aGVsbG8=\u{1B}\\"))
    }

    @Test func `the background of a palette covers the screen, also after scrolling`() throws {
      let shown = try ModelTerminal(theme: .nord)
      func canvas(_ offset: Int) -> Canvas {
        var canvas = Canvas(size: Size(width: 60, height: 20))
        for y in 1..<19 where (y + offset) % 3 != 0 {
          canvas.write("title \((y + offset) % 7)", at: Point(x: 2, y: y), style: Style(.title))
        }
        return canvas
      }
      for offset in [0, 1, 4, 2, 2] {
        shown.paint(canvas(offset))
        shown.settle()
        #expect(shown.model.cells.allSatisfy { $0.background == [2, 0x2E, 0x34, 0x40] }, "\(offset)")
      }
      shown.terminal.repaintAll()
      shown.paint(canvas(9))
      #expect(try shown.faults() == [])
      #expect(shown.model.cells.allSatisfy { $0.background == [2, 0x2E, 0x34, 0x40] })
    }

    @Test func `finer block characters are a changed appearance`() throws {
      let shown = try ModelTerminal()
      #expect(shown.terminal.glyphs == .eighths)
      #expect(!shown.type("\u{1B}P>|XTerm(379)\u{1B}\\") && shown.terminal.glyphs == .eighths)
      #expect(shown.type("\u{1B}P>|WezTerm 20240203\u{1B}\\") && shown.terminal.glyphs == .sextants)
    }

    @Test(arguments: [
      (true, InputReader.Waits.local, 25), (true, .remote, 100), (false, .local, 1000), (false, .remote, 3000),
    ])
    func `Escape waits longer over SSH, and until the first queries are answered`(
      isIdentified: Bool, waits: InputReader.Waits, time: Int
    ) throws {
      let shown = try ModelTerminal(isIdentified: isIdentified, waits: waits)
      shown.type("\u{1B}")
      #expect(shown.terminal.pendingInputTimeout == time)
      shown.clock.advance(by: time - 1)
      shown.type("")
      #expect(shown.events == [])
      shown.clock.advance(by: 1)
      shown.type("")
      #expect(shown.events == [.key(.escape)])
      #expect(shown.terminal.pendingInputTimeout == nil)
    }

    @Test func `Escape is a key as soon as the answers have arrived`() throws {
      let shown = try ModelTerminal(isIdentified: false)
      shown.type("\u{1B}")
      shown.type(Self.answers)
      #expect(shown.events == [.key(.escape)])
    }

    @Test(
      arguments: [("[", InputReader.Waits.local, 25), ("O", .local, 25), ("[", .remote, 100)]
        as [(Character, InputReader.Waits, Int)]
    )
    func `Alt-[ and Alt-O are keys after the wait for Escape, and swallow no other key`(
      start: Character, waits: InputReader.Waits, time: Int
    ) throws {
      let shown = try ModelTerminal(waits: waits)
      shown.type("\u{1B}\(start)")
      #expect(shown.terminal.pendingInputTimeout == time && shown.events == [])
      shown.clock.advance(by: time)
      shown.type("")
      shown.type("j")
      #expect(shown.events == [.key(.alt(start)), .key(.character("j"))])
      #expect(shown.terminal.pendingInputTimeout == nil)
    }

    @Test func `an answer about the cell size leaves the size to the next update`() throws {
      let shown = try ModelTerminal()
      let size = shown.terminal.size
      shown.resize(to: Size(width: 80, height: 30), isNoticed: false)
      shown.type("\u{1B}[6;20;10t")
      #expect(shown.terminal.size == size && shown.terminal.cellSize == Size(width: 10, height: 20))
      var canvas = Canvas(size: Size(width: 80, height: 30))
      canvas.link(Rect(x: 70, y: 1, width: 5, height: 1), to: "https://films.example/0")
      shown.paint(canvas)
      shown.terminal.updateSize()
      shown.paint(canvas)
      #expect(shown.terminal.size == canvas.size)
      #expect(try shown.faults() == [])
    }

    @Test(arguments: [("xterm-256color", "\u{1B}[?1049h"), ("rxvt", "\u{1B}[?47h"), ("linux", "")])
    func `a repaint only enters the alternate screen and hides the cursor again`(name: String, mode: String) throws {
      let shown = try ModelTerminal(name: name)
      let before = shown.output().utf8.count
      shown.terminal.repaintAll()
      shown.paint(Canvas(size: Size(width: 60, height: 20)))
      let new = String(decoding: shown.output().utf8.dropFirst(before), as: UTF8.self)
      #expect(new.hasPrefix(mode + "\u{1B}[?25l"))
      #expect(!new.contains("\u{1B}[22;0;0t") && !new.contains("\u{1B}7"))
    }

    // MARK: Restoring

    @Test(arguments: ["xterm-256color", "linux", "tmux-256color"])
    func `a crash leaves the alternate screen if the program has entered it`(name: String) throws {
      let shown = try ModelTerminal(isIdentified: false, name: name)
      func isBalanced() -> Bool {
        let crashed = shown.output() + String(decoding: shown.terminal.restoration.bytes, as: UTF8.self)
        let (entered, left) = ("?1049h", "?1049l")
        return crashed.split(separator: entered, omittingEmptySubsequences: false).count
          == crashed.split(separator: left, omittingEmptySubsequences: false).count
      }
      // The reports of a terminal that was not asked.
      for report in ["", "\u{1B}[?0u", "\u{1B}[?2026;2$y"] {
        shown.type(report)
        #expect(isBalanced() && shown.byteCount == 0 && shown.terminal.restoration.bytes.isEmpty)
      }
      shown.paint(Canvas(size: Size(width: 60, height: 20)))
      #expect(isBalanced() && !shown.terminal.restoration.bytes.isEmpty)
      shown.type("\u{1B}[?0u\u{1B}[?62c")
      #expect(isBalanced() && !shown.terminal.restoration.bytes.isEmpty)
      shown.terminal.close()
      #expect(isBalanced() && shown.terminal.restoration.bytes.isEmpty)
    }

    @Test func `an answer never becomes a key, however it is split or delayed before the fence`() throws {
      var generator = SeededGenerator(seed: 5)
      for _ in 0..<20 {
        let shown = try ModelTerminal(isIdentified: false, waits: .remote)
        var rest = Array(Self.answers.unicodeScalars)[...]
        var time = 0
        while !rest.isEmpty {
          let count = Int.random(in: 1...4, using: &generator)
          var piece = String.UnicodeScalarView()
          piece.append(contentsOf: rest.prefix(count))
          shown.type(String(piece))
          rest = rest.dropFirst(count)
          let pause = Int.random(in: 0...min(900, 2999 - time), using: &generator)
          time += pause
          shown.clock.advance(by: pause)
          shown.type("")
        }
        #expect(shown.events == [])
        shown.type("k")
        #expect(shown.events == [.key(.character("k"))])
      }
    }

    // MARK: Keyboard protocol

    private static let (push, set, pop) = ("\u{1B}[>5u", "\u{1B}[=5u", "\u{1B}[<u")

    @Test func `the keyboard protocol is pushed once on the alternate screen, and popped there`() throws {
      let shown = try ModelTerminal()
      #expect(!shown.output().contains(Self.push))
      for _ in 0..<3 { shown.type("\u{1B}[?0u") }
      shown.terminal.repaintAll()
      shown.paint(Canvas(size: Size(width: 60, height: 20)))
      #expect(shown.output().contains(Self.set))
      shown.terminal.close()
      let parts = shown.output().split(separator: Self.push)
      #expect(parts.count == 2 && parts[0].contains("\u{1B}[?1049h"))
      let rest = parts.last?.split(separator: Self.pop) ?? []
      #expect(rest.count == 2 && !rest[0].contains("\u{1B}[?1049l") && rest[1].contains("\u{1B}[?1049l"))
    }

    @Test func `a terminal without the keyboard protocol gets none of its sequences`() throws {
      let shown = try ModelTerminal()
      shown.terminal.close()
      for sequence in [Self.push, Self.set, Self.pop] { #expect(!shown.output().contains(sequence)) }
    }

    @Test func `close waits for answers, and drops them and keys before them`() throws {
      let shown = try ModelTerminal(isIdentified: false, waits: .remote)
      shown.send("jq" + String(Self.answers.prefix(9)), after: 200)
      shown.send(String(Self.answers.dropFirst(9)), after: 2999)
      #expect(close(shown) == 2999)
      #expect(!shown.hasUnreadInput && shown.events == [])
    }

    @Test(arguments: [(InputReader.Waits.local, 1000), (.remote, 3000)])
    func `close gives up when no answer has arrived in time`(waits: InputReader.Waits, time: Int) throws {
      let shown = try ModelTerminal(isIdentified: false, waits: waits)
      shown.clock.advance(by: 100)
      #expect(close(shown) == time - 100)
    }

    @Test func `close does not wait if all queries are answered`() throws {
      #expect(close(try ModelTerminal()) == 0)
    }

    @Test func `close waits for the answer after a change of size`() throws {
      let shown = try ModelTerminal()
      shown.type("\u{1B}[6;16;8t")
      shown.clock.advance(by: 1000)
      shown.resize(to: Size(width: 90, height: 30))
      shown.send("\u{1B}[6;16;8t\u{1B}[?62;22c", after: 300)
      #expect(close(shown) == 300)
      #expect(!shown.hasUnreadInput)
    }

    @Test func `close waits for the answer to the last frame of a video`() throws {
      let region = Rect(x: 0, y: 0, width: 4, height: 4)
      func frame(_ byte: UInt8) throws -> PixelBuffer {
        try #require(PixelBuffer(size: Size(width: 4, height: 8), bytes: .init(repeating: byte, count: 4 * 8 * 3)))
      }
      let shown = try ModelTerminal()
      var canvas = Canvas(size: Size(width: 60, height: 20))
      canvas.reserve(region, brightness: 50)
      shown.paint(canvas)
      shown.show(try frame(10))
      shown.settle()
      shown.show(try frame(200))
      shown.send("\u{1B}[0n", after: VideoPace.answerLimit - 1)
      #expect(close(shown) == VideoPace.answerLimit - 1)
      #expect(!shown.hasUnreadInput)
    }
  }
}
