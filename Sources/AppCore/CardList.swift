import Screen
import VideoFeed

/// The cards of a feed in the order of their arrival; no id comes twice.
struct CardList: Equatable, Sendable {
  private(set) var videos: [Video] = []
  /// The cells that each title takes on one line, kept because heights depend on it at every width.
  private(set) var titleWidths: [Int32] = []
  /// Width divided by height of each picture as it was first told: a card keeps its height.
  private(set) var aspects: [Double] = []
  /// How many columns each card would take.
  private(set) var spans: [Int] = []
  private var indexes: [String: Int32] = [:]

  var count: Int { videos.count }
  var isEmpty: Bool { videos.isEmpty }

  subscript(index: Int) -> Video { videos[index] }

  func index(ofID id: String) -> Int? { indexes[id].map(Int.init) }

  /// Adds the videos whose ids are new and returns how many those were.
  mutating func append(_ added: [Video]) -> Int {
    let before = count
    for video in added where indexes[video.id] == nil {
      indexes[video.id] = Int32(count)
      videos.append(video)
      titleWidths.append(Int32(cellWidth(of: video.title)))
      aspects.append(CardMetrics.aspect(of: video))
      spans.append(CardMetrics.span(of: video))
    }
    return count - before
  }

  /// Puts the videos whose ids are new before all others and returns how many those were. O(cards).
  mutating func prepend(_ added: [Video]) -> Int {
    var all = CardList()
    _ = all.append(added.filter { indexes[$0.id] == nil })
    let count = all.count
    guard count > 0 else { return 0 }
    _ = all.append(videos)
    // Cards keep the height that they have, whatever was learned of their videos since.
    all.aspects.replaceSubrange(count..., with: aspects)
    all.spans.replaceSubrange(count..., with: spans)
    self = all
    return count
  }

  /// Puts a completed video in the place of the one with its id; its title and its proportion stay,
  /// so that no card changes height.
  mutating func complete(_ video: Video) {
    guard let index = index(ofID: video.id) else { return }
    let title = videos[index].title
    videos[index] = video
    videos[index].title = title
  }
}
