import FeedfallScreen
import Glibc
import WaterfallEngine

/// The processor time of keys that filter and sort 100,000 cards, each with the drawing, beside the work in plain arrays
/// that no program could avoid: a search in as many texts, and the layout of as many cards.
enum FilterBenchmarks {
  private static let cardCount = 100_000
  private static let rounds = 7
  private static let texts = [
    "waterfall", "part 99", "channel:\"channel 3\"", "nothing", "title:/part \\d5$/i", "author -down",
  ]
  /// Each byte of a text leads to another state of this expression, with hundreds of alternatives.
  private static let hostileExpression = "/[aeiou](.|[a-t]){190}zz/"

  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    let reference = minimum { searchAndLayOut() }
    report("reference: find a word in 100,000 texts and lay out 100,000 cards", reference, "ms")
    for layout in ["waterfall", "list"] {
      var session = CountedSession(sources: 3, cardCount: cardCount)
      if layout == "list" { for _ in 0..<2 { session.press(.character("v")) } }
      session.draw()
      report("\(layout): open the filter of 100,000 cards", milliseconds(&session, .character("f")), "ms")
      let pieces = (0..<20).map { _ in
        ProcessorTime.milliseconds {
          session.passPauses()
          session.draw()
        }
      }
      report("\(layout): prepare the filter in pieces, slowest", pieces.max() ?? 0, "ms")
      report("\(layout): prepare the filter in pieces, all", pieces.reduce(0, +), "ms")
      report("\(layout): type the first key of the filter", milliseconds(&session, .character("p")), "ms")
      session.press(.escape)
      session.press(.character("f"))
      report("\(layout): type the first key before any piece", milliseconds(&session, .character("p")), "ms")
      session.press(.backspace)
      var typed: [Double] = []
      var deleted: [Double] = []
      for text in texts {
        let keys = times(&session, text)
        report("\(layout): type \(text), 95th percentile", percentile(keys.typed), "ms")
        report("\(layout): delete \(text), 95th percentile", percentile(keys.deleted), "ms")
        typed += keys.typed
        deleted += keys.deleted
      }
      report("\(layout): all typed keys, 95th percentile", percentile(typed), "ms")
      report("\(layout): all typed keys ÷ reference", percentile(typed) / reference, "times")
      report("\(layout): all deleted keys, 95th percentile", percentile(deleted), "ms")
      let hostile = times(&session, hostileExpression)
      report("\(layout): type a hostile expression, slowest", (hostile.typed + hostile.deleted).max() ?? 0, "ms")
      session.press(.escape)
      let first = (0..<8).map { _ in milliseconds(&session, .character("S")) }
      report("\(layout): order 100,000 cards the first time, slowest", first.max() ?? 0, "ms")
      let orders = (0..<8).map { _ in milliseconds(&session, .character("S")) }
      report("\(layout): order 100,000 cards again, slowest", orders.max() ?? 0, "ms")
      report("\(layout): order 100,000 cards again ÷ reference", (orders.max() ?? 0) / reference, "times")
    }
  }

  /// For each key of a text, its least time, and that of the key that deletes it.
  private static func times(_ session: inout CountedSession, _ text: String) -> (typed: [Double], deleted: [Double]) {
    var typed = [Double](repeating: .infinity, count: text.count)
    var deleted = typed
    for _ in 0..<rounds {
      for (index, letter) in text.enumerated() {
        typed[index] = min(typed[index], milliseconds(&session, .character(letter)))
      }
      for index in deleted.indices { deleted[index] = min(deleted[index], milliseconds(&session, .backspace)) }
    }
    return (typed, deleted)
  }

  private static func milliseconds(_ session: inout CountedSession, _ key: Key) -> Double {
    ProcessorTime.milliseconds {
      session.press(key)
      session.draw()
    }
  }

  private static func minimum(_ work: () -> Int) -> Double {
    (0..<rounds).map { _ in ProcessorTime.milliseconds { precondition(work() > 0) } }.min() ?? 0
  }

  private static let allTexts: [[CChar]] = (0..<cardCount).map { number in
    Array(
      "the long way down: a waterfall in four seasons, part \(number)\nchannel \(number % 7)\na summary of a video \(number)"
        .utf8CString)
  }

  private static func searchAndLayOut() -> Int {
    var layout = WaterfallLayout(width: 118)
    let heights = allTexts.indices.filter { index in
      strstr(allTexts[index], "seasons") != nil
    }.map { 8 + $0 * 37 % 9 }
    do {
      try layout.appendSection(SectionMetrics())
      try layout.append(itemHeights: heights, toSection: 0)
    } catch { return 0 }
    return layout.contentSize.height
  }

  private static func percentile(_ times: [Double]) -> Double { times.sorted()[(times.count - 1) * 95 / 100] }
}
