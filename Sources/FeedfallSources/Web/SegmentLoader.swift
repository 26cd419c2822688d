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
    if let segments = known.withLock({ $0[id] }) { return .success(segments) }
    do throws(FeedFailure) {
      let segments = try await load(id)
      known.withLock { known in
        if known.count >= Self.maximumKnownCount { known = [:] }
        known[id] = segments
      }
      return .success(segments)
    } catch {
      return .failure(error)
    }
  }

  private func load(_ id: String) async throws(FeedFailure) -> [VideoSegment] {
    guard let request = service.request(for: id) else { return [] }
    let answer = try await answer(to: request)
    // No video with this start of the hash has segments.
    if answer.status == 404 { return [] }
    if let failure = answer.feedFailure { throw failure }
    guard let segments = service.decode(answer.body, for: id) else {
      throw FeedFailure(.permanent, "the answer has no segments")
    }
    return segments
  }

  private func answer(to request: WebAddress) async throws(FeedFailure) -> HTTPAnswer {
    var load = client.load(nil)
    do { return try await load.get(request, accept: "application/json") } catch { throw FeedFailure(error) }
  }
}
