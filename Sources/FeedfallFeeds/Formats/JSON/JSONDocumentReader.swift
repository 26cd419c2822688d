import FeedfallText

/// Reads JSON in pieces: a list of items, in one document or several, or the whole answer of a service.
///
/// It needs memory for one piece and one item of at most 4 MB, or one answer of at most 32 MB.
struct JSONDocumentReader: Sendable {
  private var buffer: [UInt8] = []
  private var finder = JSONItemFinder()
  private var decoder: ItemDecoder
  private var answer: ServiceAnswer?
  /// The remaining videos of an item with several, in reverse order.
  private var pending: [Video] = []
  private let address: MediaAddress?
  private let isContinuation: Bool
  private var isFinished = false
  private var failure: FeedFailure?
  private var readCount = 0
  /// The count of items in lists, also of those that are ignored.
  private var itemCount = 0
  private var hasEnded = false
  private var document = Document.unknown
  private(set) var notice: String?

  private enum Document {
    case unknown
    /// A list, a part of one, or the answer of a service; the failure is the reason why there are no videos.
    case read(FeedFailure?)
    /// An object that is an item if it has a file or other objects follow; otherwise the document fails for this
    /// reason.
    case object(FeedFailure)
  }

  private(set) var skippedCount = 0

  init(address: MediaAddress?, bytes: [UInt8], isContinuation: Bool = false) {
    (self.address, self.isContinuation) = (address, isContinuation)
    decoder = ItemDecoder(address: address)
    buffer = bytes
  }

  mutating func push(_ bytes: ArraySlice<UInt8>) {
    compact()
    buffer.append(contentsOf: bytes)
  }

  mutating func finish() { isFinished = true }

  /// Returns none if more bytes are needed. An incomplete document yields its complete videos first, then throws.
  mutating func nextVideos(_ count: Int) throws(FeedFailure) -> [Video] {
    var videos: [Video] = []
    while videos.count < count, failure == nil, !hasEnded || !pending.isEmpty, let video = nextVideo() {
      videos.append(video)
    }
    if videos.isEmpty, count > 0, let failure { throw failure }
    return videos
  }

  var isAtEnd: Bool { hasEnded && pending.isEmpty && failure == nil }

  var kind: FeedKind? { decoder.kind ?? answer?.kind }

  var total: Int? {
    guard finder.documentCount <= 1, !finder.readsLines else { return nil }
    // Results of a search may include other media, so their count is only valid for a page without any.
    let found = readCount + skippedCount == itemCount ? finder.facts.found : nil
    return finder.facts.total ?? found
  }

  var title: String? { finder.facts.title ?? answer?.title }

  var summary: String? { finder.facts.summary }

  var cover: WebAddress? {
    guard decoder.kind == .jsonFeed else { return nil }
    return finder.facts.icon.flatMap { WebAddress(reference: $0, base: address?.web) }
  }

  var nextPage: NextPage? {
    let (facts, web) = (finder.facts, address?.web)
    let end = ListEnd(facts: facts, itemCount: itemCount, videoCount: readCount)
    let next = web.flatMap { decoder.service?.next($0, end) }
    return next ?? facts.next.flatMap { WebAddress(reference: $0, base: web) }.map(NextPage.init) ?? answer?.nextPage
  }

  var parts: [WebAddress] { answer?.parts ?? [] }

  var saysEnd: Bool { finder.facts.isEnd ?? decoder.lastItemSaysEnd }

  var saysMore: Bool { finder.facts.isEnd == false }

  var kindOfEmptyList: FeedKind { Service.kind(ofEmptyListAt: finder.place) }

  var bufferedByteCount: Int { buffer.count }

  var hasList: Bool { finder.place != nil }

  private mutating func nextVideo() -> Video? {
    while true {
      if let video = pending.popLast() {
        readCount += 1
        return video
      }
      switch finder.next(in: buffer) {
      case .item(let range):
        guard let video = decode(range) else { continue }
        readCount += 1
        return video
      case .unusable:
        itemCount += 1
        skippedCount += 1
      case .needsMore:
        if isFinished { end() }
        if pending.isEmpty { return nil }
      case .documentEnded: endDocument()
      case .documentBegins: beginDocument()
      case .otherTextFollows:
        notice = "Ignored other text after the end of the feed."
        end()
        if pending.isEmpty { return nil }
      case .fault(let fault):
        handle(fault)
        return nil
      }
    }
  }

  /// Decodes an item; returns nil if it has no video or several, which are pending.
  private mutating func decode(_ range: Range<Int>) -> Video? {
    itemCount += 1
    switch decoder.decode(buffer, range, place: finder.place) {
    case .video(var video):
      addFacts(to: &video)
      return video
    case .videos(let videos):
      pending = videos.reversed()
      for index in pending.indices { addFacts(to: &pending[index]) }
    case .unusable:
      // A line may be the answer of a service.
      let object = finder.readsLines ? JSONObject(buffer, range) : nil
      let answer = object.flatMap { Service.answer($0, from: address?.web) }
      pending = answer?.videos.reversed() ?? []
      notice = notice ?? answer?.notice
      if pending.isEmpty { skippedCount += 1 }
    }
    return nil
  }

  /// Adds the picture and the language of a JSON Feed, which names them before its items.
  private func addFacts(to video: inout Video) {
    guard decoder.kind == .jsonFeed else { return }
    video.language = video.language ?? finder.facts.language
    video.covers.append(ofChannel: cover)
  }

  private mutating func end() {
    guard !hasEnded, failure == nil else { return }
    if finder.isInDocument {
      failure = .cut(after: readCount)
      return
    }
    hasEnded = true
    switch document {
    case .unknown: failure = itemCount == 0 ? .empty : .notAFeed(buffer)
    case .read(let reason): if readCount == 0 { failure = foreignFailure ?? reason }
    case .object(let reason):
      let video = finder.document.flatMap { decode($0) }
      if let video, finder.documentCount > 1 || video.hasFile {
        pending = [video]
      } else if pending.isEmpty, readCount == 0 {
        failure = reason
      }
    }
  }

  /// At its end, a document without a list may be the answer of a service.
  private mutating func endDocument() {
    guard !hasList else {
      document = .read(nil)
      return
    }
    let root = finder.document.flatMap { JSONObject(buffer, $0) }
    if let answer = root.flatMap({ Service.answer($0, from: address?.web) }) {
      self.answer = answer
      pending = answer.videos.reversed()
      notice = notice ?? answer.notice
      document = .read(answer.failure)
      finder.releaseDocument()
    } else if finder.facts.hasNullList || finder.facts.isEnd == true {
      document = .read(nil)
      finder.releaseDocument()
    } else {
      document = .object(finder.wasTooLarge ? .tooLargeObject : .noList(root.flatMap(ProblemDetails.complaint(in:))))
    }
  }

  /// If another object follows, the one before it was an item.
  private mutating func beginDocument() {
    if case .object(let reason) = document {
      if let range = finder.document {
        if let video = decode(range) { pending = [video] }
      } else {
        skippedCount += 1
      }
      document = .read(reason)
    }
    answer?.nextPage = nil
  }

  private var foreignFailure: FeedFailure? {
    guard let foreign = decoder.foreign, decoder.kind == nil || foreign.namesItems else { return nil }
    if isContinuation, decoder.kind != nil || foreign == .titles { return nil }
    return foreign.failure
  }

  private mutating func handle(_ fault: JSONItemFinder.Fault) {
    switch fault {
    case .notJSON:
      // The reason quotes the document, such as the title of a page, so it needs the first part.
      guard isFinished || buffer.count >= 65_536 else { return }
      failure = .notAFeed(buffer)
    case .malformed: failure = .malformed(after: readCount)
    case .tooDeep: failure = .tooDeep
    case .tooComplex: failure = .tooComplex
    }
  }

  private mutating func compact() {
    let needed = finder.firstNeeded
    guard needed > 65_536, needed > buffer.count / 2 else { return }
    buffer.removeFirst(needed)
    finder.dropFirst(needed)
  }
}

extension Video {
  /// Whether it has a file with the name of a video or a sound, so that it is not just any object with an address.
  fileprivate var hasFile: Bool {
    guard case .direct(let files) = playback, let first = files.first else { return false }
    return first.url.isMediaFile
  }
}

extension JSONDocumentReader {
  /// Decodes the items of one document; the first usable item determines the service.
  struct ItemDecoder {
    private(set) var service: Service?
    /// Whether the last item marks the end of the list, which some articles do.
    private(set) var lastItemSaysEnd = false
    private let address: MediaAddress?
    private var shared = SharedTexts()
    /// The kind of the first item without a video; nil if it is unknown.
    private(set) var foreign: ForeignList?

    init(address: MediaAddress?) { self.address = address }

    var kind: FeedKind? { service?.kind }

    mutating func decode(_ bytes: [UInt8], _ range: Range<Int>, place: JSONItemFinder.Place?) -> DecodedItem {
      guard let item = JSONObject(bytes, range), !item.isEmpty else { return .unusable }
      let service = self.service ?? Service.of(item, in: place)
      if service === Service.articles { lastItemSaysEnd = item["end"]?.bool ?? false }
      let result = service.decode(item, from: address, &shared)
      switch result {
      case .unusable:
        foreign = foreign ?? ForeignList(item)
        return result
      case .videos(let videos) where videos.isEmpty && foreign == nil:
        // Other media among videos are no list of another kind.
        foreign = ForeignList(item).flatMap { $0.namesItems ? $0 : nil }
      case .videos, .video: break
      }
      self.service = service
      return result
    }
  }

  /// A JSON list of something else than videos, recognized by an item that could not be decoded.
  enum ForeignList: Equatable {
    case comments
    case channels
    case playlists
    /// The items have titles, but neither a file nor a page.
    case titles
    case other

    /// Returns nil for an item that may stand among videos, such as an empty one or an entry whose video is gone.
    init?(_ item: JSONObject) {
      guard !item.isEmpty, item["position"] == nil else { return nil }
      if item["threadId"] != nil || item["inReplyToCommentId"] != nil || item["commentText"] != nil {
        self = .comments
      } else if item["ownerAccount"] != nil || item["followersCount"] != nil || item["subCount"] != nil
        || item["type"]?.string == "channel"
      {
        self = .channels
      } else if item["videosLength"] != nil || item["videoChannel"] != nil || item["type"]?.string == "playlist" {
        self = .playlists
      } else {
        self = item["title"] != nil || item["name"] != nil ? .titles : .other
      }
    }

    /// Whether it names the items, which lists of videos may have beside them.
    var namesItems: Bool { self == .channels || self == .playlists }

    var failure: FeedFailure {
      let content =
        switch self {
        case .comments: "a list of comments, not of videos"
        case .channels: "a list of channels, not of videos"
        case .playlists: "a list of playlists, not of videos"
        case .titles: "a list of titles without an address to play or open"
        case .other: "a list, but not of videos"
        }
      return FeedFailure(.permanent, "the answer is \(content)", advice: "use the address of a list of videos")
    }
  }
}
