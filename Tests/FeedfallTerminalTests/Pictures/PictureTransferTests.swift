import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  /// A cover that takes many parts, in a terminal that reads slowly.
  @Suite(.serialized) struct PictureTransferTests {
    /// With a cover of 960 kB in Base64.
    private func canvas(_ text: String, hasCover: Bool = true, isAtRest: Bool = true) -> Canvas {
      var canvas = Canvas(size: Size(width: 60, height: 20))
      canvas.isAtRest = isAtRest
      let frame = Rect(x: 0, y: 1, width: 50, height: 18)
      let picture = testPicture(1, size: Size(width: 600, height: 400))
      if hasCover { canvas.place(picture, id: 1, over: frame) }
      canvas.write(text, at: .zero, style: .plain)
      return canvas
    }

    private func terminal(_ name: String) throws -> ModelTerminal {
      let shown = try kittyTerminal(name)
      shown.paint(canvas("start", hasCover: false))
      shown.settle()
      return shown
    }

    private func shows(_ text: String, on shown: ModelTerminal) -> Bool {
      shown.model.cells.prefix(text.count).map(\.text).joined() == text
    }

    @Test(arguments: ["kitty(0.26.5)", "kitty(0.35.2)"], [true, false])
    func `a key is answered before the rest of a cover`(name: String, hasCover: Bool) throws {
      let shown = try terminal(name)
      shown.paint(canvas("cover"))
      shown.read(atMost: 10_000)
      #expect(shown.model.kitty.isWithinTransmission)
      shown.paint(canvas("other", hasCover: hasCover))
      _ = shown.drainByteCount()
      while !shows("other", on: shown) {
        try #require(shown.drainByteCount() + shown.read(atMost: 4096) > 0)
        shown.terminal.continueVideo()
        try #require(shown.byteCount < 128 * 1024)
      }
      shown.settle()
      // The same cover goes on, another canvas ends it.
      let images = shown.model.kitty.images
      #expect(shown.model.kitty.droppedCount == (hasCover ? 0 : 1) && images.count == (hasCover ? 1 : 0))
      #expect(!shown.model.kitty.isWithinTransmission && shown.model.kitty.faults == [] && shown.model.faults == [])
      #expect(shown.terminal.videoOutput == nil)
    }

    @Test(arguments: ["kitty(0.26.5)", "kitty(0.35.2)"])
    func `closing within a cover leaves nothing in the terminal`(name: String) throws {
      let shown = try terminal(name)
      shown.paint(canvas("cover"))
      shown.read(atMost: 10_000)
      try shown.readingMeanwhile { shown.terminal.close() }
      #expect(!shown.model.kitty.isWithinTransmission && shown.model.kitty.images.isEmpty)
      #expect(!shown.model.isWithinSequence && shown.model.faults == [])
    }
  }
}
