import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallScreen
@testable import FeedfallTerminal

enum ScreenMode: String, CaseIterable {
  case indexedCells, directCells, placeholders, placements, sixels, tmux, eastAsian, spacelessMarks

  func makeTerminal() throws -> ModelTerminal {
    let shown = try ModelTerminal(
      hasDirectColors: self != .indexedCells, pictures: hasPictures ? .auto : .cells, width: width)
    switch self {
    case .indexedCells, .directCells, .eastAsian, .spacelessMarks: break
    case .placeholders: shown.type("\u{1B}P>|kitty(0.35.2)\u{1B}\\")
    case .placements: shown.type("\u{1B}P>|kitty(0.26.5)\u{1B}\\")
    case .sixels:
      shown.type("\u{1B}[?62;4c")
      shown.settle()
      shown.type("\u{1B}[?1;0;256S")
    case .tmux: shown.type("\u{1B}P>|tmux 3.4\u{1B}\\\u{1B}P>|kitty(0.35.2)\u{1B}\\")
    }
    shown.settle()
    shown.type("\u{1B}[?62;4c")
    return shown
  }

  private var hasPictures: Bool { [.placeholders, .placements, .sixels, .tmux].contains(self) }

  private func width(_ scalar: Unicode.Scalar) -> Int {
    switch self {
    case .eastAsian where ScalarTable.isAmbiguous(scalar.value): 2
    case .placements, .spacelessMarks: scalar.properties.generalCategory == .spacingMark ? 0 : usual(scalar)
    default: usual(scalar)
    }
  }

  private func usual(_ scalar: Unicode.Scalar) -> Int { scalar == "㊙" ? 1 : ScreenModel.usualWidth(scalar) }
}

/// Cards with covers that are scrolled, covered, faded and resized, beside a video and links, in a random order.
private struct RandomScreen {
  var size = Size(width: 60, height: 20)
  var random: SeededGenerator
  private var top = 0
  private var selected = 0
  private var columnCount = 3
  private var hasCovers = true
  private var video: Rect?
  private var link: (row: Int, address: String)?
  private var alert: Rect?
  private var isFaded = false
  private var brightness = 50
  private var status = 0
  private var isAtRest = true
  /// The widths that the text is laid out for.
  private let widths: TextWidths

  private static let titles = [
    "Night train", "深夜列車の旅", "A title of words", "हिन्दी का गाना कि", "Ночной поезд…", "㊙ 密 ㊙", "আমার সোনার বাংলা",
  ]

  init(seed: UInt64, widths: TextWidths) { (random, self.widths) = (SeededGenerator(seed: seed), widths) }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func step() {
    isAtRest = number(0..<3) == 0
    switch number(0..<16) {
    case 0...3: (top, selected) = (max(0, top + [-9, -3, 1, 3, 9, 18][number(0..<6)]), selected + 1)
    case 4: top = number(0..<200)
    case 5: selected = number(0..<12)
    case 6: columnCount = number(1..<5)
    case 7: hasCovers = number(0..<4) > 0
    case 8, 9: video = number(0..<2) == 0 ? nil : randomArea()
    case 10: link = number(0..<3) == 0 ? nil : (number(0..<size.height), "https://films.example/\(number(0..<3))")
    case 11: alert = number(0..<2) == 0 ? nil : randomArea()
    case 12: isFaded.toggle()
    case 13: brightness = [30, 50, 70][number(0..<3)]
    default: status = number(0..<100)
    }
  }

  private mutating func randomArea() -> Rect {
    let (x, y) = (number(0..<max(1, size.width - 4)), number(0..<max(1, size.height - 3)))
    return Rect(x: x, y: y, width: number(2..<24), height: number(1..<10))
  }

  var videoArea: Rect? { video }

  func canvas(isAtRest: Bool? = nil) -> Canvas {
    var canvas = Canvas(size: size)
    canvas.isAtRest = isAtRest ?? self.isAtRest
    let width = max(4, (size.width - 1) / columnCount)
    for row in 0...size.height / 9 + 1 {
      for column in 0..<columnCount { drawCard(row, column, width: width, on: &canvas) }
    }
    if isFaded { canvas.fade(Rect(x: 0, y: 0, width: size.width / 2, height: size.height)) }
    if let video { canvas.reserve(video, brightness: brightness) }
    if let alert {
      canvas.fill(alert, style: Style(.alert))
      canvas.write("an alert 深夜", at: alert.origin, maxWidth: alert.width, style: Style(.alert))
    }
    if let link {
      let text = GlyphRun("films.example/… \(link.address.count)", firstCells: .max, widths: widths)
      let width = canvas.write(text, at: Point(x: 3, y: link.row), style: Style(.link))
      canvas.link(Rect(x: 3, y: link.row, width: width, height: 1), to: link.address)
    }
    let last = Rect(x: 0, y: size.height - 1, width: size.width, height: 1)
    canvas.fill(last, style: Style(.status))
    canvas.write("\(status) of 100", at: last.origin, style: Style(.status))
    return canvas
  }

  private func drawCard(_ row: Int, _ column: Int, width: Int, on canvas: inout Canvas) {
    let index = (top / 9 + row) * columnCount + column
    let frame = Rect(x: column * width + 1, y: row * 9 - top % 9 + 1, width: width - 2, height: 5)
    let color = RGB(red: UInt8(index * 37 & 255), green: UInt8(index * 11 & 255), blue: 90)
    canvas.clip = Rect(x: 0, y: 0, width: size.width, height: size.height - 1)
    canvas.fill(
      frame, with: Glyph("\u{2580}"),
      style: Style(.cover, foreground: color, background: index % 3 == 0 ? color : .black))
    if hasCovers {
      let pixels = testPicture(UInt8(truncatingIfNeeded: index), size: Size(width: 20 + index % 5 * 12, height: 20))
      canvas.place(pixels, id: index, over: frame, hasRoundedTop: index % 2 == 0)
    }
    let title = GlyphRun(Self.titles[index % Self.titles.count], firstCells: .max, widths: widths)
    canvas.write(title, at: Point(x: frame.minX, y: frame.maxY), maxWidth: frame.width, style: Style(.title))
    if index == selected { canvas.frame(frame.insetBy(-1), style: Style(.selected)) }
    canvas.clip = canvas.bounds
  }
}

extension Rect {
  fileprivate func insetBy(_ count: Int) -> Rect {
    Rect(x: minX + count, y: minY + count, width: width - 2 * count, height: height - 2 * count)
  }
}

extension ScreenPainterTests {
  /// After any sequence of canvases, video frames, sizes and pauses of the terminal, the screen is the one that a
  /// repaint shows, and a crash leaves no pictures.
  @Suite(.serialized) struct StrictScreenTests {
    /// `FEEDFALL_STEPS=3000` takes more steps than usual, `FEEDFALL_SEED` others, and `FEEDFALL_MODE=tmux` those of one
    /// mode.
    private static let stepCount = ProcessInfo.processInfo.environment["FEEDFALL_STEPS"].flatMap { Int($0) } ?? 150

    private static let seed = ProcessInfo.processInfo.environment["FEEDFALL_SEED"].flatMap { UInt64($0) } ?? 7

    private static let modes =
      ProcessInfo.processInfo.environment["FEEDFALL_MODE"].map { name in
        ScreenMode.allCases.filter { $0.rawValue == name }
      }
      ?? ScreenMode.allCases

    @Test(arguments: modes)
    func `the screen is the same after a repaint`(mode: ScreenMode) throws {
      let shown = try mode.makeTerminal()
      var screen = RandomScreen(seed: Self.seed, widths: shown.terminal.textWidths)
      for step in 0..<Self.stepCount {
        screen.step()
        if screen.number(0..<40) == 0 {
          screen.size = Size(width: screen.number(8..<90), height: screen.number(3..<30))
          // Pictures for the old size that are still on their way would not fit; the next frame clears the screen.
          shown.settle()
          shown.resize(to: screen.size)
        }
        shown.paint(screen.canvas())
        if let area = screen.videoArea, screen.number(0..<2) == 0 {
          shown.show(frame(of: area, step, on: shown))
        }
        switch screen.number(0..<4) {
        case 0: shown.read(atMost: screen.number(0..<3000))
        case 1: shown.settle()
        case 2: shown.terminal.continueVideo()
        default: break
        }
        if step % 7 == 3 { try checkCrash(on: shown, step) }
        if screen.number(0..<8) == 0 { try check(screen, on: shown, step) }
      }
      try check(screen, on: shown, Self.stepCount)
      #expect(shown.model.faults == [] && shown.model.kitty.faults == [])
    }

    /// A crash now: the terminal reads what is written, and then the bytes of the crash handler.
    private func checkCrash(on shown: ModelTerminal, _ step: Int) throws {
      shown.read()
      var model = shown.model
      model.process(shown.terminal.restoration.bytes)
      try #require(!model.isWithinSequence && !model.kitty.isWithinTransmission, "step \(step)")
      try #require(model.kitty.images.isEmpty, "step \(step)")
    }

    private func frame(of area: Rect, _ step: Int, on shown: ModelTerminal) -> PixelBuffer {
      let pixels = shown.terminal.videoCapability.frameSize(forCells: area.size, cellSize: shown.terminal.cellSize)
      return testPicture(UInt8(step & 255), size: pixels ?? Size(width: area.width, height: area.height * 2))
    }

    private func check(_ screen: RandomScreen, on shown: ModelTerminal, _ step: Int) throws {
      let canvas = screen.canvas(isAtRest: true)
      paint(canvas, on: shown)
      let (model, before) = (shown.model, shown.model.visible)
      shown.terminal.repaintAll()
      paint(canvas, on: shown)
      let after = shown.model.visible
      let faults = shown.model.faults + shown.model.kitty.faults
      try #require(faults == [], "step \(step)")
      let width = screen.size.width
      let differing = before.indices.filter { place in
        guard before[place] != after[place] else { return false }
        // Between frames of a video, cells with nearly the right colors stay.
        let (x, y) = (place % width, place / width)
        let isVideo = canvas.video?.parts.contains { $0.contains(Point(x: x, y: y)) } == true
        return !isVideo || !VideoHalves(of: model[x, y]).isNear(VideoHalves(of: shown.model[x, y]), 16)
      }
      try #require(
        differing.isEmpty,
        """
        step \(step): \(differing.count) cells, \(differing.prefix(3).map {
          "\($0 % width), \($0 / width): \(before[$0]) is \(after[$0]) after a repaint" })
        """)
    }

    private func paint(_ canvas: Canvas, on shown: ModelTerminal) {
      shown.settle()
      repeat {
        shown.paint(canvas)
        shown.settle()
      } while shown.terminal.readInput().isAppearanceChanged
    }
  }
}

extension ScreenModel {
  /// The visible content of each cell: the text, the colors and the link, unless pixels cover it, and the pixels over
  /// it.
  fileprivate var visible: [String] {
    var seen = cells.map { cell in
      let text = cell.text.unicodeScalars.first?.value == KittyPictures.placeholderBase ? placeholder(cell) : cell.text
      let isBlank = cell.text == " " && !cell.isReversed || text != cell.text
      return
        "\(text) \(isBlank ? [] : cell.foreground) \(cell.background) \(cell.isReversed) \(isBlank ? [] : cell.attributes.sorted()) \(cell.link ?? "") \(cell.sixel.map { "\($0)" } ?? "")"
    }
    var pixels = Array(repeating: "", count: seen.count)
    for image in kitty.images.values {
      let isOpaque = image.bytes.count == image.size.width * image.size.height * 3
      for placement in image.placements.values {
        for y in placement.cells.minY..<min(placement.cells.maxY, size.height) {
          for x in placement.cells.minX..<min(placement.cells.maxX, size.width) {
            if isOpaque { seen[y * size.width + x] = "" }
            pixels[y * size.width + x] += " \(image.bytes.hashValue) \(placement.source) \(x - placement.cells.minX)"
          }
        }
      }
    }
    return zip(seen, pixels).map { $0 + $1 }
  }

  /// The pixels of an image in place of the color that is its number.
  private func placeholder(_ cell: Cell) -> String {
    let marks = Array(cell.text.unicodeScalars.dropFirst())
    let low = cell.foreground.dropFirst().reduce(0) { $0 << 8 | $1 }
    let image = kitty.images.first { $0.key & 0xFF_FFFF == low }
    return "\(image.map { "\($0.value.bytes.hashValue)" } ?? "no image") \(marks.prefix(2))"
  }
}
