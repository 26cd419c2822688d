enum SubstituteWords {
  /// - Parameter reason: why the feed failed.
  static func listed(becauseOf reason: String) -> String { "\(reason). yt-dlp listed the videos instead." }
}
