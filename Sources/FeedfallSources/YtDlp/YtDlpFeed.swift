import FeedfallFeeds
import FeedfallText
import Synchronization

/// The videos that yt-dlp finds at an address.
///
/// A channel may answer with several lists, its tabs. The first page shows the start of each; then the lists go on in
/// turn, each asked for by its own address.
final class YtDlpFeed: Sendable {
  private let address: WebAddress
  private let count: Int
  private let ytDlp: YtDlp
  /// What is still to come at a cursor, where that is more than the rest of the one list.
  private let queues = Mutex<[Int: [Part]]>([:])

  /// A list from one of its entries on.
  private struct Part {
    var address: WebAddress
    var start: Int
    var group: String?
  }

  static let defaultSize = 30

  init(_ address: WebAddress, pageSize: Int?, _ ytDlp: YtDlp) {
    self.address = address
    self.ytDlp = ytDlp
    count = max(pageSize ?? Self.defaultSize, 1)
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    switch cursor {
    case .start: return try await page(at: 0, [Part(address: address, start: 0)])
    case .offset(let offset):
      let queue = queues.withLock { $0[offset] } ?? [Part(address: address, start: offset)]
      return try await page(at: offset, queue)
    case .page, .address, .item: throw FeedFailure(.permanent, "this page has no such part")
    }
  }

  /// The next entries of the first list in the queue, which then goes to its end.
  private func page(at offset: Int, _ queue: [Part]) async throws(FeedFailure) -> FeedPage {
    guard let part = queue.first else { return FeedPage(videos: []) }
    let list = try await ytDlp.list(at: part.address, part.start..<part.start + count)
    let rest = queue.dropFirst() + following(list, part)
    if !rest.isEmpty { queues.withLock { $0[offset + count] = Array(rest) } }
    return FeedPage(
      videos: videos(of: list, in: part.group), next: rest.isEmpty ? nil : .offset(offset + count),
      total: list.lists.isEmpty && queue.count == 1 && part.group == nil ? list.total : nil,
      skippedCount: list.lists.reduce(list.skippedCount) { $0 + $1.skippedCount }, title: list.title)
  }

  /// What of a list, and of the lists in it, is still to come: nothing where fewer came than were asked for.
  private func following(_ list: YtDlpList, _ part: Part) -> [Part] {
    func isFull(_ list: YtDlpList) -> Bool { !list.isWhole && list.entryCount >= count }
    let inner = list.lists.compactMap { inner in
      isFull(inner) ? inner.address.map { Part(address: $0, start: count, group: inner.title) } : nil
    }
    guard isFull(list) else { return inner }
    return inner + [Part(address: part.address, start: part.start + count, group: part.group)]
  }

  private func videos(of list: YtDlpList, in group: String?) -> [Video] {
    func grouped(_ videos: [Video], _ group: String?) -> [Video] {
      guard let group else { return videos }
      return videos.map { video in
        var video = video
        video.group = group
        return video
      }
    }
    return grouped(list.videos, group) + list.lists.flatMap { grouped($0.videos, $0.title) }
  }
}
