import FeedfallText

enum SubstituteWords {
  /// - Parameter reason: why the feed failed.
  static func listed(becauseOf reason: String) -> String { "\(reason). yt-dlp listed the videos instead." }

  /// - Parameter page: the address to open with yt-dlp; nil for a feed that yt-dlp replaces automatically.
  static func install(toOpen page: WebAddress?) -> String {
    guard let page else { return "install yt-dlp, which may list the videos" }
    return "install yt-dlp and open \(cleanedLine(SourcePrefix.ytDlp.rawValue + page.description, limit: 200))"
  }
}

enum ListWords {
  static func cut(count: Int) -> String { "the list has more than \(count) sources. Only the first ones are opened." }
}
