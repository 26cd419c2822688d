import FeedfallText
import Synchronization

/// One load's dealings with the cache: what it may take from there, and what it will leave there once it turned out to
/// be what was asked for. So an error page in the place of a feed takes nothing away.
final class CacheVisit: Sendable {
  let cache: AnswerCache
  let use: CacheUse
  /// When the first page of the feed was got, which no other page may be older than.
  private let first: UnixTime?
  private let state = Mutex(State())

  private struct State {
    var news: [CacheNews] = []
    /// How much of the news turned out to be what was asked for.
    var understoodCount = 0
    /// When the last answer was got, where its server was not asked for it now.
    var savedAt: UnixTime?
    var lastRequest: WebAddress?
    /// What was asked for the first answer that was understood.
    var document: WebAddress?
  }

  init(_ cache: AnswerCache, _ use: CacheUse, since first: UnixTime? = nil) {
    self.cache = cache
    self.use = use
    self.first = first
  }

  /// When the last answer was got; nil where that was just now.
  var savedAt: UnixTime? { state.withLock { $0.savedAt } }

  // MARK: taking

  /// The kept answer that stands for a new one, or the failure that there is none; nil where the server is to be asked.
  func recall(_ request: WebAddress) -> Result<HTTPAnswer, FeedFailure>? {
    switch use {
    case .revalidated: return nil
    case .whileFresh:
      guard let kept = cache.answer(to: request), kept.isFresh(at: .now, since: first) else { return nil }
      return answer(kept, to: request).map { .success($0) }
    case .onlyIfCached:
      guard let kept = cache.answer(to: request), let answer = answer(kept, to: request) else {
        return .failure(.notKept)
      }
      return .success(answer)
    }
  }

  private func answer(_ kept: KeptAnswer, to request: WebAddress) -> HTTPAnswer? {
    guard let body = cache.body(of: kept) else { return nil }
    state.withLock { state in
      state.savedAt = kept.fetched
      state.lastRequest = request
    }
    return HTTPAnswer(kept, body: body)
  }

  // MARK: leaving

  /// Notes a server's answer, and where all requests for its address are to go from now on.
  func note(_ answer: HTTPAnswer, _ headers: CacheHeaders, to request: WebAddress, isMoved: Bool) {
    guard answer.failure == nil else { return }
    if isMoved { add(.moved(request: request, target: answer.address)) }
    let isKept = answer.status == 200 && !headers.forbidsKeeping
    add(isKept ? .answered(request: request, answer, headers) : .notToKeep(request: request))
    state.withLock { state in
      state.savedAt = nil
      state.lastRequest = request
    }
  }

  /// The kept answer that its server has just confirmed; nil where its body has gone meanwhile.
  func confirmed(_ kept: KeptAnswer, _ headers: CacheHeaders, to request: WebAddress) -> HTTPAnswer? {
    guard let answer = answer(kept, to: request) else { return nil }
    add(headers.forbidsKeeping ? .notToKeep(request: request) : .confirmed(kept, headers))
    state.withLock { $0.savedAt = nil }
    return answer
  }

  private func add(_ news: CacheNews) {
    state.withLock { $0.news.append(news) }
  }

  /// Tells that what came until now is what was asked for.
  func noteUnderstood() {
    state.withLock { state in
      state.understoodCount = state.news.count
      state.document = state.document ?? state.lastRequest
    }
  }

  /// Leaves what was understood; `start` is the address that a person gave, where this was the first page of its feed.
  func leaveNews(start: WebAddress? = nil) {
    var (news, document) = state.withLock { (Array($0.news.prefix($0.understoodCount)), $0.document) }
    guard !news.isEmpty else { return }
    if let start, let document { news.append(.leads(request: start, document: document)) }
    cache.take(news)
  }
}

extension HTTPAnswer {
  fileprivate init(_ kept: KeptAnswer, body: [UInt8]) {
    self.init(status: 200, body: body, contentType: kept.contentType, address: kept.address, link: kept.link)
  }
}
