/// Reads the JSON kinds piece by piece, with no more memory than a piece and an item of at most 4 MB.
struct JSONDocumentReader: Sendable {
  private var buffer: [UInt8] = []
  private var finder = JSONItemFinder()
  private var decoder: ItemDecoder
  private let address: MediaAddress?
  private var isFinished = false
  private var failure: FeedFailure?
  private var readCount = 0
  private var hasEnded = false
  private var isStartKept = true

  /// How many items could not be understood and were left out.
  private(set) var skippedCount = 0

  init(address: MediaAddress?, bytes: [UInt8]) {
    self.address = address
    decoder = ItemDecoder(address: address)
    buffer = bytes
  }

  /// Adds the document's next bytes.
  mutating func push(_ bytes: ArraySlice<UInt8>) {
    compact()
    buffer.append(contentsOf: bytes)
  }

  /// Tells that the document has no more bytes.
  mutating func finish() {
    isFinished = true
  }

  /// Takes up to `count` videos that are complete in what was pushed so far; an empty list means that more
  /// bytes are needed, or that all is read.
  ///
  /// A document that breaks off gives what was complete in it first, then throws.
  /// - Complexity: O(n) in the bytes that are read.
  mutating func takeVideos(_ count: Int) throws(FeedFailure) -> [Video] {
    var videos: [Video] = []
    while videos.count < count, failure == nil, !hasEnded, let video = nextVideo() { videos.append(video) }
    if videos.isEmpty, count > 0, let failure { throw failure }
    return videos
  }

  /// Whether all was read to a proper end, so that no more videos will come.
  var isAtEnd: Bool { hasEnded && failure == nil }

  /// The kind, known from the first item on.
  var kind: FeedKind? { decoder.kind }

  /// How many videos the feed says it has in all, as soon as it was read.
  var total: Int? { finder.facts.total }

  /// The feed's own name, as soon as it was read.
  var title: String? { finder.facts.title }

  /// Where the feed's next page is, as soon as it was read.
  var nextAddress: WebAddress? { finder.facts.next.flatMap { WebAddress(reference: $0, base: address?.web) } }

  /// Whether the document says that there are no more after it: `end` in its envelope, else in its last item.
  var saysEnd: Bool { finder.facts.isEnd ?? decoder.lastItemSaysEnd }

  var kindOfEmptyList: FeedKind { ItemDecoder.kind(ofEmptyList: finder.place) }

  /// How many bytes are kept.
  var heldByteCount: Int { buffer.count }

  /// Whether a list of videos has been found.
  var hasList: Bool { finder.place != nil }

  private mutating func nextVideo() -> Video? {
    while true {
      switch finder.next(in: buffer) {
      case .item(let range):
        if let video = decoder.video(buffer, range, place: finder.place) {
          readCount += 1
          return video
        }
        skippedCount += 1
      case .unusable:
        skippedCount += 1
      case .needsMore:
        if isFinished { failure = failureAtCut }
        return nil
      case .documentEnded:
        return endDocument()
      case .fault(let fault):
        return take(fault)
      }
    }
  }

  private var failureAtCut: FeedFailure { finder.isInDocument ? .cut(after: readCount) : .empty }

  /// At its end a document without a list may be a single video.
  private mutating func endDocument() -> Video? {
    hasEnded = true
    guard !hasList else { return nil }
    if finder.facts.hasUUID, isStartKept, let start = buffer.firstIndex(of: .openBrace),
      let video = decoder.video(buffer, start..<finder.position, place: nil)
    {
      return video
    }
    if finder.facts.hasNullList || finder.facts.isEnd == true { return nil }
    failure = .noList(isStartKept ? FeedDecoder.complaint(buffer) : nil)
    return nil
  }

  private mutating func take(_ fault: JSONItemFinder.Fault) -> Video? {
    switch fault {
    case .notJSON:
      // The reason names what came instead, such as a page's title: wait for its first part.
      guard isFinished || buffer.count >= 65_536 else { return nil }
      failure = FeedDecoder.failure(forOther: buffer)
    case .malformed:
      failure = .malformed(after: readCount)
    case .tooDeep:
      failure = .tooDeep
    }
    return nil
  }

  /// Gives back the memory of what was read. Until a list is found all is kept, as long as it may be a single
  /// video.
  private mutating func compact() {
    let needed = hasList || buffer.count > JSONItemFinder.maximumItemByteCount ? finder.firstNeeded : 0
    guard needed > 65_536, needed > buffer.count / 2 else { return }
    isStartKept = false
    buffer.removeFirst(needed)
    finder.dropFirst(needed)
  }
}
