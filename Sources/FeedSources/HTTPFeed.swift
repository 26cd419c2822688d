import Synchronization
import VideoFeed

/// A feed in the web. What kind it is shows in its first answer.
final class HTTPFeed: Sendable {
  private let pages: PageAddresses
  private let firstAddress: WebAddress
  private let count: Int
  private let learned: Mutex<Learned>

  /// What earlier answers have shown.
  private struct Learned {
    var list: PeerTubeList?
    var lastAnswer: (page: Int, digest: Int)?
    /// The feed that the web page names which the person gave.
    var namedFeed: WebAddress?
    /// The addresses of the pages so far, where the feed tells the next one's: it may lead in a circle.
    var visited: Set<WebAddress> = []
  }

  static let accept = """
    application/json, application/feed+json, application/rss+xml, application/atom+xml, application/xml;q=0.9, \
    text/xml;q=0.9, text/html;q=0.6, */*;q=0.5
    """

  init(_ pages: PageAddresses, firstAddress: WebAddress, pageSize: Int?) {
    self.pages = pages
    self.firstAddress = firstAddress
    count = min(max(pageSize ?? PageAddresses.defaultSize, 1), PeerTubeEndpoint.maximumCount)
    let endpoint = PeerTubeEndpoint(address: firstAddress)
    learned = Mutex(Learned(list: endpoint.flatMap { $0.isCertain ? .endpoint($0) : nil }))
  }

  /// Gives a page, with a client of whose time-out it may take the whole.
  func page(_ cursor: FeedCursor, _ client: HTTPClient) async -> Result<FeedPage, FeedFailure> {
    do {
      return .success(try await load(cursor, client.withinOneTimeout()))
    } catch {
      return .failure(error)
    }
  }

  private func load(_ cursor: FeedCursor, _ client: HTTPClient) async throws(FeedFailure) -> FeedPage {
    let list = learned.withLock { $0.list }
    switch (cursor, list) {
    case (.start, let list?): return try await page(of: list, start: 0, client)
    case (.start, nil): return try await firstPage(client)
    case (.page(let page), _): return try await articles(page, client)
    case (.address(let address), _): return following(try decode(try await ask(address, client)), at: address)
    case (.offset(let start), let list):
      return try await page(of: list ?? .address(firstAddress), start: start, client)
    case (.item, _): throw FeedFailure(.permanent, "this feed has no such page")
    }
  }

  // MARK: the first page

  private func firstPage(_ client: HTTPClient) async throws(FeedFailure) -> FeedPage {
    let address = learned.withLock { $0.namedFeed } ?? firstAddress
    var answer = try await ask(address, client)
    if FeedDecoder.looksLikeHTML(answer.body) {
      if let list = try await peerTube(behind: answer.address, client) {
        return try await page(of: list, start: 0, client)
      }
      if let feed = FeedLinks.alternates(inHTML: answer.body, from: answer.address).first {
        answer = try await ask(feed, client)
        if !FeedDecoder.looksLikeHTML(answer.body) { learned.withLock { $0.namedFeed = feed } }
      }
    }
    let document = try decode(answer)
    switch document.kind {
    case .catalogue where !pages.isCounted:
      return FeedPage(document, next: nil)
    case .syndication, .jsonFeed, .playlist:
      learned.withLock { $0.visited = [] }
      return following(document, at: answer.address)
    case .articles, .catalogue:
      remember(answer, as: pages.first)
      return FeedPage(document, next: nextPage(after: pages.first, in: document))
    case .peerTube:
      let list = PeerTubeList.address(firstAddress)
      let received = document.videos.count + document.skippedCount
      return FeedPage(document, next: list.next(start: 0, asked: received, answer: document))
    }
  }

  /// A page of a feed that tells where its next one is; nowhere where that was already.
  private func following(_ document: DecodedDocument, at address: WebAddress) -> FeedPage {
    let isNew = learned.withLock { learned in
      learned.visited.insert(address)
      return document.nextAddress.map { !learned.visited.contains($0) } ?? false
    }
    return FeedPage(document, next: isNew ? document.nextAddress.map(FeedCursor.address) : nil)
  }

  /// The list that a web page stands for, where it belongs to a PeerTube; fails where that can't be known now.
  private func peerTube(
    behind address: WebAddress, _ client: HTTPClient
  ) async throws(FeedFailure) -> PeerTubeList? {
    let endpoint = PeerTubeEndpoint(address: address) ?? PeerTubeEndpoint(instanceOf: address)
    guard try await isPeerTube(endpoint, client) else { return nil }
    let list = PeerTubeList.endpoint(endpoint)
    learned.withLock { $0.list = list }
    return list
  }

  private func isPeerTube(
    _ endpoint: PeerTubeEndpoint, _ client: HTTPClient
  ) async throws(FeedFailure) -> Bool {
    switch await client.get(endpoint.configAddress, accept: Self.accept) {
    case .success(let answer):
      if let failure = answer.failure, case .wait = failure.kind { throw failure }
      return answer.failure == nil && FeedDecoder.isPeerTubeConfig(answer.body)
    case .failure(let failure):
      if failure.kind != .permanent { throw failure }
      return false
    }
  }

  // MARK: the other pages

  private func page(
    of list: PeerTubeList, start: Int, _ client: HTTPClient
  ) async throws(FeedFailure) -> FeedPage {
    let document = try decode(try await ask(list.address(start: start, count: count), client))
    return FeedPage(document, next: list.next(start: start, asked: count, answer: document))
  }

  /// A server that answers the same again either counts its pages from one, so that the page asked for was the first
  /// once more, or doesn't count at all. The next page tells.
  private func articles(_ page: Int, _ client: HTTPClient) async throws(FeedFailure) -> FeedPage {
    let answer = try await askPage(page, client)
    guard isRepeated(answer, as: page), let following = pages.page(after: page) else {
      remember(answer, as: page)
      return try articles(in: answer, page: page)
    }
    let further = try await askPage(following, client)
    guard further.body != answer.body else { return FeedPage(videos: []) }
    remember(further, as: following)
    return try articles(in: further, page: following)
  }

  private func articles(in answer: HTTPAnswer, page: Int) throws(FeedFailure) -> FeedPage {
    let document = try decode(answer)
    return FeedPage(document, next: nextPage(after: page, in: document))
  }

  private func nextPage(after page: Int, in document: DecodedDocument) -> FeedCursor? {
    let isEmpty = document.videos.isEmpty && document.skippedCount == 0
    return document.saysEnd || isEmpty ? nil : pages.page(after: page).map(FeedCursor.page)
  }

  private func remember(_ answer: HTTPAnswer, as page: Int) {
    let digest = answer.body.hashValue
    learned.withLock { $0.lastAnswer = (page, digest) }
  }

  private func isRepeated(_ answer: HTTPAnswer, as page: Int) -> Bool {
    let digest = answer.body.hashValue
    return learned.withLock { learned in
      learned.lastAnswer.map { $0.page == page - 1 && $0.digest == digest } ?? false
    }
  }

  // MARK: asking

  private func askPage(_ page: Int, _ client: HTTPClient) async throws(FeedFailure) -> HTTPAnswer {
    guard let address = pages.address(of: page) else {
      throw FeedFailure(.permanent, "the page's address is too long")
    }
    return try await ask(address, client)
  }

  private func ask(_ address: WebAddress, _ client: HTTPClient) async throws(FeedFailure) -> HTTPAnswer {
    let answer = try await client.get(address, accept: Self.accept).get()
    if let failure = answer.failure { throw failure }
    return answer
  }

  private func decode(_ answer: HTTPAnswer) throws(FeedFailure) -> DecodedDocument {
    try FeedDecoder.decode(answer.body, from: answer.address, contentType: answer.contentType)
  }
}

extension FeedPage {
  fileprivate init(_ document: DecodedDocument, next: FeedCursor?) {
    self.init(
      videos: document.videos, next: next, total: document.total, skippedCount: document.skippedCount,
      title: document.title)
  }
}
