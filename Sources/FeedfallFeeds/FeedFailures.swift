import FeedfallText

extension FeedFailure {
  /// The answer is a web page.
  public static func webPage(_ body: [UInt8]) -> FeedFailure {
    let name = HTMLPage.title(of: body).map { " (\($0))" } ?? ""
    return FeedFailure(
      .permanent, "the answer is a web page\(name), not a feed", advice: "use the address of the feed itself")
  }

  private static let formats = "use RSS, Atom, JSON, M3U, PLS, XSPF, ASX, a video or a folder"

  static func notAFeed(_ body: [UInt8]) -> FeedFailure {
    if HTMLPage.isStarted(by: body) { return webPage(body) }
    if DocumentText.firstMark(body) == UInt8(ascii: "<") {
      return FeedFailure(
        .permanent, "the answer is XML, but not a feed that feedfall reads", advice: "use the address of a feed")
    }
    if body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF]) || body.prefix(2).contains(0) {
      return FeedFailure(.permanent, "the answer is neither a feed nor a video", advice: formats)
    }
    let words = ProblemDetails.summary(body).map { " (\($0))" } ?? ""
    return FeedFailure(.permanent, "the answer is neither a feed nor a video\(words)", advice: formats)
  }

  static let empty = FeedFailure(.temporary, "the answer is empty")

  private static func unexpected(_ reason: String) -> FeedFailure {
    FeedFailure(.permanent, reason, advice: "check the address")
  }

  static let tooLarge = unexpected("the feed is larger than 256 MB")

  static let streamInPipe = FeedFailure(
    .permanent, "the answer is the playlist of a stream without an address, so its segments cannot be found",
    advice: "open its file or URL")

  static let damagedArchive = unexpected("the answer is a damaged gzip file")

  static func archiveTooLarge(limit: Int) -> FeedFailure {
    unexpected("the answer is a gzip file that unpacks to more than \(limit >> 20) MB")
  }

  static let tooLargeObject = unexpected(
    "the answer is too large: more than 32 MB of JSON without a list of videos")

  static let tooComplex = unexpected("the feed has too many elements for its size")

  static let tooDeep = unexpected("the feed is nested deeper than 512 levels")

  static func cut(after count: Int) -> FeedFailure {
    FeedFailure(.temporary, "the feed is incomplete after \(videos(count))")
  }

  static func malformed(after count: Int) -> FeedFailure {
    FeedFailure(
      .permanent, "the feed is invalid JSON after \(videos(count))",
      advice: "check the address, or report the error to the author of the feed")
  }

  static func noList(_ words: String?) -> FeedFailure {
    unexpected(
      words.map { "the answer contains a message instead of videos: \($0)" }
        ?? "the answer is JSON without a list of videos")
  }

  static func otherXML(_ root: String) -> FeedFailure {
    let name = cleanedLine(root, limit: 40)
    let advice =
      name == "opml"
      ? "save it as a file and add its feeds with feedfall import" : "use the address of a feed"
    return FeedFailure(.permanent, "the answer is XML (\(name)), but not a feed that feedfall reads", advice: advice)
  }

  private static func videos(_ count: Int) -> String { count == 1 ? "1 video" : "\(count) videos" }
}
