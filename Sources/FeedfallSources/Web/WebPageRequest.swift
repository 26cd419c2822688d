import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// The state machine of the requests for one page: answers go in, the next step comes out.
///
/// The first page is at the end of a `Walk`. Further requests follow if a page has too few videos, and after an answer
/// with the same videos as the preceding one. An equal answer means that the server counts its pages from one and has
/// sent the first page again, or that it has only one page. The next answer shows which.
struct WebPageRequest: Sendable {
  enum Step: Equatable {
    /// Fetch this address, and pass the answer to `handle`.
    case fetch(WebAddress)
    /// List the videos by yt-dlp, and pass the list to `handle(ytDlp:)`.
    case listByYtDlp
    case page(FeedPage)
    case failed(FeedFailure)
  }

  private enum Phase {
    case walking
    case laterPage(any Paging)
  }

  private(set) var feed: WebFeed
  /// Whether the last answer completed a part of the page, so that the answers so far can be stored.
  private(set) var completesPart = false
  /// Whether the page is from yt-dlp, which has the later ones too.
  private(set) var isByYtDlp = false
  private let hasYtDlp: Bool
  /// Whether yt-dlp may stand in for a feed whose site fails at times.
  private let maySubstitute: @Sendable () -> Bool
  /// Whether yt-dlp may list an address that its server refuses.
  private let mayBeRefusedPage: Bool
  private var phase = Phase.walking
  private var walk: Walk
  /// The feed before the walk, which is restored if that fails.
  private let initialFeed: WebFeed
  /// The web page that the walk found; its server may be a PeerTube instance.
  private var webPage: HTTPAnswer?
  /// While the other form of the address is requested, which has the videos of most servers.
  private var earlierPage: HTTPAnswer?
  /// The start of the page, or of its part that is requested now.
  private(set) var cursor: FeedCursor
  private var page = FeedPage(videos: [])
  private var partCount = 0
  private var wasRepeated = false
  private var emptyCount = 0

  /// The maximum number of answers in one page; single answers may have few videos.
  private static let maximumPartCount = 5
  /// A feed ends after this many empty pages, even if it says that more follow.
  private static let maximumEmptyCount = 3
  /// Whatever the answers are.
  static var maximumStepCount: Int { Walk.maximumCount + maximumPartCount }

  /// - Parameters:
  ///   - isKnownFeed: whether the address is a feed, according to an earlier answer, or needs a login: yt-dlp would list
  ///     something else in its place, or nothing.
  ///   - maySubstitute: whether yt-dlp may try to stand in for the feed now, which counts as a try.
  init(
    _ cursor: FeedCursor, of feed: WebFeed, hasYtDlp: Bool = false, isKnownFeed: Bool = false,
    maySubstitute: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.cursor, self.feed) = (cursor, feed)
    self.maySubstitute = maySubstitute
    self.hasYtDlp = hasYtDlp && cursor == .start
    mayBeRefusedPage = !isKnownFeed && cursor == .start && feed.mayBePage
    if cursor == .start { self.feed.begin() }
    initialFeed = self.feed
    walk = feed.walk
  }

  mutating func start() -> Step {
    if cursor != .start, let step = requestLaterPage() { return step }
    return nextCandidate()
  }

  mutating func handle(_ result: Result<HTTPAnswer, WebFailure>) -> Step {
    completesPart = false
    do throws(FeedFailure) {
      switch phase {
      case .walking: return try handleCandidate(result)
      case .laterPage(let paging): return try laterPage(after: result, paging)
      }
    } catch {
      if case .walking = phase { feed = initialFeed }
      // The videos so far are returned; the next request reports the failure.
      return page.videos.isEmpty ? .failed(error) : .page(page)
    }
  }

  mutating func handle(ytDlp result: Result<FeedPage, FeedFailure>) -> Step {
    completesPart = false
    switch result {
    case .success(let page):
      feed = initialFeed
      feed.readWebPage = webPage.map(\.body.hashValue)
      feed.isRefusedPage = webPage == nil
      isByYtDlp = true
      return .page(page)
    case .failure(let failure):
      walk.leave(failure)
      let step = end()
      return failure == .cancelled ? .failed(failure) : step
    }
  }

  /// Why yt-dlp was to stand in for the feed; nil if the feed has answered.
  var substitutedFailure: FeedFailure? {
    walk.isSubstituted ? walk.left.first { $0.failure.kind != .permanent }?.failure : nil
  }

  /// Whether the current step only identifies the software of a server, so that a cached answer serves all its pages.
  var identifiesInstance: Bool { if case .walking = phase { walk.current?.kind == .instance } else { false } }

  // MARK: - The walk

  private mutating func nextCandidate() -> Step {
    if let page = earlierPage, !walk.waits(for: .otherForm) {
      earlierPage = nil
      offerCandidates(of: page, isOfKnownSite: false)
    }
    guard let candidate = walk.next(), !walk.isReplacement(candidate.kind) else { return end() }
    feed.select(candidate, isProvisional: walk.isProvisional)
    guard candidate.kind == .ytDlp else { return .fetch(candidate.address) }
    return hasYtDlp ? .listByYtDlp : end(lacksYtDlp: true)
  }

  private mutating func end(lacksYtDlp: Bool = false) -> Step {
    feed = initialFeed
    return .failed(walk.failure(lacksYtDlp: lacksYtDlp))
  }

  private mutating func handleCandidate(_ result: Result<HTTPAnswer, WebFailure>) throws(FeedFailure) -> Step {
    guard let candidate = walk.current else { throw .noSuchPage }
    if candidate.kind == .instance { return try step(afterConfig: result) }
    let answer: HTTPAnswer
    do { answer = try result.answer() } catch { return try leave(candidate, error, result) }
    guard answer.isWebPage else {
      do {
        let meaning = KnownSite.meaning(ofDirectory: answer.body, at: candidate.address)
        if let meaning { return try follow(meaning, from: answer) }
        return try adopt(answer)
      } catch { return try leave(candidate, error, result) }
    }
    walk.leave(.webPage(answer.body), isWebPage: true)
    if let target = candidate.target { feed.offerAlternatives(of: target, to: &walk) }
    switch candidate.kind {
    case .address where feed.offerOtherForm(to: &walk): earlierPage = answer
    case .address, .otherForm, .page: offerCandidates(of: answer, isOfKnownSite: candidate.kind == .page)
    case .known, .api, .namedFeed, .instance, .instanceList, .channel, .rss, .pageFeed, .ytDlp: break
    }
    return nextCandidate()
  }

  /// Goes on to the next candidate; ends the walk after a failure that others would share.
  private mutating func leave(
    _ candidate: Walk.Candidate, _ failure: FeedFailure, _ result: Result<HTTPAnswer, WebFailure>
  ) throws(FeedFailure) -> Step {
    guard failure != .cancelled else { throw failure }
    walk.leave(failure, as: candidate.target?.endpoint != nil && candidate.kind == .known ? .instanceList : nil)
    if mayBeRefusedPage, candidate.kind == .address, result.refusesPrograms || feed.isRefusedPage && result.isPaused {
      walk.offerRefused(candidate.address)
    }
    if cursor == .start, case .success(let answer) = result, answer.isTransientFailure,
      let page = KnownSite.page(ofFeed: candidate.address), maySubstitute()
    {
      walk.offerRefused(page, isSubstituted: true)
    }
    switch result.reach {
    case .address:
      if let target = candidate.target { feed.offerAlternatives(of: target, to: &walk) }
      if candidate.kind == .address, result.isRefusal { _ = feed.offerOtherForm(to: &walk) }
    case .server: walk.dropServer()
    case .all:
      earlierPage = nil
      walk.dropRequests()
    }
    return nextCandidate()
  }

  private mutating func follow(_ meaning: PageMeaning, from answer: HTTPAnswer) throws(FeedFailure) -> Step {
    switch meaning {
    case .refused(let failure): throw failure
    case .list(let list):
      guard list.isAsEncrypted(as: answer.address) else { throw .notEncrypted(host: list.shownHost) }
      let named = feed.adapted(list)
      let endpoint = PeerTubeEndpoint(address: named).flatMap { $0.isCertain ? $0 : nil }
      let target = WebFeed.Target(first: named, endpoint: endpoint)
      walk.offer(.namedFeed, target.address(count: feed.count), target)
      return nextCandidate()
    }
  }

  private mutating func offerCandidates(of page: HTTPAnswer, isOfKnownSite: Bool) {
    guard isOfKnownSite || feed.mayBeBehindWebPage else { return }
    webPage = webPage ?? page
    let meaning = KnownSite.meaning(ofPage: page.body, at: page.address)
    // The page links to a feed, but with other videos.
    if case .refused(let failure)? = meaning { return walk.leave(failure, as: .api) }
    if case .list(let list)? = meaning {
      let api = feed.adapted(list)
      walk.offer(.api, api, WebFeed.Target(first: api))
    } else if !isOfKnownSite, page.body.hashValue != feed.readWebPage {
      walk.offer(.instance, PeerTubeEndpoint(instanceOf: page.address).configAddress)
    }
    let alternates = feed.alternates(in: page)
    if let named = alternates.first(where: { $0.isAsEncrypted(as: page.address) }) {
      walk.offer(.pageFeed, named, WebFeed.Target(first: named))
    } else if let first = alternates.first {
      walk.leave(.notEncrypted(host: first.shownHost), as: .pageFeed)
    }
    walk.offer(.ytDlp, page.address)
  }

  private mutating func step(afterConfig result: Result<HTTPAnswer, WebFailure>) throws(FeedFailure) -> Step {
    guard let webPage, let isInstance = result.isPeerTubeConfig else {
      // The list may be back later, so no other one replaces it.
      _ = try result.answer()
      throw .noSuchPage
    }
    guard isInstance else { return nextCandidate() }
    guard let endpoint = PeerTubeEndpoint(address: webPage.address) else {
      walk.leave(.pageWithoutList(path: webPage.address.path), as: .instanceList)
      return end()
    }
    let list = WebFeed.Target(first: feed.target.first, endpoint: endpoint)
    walk.offer(.instanceList, list.address(count: feed.count), list)
    return nextCandidate()
  }

  private mutating func adopt(_ answer: HTTPAnswer) throws(FeedFailure) -> Step {
    let part = try feed.firstPart(answer)
    if cursor == .start { return append(part) }
    // The lists of a list of lists are known only from its first page.
    guard let step = requestLaterPage() else { throw .noSuchPage }
    return step
  }

  // MARK: - Later pages

  private mutating func requestLaterPage() -> Step? {
    feed.paging(for: cursor).map { paging, address in
      guard feed.allows(address) else { return .failed(.notEncrypted(host: address.shownHost)) }
      phase = .laterPage(paging)
      return .fetch(address)
    }
  }

  private mutating func laterPage(
    after result: Result<HTTPAnswer, WebFailure>, _ paging: any Paging
  ) throws(FeedFailure) -> Step {
    do {
      return append(try feed.laterPart(try result.answer(), at: cursor, paging))
    } catch {
      if paging.endsAtMissingPage, result.isMissing { return .page(page) }
      guard error.kind == .permanent, result != .failure(.notCached), let substitute = paging.substitute(at: cursor)
      else { throw error }
      return append(WebFeed.Part(document: substitute.document, next: substitute.next))
    }
  }

  private mutating func append(_ part: WebFeed.Part) -> Step {
    // An archive is not requested again once it is stored.
    completesPart = !(cursor.isArchive && part.document.isCut)
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
    let step = requestLaterPage() ?? .failed(.noSuchPage)
    // The videos so far can be shown; the next request reports the failure.
    if case .failed = step, !page.videos.isEmpty { return .page(page) }
    return step
  }
}

extension Result<HTTPAnswer, WebFailure> {
  /// Whether the server may have failed because of the parameters in the query, which servers refuse with any status.
  fileprivate var isRefusal: Bool {
    switch self {
    case .success(let answer): answer.failure != nil && ![429, 503].contains(answer.status)
    // The cache contains the answer to the accepted request.
    case .failure(.notCached), .failure(.redirect), .failure(.unreadable): true
    case .failure: false
    }
  }

  /// Sites for browsers only answer any of these statuses. A server that names a time to wait does not refuse.
  fileprivate var refusesPrograms: Bool {
    guard case .success(let answer) = self, answer.login == .none, !answer.asksToWait else { return false }
    return [401, 403, 404, 406, 410, 429].contains(answer.status) || (500...599).contains(answer.status)
  }

  fileprivate var isPaused: Bool { if case .failure(.paused) = self { true } else { false } }

  fileprivate var isMissing: Bool {
    if case .success(let answer) = self { [404, 410].contains(answer.status) } else { false }
  }

  /// The candidates of a walk that fail for the same reason.
  fileprivate enum Reach { case address, server, all }

  fileprivate var reach: Reach {
    switch self {
    case .success(let answer):
      switch answer.failure {
      case .loginRefused, .loginWithheld: return .all
      case let failure?: if case .wait = failure.retry { return .all }
      case nil: break
      }
      return .address
    case .failure(.paused): return .all
    case .failure(.timedOut), .failure(.unreachable), .failure(.certificate), .failure(.notEncrypted):
      return .server
    case .failure(let failure): return failure.scope == .machine ? .all : .address
    }
  }

  /// Nil if that cannot be determined now.
  fileprivate var isPeerTubeConfig: Bool? {
    switch self {
    case .success(let answer):
      if let failure = answer.feedFailure, case .wait = failure.kind { return nil }
      return answer.failure == nil && FeedDecoder.isPeerTubeConfig(answer.body)
    case .failure(let failure): return failure.retry == .permanent ? false : nil
    }
  }
}

extension HTTPAnswer {
  fileprivate var isWebPage: Bool { HTMLPage.isStarted(by: body) && !DirectoryListing.isStarted(by: body) }
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
