import FeedfallDocuments
import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// A feed in the web, whose kind shows in its address or in its first answer.
struct WebFeed: Sendable {
  /// The addresses of counted pages; nil for a known site, whose paging is known.
  private let pages: PageAddresses?
  private let count: Int
  /// The knowledge from the address alone.
  private let initial: Knowledge
  /// The knowledge from the address and earlier answers.
  private var known: Knowledge

  private struct Knowledge {
    /// The request for the first page.
    var first: WebAddress
    /// The PeerTube list that the address stands for.
    var endpoint: PeerTubeEndpoint?
    var paging: (any Paging)?
    /// The order of requests since the first page: the addresses in pages may lead in a circle.
    var visited: [WebAddress: Int] = [:]
    var lastPage: (next: FeedCursor?, digest: Int)?
    var isWebPage = false
  }

  /// Whether the last answer was a web page that leads to no feed.
  var isWebPage: Bool { known.isWebPage }

  /// The most requests for one page, where single answers hold few videos.
  private static let maximumRequestCount = 5

  /// - Parameter pages: the addresses of the pages where they are counted.
  init(first: WebAddress, pages: PageAddresses?, pageSize: Int?) {
    self.pages = pages
    count = min(max(pageSize ?? PageAddresses.defaultSize, 1), PeerTubeEndpoint.maximumCount)
    let endpoint = PeerTubeEndpoint(address: first)
    initial = Knowledge(first: first, endpoint: endpoint.flatMap { $0.isCertain ? $0 : nil })
    known = initial
  }

  /// Loads a page.
  ///
  /// Further answers follow while there are too few videos, and after an answer equal to the one before: either the
  /// server counts its pages from one, so that this was the first page again, or it has only one page, which the next
  /// answer shows.
  mutating func page(_ cursor: FeedCursor, _ load: inout WebLoad) async throws(FeedFailure) -> FeedPage {
    var page = FeedPage(videos: [])
    var place = cursor
    var wasRepeated = false
    for _ in 0..<Self.maximumRequestCount {
      let part: Part
      do {
        part = try await self.part(at: place, &load)
      } catch {
        // The videos so far can be shown; the next request reports the failure.
        guard !page.videos.isEmpty else { throw error }
        return page
      }
      load.accept()
      if !part.isRepeated { page.append(part.document) }
      page.next = part.isRepeated && wasRepeated ? nil : part.next
      let isEnough = !part.isRepeated && page.videos.count >= min(part.document.kind.fewestVideos, count)
      guard let next = page.next, !isEnough else { return page }
      place = next
      wasRepeated = part.isRepeated
    }
    return page
  }

  // MARK: one answer

  private struct Part {
    var document: DecodedDocument
    var next: FeedCursor?
    /// Whether the answer is equal to the one before.
    var isRepeated: Bool
  }

  private mutating func part(at cursor: FeedCursor, _ load: inout WebLoad) async throws(FeedFailure) -> Part {
    if cursor == .start { return try await firstPart(&load) }
    var way = paging(for: cursor)
    if way == nil {
      // A list of lists is known by its first page alone.
      _ = try await firstPart(&load)
      way = paging(for: cursor)
    }
    guard let (paging, address) = way else { throw FeedFailure(.permanent, "this feed has no such page") }
    do {
      let answer = try await load.answer(address)
      return part(answer, paging.marked(try answer.decoded()), at: cursor, paging)
    } catch {
      guard error.kind == .permanent, error != .notCached, let next = paging.cursor(past: cursor) else { throw error }
      return Part(document: .missing, next: next, isRepeated: false)
    }
  }

  private mutating func firstPart(_ load: inout WebLoad) async throws(FeedFailure) -> Part {
    let list = known.endpoint.map { PeerTubeList(place: .endpoint($0), count: count) }
    known.isWebPage = false
    var answer: HTTPAnswer
    do {
      answer = try await load.answer(list?.address(of: .start) ?? known.first)
    } catch {
      // The page that led there may lead elsewhere now.
      guard error.kind == .permanent, known.first != initial.first || known.endpoint != initial.endpoint else {
        throw error
      }
      known = initial
      return try await firstPart(&load)
    }
    // A web page of a known site leads nowhere.
    if HTMLPage.isStarted(by: answer.body), list == nil, pages != nil {
      switch try await target(of: answer, &load) {
      case .peerTube(let endpoint):
        known.endpoint = endpoint
        return try await firstPart(&load)
      case .feed(let feed, let address):
        known.first = address
        answer = feed
      case nil: known.isWebPage = true
      }
    }
    let document = try answer.decoded()
    let paging: any Paging = list ?? self.paging(of: document)
    known.paging = paging
    known.visited = [:]
    known.lastPage = nil
    return part(answer, document, at: .start, paging)
  }

  private mutating func part(
    _ answer: HTTPAnswer, _ document: DecodedDocument, at cursor: FeedCursor, _ paging: any Paging
  ) -> Part {
    let digest = answer.body.hashValue
    var next = paging.cursor(after: cursor, document)
    let place = known.visited[answer.address] ?? known.visited.count
    known.visited[answer.address] = place
    // A page that is requested again has the same next page.
    if case .address(let address)? = next, let visited = known.visited[address], visited <= place { next = nil }
    let isRepeated = known.lastPage.map { $0.next == cursor && $0.digest == digest } ?? false
    known.lastPage = (next, digest)
    return Part(document: document, next: next, isRepeated: isRepeated)
  }

  // MARK: web pages

  /// The feed that a web page belongs to or names.
  private enum Target {
    case peerTube(PeerTubeEndpoint)
    case feed(HTTPAnswer, at: WebAddress)
  }

  /// Finds the feed of a web page; nil where there is none. Fails where that cannot be known now.
  private func target(of page: HTTPAnswer, _ load: inout WebLoad) async throws(FeedFailure) -> Target? {
    let endpoint = PeerTubeEndpoint(address: page.address) ?? PeerTubeEndpoint(instanceOf: page.address)
    if try await isPeerTube(endpoint, &load) { return .peerTube(endpoint) }
    guard let feed = FeedLinks.alternates(inHTML: page.body, from: page.address).first else { return nil }
    let answer = try await load.answer(feed)
    return HTMLPage.isStarted(by: answer.body) ? nil : .feed(answer, at: feed)
  }

  private func isPeerTube(_ endpoint: PeerTubeEndpoint, _ load: inout WebLoad) async throws(FeedFailure) -> Bool {
    do throws(FeedFailure) {
      let answer = try await load.anyAnswer(endpoint.configAddress)
      if let failure = answer.feedFailure, case .wait = failure.kind { throw failure }
      return answer.failure == nil && FeedDecoder.isPeerTubeConfig(answer.body)
    } catch {
      if error.kind != .permanent { throw error }
      return false
    }
  }

  // MARK: paging

  /// The paging of a list that begins with this document.
  private func paging(of document: DecodedDocument) -> any Paging {
    switch document.kind {
    case _ where document.nextAddress != nil: return LinkedPages(first: known.first)
    case .peerTube: return PeerTubeList(place: .address(known.first), count: count)
    case .articles: return pages ?? LinkedPages(first: known.first)
    case .catalogue where pages?.isCounted == true: return pages ?? LinkedPages(first: known.first)
    case _ where !document.parts.isEmpty: return ListedParts(index: known.first, parts: document.parts)
    default: return LinkedPages(first: known.first)
    }
  }

  /// The paging that has such a cursor, even where no first page has shown it yet.
  private func paging(for cursor: FeedCursor) -> (any Paging, WebAddress)? {
    let ways: [(any Paging)?] = [
      known.paging, pages, PeerTubeList(place: .address(known.first), count: count), LinkedPages(first: known.first),
    ]
    return ways.lazy.compactMap { way in
      way.flatMap { way in way.address(of: cursor).map { (way, $0) } }
    }.first
  }
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
  }
}
