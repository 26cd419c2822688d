import FeedfallDocuments
import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// The state of a web feed: its address, its pagination and the pages so far.
struct WebFeed: Sendable {
  /// The addresses of counted pages; nil for a known site, which has its own pagination.
  private var pages: PageAddresses?
  /// The feed within which IDs may be unique; nil for a known site, which has its own IDs.
  let scope: FeedScope?
  fileprivate let count: Int
  private let includesShorts: Bool
  /// The target of the address itself, before a web page leads elsewhere.
  private var ownTarget: Target
  /// The other form of the first request, with or without parameters that its server may refuse; nil if there is none.
  private var otherForm: (pages: PageAddresses?, target: Target)?
  fileprivate var target: Target
  private var paging: (any Paging)?
  /// The address of the last first page, after all redirects.
  private var source: WebAddress?
  /// The order of requests since the first page, because the addresses in pages may form a cycle.
  private var visited: [WebAddress: Int] = [:]
  private var lastPage: (next: FeedCursor?, digest: Int)?
  /// Incremented by each request for the first page.
  fileprivate var generation = 0
  /// The digest of the web page that the last request for the first page returned if it leads to no feed.
  fileprivate(set) var webPage: Int?
  /// The digest of a web page that another program reads; its server is no instance of PeerTube.
  var readWebPage: Int?
  /// Whether it is a folder on a WebDAV server, whose path means nothing else.
  private(set) var isFolder = false

  fileprivate struct Target: Equatable {
    /// The request for the first page.
    var first: WebAddress
    /// The PeerTube list that the address means.
    var endpoint: PeerTubeEndpoint?

    func address(count: Int) -> WebAddress { endpoint?.address(start: 0, count: count) ?? first }
  }

  /// - Parameters:
  ///   - written: the address as the user wrote it, if the first request differs from it.
  ///   - pages: the addresses of the pages if they are counted.
  init(
    first: WebAddress, written: WebAddress? = nil, pages: PageAddresses?, pageSize: Int?, includesShorts: Bool = true
  ) {
    self.pages = pages
    self.includesShorts = includesShorts
    scope = pages == nil ? nil : FeedScope(written ?? first, first: first)
    count = min(max(pageSize ?? PageAddresses.defaultSize, 1), PeerTubeEndpoint.maximumCount)
    let endpoint = PeerTubeEndpoint(address: first)
    ownTarget = Target(first: first, endpoint: endpoint.flatMap { $0.isCertain ? $0 : nil })
    target = ownTarget
    if let plain = pages?.withoutAssumption, let first = plain.address(of: plain.first) {
      otherForm = (plain, Target(first: first))
    } else if let list = ownTarget.endpoint?.address(start: 0, count: count), list.path == first.path {
      otherForm = (pages, Target(first: first))
    }
  }

  /// Creates the feed of a folder on a WebDAV server.
  init(folder: WebAddress, pageSize: Int?) {
    self.init(first: folder, pages: nil, pageSize: pageSize)
    isFolder = true
    ownTarget.endpoint = nil
    (target, otherForm) = (ownTarget, nil)
  }

  /// Adopts the state after a request, unless a newer request for the first page has replaced it.
  mutating func adopt(_ other: WebFeed) {
    if other.generation >= generation { self = other }
  }

  // MARK: - Target

  private var list: PeerTubeList? { target.endpoint.map { PeerTubeList(place: .endpoint($0), count: count) } }

  fileprivate var firstAddress: WebAddress { target.address(count: count) }

  /// Whether a web page in place of the first page can lead to the feed; not for known sites.
  fileprivate var mayBeBehindWebPage: Bool { list == nil && pages != nil }

  /// Returns to the address itself; returns false if no web page has led elsewhere.
  fileprivate mutating func returnToAddress() -> Bool {
    guard target != ownTarget else { return false }
    target = ownTarget
    paging = nil
    return true
  }

  /// Selects the other form of the first request. Returns false if there is none.
  fileprivate mutating func selectOtherForm() -> Bool {
    guard target == ownTarget, let form = otherForm else { return false }
    otherForm = (pages, ownTarget)
    (pages, ownTarget, target) = (form.pages, form.target, form.target)
    return true
  }

  /// Selects the form of the first request that has led to a document in an earlier run.
  mutating func selectForm(leadingTo document: WebAddress) {
    if otherForm?.target.address(count: count) == document { _ = selectOtherForm() }
  }

  // MARK: - Paging

  /// Returns the pagination of a list that starts with this document.
  private func paging(of document: DecodedDocument) -> any Paging {
    switch document.kind {
    case _ where document.nextAddress != nil: return LinkedPages(first: target.first)
    case .peerTube: return PeerTubeList(place: .address(target.first), count: count)
    case .articles: return pages ?? LinkedPages(first: target.first)
    case _ where pages?.isTemplate == true: return pages ?? LinkedPages(first: target.first)
    case .catalogue where pages?.isCounted == true: return pages ?? LinkedPages(first: target.first)
    case _ where !document.parts.isEmpty: return ListedParts(index: target.first, document)
    default: return LinkedPages(first: target.first)
    }
  }

  /// Returns a pagination for this kind of cursor and the request, even if no first page has determined the pagination
  /// yet.
  fileprivate func paging(for cursor: FeedCursor) -> (any Paging, WebAddress)? {
    let candidates: [(any Paging)?] = [
      paging, pages, PeerTubeList(place: .address(target.first), count: count), LinkedPages(first: target.first),
    ]
    return candidates.firstNonNil { way in
      way.flatMap { way in way.address(of: cursor).map { (way, $0) } }
    }
  }

  /// The feeds that a web page links to.
  fileprivate func alternates(in page: HTTPAnswer) -> [WebAddress] {
    FeedLinks.alternates(inHTML: page.body, from: page.address).map { link in
      let address = link.upgraded(from: page.address)
      return includesShorts ? address : KnownSite.withoutShorts(address)
    }
  }

  /// Whether an address may be requested: a feed that began with encryption continues with it.
  fileprivate func allows(_ address: WebAddress) -> Bool { address.isAsEncrypted(as: source ?? target.first) }

  fileprivate struct Part {
    var document: DecodedDocument
    var next: FeedCursor?
    /// Whether the answer has the videos of the preceding one.
    var isRepeated = false
  }

  /// Decodes the first page, which restarts the pagination.
  fileprivate mutating func firstPart(_ answer: HTTPAnswer) throws(FeedFailure) -> Part {
    var document = try answer.decoded().upgraded(from: answer.address)
    source = answer.address
    let paging: any Paging = list ?? self.paging(of: document)
    if let lists = paging as? ListedParts, lists.isCut { document.notice = document.notice ?? ListedParts.cutNotice }
    self.paging = paging
    visited = [:]
    lastPage = nil
    return part(answer, document, at: .start, paging)
  }

  fileprivate mutating func laterPart(
    _ answer: HTTPAnswer, at cursor: FeedCursor, _ paging: any Paging
  ) throws(FeedFailure) -> Part {
    var document = try answer.decoded(isContinuation: true).upgraded(from: answer.address)
    guard var lists = paging as? ListedParts, !document.parts.isEmpty else {
      return part(answer, paging.marked(document), at: cursor, paging)
    }
    let wasCut = lists.isCut
    lists.append(document.parts)
    if lists.isCut, !wasCut { document.notice = document.notice ?? ListedParts.cutNotice }
    self.paging = lists
    return part(answer, lists.marked(document), at: cursor, lists)
  }

  private mutating func part(
    _ answer: HTTPAnswer, _ document: DecodedDocument, at cursor: FeedCursor, _ paging: any Paging
  ) -> Part {
    let digest = document.videos.isEmpty ? answer.body.hashValue : document.videos.map(\.id).hashValue
    var next = paging.cursor(after: cursor, document)
    let place = visited[answer.address] ?? visited.count
    visited[answer.address] = place
    // A page that is requested again has the same next page.
    if case .address(let address)? = next, let visited = visited[address], visited <= place { next = nil }
    let isRepeated = lastPage.map { $0.next == cursor && $0.digest == digest } ?? false
    lastPage = (next, digest)
    var document = document
    if let scope { document.restrictIDs(to: scope) }
    return Part(document: document, next: next, isRepeated: isRepeated)
  }
}

/// The state machine of the requests for one page: answers go in, the next step comes out.
///
/// Further requests follow if a page has too few videos, and after an answer with the same videos as the preceding one. An
/// equal answer means that the server counts its pages from one and has sent the first page again, or that it has only one
/// page. The next answer shows which.
struct WebPageRequest: Sendable {
  enum Step: Equatable {
    /// Fetch this address, and pass the answer to `handle`.
    case fetch(WebAddress)
    case page(FeedPage)
    case failed(FeedFailure)
  }

  private enum Phase {
    case firstPage
    /// The first page was a web page; its server may be a PeerTube instance. `endpoint` is the list that the page shows, nil
    /// for a page without one.
    case instance(endpoint: PeerTubeEndpoint?, webPage: HTTPAnswer)
    /// The web page names this feed.
    case named(WebAddress, webPage: HTTPAnswer)
    case laterPage(any Paging)
  }

  private(set) var feed: WebFeed
  /// Whether the last answer completed a part of the page, so that the answers so far can be stored.
  private(set) var completesPart = false
  private var phase = Phase.firstPage
  private var cursor: FeedCursor
  private var page = FeedPage(videos: [])
  private var partCount = 0
  private var wasRepeated = false
  /// The number of consecutive empty pages that announce another one.
  private var emptyCount = 0
  /// The feed before the other form of its first request was selected. It is restored if that fails as well.
  private var refusedFeed: WebFeed?
  /// Whether a web page in this request led to the feed's current target.
  private var hasFollowedWebPage = false

  /// The maximum number of answers in one page; single answers may have few videos.
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

  /// Handles the answer to the last step, with any status.
  mutating func handle(_ result: Result<HTTPAnswer, WebFailure>) -> Step {
    completesPart = false
    do throws(FeedFailure) {
      return try step(after: result)
    } catch {
      // The videos so far are returned; the next request reports the failure.
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
      return try requestNamedFeed(in: webPage)
    case .named(let address, let webPage):
      let answer = try result.answer()
      guard !HTMLPage.isStarted(by: answer.body) else { return try adopt(webPage) }
      feed.target.first = address
      return try adopt(answer)
    case .laterPage(let paging):
      do {
        return append(try feed.laterPart(try result.answer(), at: cursor, paging))
      } catch {
        if paging.endsAtMissingPage, result.isMissing { return .page(page) }
        guard error.kind == .permanent, result != .failure(.notCached), let substitute = paging.substitute(at: cursor)
        else { throw error }
        return append(WebFeed.Part(document: substitute.document, next: substitute.next))
      }
    }
  }

  private mutating func handleFirstPage(_ result: Result<HTTPAnswer, WebFailure>) throws(FeedFailure) -> Step {
    let answer: HTTPAnswer
    do { answer = try result.answer() } catch {
      if error.kind == .permanent, let alternative = feed.target.endpoint?.alternative {
        feed.target.endpoint = alternative
        return requestFirstPage()
      }
      if error.kind == .permanent, let step = requestAlternative() { return step }
      if let refusedFeed {
        feed = refusedFeed
        throw error
      }
      if result.isRefusal, let step = requestOtherForm() { return step }
      // The web page that once led there may name another feed now.
      guard error.mayBeOfTarget, !hasFollowedWebPage, feed.returnToAddress() else { throw error }
      return requestFirstPage()
    }
    if answer.isWebPage, let step = requestAlternative() ?? requestOtherForm() { return step }
    guard answer.isWebPage, feed.mayBeBehindWebPage else { return try adopt(answer) }
    if let request = KnownSite.request(forPage: answer.body, at: answer.address) {
      feed.target.first = request
      hasFollowedWebPage = true
      return requestFirstPage()
    }
    if answer.body.hashValue == feed.readWebPage { return try requestNamedFeed(in: answer) }
    phase = .instance(endpoint: PeerTubeEndpoint(address: answer.address), webPage: answer)
    return .fetch(PeerTubeEndpoint(instanceOf: answer.address).configAddress)
  }

  /// Requests the same videos at another address; returns nil if there is none.
  private mutating func requestAlternative() -> Step? {
    guard !feed.isFolder, let other = KnownSite.alternative(to: feed.target.first) else { return nil }
    feed.target.first = other
    return requestFirstPage()
  }

  /// Requests the first page with or without parameters that its server may refuse, once; returns nil if there is no
  /// other form of the request.
  private mutating func requestOtherForm() -> Step? {
    let refused = feed
    guard refusedFeed == nil, feed.selectOtherForm() else { return nil }
    refusedFeed = refused
    return requestFirstPage()
  }

  /// Requests the feed that a web page names; reports the page if it names none.
  private mutating func requestNamedFeed(in webPage: HTTPAnswer) throws(FeedFailure) -> Step {
    let alternates = feed.alternates(in: webPage)
    guard let first = alternates.first else { return try adopt(webPage) }
    guard let named = alternates.first(where: { $0.isAsEncrypted(as: webPage.address) }) else {
      throw FeedFailure(.notEncrypted(host: first.host))
    }
    phase = .named(named, webPage: webPage)
    return .fetch(named)
  }

  private mutating func requestFirstPage() -> Step {
    phase = .firstPage
    feed.webPage = nil
    return .fetch(feed.firstAddress)
  }

  /// Returns nil if no known pagination has this kind of cursor.
  private mutating func requestLaterPage() -> Step? {
    feed.paging(for: cursor).map { paging, address in
      guard feed.allows(address) else { return .failed(FeedFailure(.notEncrypted(host: address.host))) }
      phase = .laterPage(paging)
      return .fetch(address)
    }
  }

  private mutating func adopt(_ answer: HTTPAnswer) throws(FeedFailure) -> Step {
    feed.webPage = feed.mayBeBehindWebPage && answer.isWebPage ? answer.body.hashValue : nil
    let part = try feed.firstPart(answer)
    if cursor == .start { return append(part) }
    // The lists of a list of lists are known only from its first page.
    guard let step = requestLaterPage() else { throw FeedFailure(.noSuchPage) }
    return step
  }

  private mutating func append(_ part: WebFeed.Part) -> Step {
    completesPart = true
    partCount += 1
    if !part.isRepeated { page.append(part.document) }
    // Lists of other kinds may have any number of parts without videos.
    emptyCount = part.document.isEmpty && part.document.saysMore ? emptyCount + 1 : 0
    let isOver = part.isRepeated && wasRepeated || emptyCount >= Self.maximumEmptyCount
    page.next = isOver ? nil : part.next
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
  /// Whether the server may have failed because of the parameters in the query, which servers refuse with any status.
  fileprivate var isRefusal: Bool {
    switch self {
    case .success(let answer): ![429, 503].contains(answer.status) && answer.failure != .loginRefused
    // The cache contains the answer to the accepted request.
    case .failure(.notCached), .failure(.redirect), .failure(.unreadable): true
    case .failure: false
    }
  }

  /// Whether there is no such page.
  fileprivate var isMissing: Bool {
    if case .success(let answer) = self { [404, 410].contains(answer.status) } else { false }
  }

  /// Returns whether the answer is from a PeerTube instance. Throws if that cannot be determined now.
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

extension FeedFailure {
  /// Whether an address that led to the requested one may lead elsewhere now.
  fileprivate var mayBeOfTarget: Bool {
    switch kind {
    case .permanent: true
    case .temporary: self != .cancelled && !isOffline
    case .wait: false
    }
  }
}

extension HTTPAnswer {
  /// Whether it is a web page that lists no files.
  fileprivate var isWebPage: Bool { HTMLPage.isStarted(by: body) && !DirectoryListing.isStarted(by: body) }
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
    summary = summary ?? document.summary
    cover = cover ?? document.cover
    notice = notice ?? document.notice
  }
}
