import FeedfallFeeds
import FeedfallScreen

/// Cards in their order; no id comes twice.
struct CardList: Equatable, Sendable {
  private(set) var videos: [Video] = []
  private var sources: [SourceID] = []
  /// The cells that each title takes on one line, kept because heights depend on it at every width.
  private(set) var titleWidths: [Int32] = []
  /// Width divided by height of each picture as it was first told: a card keeps its height.
  private(set) var aspects: [Double] = []
  /// How many columns each card would take.
  private(set) var spans: [Int] = []
  private var indexes: [CardID: Int32] = [:]

  var count: Int { videos.count }
  var isEmpty: Bool { videos.isEmpty }

  subscript(index: Int) -> Video { videos[index] }

  func source(of index: Int) -> SourceID { sources[index] }

  func card(at index: Int) -> Card { Card(video: videos[index], source: sources[index]) }

  /// The cards of a range.
  func cards(_ range: Range<Int>) -> [Card] { range.map(card) }

  func index(of id: CardID) -> Int? { indexes[id].map(Int.init) }

  /// Adds the cards whose ids are new and returns how many those were.
  mutating func append(_ added: [Card]) -> Int {
    let before = count
    for card in added where indexes[card.id] == nil {
      indexes[card.id] = Int32(count)
      videos.append(card.video)
      sources.append(card.source)
      titleWidths.append(Int32(cellWidth(of: card.video.title)))
      aspects.append(CardMetrics.aspect(of: card.video))
      spans.append(CardMetrics.span(of: card.video))
    }
    return count - before
  }

  /// Puts the cards whose ids are new before all others and returns how many those were. O(cards).
  mutating func prepend(_ added: [Card]) -> Int {
    var all = CardList()
    _ = all.append(added.filter { indexes[$0.id] == nil })
    let count = all.count
    guard count > 0 else { return 0 }
    _ = all.append(cards(0..<self.count))
    // Cards keep the height that they have, whatever was learned of their videos since.
    all.aspects.replaceSubrange(count..., with: aspects)
    all.spans.replaceSubrange(count..., with: spans)
    self = all
    return count
  }

  /// Puts a completed video in the place of the one with its id; its title and its proportion stay,
  /// so that no card changes height.
  mutating func complete(_ card: Card) {
    guard let index = index(of: card.id) else { return }
    let title = videos[index].title
    videos[index] = card.video
    videos[index].title = title
  }
}
