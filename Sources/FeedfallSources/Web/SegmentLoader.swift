import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// Loads the segments of videos from SponsorBlock, and remembers them until the program ends.
public final class SegmentLoader: Sendable {
  private let service: SponsorBlock
  private let client: HTTPClient
  private let known = Mutex<[String: [VideoSegment]]>([:])

  /// An answer with all categories has about 50 kB.
  private static let maximumByteCount = 2 << 20
  private static let maximumKnownCount = 500

  public init(_ service: SponsorBlock, options: SourceOptions) {
    self.service = service
    client = HTTPClient(
      timeoutSeconds: options.timeoutSeconds, userAgent: options.userAgent, maximumByteCount: Self.maximumByteCount,
      cache: options.cache, proxies: options.proxies)
  }

  /// Returns the segments of a video on YouTube.
  public func segments(of id: String) async -> Result<[VideoSegment], FeedFailure> {
    await Result { () async throws(FeedFailure) in
      if let segments = known.withLock({ $0[id] }) { return segments }
      let segments = try await load(id)
      known.withLock { known in
        if known.count >= Self.maximumKnownCount { known = [:] }
        known[id] = segments
      }
      return segments
    }
  }

  private func load(_ id: String) async throws(FeedFailure) -> [VideoSegment] {
    guard let request = service.request(for: id) else { return [] }
    var load = client.load(nil)
    let answer = try await load.answer(to: request)
    // No video with this start of the hash has segments.
    if answer.status == 404 { return [] }
    if let failure = answer.feedFailure { throw failure }
    guard let segments = service.decode(answer.body, for: id) else {
      throw .answer(without: "segments")
    }
    return segments
  }
}

extension FeedFailure {
  static func answer(without facts: String) -> FeedFailure { FeedFailure(.permanent, "the answer has no \(facts)") }
}
