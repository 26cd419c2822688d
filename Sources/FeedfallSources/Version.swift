extension FeedSources {
  /// The program's version, which servers are told too.
  public static let version = "0.1.0"
}
