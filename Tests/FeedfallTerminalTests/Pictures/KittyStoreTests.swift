import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension ScreenPainterTests {
  /// Covers in a terminal like kitty before 0.28, which deletes images without placements together with any other
  /// image.
  @Suite(.serialized) struct KittyStoreTests {
    private let frame = Rect(x: 30, y: 3, width: 24, height: 9)
    private let place = Rect(x: 2, y: 3, width: 10, height: 5)
    private let size = Size(width: 20, height: 20)

    private func canvas(_ covers: [Int: Rect], video: Rect? = nil, alert: Rect? = nil) -> Canvas {
      var canvas = Canvas(size: Size(width: 60, height: 20))
      canvas.isAtRest = true
      if let video { canvas.reserve(video) }
      for (id, frame) in covers.sorted(by: { $0.key < $1.key }) {
        canvas.fill(frame, with: Glyph("\u{2580}"), style: Style(.cover, foreground: .white, background: .black))
        canvas.place(testPicture(UInt8(truncatingIfNeeded: id), size: size), id: id, over: frame)
      }
      if let alert { canvas.fill(alert, style: Style(.alert)) }
      return canvas
    }

    /// Paints as the main loop does.
    private func paint(_ canvas: Canvas, on shown: ModelTerminal) throws {
      repeat {
        try shown.readingMeanwhile { shown.paint(canvas) }
        shown.settle()
      } while shown.terminal.readInput().isAppearanceChanged
    }

    /// The places of covers that the terminal does not show as it should.
    private func faults(_ canvas: Canvas, on shown: ModelTerminal) -> [String] {
      let images = shown.model.kitty.images.values
      return shown.model.kitty.faults + shown.model.faults
        + canvas.visiblePictures.flatMap { visible in
          visible.parts.filter { part in
            !images.contains { image in
              image.bytes == visible.pixels.bytes && image.placements.values.contains { $0.cells == part }
            }
          }.map { "no picture \(visible.id) in \($0)" }
        }
    }

    @Test func `a picture with the number of a deleted one is placed, also where that was`() throws {
      let shown = try kittyTerminal { $0.deletesHidden = true }
      for id in Array(0..<KittyPictures.Name.count) + [0, KittyPictures.Name.count] {
        try paint(canvas([id: place]), on: shown)
        #expect(faults(canvas([id: place]), on: shown) == [])
      }
    }

    @Test func `a hidden picture that is shown again while others are deleted is transmitted again`() throws {
      let shown = try kittyTerminal { $0.deletesHidden = true }
      for id in 0..<KittyPictures.Name.count { try paint(canvas([id: place]), on: shown) }
      let both = canvas([7: place, KittyPictures.Name.count: place.offsetBy(x: 0, y: 6)])
      try paint(both, on: shown)
      #expect(faults(both, on: shown) == [])
    }

    @Test(arguments: 0..<4) func `all covers are shown after any sequence of screens and videos`(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let shown = try kittyTerminal {
        $0.deletesHidden = true
        $0.readsObjects = seed % 4 != 0
      }
      let columns = (0..<4).map { Rect(x: $0 * 12, y: 1, width: 10, height: 5) }
      for step in 0..<60 {
        var covers: [Int: Rect] = [:]
        for column in columns where Int.random(in: 0..<3, using: &random) > 0 {
          covers[Int.random(in: max(0, step - 5)..<step + 12, using: &random)] = column
        }
        let video = [nil, nil, frame, Rect(x: 24, y: 1, width: 20, height: 12)].randomElement(using: &random) ?? nil
        let alert = Int.random(in: 0..<4, using: &random) == 0 ? Rect(x: 5, y: 2, width: 20, height: 3) : nil
        var screen = canvas(covers, video: video, alert: alert)
        screen.isAtRest = Int.random(in: 0..<3, using: &random) > 0
        try shown.readingMeanwhile { shown.paint(screen) }
        if Bool.random(using: &random) { shown.read(atMost: Int.random(in: 0..<3000, using: &random)) }
        for _ in 0..<Int.random(in: 0..<3, using: &random) {
          let region = video ?? frame
          shown.show(testPicture(UInt8(step), size: Size(width: region.width * 8, height: region.height * 16)))
          if Bool.random(using: &random) { shown.settle() }
        }
        guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
        screen.isAtRest = true
        try paint(screen, on: shown)
        try #require(faults(screen, on: shown) == [], "step \(step)")
      }
    }
  }
}
