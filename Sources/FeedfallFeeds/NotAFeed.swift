extension FeedDecoder {
  /// Whether this is a web page, whatever it was called: its first element is one of HTML.
  public static func looksLikeHTML(_ body: [UInt8]) -> Bool {
    guard firstMark(body) == UInt8(ascii: "<") else { return false }
    let start = Array(body.prefix(8_192))
    var tokens = XMLTokenizer(start)
    while let token = tokens.next() {
      guard case .start(let name, _, _) = token else { continue }
      let local = String(decoding: start[name].map(\.lowercased), as: UTF8.self)
      return ["html", "head", "body", "script", "meta", "title", "style", "center", "p", "h1"].contains(local)
    }
    return start.firstIndex(of: "<!doctype html", from: 0) != nil
  }

  /// Why a web page is no feed.
  public static func failure(forWebPage body: [UInt8]) -> FeedFailure {
    let name = pageTitle(body).map { " (\($0))" } ?? ""
    return FeedFailure(
      .permanent, "the answer is a web page\(name), not a feed", advice: "give the address of the feed itself")
  }

  /// Why a body that isn't JSON is no feed.
  static func failure(forOther body: [UInt8]) -> FeedFailure {
    if looksLikeHTML(body) { return failure(forWebPage: body) }
    if firstMark(body) == UInt8(ascii: "<") {
      return FeedFailure(
        .permanent, "the answer is XML, not a feed that feedfall reads", advice: "give the address of a feed")
    }
    if body.starts(with: [0xFF, 0xFE]) || body.starts(with: [0xFE, 0xFF]) || body.prefix(2).contains(0) {
      return FeedFailure(.permanent, "the answer is not UTF-8 text")
    }
    let words = problemDetail(body).map { " (\($0))" } ?? ""
    return FeedFailure(.permanent, "the answer is no JSON\(words)", advice: "check the address")
  }

  private static func pageTitle(_ body: [UInt8]) -> String? {
    let start = Array(body.prefix(65_536))
    guard let tag = start.firstIndex(of: "<title", from: 0),
      let open = start[tag...].firstIndex(of: UInt8(ascii: ">")),
      let close = start.firstIndex(of: "</title", from: open)
    else { return nil }
    return cleanedLine(String(decoding: start[(open + 1)..<close], as: UTF8.self), isHTML: true, limit: 80)
      .nonEmpty
  }
}

extension FeedFailure {
  static let empty = FeedFailure(.temporary, "the answer is empty")

  static let tooDeep = FeedFailure(.permanent, "the feed is nested deeper than 512 levels")

  static func cut(after count: Int) -> FeedFailure {
    FeedFailure(.temporary, "the feed breaks off after \(videos(count))")
  }

  static func malformed(after count: Int) -> FeedFailure {
    FeedFailure(.permanent, "the feed is no valid JSON after \(videos(count))")
  }

  static func noList(_ words: String?) -> FeedFailure {
    if let words { return FeedFailure(.permanent, "the answer holds no videos, but says: \(words)") }
    return FeedFailure(.permanent, "the answer is JSON without a list of videos", advice: "check the address")
  }

  private static func videos(_ count: Int) -> String { count == 1 ? "1 video" : "\(count) videos" }
}
