import FeedfallDocuments
import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// The knowledge about a feed in the web, from its address and from the answers so far.
struct WebFeed: Sendable {
  /// The addresses of counted pages; nil for a known site, whose paging is known.
  private var pages: PageAddresses?
  fileprivate let count: Int
  /// Where the address leads by itself.
  private var ownTarget: Target
  fileprivate var target: Target
  private var paging: (any Paging)?
  /// The order of requests since the first page: the addresses in pages may lead in a circle.
  private var visited: [WebAddress: Int] = [:]
  private var lastPage: (next: FeedCursor?, digest: Int)?
  /// Grows with every request for the first page.
  fileprivate var generation = 0
  /// Whether the first page was a web page that leads to no feed when it was last requested.
  fileprivate(set) var isWebPage = false

  fileprivate struct Target: Equatable {
    /// The request for the first page.
    var first: WebAddress
    /// The PeerTube list that the address stands for.
    var endpoint: PeerTubeEndpoint?
  }

  /// - Parameter pages: the addresses of the pages where they are counted.
  init(first: WebAddress, pages: PageAddresses?, pageSize: Int?) {
    self.pages = pages
    count = min(max(pageSize ?? PageAddresses.defaultSize, 1), PeerTubeEndpoint.maximumCount)
    let endpoint = PeerTubeEndpoint(address: first)
    ownTarget = Target(first: first, endpoint: endpoint.flatMap { $0.isCertain ? $0 : nil })
    target = ownTarget
  }

  /// Adopts the knowledge from a request, unless it continues a first page that has been replaced meanwhile.
  mutating func adopt(_ other: WebFeed) {
    if other.generation >= generation { self = other }
  }

  // MARK: where the address leads

  private var list: PeerTubeList? { target.endpoint.map { PeerTubeList(place: .endpoint($0), count: count) } }

  fileprivate var firstAddress: WebAddress { list?.address(of: .start) ?? target.first }

  /// Whether a web page in the place of the first page may lead to the feed: that of a known site leads nowhere.
  fileprivate var mayBeBehindWebPage: Bool { list == nil && pages != nil }

  /// Returns to the address itself; false where no web page has led away from it.
  fileprivate mutating func returnToAddress() -> Bool {
    guard target != ownTarget else { return false }
    target = ownTarget
    paging = nil
    return true
  }

  /// Drops the assumption that the server counts pages from the first request on; false where there is none.
  fileprivate mutating func dropAssumption() -> Bool {
    guard let plain = pages?.withoutAssumption, let first = plain.address(of: plain.first), target == ownTarget else {
      return false
    }
    pages = plain
    ownTarget.first = first
    target = ownTarget
    return true
  }

  // MARK: paging

  /// The paging of a list that begins with this document.
  private func paging(of document: DecodedDocument) -> any Paging {
    switch document.kind {
    case _ where document.nextAddress != nil: return LinkedPages(first: target.first)
    case .peerTube: return PeerTubeList(place: .address(target.first), count: count)
    case .articles: return pages ?? LinkedPages(first: target.first)
    case .catalogue where pages?.isCounted == true: return pages ?? LinkedPages(first: target.first)
    case _ where !document.parts.isEmpty: return ListedParts(index: target.first, parts: document.parts)
    default: return LinkedPages(first: target.first)
    }
  }

  /// The paging that has such a cursor, even where no first page has shown it yet.
  fileprivate func paging(for cursor: FeedCursor) -> (any Paging, WebAddress)? {
    let ways: [(any Paging)?] = [
      paging, pages, PeerTubeList(place: .address(target.first), count: count), LinkedPages(first: target.first),
    ]
    return ways.firstNonNil { way in
      way.flatMap { way in way.address(of: cursor).map { (way, $0) } }
    }
  }

  fileprivate struct Part {
    var document: DecodedDocument
    var next: FeedCursor?
    /// Whether the answer is equal to the one before.
    var isRepeated = false
  }

  /// Decodes the first page, with which all pages begin anew.
  fileprivate mutating func firstPart(_ answer: HTTPAnswer) throws(FeedFailure) -> Part {
    let document = try answer.decoded()
    let paging: any Paging = list ?? self.paging(of: document)
    self.paging = paging
    visited = [:]
    lastPage = nil
    return part(answer, document, at: .start, paging)
  }

  fileprivate mutating func laterPart(
    _ answer: HTTPAnswer, at cursor: FeedCursor, _ paging: any Paging
  ) throws(FeedFailure) -> Part {
    let document = try answer.decoded()
    guard var lists = paging as? ListedParts, !document.parts.isEmpty else {
      return part(answer, paging.marked(document), at: cursor, paging)
    }
    lists.append(document.parts)
    self.paging = lists
    return part(answer, lists.marked(document), at: cursor, lists)
  }

  private mutating func part(
    _ answer: HTTPAnswer, _ document: DecodedDocument, at cursor: FeedCursor, _ paging: any Paging
  ) -> Part {
    let digest = answer.body.hashValue
    var next = paging.cursor(after: cursor, document)
    let place = visited[answer.address] ?? visited.count
    visited[answer.address] = place
    // A page that is requested again has the same next page.
    if case .address(let address)? = next, let visited = visited[address], visited <= place { next = nil }
    let isRepeated = lastPage.map { $0.next == cursor && $0.digest == digest } ?? false
    lastPage = (next, digest)
    return Part(document: document, next: next, isRepeated: isRepeated)
  }
}

/// The requests for one page of a web feed, as a state machine: answers go in, the next step comes out.
///
/// Further answers follow while there are too few videos, and after an answer equal to the one before: either the server
/// counts its pages from one, so that this was the first page again, or it has only one page, which the next answer
/// shows.
struct WebPageRequest: Sendable {
  enum Step: Equatable {
    /// Fetch this address, and pass the answer to `handle`.
    case fetch(WebAddress)
    case page(FeedPage)
    case failed(FeedFailure)
  }

  private enum Phase {
    case firstPage
    /// A web page came in the place of the first page; its server may be a PeerTube. `endpoint` is the list that the page
    /// shows then, nil for a page without one.
    case instance(endpoint: PeerTubeEndpoint?, webPage: HTTPAnswer)
    /// The web page names this feed.
    case named(WebAddress, webPage: HTTPAnswer)
    case laterPage(any Paging)
  }

  private(set) var feed: WebFeed
  /// Whether the last answer completed a part of the page, so that the answers so far may be stored.
  private(set) var completesPart = false
  private var phase = Phase.firstPage
  private var cursor: FeedCursor
  private var page = FeedPage(videos: [])
  private var partCount = 0
  private var wasRepeated = false
  /// The count of empty pages in succession.
  private var emptyCount = 0
  /// Whether a web page of this request led to the feed's present address.
  private var hasFollowedWebPage = false

  /// The feed before its assumption was dropped, to which it returns if that was no remedy.
  private var assumingFeed: WebFeed?

  /// The most parts of one page, where single answers hold few videos.
  private static let maximumPartCount = 5
  /// A feed ends after this many empty pages, even if it says that more follow.
  private static let maximumEmptyCount = 3

  init(_ cursor: FeedCursor, of feed: WebFeed) {
    self.cursor = cursor
    self.feed = feed
    if cursor == .start { self.feed.generation += 1 }
  }

  mutating func start() -> Step {
    if cursor != .start, let step = requestLaterPage() { return step }
    return requestFirstPage()
  }

  /// Handles the answer to the last step, whatever its status.
  mutating func handle(_ result: Result<HTTPAnswer, WebFailure>) -> Step {
    completesPart = false
    do throws(FeedFailure) {
      return try step(after: result)
    } catch {
      // The videos so far can be shown; the next request reports the failure.
      return page.videos.isEmpty ? .failed(error) : .page(page)
    }
  }

  private mutating func step(after result: Result<HTTPAnswer, WebFailure>) throws(FeedFailure) -> Step {
    switch phase {
    case .firstPage: return try handleFirstPage(result)
    case .instance(let endpoint, let webPage):
      if try result.isPeerTubeConfig() {
        guard let endpoint else { throw FeedFailure(.pageWithoutList(path: webPage.address.path)) }
        feed.target.endpoint = endpoint
        hasFollowedWebPage = true
        return requestFirstPage()
      }
      guard let named = FeedLinks.alternates(inHTML: webPage.body, from: webPage.address).first else {
        return try adopt(webPage)
      }
      phase = .named(named, webPage: webPage)
      return .fetch(named)
    case .named(let address, let webPage):
      let answer = try result.answer()
      guard !HTMLPage.isStarted(by: answer.body) else { return try adopt(webPage) }
      feed.target.first = address
      return try adopt(answer)
    case .laterPage(let paging):
      do {
        return append(try feed.laterPart(try result.answer(), at: cursor, paging))
      } catch {
        guard error.kind == .permanent, result != .failure(.notCached), let next = paging.cursor(past: cursor) else {
          throw error
        }
        return append(WebFeed.Part(document: .missing, next: next))
      }
    }
  }

  private mutating func handleFirstPage(_ result: Result<HTTPAnswer, WebFailure>) throws(FeedFailure) -> Step {
    let answer: HTTPAnswer
    do { answer = try result.answer() } catch {
      if let assumingFeed {
        feed = assumingFeed
        throw error
      }
      if error.kind == .permanent, let alternative = feed.target.endpoint?.alternative {
        feed.target.endpoint = alternative
        return requestFirstPage()
      }
      let assuming = feed
      if result.refusesQuery, feed.dropAssumption() {
        assumingFeed = assuming
        return requestFirstPage()
      }
      // The web page that once led there may lead elsewhere now.
      guard error.kind == .permanent, !hasFollowedWebPage, feed.returnToAddress() else { throw error }
      return requestFirstPage()
    }
    guard answer.isWebPage, feed.mayBeBehindWebPage else { return try adopt(answer) }
    phase = .instance(endpoint: PeerTubeEndpoint(address: answer.address), webPage: answer)
    return .fetch(PeerTubeEndpoint(instanceOf: answer.address).configAddress)
  }

  private mutating func requestFirstPage() -> Step {
    phase = .firstPage
    feed.isWebPage = false
    return .fetch(feed.firstAddress)
  }

  /// Nil where nothing known has such a cursor.
  private mutating func requestLaterPage() -> Step? {
    feed.paging(for: cursor).map { paging, address in
      phase = .laterPage(paging)
      return .fetch(address)
    }
  }

  private mutating func adopt(_ answer: HTTPAnswer) throws(FeedFailure) -> Step {
    feed.isWebPage = feed.mayBeBehindWebPage && answer.isWebPage
    let part = try feed.firstPart(answer)
    if cursor == .start { return append(part) }
    // A list of lists is known by its first page alone.
    guard let step = requestLaterPage() else { throw FeedFailure(.noSuchPage) }
    return step
  }

  private mutating func append(_ part: WebFeed.Part) -> Step {
    completesPart = true
    partCount += 1
    if !part.isRepeated { page.append(part.document) }
    emptyCount = part.document.isEmpty ? emptyCount + 1 : 0
    let isOver = part.isRepeated && wasRepeated || emptyCount >= Self.maximumEmptyCount
    page.next = isOver ? nil : part.next
    let isEnough = !part.isRepeated && page.videos.count >= min(part.document.kind.fewestVideos, feed.count)
    guard let next = page.next, !isEnough, partCount < Self.maximumPartCount else { return .page(page) }
    cursor = next
    wasRepeated = part.isRepeated
    return start()
  }
}

extension Result<HTTPAnswer, WebFailure> {
  /// Whether a server may have answered so because of values in the query that it does not know.
  fileprivate var refusesQuery: Bool {
    switch self {
    case .success(let answer): [400, 404, 405].contains(answer.status)
    // The cache holds the answer to the request that was accepted.
    case .failure(let failure): failure == .notCached
    }
  }

  /// Whether a PeerTube instance has answered. Fails where that cannot be known now.
  fileprivate func isPeerTubeConfig() throws(FeedFailure) -> Bool {
    switch self {
    case .success(let answer):
      if let failure = answer.feedFailure, case .wait = failure.kind { throw failure }
      return answer.failure == nil && FeedDecoder.isPeerTubeConfig(answer.body)
    case .failure(let failure):
      if failure.retry != .never { throw FeedFailure(failure) }
      return false
    }
  }
}

extension HTTPAnswer {
  /// Whether it is a web page that lists no files.
  fileprivate var isWebPage: Bool { HTMLPage.isStarted(by: body) && !DirectoryListing.isStarted(by: body) }
}

extension DecodedDocument {
  /// Stands for a list among others that is gone.
  fileprivate static let missing = DecodedDocument(kind: .mediaCCC, videos: [], skippedCount: 1)
}

extension FeedPage {
  fileprivate mutating func append(_ document: DecodedDocument) {
    videos += document.videos
    skippedCount += document.skippedCount
    total = document.total ?? total
    title = title ?? document.title
    notice = notice ?? document.notice
  }
}
