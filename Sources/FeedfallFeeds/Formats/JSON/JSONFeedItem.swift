import FeedfallText

extension FeedKind {
  /// JSON Feed 1.0 and 1.1.
  public static let jsonFeed = FeedKind("jsonFeed", hasOwnIDs: true)
}

/// An item of a JSON Feed (jsonfeed.org, versions 1 and 1.1).
struct JSONFeedItem: JSONListFormat {
  static let kind = FeedKind.jsonFeed

  static let listName: String? = "items"

  static func matches(_ item: JSONObject) -> Bool {
    let names: [StaticString] = ["attachments", "content_html", "content_text", "date_published", "external_url"]
    return names.contains { item[$0] != nil }
  }

  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
    let videos = JSONFeedItem(item, address: address?.web).videos(&shared)
    return videos.count > 1 ? .videos(videos) : DecodedItem(videos.first)
  }

  private let item: JSONObject
  private let address: WebAddress?
  private let html: String?
  private let markup: [UInt8]

  private init(_ item: JSONObject, address: WebAddress?) {
    (self.item, self.address) = (item, address)
    html = item["content_html"]?.string
    markup = Array((html ?? "").utf8)
  }

  /// The video of the item, or several in a group if its attachments are different films; none for an item without an
  /// attachment, an address and a film in its text.
  private func videos(_ shared: inout SharedTexts) -> [Video] {
    let attachments = self.attachments
    let page = page("url") ?? page("external_url")
    let title = item.line("title", limit: 500)
    let id = item["id"]?.text.map { cleanedLine($0, limit: 9_000) }.nonEmpty
    let summary = self.summary
    let stray = attachments.contains(where: \.isPlayable) ? nil : self.stray(page)
    let names: [StaticString] = ["url", "external_url", "attachments"]
    guard stray != nil || names.contains(where: { item[$0] != nil }) else { return [] }
    let identifying = attachments.filter(\.isPlayable).min { $0.kindOrder < $1.kindOrder }
    var video = Video(
      id: id ?? identifying?.url.text ?? page?.text ?? title ?? summary.map { cleanedLine($0) } ?? Video.untitled,
      title: title ?? Video.opening(of: summary),
      playback: page.map(Playback.page) ?? .unknown)
    video.pageURL = page
    video.covers = covers(stray?.poster)
    video.pictureSize = pictureSize
    video.language = shared.shared(item.line("language", limit: Video.maximumLanguageLength))
    video.author = shared.shared(author)
    video.published = (item["date_published"] ?? item["date_modified"])?.text.flatMap { UnixTime(feedDate: $0) }
    video.summary = summary
    return video.films(stray?.files ?? attachments)
  }

  /// Attachments with the same title are copies of one film (version 1.1).
  private var attachments: [OfferedFile] {
    item.objects("attachments").compactMap { attachment in
      let stream = attachment["url"]?.string.flatMap { StreamAddress($0) }.map(MediaAddress.stream)
      guard let url = attachment.address("url", base: address).map(MediaAddress.web) ?? stream else { return nil }
      let seconds = attachment["duration_in_seconds"]
      var file = OfferedFile(url, type: attachment["mime_type"]?.string)
      file.title = attachment.line("title", limit: 500)
      let size =
        attachment.count("size_in_bytes") ?? attachment["size_in_bytes"]?.string.flatMap(WrittenCount.byteCount)
      file.byteCount = size.flatMap { $0 > 0 ? $0 : nil }
      file.duration =
        seconds?.double.flatMap { VideoDuration(seconds: $0) }
        ?? seconds?.string.flatMap { VideoDuration(feedText: $0) }
      return file
    }
  }

  /// The film of an item without attachments: its page, which may be a file itself, or the first one in the text.
  private func stray(_ page: WebAddress?) -> EmbeddedMedia? {
    if let file = OfferedFile(page: page) ?? OfferedFile(page: link("external_url")) { return EmbeddedMedia(file) }
    return EmbeddedMedia(firstIn: markup, base: page ?? address)
  }

  private func covers(_ poster: WebAddress?) -> [Cover] {
    var urls = [link("image"), link("banner_image")].compactMap { $0 }
    if urls.count == 2, urls[0] == urls[1] { urls.removeLast() }
    var covers = urls.map { Cover(url: $0) }
    if let poster { covers.append(inText: [poster]) }
    covers.append(inText: HTMLPictures(in: markup, base: address).addresses)
    return covers
  }

  /// The program's own extension; the format has no sizes.
  private var pictureSize: PixelSize? { item["_vfeed"]?.object?.pictureSize() }

  /// The first author: version 1 has one, version 1.1 a list.
  private var author: String? {
    let people = item.objects("authors", limit: 4) + [item["author"]?.object].compactMap { $0 }
    return people.firstNonNil { $0.line("name") }
  }

  private var summary: String? {
    html.flatMap { cleanedText($0, as: .html) }.nonEmpty ?? item.paragraphs("content_text")
      ?? item.paragraphs("summary")
  }

  private func page(_ name: StaticString) -> WebAddress? {
    item[name]?.string.flatMap { WebAddress(link: $0, base: address) }
  }

  private func link(_ name: StaticString) -> WebAddress? { item.address(name, base: address) }
}
