import FeedfallDocuments
import FeedfallText

/// Reads JSON in pieces: a list of items, or the whole answer of a service.
///
/// It needs memory for one piece and one item of at most 4 MB.
struct JSONDocumentReader: Sendable {
  private var buffer: [UInt8] = []
  private var finder = JSONItemFinder()
  private var decoder: JSONItemDecoder
  /// The document, if it has no list and is the answer of a service.
  private var answer: ServiceAnswer?
  /// The remaining videos of an item with several, in reverse order.
  private var pending: [Video] = []
  private let address: MediaAddress?
  /// Whether the document is a later page of a feed.
  private let isContinuation: Bool
  private var isFinished = false
  private var failure: FeedFailure?
  private var readCount = 0
  private var hasEnded = false
  /// Whether the buffer still contains the start of the document.
  private var hasStart = true

  /// The count of items that could not be decoded.
  private(set) var skippedCount = 0

  init(address: MediaAddress?, bytes: [UInt8], isContinuation: Bool = false) {
    (self.address, self.isContinuation) = (address, isContinuation)
    decoder = JSONItemDecoder(address: address)
    buffer = bytes
  }

  /// Appends the next bytes of the document.
  mutating func push(_ bytes: ArraySlice<UInt8>) {
    compact()
    buffer.append(contentsOf: bytes)
  }

  /// Marks the end of the document.
  mutating func finish() {
    isFinished = true
  }

  /// Returns up to `count` further videos; none if more bytes are needed or at the end.
  ///
  /// An incomplete document yields its complete videos first, then throws.
  /// - Complexity: O(n) in the bytes that are read.
  mutating func nextVideos(_ count: Int) throws(FeedFailure) -> [Video] {
    var videos: [Video] = []
    while videos.count < count, failure == nil, !hasEnded || !pending.isEmpty, let video = nextVideo() {
      videos.append(video)
    }
    if videos.isEmpty, count > 0, let failure { throw failure }
    return videos
  }

  /// Whether the document has been read to its proper end, so that no more videos follow.
  var isAtEnd: Bool { hasEnded && pending.isEmpty && failure == nil }

  /// The kind, known from the first video on.
  var kind: FeedKind? { decoder.kind ?? answer?.kind }

  /// The count of all videos in the feed, according to the part read so far.
  var total: Int? { answer?.total ?? finder.facts.total }

  /// The name of the feed, in the part read so far.
  var title: String? { finder.facts.title ?? answer?.title }

  /// The description of the feed on one line, in the part read so far.
  var summary: String? { finder.facts.summary }

  /// The address of the feed's picture, in the part read so far.
  var cover: WebAddress? {
    guard decoder.kind == .jsonFeed else { return nil }
    return finder.facts.icon.flatMap { WebAddress(reference: $0, base: address?.web) }
  }

  /// The address of the next page, in the part read so far.
  var nextAddress: WebAddress? {
    if kind == .archive, let cursor = finder.facts.cursor { return address?.web?.setting(query: "cursor", to: cursor) }
    if kind == .youTubeProxy, readCount > 0, let address = address?.web {
      return YouTubeProxyPages.next(after: address, finder.facts)
    }
    return finder.facts.next.flatMap { WebAddress(reference: $0, base: address?.web) } ?? answer?.nextAddress
  }

  /// The documents that contain the videos, at the end.
  var parts: [WebAddress] { answer?.parts ?? [] }

  /// Whether the document declares itself the last page: by `end` in its envelope or in its last item.
  var saysEnd: Bool { finder.facts.isEnd ?? decoder.lastItemSaysEnd }

  /// Whether the envelope declares that further pages follow.
  var saysMore: Bool { finder.facts.isEnd == false }

  var kindOfEmptyList: FeedKind { JSONListFormats.kind(ofEmptyListAt: finder.place) }

  /// The count of buffered bytes.
  var bufferedByteCount: Int { buffer.count }

  /// Whether a list of items has been found.
  var hasList: Bool { finder.place != nil }

  private mutating func nextVideo() -> Video? {
    while true {
      if let video = pending.popLast() {
        readCount += 1
        return video
      }
      switch finder.next(in: buffer) {
      case .item(let range):
        switch decoder.decode(buffer, range, place: finder.place) {
        case .video(var video):
          readCount += 1
          addFacts(to: &video)
          return video
        case .videos(let videos):
          pending = videos.reversed()
          for index in pending.indices { addFacts(to: &pending[index]) }
        case .unusable: skippedCount += 1
        }
      case .unusable:
        skippedCount += 1
      case .needsMore:
        if isFinished { failure = failureAtCut }
        return nil
      case .documentEnded:
        endDocument()
        if pending.isEmpty { return nil }
      case .fault(let fault):
        handle(fault)
        return nil
      }
    }
  }

  /// Adds the picture and the language of a JSON Feed, which names them before its items.
  private func addFacts(to video: inout Video) {
    guard decoder.kind == .jsonFeed else { return }
    video.language = video.language ?? finder.facts.language
    if video.covers.isEmpty, let cover { video.covers = [Cover(ofChannel: cover)] }
  }

  private var failureAtCut: FeedFailure { finder.isInDocument ? .cut(after: readCount) : .empty }

  /// At its end, a document without a list may be the answer of a service.
  private mutating func endDocument() {
    guard !hasEnded else { return }
    hasEnded = true
    guard !hasList else {
      if readCount == 0 { failure = foreignFailure }
      return
    }
    let root = hasStart ? wholeObject : nil
    if let answer = root.flatMap({ ServiceAnswer.decode($0, from: address?.web) }) {
      self.answer = answer
      skippedCount = answer.skippedCount
      pending = answer.videos.reversed()
      if pending.isEmpty { failure = answer.failure }
      return
    }
    if finder.facts.hasNullList || finder.facts.isEnd == true { return }
    failure = .noList(root.flatMap(ProblemDetails.complaint(in:)))
  }

  private var foreignFailure: FeedFailure? {
    guard let foreign = decoder.foreign, !(isContinuation && foreign == .titles) else { return nil }
    return foreign.failure
  }

  private var wholeObject: JSONObject? {
    buffer.firstIndex(of: .openBrace).flatMap { JSONObject(buffer, $0..<finder.position) }
  }

  private mutating func handle(_ fault: JSONItemFinder.Fault) {
    switch fault {
    case .notJSON:
      // The reason quotes the document, such as the title of a page, so it needs the first part.
      guard isFinished || buffer.count >= 65_536 else { return }
      failure = .notAFeed(buffer)
    case .malformed:
      failure = .malformed(after: readCount)
    case .tooDeep:
      failure = .tooDeep
    case .tooComplex:
      failure = .tooComplex
    }
  }

  /// Discards bytes that have been read. Until a list is found, a document that may be a single video is buffered whole.
  private mutating func compact() {
    let needed = hasList || buffer.count > JSONItemFinder.maximumItemByteCount ? finder.firstNeeded : 0
    guard needed > 65_536, needed > buffer.count / 2 else { return }
    hasStart = false
    buffer.removeFirst(needed)
    finder.dropFirst(needed)
  }
}
