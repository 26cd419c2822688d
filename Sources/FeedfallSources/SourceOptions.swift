import FeedfallSystem

/// What a person may say about how a source is asked.
public struct SourceOptions: Equatable, Sendable {
  /// How many videos a page is asked to hold.
  public var pageSize: Int?
  /// The number that the feed gives to its first page.
  public var firstPage: Int?
  /// The limit for one request, from the name to the last byte.
  public var timeoutSeconds: Double = 10
  /// The network to play; nil for the real one.
  public var simulation: NetworkSimulation?
  /// Where yt-dlp is installed; nil where it is not, or is not to be used.
  public var ytDlpPath = InstalledPrograms.path(of: "yt-dlp")
  /// What the program calls itself towards servers.
  public var userAgent = "feedfall/\(FeedSources.version) (+https://github.com/feedfall/feedfall)"
  /// What was got before, and the servers that want to be left alone; for all sources of a program the same one.
  public var cache: AnswerCache

  /// The usual options; by itself nothing is kept on disk.
  public init(cache: AnswerCache = AnswerCache()) {
    self.cache = cache
  }
}
