import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// The state of a web feed: its address, its pagination and the pages so far.
struct WebFeed: Sendable {
  /// The addresses of counted pages; nil for a known site, which has its own pagination.
  private var pages: PageAddresses?
  /// That of the address itself; nil for a known site, which has its own IDs.
  private let ownScope: FeedScope?
  private let isDirectory: Bool
  let count: Int
  private let includesShorts: Bool
  /// The web page of a known site whose videos its RSS has too, in case both are refused.
  private let page: WebAddress?
  /// The target of the address itself, before a web page leads elsewhere.
  private var ownTarget: Target
  /// The other form of the first request, with or without parameters that its server may refuse; nil if there is none.
  private var otherForm: (pages: PageAddresses?, target: Target)?
  private(set) var target: Target
  /// Whether the next load begins at the address again, because a better candidate failed temporarily.
  private var isProvisional = false
  private var paging: (any Paging)?
  /// The address of the last first page, after all redirects.
  private var source: WebAddress?
  /// The order of requests since the first page, because the addresses in pages may form a cycle.
  private var visited: [WebAddress: Int] = [:]
  private var lastPage: (next: FeedCursor?, digest: Int)?
  fileprivate(set) var generation = 0
  /// The digest of a web page that another program reads; its server is no instance of PeerTube.
  var readWebPage: Int?
  /// Whether the server refused the address in the last load, and another program has read it.
  var isRefusedPage = false
  /// Whether it is a folder on a WebDAV server, whose path means nothing else.
  private(set) var isFolder = false

  struct Target: Equatable, Sendable {
    var first: WebAddress
    var endpoint: PeerTubeEndpoint?

    func address(count: Int) -> WebAddress { endpoint?.address(start: 0, count: count) ?? first }
  }

  /// - Parameter written: the address as the user wrote it, if the first request differs from it.
  init(
    first: WebAddress, written: WebAddress? = nil, pages: PageAddresses?, pageSize: Int?, includesShorts: Bool = true
  ) {
    (self.pages, self.includesShorts) = (pages, includesShorts)
    let isDirectory = KnownSite.isDirectory(first)
    self.isDirectory = isDirectory
    let hasPage =
      KnownSite.alternative(to: first) != nil || isDirectory || written.map(KnownSite.mayNeedYtDlp) == true
    page = pages == nil && hasPage && written != first ? written : nil
    ownScope = pages == nil && !isDirectory ? nil : FeedScope(written ?? first)
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

  init(folder: WebAddress, pageSize: Int?) {
    self.init(first: folder, pages: nil, pageSize: pageSize)
    isFolder = true
    ownTarget.endpoint = nil
    (target, otherForm) = (ownTarget, nil)
  }

  /// Returns the feed within which the IDs of a list may be unique; nil for one with its own IDs. The feed that a
  /// directory names has the same scope as if it were opened by its own address.
  func scope(ofListAt address: WebAddress) -> FeedScope? {
    isDirectory && address != ownTarget.first ? FeedScope(address) : ownScope
  }

  mutating func begin() { generation += 1 }

  /// Adopts the state after a request, unless a newer request for the first page has replaced it.
  mutating func adopt(_ other: WebFeed) {
    if other.generation >= generation { self = other }
  }

  // MARK: - Target

  private var list: PeerTubeList? { target.endpoint.map { PeerTubeList(place: .endpoint($0), count: count) } }

  /// Whether a web page in place of the first page can lead to the feed; not for known sites.
  var mayBeBehindWebPage: Bool { list == nil && pages != nil }

  /// A page for browsers: no known site or API, no feed was read from it, and its path does not name a document.
  var mayBePage: Bool {
    pages != nil && ownTarget.endpoint == nil && !isFolder && paging == nil
      && !FileExtension.isDocumentName(ownTarget.first.pathSegments.last ?? "")
  }

  /// The candidates that need no answer.
  var walk: Walk {
    var walk = Walk()
    if target != ownTarget, !isProvisional { walk.offer(.known, target.address(count: count), target) }
    walk.offer(.address, ownTarget.address(count: count), ownTarget)
    if let page {
      walk.offer(.page, page)
      walk.offer(.ytDlp, page)
    }
    return walk
  }

  func offerAlternatives(of target: Target, to walk: inout Walk) {
    if let other = target.endpoint?.alternative {
      let channel = Target(first: target.first, endpoint: other)
      walk.offer(.channel, channel.address(count: count), channel)
    } else if !isFolder, let other = KnownSite.alternative(to: target.first) {
      walk.offer(.rss, other, Target(first: other))
    }
  }

  func offerOtherForm(to walk: inout Walk) -> Bool {
    guard let form = otherForm else { return false }
    walk.offer(.otherForm, form.target.address(count: count), form.target)
    return true
  }

  mutating func select(_ candidate: Walk.Candidate, isProvisional: Bool) {
    self.isProvisional = isProvisional
    if candidate.kind == .otherForm { selectOtherForm() }
    if let target = candidate.target { self.target = target }
  }

  private mutating func selectOtherForm() {
    guard let form = otherForm else { return }
    otherForm = (pages, ownTarget)
    (pages, ownTarget, target) = (form.pages, form.target, form.target)
  }

  /// Selects the form of the first request that has led to a document in an earlier run.
  mutating func selectForm(leadingTo document: WebAddress) {
    if otherForm?.target.address(count: count) == document, target == ownTarget { selectOtherForm() }
  }

  // MARK: - Paging

  private func paging(of document: DecodedDocument) -> any Paging {
    switch document.kind {
    case _ where document.nextPage != nil: return linkedPages
    case .peerTube: return PeerTubeList(place: .address(target.first), count: count)
    case .articles: return pages ?? linkedPages
    case _ where pages?.isTemplate == true: return pages ?? linkedPages
    case .catalogue where pages?.isCounted == true: return pages ?? linkedPages
    case _ where !document.parts.isEmpty: return ListedParts(index: target.first, document)
    default: return linkedPages
    }
  }

  private var linkedPages: LinkedPages { LinkedPages(first: target.first, source: source ?? target.first) }

  /// Even if no first page has determined the pagination yet.
  func paging(for cursor: FeedCursor) -> (any Paging, WebAddress)? {
    let candidates: [(any Paging)?] = [
      paging, pages, PeerTubeList(place: .address(target.first), count: count), linkedPages,
    ]
    return candidates.firstNonNil { way in
      way.flatMap { way in way.address(of: cursor).map { (way, $0) } }
    }
  }

  func alternates(in page: HTTPAnswer) -> [WebAddress] {
    FeedLinks.alternates(inHTML: page.body, from: page.address).map { link in
      adapted(link.upgraded(from: page.address))
    }
  }

  /// The list that a page means, without the videos that the user excludes.
  func adapted(_ list: WebAddress) -> WebAddress { includesShorts ? list : KnownSite.withoutShorts(list) }

  /// A feed that began with encryption continues with it.
  func allows(_ address: WebAddress) -> Bool { address.isAsEncrypted(as: source ?? target.first) }

  struct Part {
    var document: DecodedDocument
    var next: FeedCursor?
    /// Whether the answer has the videos of the preceding one.
    var isRepeated = false
  }

  mutating func firstPart(_ answer: HTTPAnswer) throws(FeedFailure) -> Part {
    var document = try answer.decoded().upgraded(from: answer.address)
    source = answer.address
    let paging: any Paging = list ?? self.paging(of: document)
    if let lists = paging as? ListedParts, lists.isCut { document.notice = document.notice ?? ListedParts.cutNotice }
    self.paging = paging
    visited = [:]
    lastPage = nil
    return part(answer, document, at: .start, paging)
  }

  mutating func laterPart(
    _ answer: HTTPAnswer, at cursor: FeedCursor, _ paging: any Paging
  ) throws(FeedFailure) -> Part {
    var document = try answer.decoded(isContinuation: true).upgraded(from: answer.address)
    guard var lists = paging as? ListedParts else { return part(answer, document, at: cursor, paging) }
    let wasCut = lists.isCut
    lists.append(document.parts)
    if lists.isCut, !wasCut { document.notice = document.notice ?? ListedParts.cutNotice }
    if !document.parts.isEmpty { self.paging = lists }
    return part(answer, lists.grouped(document), at: cursor, lists)
  }

  private mutating func part(
    _ answer: HTTPAnswer, _ document: DecodedDocument, at cursor: FeedCursor, _ paging: any Paging
  ) -> Part {
    let digest = document.videos.isEmpty ? answer.body.hashValue : document.videos.map(\.id).hashValue
    var next = paging.cursor(after: cursor, document)
    // A page may name the address before its redirects, or after them.
    let places = [answer.address, paging.address(of: cursor) ?? answer.address]
    let place = places.compactMap { visited[$0] }.min() ?? visited.count
    for address in places { visited[address] = place }
    // A page that is requested again has the same next page.
    if let address = next?.address, let visited = visited[address], visited <= place { next = nil }
    let isRepeated = lastPage.map { $0.next == cursor && $0.digest == digest } ?? false
    lastPage = (next, digest)
    var document = document
    if let scope = scope(ofListAt: target.first) { document.restrictIDs(to: scope) }
    return Part(document: document, next: next, isRepeated: isRepeated)
  }
}

extension WebAddress {
  /// Whether it does not lead from https to http.
  func isAsEncrypted(as source: WebAddress) -> Bool { source.scheme == "http" || scheme == "https" }

  /// With https where a document that came by https names its own server by http: feeds often keep old addresses.
  fileprivate func upgraded(from source: WebAddress) -> WebAddress {
    guard !isAsEncrypted(as: source), host == source.host, [nil, 80].contains(port) else { return self }
    let start = "http://\(host)"
    let path = text.utf8.dropFirst(origin.utf8.count)
    guard text.hasPrefix(start) else { return self }
    return WebAddress("https://\(host)" + (String(path) ?? "")) ?? self
  }
}

extension DecodedDocument {
  fileprivate func upgraded(from source: WebAddress) -> DecodedDocument {
    var document = self
    document.nextPage = header.nextPage?.mapAddress { $0.upgraded(from: source) }
    document.parts = header.parts.map { $0.upgraded(from: source) }
    return document
  }
}
