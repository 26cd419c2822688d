import FeedfallText

extension Service {
  /// JSON Feed (jsonfeed.org, versions 1 and 1.1).
  static let jsonFeed = Service(
    .jsonFeed, list: "items",
    matches: { item in
      let names: [StaticString] = ["attachments", "content_html", "content_text", "date_published", "external_url"]
      return names.contains { item[$0] != nil }
    },
    facts: [
      Fact(adoptJSONFeedItem), .language("language"),
      // Version 1 has one author, version 1.1 a list.
      .author("authors[].name|author.name"),
      Fact { draft in
        // The program's own extension; the format has no sizes.
        draft.video.pictureSize = draft.item["_vfeed"]?.object?.pictureSize()
        let time = draft.item["date_published"] ?? draft.item["date_modified"]
        draft.video.published = time?.text.flatMap { UnixTime(feedDate: $0) }
      },
    ])

  /// An item needs an attachment, an address or a film in its text. Different films among its attachments are videos of
  /// their own.
  @Sendable private static func adoptJSONFeedItem(_ draft: inout VideoDraft) {
    let (item, base) = (draft.item, draft.web)
    func page(_ name: StaticString) -> WebAddress? { item[name]?.string.flatMap { WebAddress(link: $0, base: base) } }
    let html = item["content_html"]?.string
    let markup = Array((html ?? "").utf8)
    let attachments = item.objects("attachments").compactMap { attachment($0, base: base) }
    let page = page("url") ?? page("external_url")
    // The film of an item without attachments: its page, which may be a file itself, or the first one in the text.
    let stray =
      attachments.contains(where: \.isPlayable)
      ? nil
      : (OfferedFile(page: page) ?? OfferedFile(page: item.address("external_url", base: base))).map {
        EmbeddedMedia($0)
      }
        ?? EmbeddedMedia(firstIn: markup, base: page ?? base)
    let names: [StaticString] = ["url", "external_url", "attachments"]
    guard stray != nil || names.contains(where: { item[$0] != nil }) else { return }
    let title = item.line("title", limit: 500)
    let summary =
      html.flatMap { cleanedText($0, as: .html) }.nonEmpty ?? item.paragraphs("content_text")
      ?? item.paragraphs("summary")
    let file = attachments.filter(\.isPlayable).min { $0.kindOrder < $1.kindOrder }
    draft.video.id =
      item["id"]?.text.map { cleanedLine($0, limit: 9_000) }.nonEmpty ?? file?.url.text ?? page?.text ?? title
      ?? summary.map { cleanedLine($0) } ?? Video.untitled
    draft.video.title = title ?? Video.opening(of: summary)
    draft.video.pageURL = page
    if let page { draft.video.playback = .page(page) }
    draft.video.summary = summary
    draft.films = stray?.files ?? attachments
    let (image, banner) = (item.address("image", base: base), item.address("banner_image", base: base))
    draft.video.covers = [image, banner == image ? nil : banner].compactMap { $0.map { Cover(url: $0) } }
    draft.video.covers.append(inText: [stray?.poster].compactMap(\.self))
    draft.video.covers.append(inText: HTMLPictures(in: markup, base: base).addresses)
  }

  /// Attachments with the same title are copies of one film (version 1.1).
  private static func attachment(_ attachment: JSONObject, base: WebAddress?) -> OfferedFile? {
    let stream = attachment["url"]?.string.flatMap { StreamAddress($0) }.map(MediaAddress.stream)
    guard let url = attachment.address("url", base: base).map(MediaAddress.web) ?? stream else { return nil }
    let (seconds, size) = (attachment["duration_in_seconds"], attachment["size_in_bytes"])
    var file = OfferedFile(url, type: attachment["mime_type"]?.string)
    file.title = attachment.line("title", limit: 500)
    let byteCount = attachment.count("size_in_bytes") ?? size?.string.flatMap(WrittenCount.byteCount)
    file.byteCount = byteCount.flatMap { $0 > 0 ? $0 : nil }
    file.duration =
      seconds?.double.flatMap { VideoDuration(seconds: $0) } ?? seconds?.string.flatMap { VideoDuration(feedText: $0) }
    return file
  }
}
