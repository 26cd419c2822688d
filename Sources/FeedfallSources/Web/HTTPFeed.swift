import FeedfallDocuments
import FeedfallFeeds
import FeedfallText
import Synchronization

/// A feed in the web. What kind it is shows in its address or in its first answer.
final class HTTPFeed: Sendable {
  /// How its pages are counted, where they turn out to be; nil for a known site, of which that is known.
  private let pages: PageAddresses?
  private let count: Int
  private let learned: Mutex<Learned>

  /// What its address shows, before any answer.
  private let unasked: Learned

  /// What addresses and earlier answers have shown.
  private struct Learned {
    /// The request for the first page.
    var first: WebAddress
    /// The list of a PeerTube that the feed's address stands for.
    var endpoint: PeerTubeEndpoint?
    var paging: (any Paging)?
    /// What was asked for since the first page, in which order: the addresses that pages tell may lead in a circle.
    var visited: [WebAddress: Int] = [:]
    var lastPage: (next: FeedCursor?, digest: Int)?
    var isWebPage = false
  }

  /// Whether what it gave last is a web page that leads to no feed.
  var isWebPage: Bool { learned.withLock { $0.isWebPage } }

  /// How many requests a page is made of at most, where single answers hold few videos.
  private static let maximumRequestCount = 5

  /// A feed that begins at an address; `pages` tells the others where they are counted.
  init(first: WebAddress, pages: PageAddresses?, pageSize: Int?) {
    self.pages = pages
    count = min(max(pageSize ?? PageAddresses.defaultSize, 1), PeerTubeEndpoint.maximumCount)
    let endpoint = PeerTubeEndpoint(address: first)
    unasked = Learned(first: first, endpoint: endpoint.flatMap { $0.isCertain ? $0 : nil })
    learned = Mutex(unasked)
  }

  /// The same feed as it was before any answer.
  init(anew other: HTTPFeed) {
    pages = other.pages
    count = other.count
    unasked = other.unasked
    learned = Mutex(unasked)
  }

  /// Gives a page, with a client of whose time-out it may take the whole.
  func page(_ cursor: FeedCursor, _ client: HTTPClient) async -> Result<FeedPage, FeedFailure> {
    do {
      return .success(try await load(cursor, FeedRequests(client)))
    } catch {
      return .failure(error)
    }
  }

  /// Goes on while there are too few videos to show, and past an answer that is the same as the one before: either the
  /// server counts its pages from one, so that the page asked for was the first once more, or it doesn't count at all,
  /// which the next page tells.
  private func load(_ cursor: FeedCursor, _ requests: FeedRequests) async throws(FeedFailure) -> FeedPage {
    var page = FeedPage(videos: [])
    var place = cursor
    var wasRepeated = false
    for _ in 0..<Self.maximumRequestCount {
      do throws(FeedFailure) {
        let part = try await part(at: place, requests)
        requests.noteUnderstood()
        if !part.isRepeated { page.add(part.document) }
        page.next = part.isRepeated && wasRepeated ? nil : part.next
        let isEnough = !part.isRepeated && page.videos.count >= fewestVideos(part.document)
        guard let next = page.next, !isEnough else { return page }
        place = next
        wasRepeated = part.isRepeated
      } catch {
        // What there is can be shown; the next request tells what failed.
        guard !page.videos.isEmpty else { throw error }
        return page
      }
    }
    return page
  }

  private func fewestVideos(_ document: DecodedDocument) -> Int { min(document.kind.fewestVideos, count) }

  // MARK: one answer

  private struct Part {
    var document: DecodedDocument
    var next: FeedCursor?
    /// Whether the answer is the same as the one before.
    var isRepeated: Bool
  }

  private func part(at cursor: FeedCursor, _ requests: FeedRequests) async throws(FeedFailure) -> Part {
    if cursor == .start { return try await firstPart(requests) }
    var way = paging(with: cursor)
    if way == nil {
      // A list of lists is known by its first page alone.
      _ = try await firstPart(requests)
      way = paging(with: cursor)
    }
    guard let (paging, address) = way else { throw FeedFailure(.permanent, "this feed has no such page") }
    do throws(FeedFailure) {
      let answer = try await requests.ask(address)
      return note(answer, paging.marked(try answer.decoded()), at: cursor, paging)
    } catch {
      guard error.kind == .permanent, error != .notKept, let next = paging.cursor(past: cursor) else { throw error }
      return Part(document: .notUnderstood, next: next, isRepeated: false)
    }
  }

  private func firstPart(_ requests: FeedRequests) async throws(FeedFailure) -> Part {
    let (first, endpoint) = learned.withLock { ($0.first, $0.endpoint) }
    let list = endpoint.map { PeerTubeList(place: .endpoint($0), count: count) }
    learned.withLock { $0.isWebPage = false }
    var answer: HTTPAnswer
    do throws(FeedFailure) {
      answer = try await requests.ask(list?.address(of: .start) ?? first)
    } catch {
      // The page that led there may lead elsewhere now.
      guard error.kind == .permanent, first != unasked.first || endpoint != unasked.endpoint else { throw error }
      learned.withLock { $0 = unasked }
      return try await firstPart(requests)
    }
    // Of a known site a web page is no answer, so that it leads nowhere.
    if HTMLPage.isStarted(by: answer.body), list == nil, pages != nil {
      switch try await WebPageLead.find(in: answer, requests) {
      case .peerTube(let endpoint):
        learned.withLock { $0.endpoint = endpoint }
        return try await firstPart(requests)
      case .feed(let named, let address):
        learned.withLock { $0.first = address }
        answer = named
      case nil: learned.withLock { $0.isWebPage = true }
      }
    }
    let document = try answer.decoded()
    let paging: any Paging = list ?? self.paging(for: document)
    learned.withLock { learned in
      learned.paging = paging
      learned.visited = [:]
      learned.lastPage = nil
    }
    return note(answer, document, at: .start, paging)
  }

  private func note(
    _ answer: HTTPAnswer, _ document: DecodedDocument, at cursor: FeedCursor, _ paging: any Paging
  ) -> Part {
    let digest = answer.body.hashValue
    var next = paging.cursor(after: cursor, document)
    return learned.withLock { learned in
      let place = learned.visited[answer.address] ?? learned.visited.count
      learned.visited[answer.address] = place
      // A page that is asked for once more goes on as it did.
      if case .address(let address)? = next, let visited = learned.visited[address], visited <= place { next = nil }
      let isRepeated = learned.lastPage.map { $0.next == cursor && $0.digest == digest } ?? false
      learned.lastPage = (next, digest)
      return Part(document: document, next: next, isRepeated: isRepeated)
    }
  }

  // MARK: ways to page

  /// How a list is paged that began with this document.
  private func paging(for document: DecodedDocument) -> any Paging {
    let first = learned.withLock { $0.first }
    switch document.kind {
    case _ where document.nextAddress != nil: return LinkedPages(first: first)
    case .peerTube: return PeerTubeList(place: .address(first), count: count)
    case .articles: return pages ?? LinkedPages(first: first)
    case .catalogue where pages?.isCounted == true: return pages ?? LinkedPages(first: first)
    case _ where !document.parts.isEmpty: return ListedParts(index: first, parts: document.parts)
    default: return LinkedPages(first: first)
    }
  }

  /// The way of paging that has such a cursor, even where no first page has shown it yet.
  private func paging(with cursor: FeedCursor) -> (any Paging, WebAddress)? {
    let (first, paging) = learned.withLock { ($0.first, $0.paging) }
    let ways: [(any Paging)?] = [
      paging, pages, PeerTubeList(place: .address(first), count: count), LinkedPages(first: first),
    ]
    return ways.lazy.compactMap { way in
      way.flatMap { way in way.address(of: cursor).map { (way, $0) } }
    }.first
  }
}

extension DecodedDocument {
  /// What stands for a list among others that can't be had.
  fileprivate static let notUnderstood = DecodedDocument(kind: .mediaCCC, videos: [], skippedCount: 1)
}

extension FeedPage {
  fileprivate mutating func add(_ document: DecodedDocument) {
    videos += document.videos
    skippedCount += document.skippedCount
    total = document.total ?? total
    title = title ?? document.title
  }
}
