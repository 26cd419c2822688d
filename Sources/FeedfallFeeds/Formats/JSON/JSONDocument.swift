import FeedfallText

/// JSON: a list of items, in one document or several, or the answer of a service.
struct JSONDocument: FeedFormat {
  private let bytes: [UInt8]
  private let found: JSONItems
  private var (documentIndex, itemIndex) = (0, 0)
  /// The first usable item determines the service.
  private var service: Service?
  private var shared = SharedTexts()
  /// Whether the last item marks the end of the list, which some articles do.
  private var lastItemSaysEnd = false
  /// The kind of the first item without a video; nil if it is unknown.
  private var foreign: ForeignList?
  private var answer: ServiceAnswer?
  /// The remaining videos of an item with several, in reverse order.
  private var pending: [Video] = []
  private let address: MediaAddress?
  /// The video to which those of the list are related.
  private let relatedID: String?
  /// Whether it is a later page of a feed, which may consist of titles without an address.
  private let isContinuation: Bool
  private var readCount = 0
  /// The count of items in lists, also of those that are ignored.
  private var itemCount = 0
  /// The reason why the last document without a list has no videos.
  private var reason: FeedFailure?
  private var answerNotice: String?
  private(set) var skipped = SkippedEntries()

  /// A document without a list is decoded as a whole.
  private static let maximumByteCount = 32 << 20

  init(_ bytes: [UInt8], address: MediaAddress?) { self.init(bytes, address: address, isContinuation: false) }

  init(_ bytes: [UInt8], address: MediaAddress?, isContinuation: Bool) {
    (self.bytes, self.address, self.isContinuation) = (bytes, address, isContinuation)
    relatedID = address?.web?.relatedID
    found = JSONItems(bytes)
    itemCount = found.leadingNullCount
    for _ in 0..<itemCount { skipped.insert("") }
  }

  var kind: FeedKind { service?.kind ?? answer?.kind ?? Service.kind(ofEmptyListAt: found.documents.last?.place) }

  var header: FeedHeader {
    let (facts, isWhole) = (found.facts, relatedID == nil)
    // The title and the summary of related videos may be those of the one video.
    return FeedHeader(
      title: isWhole ? facts.title ?? answer?.title : nil, summary: isWhole ? facts.summary : nil, cover: cover,
      total: total, nextPage: nextPage, saysEnd: facts.isEnd ?? lastItemSaysEnd, saysMore: facts.isEnd == false,
      parts: answer?.parts ?? [])
  }

  private var total: Int? {
    guard found.isOnlyDocument else { return nil }
    // Results of a search may include other media, so their count is only valid for a page without any.
    return found.facts.total ?? (readCount + skipped.count == itemCount ? found.facts.found : nil)
  }

  private var cover: WebAddress? {
    guard service?.kind == .jsonFeed else { return nil }
    return found.facts.icon.flatMap { WebAddress(reference: $0, base: address?.web) }
  }

  private var nextPage: NextPage? {
    let (facts, web) = (found.facts, address?.web)
    let next = web.flatMap { service?.next($0, (facts, itemCount, readCount)) }
    return next ?? facts.next.flatMap { WebAddress(reference: $0, base: web) }.map { NextPage($0) } ?? answer?.nextPage
  }

  var limitNotice: String? { found.hasOtherText ? "Ignored other text after the end of the feed." : answerNotice }

  mutating func next() -> Video? {
    while true {
      if let video = pending.popLast() {
        if video.id == relatedID { continue }
        readCount += 1
        return video
      }
      guard documentIndex < found.documents.count else { return nil }
      if itemIndex < found.documents[documentIndex].items.count {
        itemIndex += 1
        pending = videos(of: found.documents[documentIndex].items[itemIndex - 1])
      } else {
        endDocument(found.documents[documentIndex])
        (documentIndex, itemIndex) = (documentIndex + 1, 0)
      }
    }
  }

  func failure(after count: Int) -> FeedFailure? {
    switch found.fault {
    case .notJSON: return .notAFeed(bytes)
    case .malformed: return .malformed(after: count)
    case .tooDeep: return .tooDeep
    case .tooComplex: return .tooComplex
    case .cut: return .cut(after: count)
    case nil: break
    }
    guard let last = found.documents.last else { return itemCount == 0 ? .empty : .notAFeed(bytes) }
    guard count == 0 else { return nil }
    return last.place != nil || last.areLines || answer != nil ? foreignFailure ?? reason : reason
  }

  /// Decodes an item; returns its videos in reverse order.
  private mutating func videos(of range: Range<Int>) -> [Video] {
    itemCount += 1
    let document = found.documents[documentIndex]
    var videos: [Video]
    if !range.isEmpty, let decoded = decode(range, in: document.place) {
      videos = decoded
    } else {
      // A line may be the answer of a service.
      let object = document.areLines && !range.isEmpty ? JSONObject(bytes, range) : nil
      let answer = object.flatMap { Service.answer($0, from: address?.web) }
      videos = answer?.videos ?? []
      answerNotice = answerNotice ?? answer?.notice
      if videos.isEmpty { skipped.insert("") }
    }
    videos.reverse()
    // A JSON Feed names its language and its picture for all items.
    if service?.kind == .jsonFeed {
      for index in videos.indices {
        videos[index].language = videos[index].language ?? found.facts.language
        videos[index].covers.append(ofChannel: cover)
      }
    }
    return videos
  }

  /// At its end, a document without a list may be the answer of a service, or an item by itself.
  private mutating func endDocument(_ document: JSONItems.Document) {
    guard document.place == nil, !document.areLines, let end = document.end else {
      if document.place != nil { reason = nil }
      return
    }
    let isLast = documentIndex == found.documents.count - 1
    let range = document.start..<end
    guard range.count <= Self.maximumByteCount else {
      reason = .tooLargeObject
      return
    }
    let root = JSONObject(bytes, range)
    if let answer = root.flatMap({ Service.answer($0, from: address?.web) }) {
      self.answer = answer
      if !isLast { self.answer?.nextPage = nil }
      pending = answer.videos.reversed()
      (reason, answerNotice) = (answer.failure, answerNotice ?? answer.notice)
      return
    }
    reason = nil
    if isLast, found.facts.hasNullList || found.facts.isEnd == true { return }
    reason = .noList(root.flatMap(ProblemDetails.complaint(in:)))
    let videos = videos(of: range)
    // An object that stands alone is an item only if it has a file.
    if !found.isOnlyDocument || videos.count != 1 || videos[0].hasFile { pending = videos }
  }

  private var foreignFailure: FeedFailure? {
    guard let foreign, service == nil || foreign.namesItems else { return nil }
    if isContinuation, service != nil || foreign == .titles { return nil }
    return foreign.failure
  }

  private mutating func decode(_ range: Range<Int>, in place: JSONItems.Place?) -> [Video]? {
    guard let item = JSONObject(bytes, range), !item.isEmpty else { return nil }
    let service = self.service ?? Service.of(item, in: place)
    if service == .articles { lastItemSaysEnd = item["end"]?.bool ?? false }
    guard let videos = service.decode(item, from: address, &shared) else {
      foreign = foreign ?? ForeignList(item)
      return nil
    }
    // Other media among videos are no list of another kind.
    if videos.isEmpty, foreign == nil { foreign = ForeignList(item).flatMap { $0.namesItems ? $0 : nil } }
    self.service = service
    return videos
  }

  /// A JSON list of something else than videos, recognized by an item that could not be decoded.
  enum ForeignList: String {
    case comments = "a list of comments, not of videos"
    case channels = "a list of channels, not of videos"
    case playlists = "a list of playlists, not of videos"
    case titles = "a list of titles without an address to play or open"
    case other = "a list, but not of videos"

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
      FeedFailure(.permanent, "the answer is \(rawValue)", advice: "use the address of a list of videos")
    }
  }
}

extension Video {
  /// Whether it has a file with the name of a video or a sound, so that it is not just any object with an address.
  fileprivate var hasFile: Bool {
    guard case .direct(let files) = playback, let first = files.first else { return false }
    return first.url.isMediaFile
  }
}
