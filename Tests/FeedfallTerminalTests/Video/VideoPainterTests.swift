import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallScreen
@testable import FeedfallTerminal

extension ScreenPainterTests {
  @Suite(.serialized) struct VideoPainterTests {
    let size = Size(width: 60, height: 20)
    let frame = Rect(x: 30, y: 3, width: 24, height: 9)

    /// A gradient, with some cells of a single color.
    private func gradient(_ size: Size, shift: Int) -> PixelBuffer {
      var bytes: [UInt8] = []
      for y in 0..<size.height {
        for x in 0..<size.width { bytes += [UInt8(x * 3 & 255), UInt8(y / 2 * 5 + shift & 255), UInt8(shift & 255)] }
      }
      return PixelBuffer(size: size, bytes: bytes)!
    }

    private var pixels: Size { Size(width: frame.width, height: frame.height * 2) }

    /// Expects the best two colors in each cell of the region for a picture of quarters.
    private func expectQuarters(_ picture: PixelBuffer, _ shown: ModelTerminal, in frame: Rect) {
      shown.settle()
      #expect(shown.model.faults == [])
      for y in 0..<frame.height {
        for x in 0..<frame.width {
          let pixels = [(0, 0), (1, 0), (0, 1), (1, 1)].map { picture[x * 2 + $0.0, y * 2 + $0.1] }
          let split = BlockGlyphs.QuarterSplit(pixels[0], pixels[1], pixels[2], pixels[3])
          let least = (0..<4).reduce(0.0) { sum, quarter in
            let color = split.quarters >> UInt8(quarter) & 1 == 1 ? split.ink : split.ground
            return sum + color.squaredDifference(from: pixels[quarter])
          }
          let cell = shown.model[frame.minX + x, frame.minY + y]
          #expect(VideoQuarters(of: cell)?.error(of: pixels) == least)
        }
      }
    }

    @Test(arguments: [Rect(x: 30, y: 3, width: 24, height: 9), Rect(x: 0, y: 0, width: 60, height: 19)])
    func `a frame of quarters fills the region`(frame: Rect) throws {
      var random = SeededGenerator(seed: 21)
      let shown = try ModelTerminal(size: size)
      shown.paint(videoCanvas(frame))
      let pixels = Size(width: frame.width * 2, height: frame.height * 2)
      for round in 0..<6 {
        let next = round.isMultiple(of: 2) ? randomPicture(pixels, &random) : gradient(pixels, shift: round * 9)
        shown.show(next)
        expectQuarters(next, shown, in: frame)
      }
    }

    @Test func `quarters and halves follow each other, and a changed frame of quarters writes only differences`() throws
    {
      var random = SeededGenerator(seed: 22)
      let shown = try ModelTerminal(size: size)
      shown.paint(videoCanvas(frame))
      let quarters = Size(width: frame.width * 2, height: frame.height * 2)
      let first = gradient(quarters, shift: 0)
      shown.show(first)
      shown.settle()
      _ = shown.drainByteCount()
      var bytes = first.bytes
      bytes[0] = 255
      let second = try #require(PixelBuffer(size: quarters, bytes: bytes))
      shown.show(second)
      shown.settle()
      #expect((1..<60).contains(shown.drainByteCount()))
      expectQuarters(second, shown, in: frame)
      shown.show(randomPicture(pixels, &random))
      #expect(try shown.faults() == [])
    }

    @Test func `a frame of quarters stays one in a wider region`() throws {
      let shown = try ModelTerminal(size: size)
      let old = Rect(x: 10, y: 2, width: 40, height: 8)
      shown.paint(videoCanvas(old))
      let picture = gradient(Size(width: 80, height: 16), shift: 3)
      shown.show(picture)
      shown.settle()
      shown.paint(videoCanvas(Rect(x: 0, y: 0, width: 60, height: 8)))
      expectQuarters(picture, shown, in: Rect(x: 10, y: 0, width: 40, height: 8))
    }

    @Test(arguments: [Rect(x: 3, y: 0, width: 41, height: 18), Rect(x: 0, y: 5, width: 48, height: 8)])
    func `a letterbox around quarters has the default background`(content: Rect) throws {
      var random = SeededGenerator(seed: 23)
      let shown = try ModelTerminal(size: size)
      shown.paint(videoCanvas(frame))
      var boxed = randomPicture(Size(width: 48, height: 18), &random)
      boxed.setContent(content)
      shown.show(boxed)
      shown.settle()
      for y in 0..<18 {
        for x in 0..<48 {
          let cell = shown.model[frame.minX + x / 2, frame.minY + y / 2]
          let color = VideoQuarters(of: cell)?.colors[x % 2 + y % 2 * 2]
          #expect((color == []) == !content.contains(Point(x: x, y: y)))
        }
      }
    }

    @Test func `without characters for quarters, a frame of quarters is shown as halves`() throws {
      let (width, height) = (8, 3)
      var painter = VideoPainter()
      var canvas = Canvas(size: Size(width: width, height: height))
      canvas.reserve(canvas.bounds)
      painter.setRegion(canvas.video)
      var random = SeededGenerator(seed: 24)
      let picture = randomPicture(Size(width: width * 2, height: height * 2), &random)
      painter.setPicture(picture)
      var model = ScreenModel(size: canvas.size)
      setenv("TERM", "xterm-256color", 1)
      let screen = try ScreenPainter(usesColor: true)
      defer { screen.close() }
      screen.resize(to: canvas.size)
      model.process(painter.paint(.full, on: &screen.shown, screen.writer, blocks: .halves).bytes)
      for y in 0..<height * 2 {
        for x in 0..<width {
          let halves = VideoHalves(of: model[x, y / 2])
          func mean(_ channel: KeyPath<RGB, UInt8>) -> Int {
            (Int(picture[x * 2, y][keyPath: channel]) + Int(picture[x * 2 + 1, y][keyPath: channel]) + 1) / 2
          }
          #expect((y % 2 == 0 ? halves.upper : halves.lower) == [2, mean(\.red), mean(\.green), mean(\.blue)])
        }
      }
    }

    @Test(arguments: [1, 2], [true, false])
    func `where block characters take two cells, each cell has the mean color of its pixels`(
      columnCount: Int, hasLetterbox: Bool
    ) throws {
      var random = SeededGenerator(seed: 25)
      let shown = try ModelTerminal(size: size, width: { ScalarTable.isAmbiguous($0.value) ? 2 : 1 })
      shown.paint(videoCanvas(frame))
      shown.type("\u{1B}[?62c")
      #expect(shown.terminal.glyphs == .halves && shown.terminal.videoCapability == .cells)
      for _ in 0..<4 {
        let pixels = Size(width: frame.width * columnCount, height: frame.height * 2)
        let content = Rect(
          x: hasLetterbox ? 3 : 0, y: hasLetterbox ? 5 : 0, width: pixels.width - 8, height: pixels.height - 9)
        let bytes = randomPicture(pixels, &random).bytes
        let picture = try #require(PixelBuffer(size: pixels, bytes: bytes, content: content))
        shown.paint(videoCanvas(frame))
        shown.show(picture)
        shown.settle()
        #expect(shown.model.faults == [])
        for place in 0..<frame.width * frame.height {
          let (x, y) = (place % frame.width, place / frame.width)
          let area = Rect(x: x * columnCount, y: y * 2, width: columnCount, height: 2).intersection(content)
          let inside = (area.minY..<area.maxY).flatMap { y in (area.minX..<area.maxX).map { picture[$0, y] } }
          let mean = [\RGB.red, \.green, \.blue].map { channel in
            (inside.reduce(0) { $0 + Int($1[keyPath: channel]) } + inside.count / 2) / max(1, inside.count)
          }
          let cell = shown.model[frame.minX + x, frame.minY + y]
          #expect(cell.text == " " && cell.background == (inside.isEmpty ? [] : [2] + mean), "\(x), \(y)")
        }
      }
    }

    @Test func `dropVideoFrame drops the last frame`() throws {
      var random = SeededGenerator(seed: 1)
      let shown = try ModelTerminal(size: size)
      shown.paint(videoCanvas(frame))
      shown.show(randomPicture(pixels, &random))
      shown.settle()
      shown.paint(videoCanvas(nil))
      shown.terminal.dropVideoFrame()
      shown.paint(videoCanvas(frame))
      shown.settle()
      #expect(VideoHalves(of: shown.model[frame.minX, frame.minY]).upper != [2, 0, 0, 0])
      #expect(shown.model[frame.minX, frame.minY].text == " ")
      shown.show(randomPicture(pixels, &random))
      #expect(try shown.faults() == [])
    }

    @Test func `a color is selected once for consecutive cells`() throws {
      let shown = try ModelTerminal(size: size)
      shown.paint(videoCanvas(frame))
      shown.settle()
      _ = shown.drainByteCount()
      shown.show(try #require(PixelBuffer(size: pixels, bytes: .init(repeating: 77, count: 24 * 18 * 3))))
      shown.settle()
      #expect(shown.drainByteCount() < 24 * 10 + 10 * 8 + 40)
      #expect(try shown.faults() == [])
    }

    @Test func `remains of fonts disappear within as many frames as there are rows`() throws {
      var random = SeededGenerator(seed: 10)
      let shown = try ModelTerminal(size: size)
      shown.paint(videoCanvas(frame))
      func halves(_ first: PixelBuffer) -> PixelBuffer {
        // One column of cells does not change.
        let bytes = first.bytes.indices.map { $0 / 3 % 24 == 7 ? 99 : first.bytes[$0] }
        return PixelBuffer(size: pixels, bytes: bytes)!
      }
      shown.show(halves(randomPicture(pixels, &random)))
      shown.settle()
      shown.smudge(column: frame.minX + 7)
      for _ in 0..<frame.height {
        shown.show(halves(randomPicture(pixels, &random)))
        shown.settle()
      }
      #expect(try shown.faults() == [])
    }

    @Test(arguments: [Rect(x: 0, y: 3, width: 24, height: 11), Rect(x: 5, y: 0, width: 9, height: 18)], [true, false])
    func `a letterbox has the default background`(content: Rect, hasDirectColors: Bool) throws {
      var random = SeededGenerator(seed: 12)
      let shown = try ModelTerminal(size: size, hasDirectColors: hasDirectColors)
      shown.paint(videoCanvas(frame))
      shown.show(randomPicture(pixels, &random))
      shown.settle()
      var boxed = randomPicture(pixels, &random)
      boxed.setContent(content)
      shown.show(boxed)
      #expect(try shown.faults() == [])
      #expect(shown.model[frame.maxX - 1, frame.maxY - 1].background == [])
    }

    @Test func `a letterbox has the background of the theme`() throws {
      var random = SeededGenerator(seed: 13)
      let shown = try ModelTerminal(size: size, theme: .gruvbox)
      shown.paint(videoCanvas(frame))
      var boxed = randomPicture(pixels, &random)
      boxed.setContent(Rect(x: 4, y: 0, width: 16, height: 18))
      shown.show(boxed)
      shown.settle()
      let plain = shown.model[0, size.height - 1].background
      #expect(plain != [])
      #expect(shown.model[frame.minX, frame.minY].background == plain)
    }

    @Test(arguments: 0..<20)
    func `after any sequence of changes the screen equals a full repaint`(seed: Int) throws {
      var random = SeededGenerator(seed: UInt64(seed) + 100)
      var size = size
      let shown = try ModelTerminal(size: size, hasDirectColors: seed % 5 != 0)
      var (region, alert, lines): (Rect?, Rect?, Int) = (frame, nil, 0)
      func rect() -> Rect {
        Rect(
          x: .random(in: -6..<size.width, using: &random), y: .random(in: -3..<size.height, using: &random),
          width: .random(in: 1..<40, using: &random), height: .random(in: 1..<16, using: &random))
      }
      for _ in 0..<Int.random(in: 1..<14, using: &random) {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: region = Bool.random(using: &random) ? rect() : nil
        case 1: alert = Bool.random(using: &random) ? rect() : nil
        case 2...3: lines += Int.random(in: -3...3, using: &random)
        case 4:
          size = Size(width: .random(in: 20..<70, using: &random), height: .random(in: 5..<24, using: &random))
          shown.resize(to: size)
        case 5: shown.terminal.repaintAll()
        default:
          let fitting = region ?? frame
          let pixels =
            Int.random(in: 0..<5, using: &random) == 0
            ? Size(width: 20, height: 12) : Size(width: fitting.width, height: fitting.height * 2)
          shown.show(
            Bool.random(using: &random)
              ? randomPicture(pixels, &random) : gradient(pixels, shift: .random(in: 0..<99, using: &random)))
          shown.settle()
        }
        let next = videoCanvas(region, lines: lines, brightness: lines % 2 == 0 ? 50 : 60, alert: alert, size: size)
        // While part of a frame waits for room, painting blocks until the terminal reads.
        if shown.terminal.videoOutput == nil {
          shown.paint(next)
        } else {
          try shown.readingMeanwhile { shown.paint(next) }
        }
        if Bool.random(using: &random) { shown.settle() }
      }
      #expect(try shown.faults() == [])
    }
  }
}
