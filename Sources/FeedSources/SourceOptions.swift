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
  /// What the program calls itself towards servers.
  public var userAgent = "feedfall/\(FeedSources.version) (+https://github.com/feedfall/feedfall)"

  public init() {}
}
