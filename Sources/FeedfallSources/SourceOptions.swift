import FeedfallSystem
import FeedfallWeb

/// The user's options for a source.
public struct SourceOptions: Equatable, Sendable {
  /// How many videos a page is requested to have.
  public var pageSize: Int?
  /// The number that the feed gives to its first page.
  public var firstPage: Int?
  /// The time-out of all requests for a page together.
  public var timeoutSeconds: Double = 10
  /// The network to simulate; nil for the real one.
  public var simulation: NetworkSimulation?
  /// Nil if yt-dlp is not installed, or is not to be used.
  public var ytDlpPath = InstalledPrograms.path(of: "yt-dlp")
  /// The program's name towards servers.
  public var userAgent = "feedfall/\(FeedSources.version) (+https://github.com/feedfall/feedfall)"
  /// The cache, which all sources of a program share.
  public var cache: AnswerCache

  /// The usual options; by default nothing is cached on disk.
  public init(cache: AnswerCache = AnswerCache()) {
    self.cache = cache
  }
}

extension FeedSources {
  /// The program's version, which servers see too.
  public static let version = "0.1.0"
}
