import FeedfallText

enum ChapterList {
  /// Decodes the answer of PeerTube to `/api/v1/videos/{id}/chapters`, or the JSON chapters of Podcasting 2.0. Chapters
  /// outside the table of contents are dropped, and other documents contain none.
  static func decode(_ body: [UInt8]) -> [Chapter] {
    let chapters = JSONObject(document: body)?.objects("chapters", limit: Chapter.maximumCount) ?? []
    return Chapter.list(
      chapters.lazy.filter { $0["toc"]?.bool != false }.map { chapter in
        ((chapter["startTime"] ?? chapter["timecode"])?.double, chapter["title"]?.text)
      })
  }

  /// Decodes `psc:chapters` (Podlove Simple Chapters 1.2).
  static func simple(_ element: XMLElement) -> [Chapter] {
    Chapter.list(
      element.children(.podlove, "chapter").lazy.map {
        ($0.attribute("start").flatMap(Chapter.seconds), $0.attribute("title"))
      })
  }

  /// The address of the JSON chapters in `podcast:chapters`.
  static func address(_ chapters: XMLElement) -> WebAddress? {
    guard chapters.attribute("type")?.lowercased().contains("json") != false else { return nil }
    return chapters.attribute("url").flatMap { WebAddress(reference: $0, base: chapters.base) }
  }
}

extension FeedDecoder {
  /// Completes a video with the answer to the request for its chapters. An answer without chapters completes it, too.
  public static func decodeChapters(_ body: [UInt8], completing video: Video) -> Video {
    var video = video
    video.chapters = ChapterList.decode(body)
    video.chaptersURL = nil
    return video
  }
}
