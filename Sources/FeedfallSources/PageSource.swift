import FeedfallFeeds
import FeedfallText

/// Something that pages of videos come from.
public struct PageSource: Sendable {
  /// What to call it in a status line.
  public var name: String
  /// Whether its pages cost nobody anything, so that they may be read ahead without a pause.
  public var isLocal: Bool
  /// How long a page may take at most, in seconds; nil for any time.
  public var timeLimitSeconds: Double?
  /// Gets the page that begins at a cursor, `.start` for the first one; ends at once when its task is cancelled.
  public var page: @Sendable (FeedCursor, CacheUse) async -> Result<FeedPage, FeedFailure>
  /// Completes a video whose feed needs a second request for that; gives any other back as it is.
  public var details: @Sendable (Video) async -> Result<Video, FeedFailure>

  public init(
    name: String, isLocal: Bool, timeLimitSeconds: Double?,
    page: @escaping @Sendable (FeedCursor, CacheUse) async -> Result<FeedPage, FeedFailure>,
    details: @escaping @Sendable (Video) async -> Result<Video, FeedFailure>
  ) {
    self.name = name
    self.isLocal = isLocal
    self.timeLimitSeconds = timeLimitSeconds
    self.page = page
    self.details = details
  }
}

extension Result where Failure == FeedFailure {
  /// What work comes to, be it a failure.
  static func of(_ work: () async throws(FeedFailure) -> Success) async -> Result {
    do {
      return .success(try await work())
    } catch {
      return .failure(error)
    }
  }
}

extension FeedFailure {
  /// The end of a request that nobody waits for any more.
  package static let cancelled = FeedFailure(.temporary, "the request was cancelled")
  /// The end of a request that only a kept answer could have met.
  static let notKept = FeedFailure(.permanent, "nothing of this is kept on disk")
}
