import FeedfallFeeds
import FeedfallText

/// One reading of a document, from its start to its end.
struct DocumentSession: Sendable {
  /// How many videos were given out.
  private(set) var position = 0
  private let bytes: any DocumentBytes
  private var reader: FeedDocumentReader
  private var offset = 0
  private var isFed = false
  private var pending: [Video] = []
  private var reportedSkips = 0

  /// How long a page that has something to show waits for a slow producer's next bytes.
  private static let patienceMilliseconds = 100

  /// Begins to read; a document that is a file may name others.
  init(_ bytes: any DocumentBytes, file: FileAddress?) {
    self.bytes = bytes
    reader = FeedDocumentReader(
      address: file.map(MediaAddress.file) ?? bytes.address.map(MediaAddress.web), contentType: bytes.contentType)
  }

  /// Gives the next page: so many videos, or fewer where the rest is not there yet. After a failure for another cause
  /// than cancellation the reading is over; after a cancellation nothing is lost.
  mutating func nextPage(_ count: Int) async throws(FeedFailure) -> FeedPage {
    // One more shows whether another page follows; but nobody shall wait for it.
    try await fill(upTo: bytes.isGrowing ? count : count + 1)
    let videos = Array(pending.prefix(count))
    pending.removeFirst(videos.count)
    position += videos.count
    let isLast = pending.isEmpty && reader.isAtEnd
    defer { reportedSkips = reader.skippedCount }
    return FeedPage(
      videos: videos, next: isLast ? nil : .item(position), total: isLast ? position : reader.total,
      skippedCount: reader.skippedCount - reportedSkips, title: reader.title)
  }

  /// Reads on to a place in the document, or to its end.
  mutating func skip(to place: Int) async throws(FeedFailure) {
    while position < place {
      let page = try await nextPage(min(place - position, 500))
      if page.next == nil || page.videos.isEmpty { return }
    }
  }

  private mutating func fill(upTo count: Int) async throws(FeedFailure) {
    while pending.count < count, !reader.isAtEnd {
      let more: [Video]
      do {
        more = try reader.nextVideos(count - pending.count)
      } catch {
        // What was read before the fault is given out first; the fault comes again with the next page.
        if pending.isEmpty { throw error }
        return
      }
      pending += more
      guard more.isEmpty, !reader.isAtEnd else { continue }
      guard try await feed() else { return }
    }
  }

  /// Gives the reader its next bytes; false where there are none for now.
  private mutating func feed() async throws(FeedFailure) -> Bool {
    guard !isFed else { return false }
    switch await bytes.read(
      at: offset, patienceMilliseconds: pending.isEmpty ? nil : Self.patienceMilliseconds)
    {
    case .bytes(let piece):
      offset += piece.count
      reader.push(piece[...])
    case .end:
      isFed = true
      reader.finish()
    case .nothingYet: return false
    case .cancelled: throw .cancelled
    case .failed(let failure): throw failure
    }
    return true
  }
}
