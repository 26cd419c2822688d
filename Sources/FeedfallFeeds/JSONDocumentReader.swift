import FeedfallDocuments
import FeedfallText

/// Reads the JSON kinds piece by piece, with no more memory than a piece and an item of at most 4 MB.
struct JSONDocumentReader: Sendable {
  private var buffer: [UInt8] = []
  private var finder = JSONItemFinder()
  private var decoder: ItemDecoder
  /// The document, where it has no list and is understood as a whole.
  private var answer: JSONAnswer?
  /// What is left of an item that holds several videos, the last one first.
  private var waiting: [Video] = []
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
    while videos.count < count, failure == nil, !hasEnded || !waiting.isEmpty, let video = nextVideo() {
      videos.append(video)
    }
    if videos.isEmpty, count > 0, let failure { throw failure }
    return videos
  }

  /// Whether all was read to a proper end, so that no more videos will come.
  var isAtEnd: Bool { hasEnded && waiting.isEmpty && failure == nil }

  /// The kind, known from the first item on.
  var kind: FeedKind? { decoder.kind ?? answer?.kind }

  /// How many videos the feed says it has in all, as soon as it was read.
  var total: Int? { answer?.total ?? finder.facts.total }

  /// The feed's own name, as soon as it was read.
  var title: String? { finder.facts.title ?? answer?.title }

  /// Where the feed's next page is, as soon as it was read.
  var nextAddress: WebAddress? {
    finder.facts.next.flatMap { WebAddress(reference: $0, base: address?.web) } ?? answer?.nextAddress
  }

  /// The documents that hold its videos, as soon as it was read.
  var parts: [WebAddress] { answer?.parts ?? [] }

  /// Whether the document says that there are no more after it: `end` in its envelope, else in its last item.
  var saysEnd: Bool { finder.facts.isEnd ?? decoder.lastItemSaysEnd }

  var kindOfEmptyList: FeedKind { ItemDecoder.kind(ofEmptyList: finder.place) }

  /// How many bytes are kept.
  var heldByteCount: Int { buffer.count }

  /// Whether a list of videos has been found.
  var hasList: Bool { finder.place != nil }

  private mutating func nextVideo() -> Video? {
    while true {
      if let video = waiting.popLast() {
        readCount += 1
        return video
      }
      switch finder.next(in: buffer) {
      case .item(let range):
        switch decoder.decode(buffer, range, place: finder.place) {
        case .video(let video):
          readCount += 1
          return video
        case .videos(let videos): waiting = videos.reversed()
        case .unusable: skippedCount += 1
        }
      case .unusable:
        skippedCount += 1
      case .needsMore:
        if isFinished { failure = failureAtCut }
        return nil
      case .documentEnded:
        endDocument()
        if waiting.isEmpty { return nil }
      case .fault(let fault):
        return take(fault)
      }
    }
  }

  private var failureAtCut: FeedFailure { finder.isInDocument ? .cut(after: readCount) : .empty }

  /// At its end a document without a list may be an answer that is understood as a whole.
  private mutating func endDocument() {
    guard !hasEnded else { return }
    hasEnded = true
    guard !hasList else { return }
    let root = isStartKept ? wholeObject : nil
    if let answer = root.flatMap({ JSONAnswer.understood($0, from: address?.web) }) {
      self.answer = answer
      skippedCount = answer.skippedCount
      waiting = answer.videos.reversed()
      if waiting.isEmpty { failure = answer.failure }
      return
    }
    if finder.facts.hasNullList || finder.facts.isEnd == true { return }
    failure = .noList(root.flatMap(ProblemDetails.complaint(in:)))
  }

  private var wholeObject: JSONObject? {
    buffer.firstIndex(of: .openBrace).flatMap { JSONObject(buffer, $0..<finder.position) }
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
