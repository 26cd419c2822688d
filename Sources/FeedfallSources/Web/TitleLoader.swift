import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// Loads titles of videos from DeArrow. Answers stay in the cache for a day.
public struct TitleLoader: Sendable {
  private let service: SponsorBlock
  private let client: HTTPClient

  /// An answer with the titles and pictures of many videos has about 100 kB.
  private static let maximumByteCount = 2 << 20
  /// In seconds.
  private static let maximumAge = 86_400

  public init(_ service: SponsorBlock, options: SourceOptions) {
    self.service = service
    client = HTTPClient(
      timeoutSeconds: options.timeoutSeconds, userAgent: options.userAgent, maximumByteCount: Self.maximumByteCount,
      cache: options.cache, proxies: options.proxies)
  }

  /// Returns the titles of videos on YouTube by their IDs: of all whose hashes start with these digits.
  public func titles(hashPrefix: String) async -> Result<[String: String], FeedFailure> {
    await Result { () async throws(FeedFailure) in
      guard let request = service.titlesRequest(hashPrefix: hashPrefix) else { return [:] }
      let age = client.cache.answer(to: request).map { UnixTime.now.seconds - $0.fetched.seconds }
      var load = client.load(age.map { (0..<Self.maximumAge).contains($0) } == true ? .onlyIfCached : .revalidated)
      let answer = try await load.answer(to: request)
      // No video with this start of the hash has a title.
      if answer.status == 404 { return [:] }
      if let failure = answer.feedFailure { throw failure }
      guard let titles = SponsorBlock.decodeTitles(answer.body) else {
        throw .answer(without: "titles")
      }
      load.accept()
      load.save()
      return titles
    }
  }
}
