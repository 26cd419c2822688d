import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  @Suite(.serialized) struct SixelVideoTests {
    private let cell = Size(width: 8, height: 16)
    private let screen = Size(width: 60, height: 20)
    private let frame = Rect(x: 30, y: 3, width: 24, height: 9)

    private func region(_ frame: Rect, alert: Rect? = nil) throws -> Canvas.VideoRegion {
      try #require(canvas(frame, alert: alert).video)
    }

    private func canvas(_ frame: Rect, alert: Rect? = nil) -> Canvas {
      var canvas = Canvas(size: screen)
      canvas.reserve(frame)
      if let alert { canvas.fill(alert, style: Style(.alert)) }
      return canvas
    }

    private func gradient(_ size: Size, level: Int = 0) throws -> PixelBuffer {
      var bytes: [UInt8] = []
      for y in 0..<size.height {
        for x in 0..<size.width {
          bytes += [UInt8(x * 255 / size.width), UInt8(y * 255 / size.height), UInt8((x + y + level) & 255)]
        }
      }
      return try #require(PixelBuffer(size: size, bytes: bytes))
    }

    private func model(of parts: OutputParts) -> ScreenModel {
      var model = ScreenModel(size: screen)
      model.process(parts.bytes)
      return model
    }

    @Test(arguments: [(252, 252, 60), (256, 252, 60), (64, 64, 90), (16, 12, 260)])
    func `a decoded frame is close to the original`(maximumCount: Int, count: Int, tolerance: Int) throws {
      let size = Size(width: frame.width * cell.width, height: frame.height * cell.height)
      let original = try gradient(size)
      let parts = SixelEncoder(colorCount: maximumCount).encode(
        original, in: try region(frame), cellSize: cell, screen: screen)
      let model = model(of: parts)
      #expect(model.faults == [] && !model.isWithinSequence && model.sixels.map(\.corner) == [frame.origin])
      let drawing = try SixelDrawing(model.sixels[0].bytes, size: size)
      #expect(drawing.palette.count <= count)
      var sums = SIMD4<Int>()
      for y in 0..<size.height {
        for x in 0..<size.width {
          let drawn = try #require(drawing.pixels[y * size.width + x])
          let wanted = original[x, y]
          let difference = SIMD4(
            Int(drawn.red) - Int(wanted.red), Int(drawn.green) - Int(wanted.green), Int(drawn.blue) - Int(wanted.blue),
            0)
          if (0..<3).contains(where: { abs(difference[$0]) > tolerance }) { Issue.record("\(x), \(y): \(drawn)") }
          sums &+= difference
        }
      }
      // Dithering keeps the brightness.
      for channel in 0..<3 { #expect(abs(sums[channel]) < size.width * size.height * 4) }
    }

    @Test func `covered cells and the last row are left out`() throws {
      let low = Rect(x: 30, y: 12, width: 24, height: 8)
      let region = try region(low, alert: Rect(x: 20, y: 14, width: 14, height: 2))
      let parts = SixelEncoder(colorCount: 252).encode(
        try gradient(Size(width: 192, height: 128)), in: region, cellSize: cell, screen: screen)
      let wanted = region.parts.map { $0.intersection(Rect(x: 0, y: 0, width: 60, height: 19)) }.filter { !$0.isEmpty }
      let sixels = model(of: parts).sixels
      #expect(wanted.count > 1 && sixels.map(\.corner) == wanted.map(\.origin))
      for (sixels, cells) in zip(sixels, wanted) {
        _ = try SixelDrawing(sixels.bytes, size: Size(width: cells.width * 8, height: cells.height * 16))
      }
    }

    @Test func `a frame cut at any part leaves no open sequence`() throws {
      let region = try region(frame, alert: Rect(x: 20, y: 5, width: 14, height: 2))
      let parts = SixelEncoder(colorCount: 16).encode(
        try gradient(Size(width: 48, height: 36)), in: region, cellSize: cell, screen: screen)
      #expect(parts.ends.count > 20 && parts.ends == parts.ends.sorted() && parts.ends.last == parts.bytes.count)
      for end in parts.ends {
        var model = ScreenModel(size: screen)
        model.process(parts.bytes[..<end] + parts.ending)
        #expect(!model.isWithinSequence && model.faults == [])
      }
    }

    @Test func `a terminal with sixels shows frames again after something has covered them`() throws {
      let shown = try ModelTerminal(size: screen)
      shown.type("\u{1B}[?62;4c")
      shown.settle()
      shown.type("\u{1B}[?1;0;256S\u{1B}[?62;4c")
      #expect(shown.terminal.videoCapability == .encodedPixels)
      shown.paint(canvas(frame))
      shown.show(try gradient(Size(width: 192, height: 144)))
      shown.settle()
      #expect(shown.model.sixels.map(\.corner) == [frame.origin])
      let alert = Rect(x: 20, y: 5, width: 14, height: 2)
      shown.paint(canvas(frame, alert: alert))
      shown.settle()
      let covered = try region(frame, alert: alert).parts.map(\.origin)
      #expect(shown.model.sixels.dropFirst().map(\.corner) == covered)
      shown.paint(canvas(frame))
      shown.settle()
      #expect(shown.model.sixels.last?.corner == frame.origin && shown.model.faults == [])
    }

    @Test func `a text that becomes shorter erases no cell under sixels`() throws {
      let frame = Rect(x: 30, y: 3, width: screen.width - 30, height: 9)
      func canvas(_ text: String) -> Canvas {
        var canvas = Canvas(size: screen)
        for y in 0..<screen.height { canvas.write(text, at: Point(x: 0, y: y), style: .plain) }
        canvas.reserve(frame)
        return canvas
      }
      let shown = try ModelTerminal(size: screen)
      shown.type("\u{1B}[?62;4c")
      shown.settle()
      shown.type("\u{1B}[?1;0;256S\u{1B}[?62;4c")
      shown.paint(canvas("a text of many words"))
      shown.show(try gradient(Size(width: 192, height: 144)))
      shown.settle()
      for column in frame.minX..<frame.maxX { shown.smudge(column: column) }
      shown.paint(canvas("a"))
      shown.settle()
      let erased = (frame.minY..<frame.maxY).flatMap { y in
        (frame.minX..<frame.maxX).filter { shown.model[$0, y].text != "x" }
      }
      #expect(erased == [] && shown.model.faults == [])
      #expect(shown.model[5, 0].text == " ")
    }

    @Test func `cells look better than sixels of few colors`() throws {
      let shown = try ModelTerminal(size: screen)
      shown.type("\u{1B}[?62;4c")
      shown.settle()
      shown.type("\u{1B}[?1;0;16S\u{1B}[?62;4c")
      #expect(shown.terminal.videoCapability == .cells)
    }
  }
}
