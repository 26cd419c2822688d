import FeedfallScreen

/// The time of keys that filter and sort 100,000 cards, each with the drawing.
enum FilterBenchmarks {
  private static let cardCount = 100_000

  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    for layout in ["waterfall", "list"] {
      var session = CountedSession(sources: 3, cardCount: cardCount)
      if layout == "list" { for _ in 0..<2 { session.press(.character("v")) } }
      session.draw()
      report("\(layout): open the filter of 100,000 cards", milliseconds(&session, .character("f")), "ms")
      var typed: [Double] = []
      for text in ["waterfall", "part 99", "channel:\"channel 3\"", "nothing", "title:/part \\d5$/i", "author -down"] {
        let letters = text.map { milliseconds(&session, .character($0)) }
        let deleted = text.map { _ in milliseconds(&session, .backspace) }
        report("\(layout): type \(text), 95th percentile", percentile(letters), "ms")
        report("\(layout): delete \(text), 95th percentile", percentile(deleted), "ms")
        typed += letters
        _ = milliseconds(&session, .control("u"))
      }
      report("\(layout): all typed keys, 95th percentile", percentile(typed), "ms")
      session.press(.escape)
      let orders = (0..<8).map { _ in milliseconds(&session, .character("S")) }
      report("\(layout): order 100,000 cards, slowest", orders.max() ?? 0, "ms")
    }
  }

  private static func milliseconds(_ session: inout CountedSession, _ key: Key) -> Double {
    let time = ContinuousClock().measure {
      session.press(key)
      session.draw()
    }
    return Double(time.components.attoseconds) / 1e15 + Double(time.components.seconds) * 1e3
  }

  private static func percentile(_ times: [Double]) -> Double { times.sorted()[(times.count - 1) * 95 / 100] }
}
