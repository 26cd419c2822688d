import FeedfallScreen
import WaterfallEngine

/// The cost of drawing and comparing screens and of measuring text.
enum ScreenBenchmarks {
  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    for size in [Size(width: 120, height: 40), Size(width: 200, height: 60)] {
      measureScreen(size, report)
    }
    measureTitles(report)
  }

  private static func measureScreen(_ size: Size, _ report: (String, Double, String) -> Void) {
    let name = "screen \(size.width)x\(size.height)"
    let cards = (0..<20).map { Card(number: $0) }
    let shown = drawn(cards, in: size)
    var changed = shown
    changed.write("•", at: Point(x: size.width - 1, y: size.height - 1), style: .plain)
    var used = 0
    report("\(name): blank", microseconds { used += Canvas(size: size).cells.count }, "us")
    report("\(name): draw 20 cards", microseconds { used += drawn(cards, in: size).cells.count }, "us")
    report("\(name): compare", microseconds { used += changed == shown ? 1 : 0 }, "us")
    report("\(name): find changes", microseconds { used += changes(from: shown, to: changed) }, "us")
    report(
      "\(name): draw and compare", microseconds { used += drawn(cards, in: size) == shown ? 1 : 0 }, "us")
    precondition(used > 0)
  }

  private static func measureTitles(_ report: (String, Double, String) -> Void) {
    var used = 0
    for (name, samples) in titleSamples {
      let titles = (0..<2000).map { "\(samples[$0 % samples.count]) \($0)" }
      report(
        "width of 2000 \(name) titles", microseconds { for title in titles { used += TextWidths().width(of: title) } },
        "us")
      report(
        "wrap 2000 \(name) titles",
        microseconds { for title in titles { used += TextWidths().wrapped(title, width: 24, maximumLines: 3).count } },
        "us")
    }
    precondition(used > 0)
  }

  private static let titleSamples: [(String, [String])] = [
    ("English", ["The long way down: a waterfall in four seasons, filmed by hand", "Ten minutes of rain"]),
    ("Chinese", ["瀑布流布局的实现原理与性能优化（上）", "十分钟看懂视频弹幕的前世今生"]),
    ("mixed", ["【4K】Tokyo 東京 in the rain 🌧️ walking tour", "Café crème — l’été à Zürich 🇨🇭", "Водопад зимой"]),
  ]

  private static func drawn(_ cards: [Card], in size: Size) -> Canvas {
    var canvas = Canvas(size: size)
    let columns = 5
    let width = size.width / columns
    let height = size.height / 4
    for (index, card) in cards.enumerated() {
      let origin = Point(x: index % columns * width, y: index / columns * height)
      card.draw(on: &canvas, in: Rect(origin: origin, size: Size(width: width - 1, height: height - 1)))
    }
    return canvas
  }

  private static func changes(from old: Canvas, to new: Canvas) -> Int {
    (0..<new.size.height).reduce(0) { $0 + new.changedRuns(inRow: $1, from: old).count }
  }

  /// The median of 201 runs.
  private static func microseconds(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let times = (0..<201).map { _ in clock.measure(body) }.sorted()
    return Double(times[times.count / 2].components.attoseconds) / 1e12
  }
}

/// A card whose text is already split into glyphs, as in the program.
private struct Card {
  let lines: [GlyphRun]
  let meta: String

  init(number: Int) {
    let title =
      number.isMultiple(of: 3) ? "瀑布流布局的实现原理与性能优化（上）" : "The long way down: a waterfall in four seasons"
    lines = TextWidths().wrapped("\(title) \(number)", width: 20, maximumLines: 3).map {
      GlyphRun($0, widths: TextWidths())
    }
    meta = "someone · \(number) min"
  }

  func draw(on canvas: inout Canvas, in frame: Rect) {
    canvas.fill(Rect(origin: frame.origin, size: Size(width: frame.width, height: 5)), style: Style(.cover))
    for (row, line) in lines.enumerated() {
      canvas.write(
        line, at: Point(x: frame.minX, y: frame.minY + 5 + row), maxWidth: frame.width, style: Style(.title))
    }
    let last = Point(x: frame.minX, y: frame.maxY - 1)
    canvas.write(meta, at: last, maxWidth: frame.width, style: Style(.dim))
  }
}
