import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc

/// The feeds of a local OPML file, as cards that open them.
struct SubscriptionFile: Sendable {
  let name: String
  private let path: String

  /// Nil unless it is a regular file with the extension of OPML.
  init?(_ path: String) {
    guard path.lowercased().hasSuffix(".opml"), Files.kind(of: path.utf8) == S_IFREG else { return nil }
    (self.path, name) = (path, cleanedLine(path.split(separator: "/").last.map(String.init) ?? path, limit: 48))
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    guard cursor == .start else { throw .noSuchPage }
    let list = try SubscriptionList(opml: try LocalFile(path).bytes())
    let cards = list.feeds.map { feed in
      var card = Video(
        id: feed.address.text, title: feed.name.nonEmpty ?? feed.address.description,
        playback: .list(ListLink(.channel, .web(feed.address))))
      card.group = feed.tags.first
      return card
    }
    return FeedPage(videos: cards, total: cards.count, skippedCount: list.skippedCount, title: name)
  }
}
