import FeedfallDocuments
import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// The knowledge about a feed in the web, from its address and from the answers so far.
struct WebFeed: Sendable {
  /// The addresses of counted pages; nil for a known site, whose paging is known.
  private let pages: PageAddresses?
  fileprivate let count: Int
  /// Where the address leads by itself.
  private let ownTarget: Target
  fileprivate var target: Target
  private var paging: (any Paging)?
  /// The address of the last first page, after all redirects.
  private var source: WebAddress?
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

  /// Whether an address may be requested: a feed that began with encryption continues with it.
  fileprivate func allows(_ address: WebAddress) -> Bool { address.isAsEncrypted(as: source ?? target.first) }

  fileprivate struct Part {
    var document: DecodedDocument
    var next: FeedCursor?
    /// Whether the answer is equal to the one before.
    var isRepeated = false
  }

  /// Decodes the first page, with which all pages begin anew.
  fileprivate mutating func firstPart(_ answer: HTTPAnswer) throws(FeedFailure) -> Part {
    let document = try answer.decoded().upgraded(from: answer.address)
    source = answer.address
    let paging: any Paging = list ?? self.paging(of: document)
    self.paging = paging
    visited = [:]
    lastPage = nil
    return part(answer, document, at: .start, paging)
  }

  fileprivate mutating func laterPart(
    _ answer: HTTPAnswer, at cursor: FeedCursor, _ paging: any Paging
  ) throws(FeedFailure) -> Part {
    part(answer, paging.marked(try answer.decoded().upgraded(from: answer.address)), at: cursor, paging)
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
    /// A web page came in the place of the first page; its server may be this PeerTube.
    case instance(PeerTubeEndpoint, webPage: HTTPAnswer)
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
  /// Whether a web page of this request led to the feed's present address.
  private var hasFollowedWebPage = false

  /// The most parts of one page, where single answers hold few videos.
  private static let maximumPartCount = 5

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
        feed.target.endpoint = endpoint
        hasFollowedWebPage = true
        return requestFirstPage()
      }
      let alternates = FeedLinks.alternates(inHTML: webPage.body, from: webPage.address)
        .map { $0.upgraded(from: webPage.address) }
      guard let first = alternates.first else { return try adopt(webPage) }
      guard let named = alternates.first(where: { $0.isAsEncrypted(as: webPage.address) }) else {
        throw FeedFailure(.notEncrypted(host: first.host))
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
      // The web page that once led there may lead elsewhere now.
      guard error.kind == .permanent, !hasFollowedWebPage, feed.returnToAddress() else { throw error }
      return requestFirstPage()
    }
    guard HTMLPage.isStarted(by: answer.body), feed.mayBeBehindWebPage else { return try adopt(answer) }
    let endpoint = PeerTubeEndpoint(address: answer.address) ?? PeerTubeEndpoint(instanceOf: answer.address)
    phase = .instance(endpoint, webPage: answer)
    return .fetch(endpoint.configAddress)
  }

  private mutating func requestFirstPage() -> Step {
    phase = .firstPage
    feed.isWebPage = false
    return .fetch(feed.firstAddress)
  }

  /// Nil where nothing known has such a cursor.
  private mutating func requestLaterPage() -> Step? {
    feed.paging(for: cursor).map { paging, address in
      guard feed.allows(address) else { return .failed(FeedFailure(.notEncrypted(host: address.host))) }
      phase = .laterPage(paging)
      return .fetch(address)
    }
  }

  private mutating func adopt(_ answer: HTTPAnswer) throws(FeedFailure) -> Step {
    feed.isWebPage = feed.mayBeBehindWebPage && HTMLPage.isStarted(by: answer.body)
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
    page.next = part.isRepeated && wasRepeated ? nil : part.next
    let isEnough = !part.isRepeated && page.videos.count >= min(part.document.kind.fewestVideos, feed.count)
    guard let next = page.next, !isEnough, partCount < Self.maximumPartCount else { return .page(page) }
    cursor = next
    wasRepeated = part.isRepeated
    let step = start()
    // The videos so far can be shown; the next request reports the failure.
    if case .failed = step, !page.videos.isEmpty { return .page(page) }
    return step
  }
}

extension Result<HTTPAnswer, WebFailure> {
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

extension DecodedDocument {
  /// Stands for a list among others that is gone.
  fileprivate static let missing = DecodedDocument(kind: .mediaCCC, videos: [], skippedCount: 1)
}

extension WebAddress {
  /// Whether it does not lead from https to http.
  fileprivate func isAsEncrypted(as source: WebAddress) -> Bool { source.scheme == "http" || scheme == "https" }

  /// The same address with https where a document that came by https names its own server by http: feeds often keep old
  /// addresses.
  fileprivate func upgraded(from source: WebAddress) -> WebAddress {
    guard !isAsEncrypted(as: source), host == source.host, [nil, 80].contains(port) else { return self }
    let start = "http://\(host)"
    let path = text.utf8.dropFirst(origin.utf8.count)
    guard text.hasPrefix(start) else { return self }
    return WebAddress("https://\(host)" + (String(path) ?? "")) ?? self
  }
}

extension DecodedDocument {
  /// The document with its addresses of further pages upgraded.
  fileprivate func upgraded(from source: WebAddress) -> DecodedDocument {
    var document = self
    document.nextAddress = nextAddress?.upgraded(from: source)
    document.parts = parts.map { $0.upgraded(from: source) }
    return document
  }
}

extension FeedPage {
  fileprivate mutating func append(_ document: DecodedDocument) {
    videos += document.videos
    skippedCount += document.skippedCount
    total = document.total ?? total
    title = title ?? document.title
  }
}
