import FeedfallText

/// DeArrow, a database of titles for YouTube's videos that its users prefer to the original ones. It is on the server of
/// SponsorBlock, and an answer has the titles of all videos whose hashes start alike.
///
/// Source: https://wiki.sponsor.ajay.app/w/API_Docs/DeArrow
extension SponsorBlock {
  private static let maximumTitleCount = 500
  /// In characters.
  private static let maximumTitleLength = 200

  /// The titles of videos by their IDs, of all whose hashes start with the same digits.
  public var titles: Query<[String: String]> {
    Query(
      name: "titles", none: [:], storage: .disk(seconds: 86_400), request: { titlesRequest(hashPrefix: $0) },
      decode: { answer, _ in Self.decodeTitles(answer) })
  }

  /// Returns the request for the titles of all videos whose hashes start with these digits.
  public func titlesRequest(hashPrefix: String) -> WebAddress? { address("branding/\(hashPrefix)") }

  /// Decodes the best title of each video in an answer by its ID; nil if it is no answer of this kind. A video whose
  /// best title is the original one, or has not been confirmed, has none.
  public static func decodeTitles(_ body: [UInt8]) -> [String: String]? {
    guard let videos = JSONObject(document: body) else { return nil }
    var titles: [String: String] = [:]
    for (id, value) in videos.all.prefix(maximumTitleCount) where YouTubeSite.VideoID(id) != nil {
      titles[id] = value.object.flatMap(title)
    }
    return titles
  }

  /// The titles are in the order of their quality.
  private static func title(of video: JSONObject) -> String? {
    guard let best = video.objects("titles", limit: 1).first, best["original"]?.bool != true,
      best["locked"]?.bool == true || best["votes"]?.integer.map({ $0 >= 0 }) == true
    else { return nil }
    // The mark `>` keeps the letters of the next word as they are, in clients that change them.
    let words = best.line("title", limit: maximumTitleLength)?.split(separator: " ").map { word in
      String(word.count > 1 && word.first == ">" ? word.dropFirst() : word)
    }
    return words?.joined(separator: " ").nonEmpty
  }
}
