import FeedfallSystem
import FeedfallText
import FeedfallWeb

/// The user's options for a source.
public struct SourceOptions: Equatable, Sendable {
  /// The number of videos to request per page.
  public var pageSize: Int?
  /// The number of the feed's first page.
  public var firstPage: Int?
  /// Whether the feeds of YouTube's channels include Shorts and streams.
  public var includesShorts = true
  /// The longest silence of a server. An answer that keeps arriving has six times as long.
  public var timeoutSeconds: Double = 10
  /// The rules for proxies of all sources.
  public var proxies = ProxyDirectory.ofEnvironment
  /// The rules of this source, if it has its own.
  public var ownProxies: Proxies?
  /// The path of yt-dlp; nil if it is not installed or must not be used.
  public var ytDlpPath = InstalledPrograms.path(of: "yt-dlp")
  /// The User-Agent sent to servers.
  public var userAgent = "feedfall/\(FeedSources.version) (+https://github.com/feedfall/feedfall)"
  /// The login at the source's server; nil for none.
  public var login: SourceLogin?
  /// The cache, shared by all sources of the program.
  public var cache: AnswerCache

  /// Creates the default options; without a cache nothing is stored on disk.
  public init(cache: AnswerCache = AnswerCache()) {
    self.cache = cache
  }
}

extension FeedSources {
  /// The program's version, also sent to servers.
  public static let version = "0.1.0"
}
