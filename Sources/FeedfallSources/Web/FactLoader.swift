import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// Loads facts about videos on YouTube from the server of SponsorBlock.
public final class FactLoader<Facts: Sendable>: Sendable {
  private let query: SponsorBlock.Query<Facts>
  private let client: HTTPClient
  private let known = Mutex<[String: Facts]>([:])

  /// An answer with all categories of segments, or with the titles of many videos, has up to 100 kB.
  private static var maximumByteCount: Int { 2 << 20 }

  public init(_ query: SponsorBlock.Query<Facts>, options: SourceOptions) {
    self.query = query
    client = HTTPClient(
      timeoutSeconds: options.timeoutSeconds, userAgent: options.userAgent, maximumByteCount: Self.maximumByteCount,
      cache: options.cache, proxies: options.proxies)
  }

  /// - Parameter key: the ID of a video, or the start of its hash, as the query requires.
  public func facts(of key: String) async -> Result<Facts, FeedFailure> {
    await Result { () async throws(FeedFailure) in
      if let facts = known.withLock({ $0[key] }) { return facts }
      let facts = try await load(key)
      guard case .memory(let maximumCount) = query.storage else { return facts }
      known.withLock { known in
        if known.count >= maximumCount { known = [:] }
        known[key] = facts
      }
      return facts
    }
  }

  private func load(_ key: String) async throws(FeedFailure) -> Facts {
    guard let request = query.request(key) else { return query.none }
    var load = client.load(use(of: request))
    let answer = try await load.answer(to: request)
    // The server has no facts about a video whose hash starts like this.
    if answer.status == 404 { return query.none }
    guard let facts = query.decode(try answer.checked().body, key) else {
      throw .noFacts(named: query.name)
    }
    load.accept()
    load.save()
    return facts
  }

  /// Nil for facts that are not stored on disk.
  private func use(of request: WebAddress) -> CacheUse? {
    guard case .disk(let seconds) = query.storage else { return nil }
    let age = client.cache.answer(to: request).map { UnixTime.now.seconds - $0.fetched.seconds }
    return age.map { (0..<seconds).contains($0) } == true ? .onlyIfCached : .revalidated
  }
}
