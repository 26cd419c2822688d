import FeedfallDocuments
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
    DecodedItem(JSONFeedItem(item, address: address?.web)?.video(&shared))
  }

  private let item: JSONObject
  private let address: WebAddress?

  /// Returns nil for an item with neither an attachment nor an address.
  private init?(_ item: JSONObject, address: WebAddress?) {
    self.item = item
    self.address = address
    let names: [StaticString] = ["url", "external_url", "attachments"]
    guard names.contains(where: { item[$0] != nil }) else { return nil }
  }

  private func video(_ shared: inout SharedTexts) -> Video {
    let offers = self.offers
    let files = offers.map { MediaFile(url: $0.url, mimeType: $0.mimeType) }
    let page = link("url") ?? link("external_url")
    let title = item.line("title", limit: 500)
    let id = item["id"]?.text.map { cleanedLine($0, limit: 9_000) }.nonEmpty
    let summary = self.summary
    var video = Video(
      id: id ?? files.first?.url.text ?? page?.text ?? title ?? summary.map { cleanedLine($0) } ?? Video.untitled,
      title: title ?? Video.opening(of: summary),
      playback: files.isEmpty ? page.map(Playback.page) ?? .unknown : .direct(files))
    video.duration = offers.first?.duration
    video.pageURL = page
    video.covers = covers
    video.pictureSize = pictureSize
    video.author = shared.shared(author)
    video.published = (item["date_published"] ?? item["date_modified"])?.text.flatMap { UnixTime(feedDate: $0) }
    video.summary = summary
    return video
  }

  /// The playable attachments, video before audio.
  private var offers: [OfferedFile] {
    let offers = (item["attachments"]?.elements() ?? []).compactMap { value -> OfferedFile? in
      guard let attachment = value.object, let url = attachment.address("url", base: address) else { return nil }
      let seconds = attachment["duration_in_seconds"]
      var offer = OfferedFile(url, type: attachment["mime_type"]?.string)
      offer.duration =
        seconds?.double.flatMap { VideoDuration(seconds: $0) }
        ?? seconds?.string.flatMap { VideoDuration(feedText: $0) }
      return offer
    }
    let ranks: [MediaKind] = [.stream, .video, .unknown, .audio]
    return ranks.flatMap { kind in offers.filter { $0.kind == kind } }
  }

  private var covers: [Cover] {
    var urls = [link("image"), link("banner_image")].compactMap { $0 }
    if urls.isEmpty, let html = item["content_html"]?.string, let picture = HTMLPage.firstPicture(in: html),
      let url = WebAddress(reference: picture, base: address)
    {
      urls = [url]
    }
    if urls.count == 2, urls[0] == urls[1] { urls.removeLast() }
    return urls.map { Cover(url: $0) }
  }

  /// The program's own extension; the format has no sizes.
  private var pictureSize: PixelSize? {
    item["_vfeed"]?.object?.pictureSize()
  }

  /// The first author: version 1 has one, version 1.1 a list.
  private var author: String? {
    let people =
      (item["authors"]?.elements(limit: 4) ?? []).compactMap(\.object) + [item["author"]?.object].compactMap { $0 }
    return people.firstNonNil { $0["name"]?.text.map { cleanedLine($0, limit: 200) }.nonEmpty }
  }

  private var summary: String? {
    let markup = item["content_html"]?.string ?? item["content_text"]?.string ?? item["summary"]?.string
    return markup.map { cleanedText($0) }.nonEmpty
  }

  private func link(_ name: StaticString) -> WebAddress? { item.address(name, base: address) }
}
