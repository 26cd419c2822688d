import FeedfallDocuments
import FeedfallText

/// An item of a JSON Feed (jsonfeed.org, versions 1 and 1.1).
struct JSONFeedVideo {
  private let item: JSONObject
  private let address: WebAddress?

  /// Nil for an item that has nothing to show: no title, no address and no attachment.
  init?(_ item: JSONObject, address: WebAddress?) {
    self.item = item
    self.address = address
    let names: [StaticString] = ["id", "title", "url", "external_url", "attachments", "content_text", "content_html"]
    guard names.contains(where: { item[$0] != nil }) else { return nil }
  }

  func video(_ shared: inout SharedTexts) -> Video {
    let offers = self.offers
    let files = offers.map { MediaFile(url: $0.url, mimeType: $0.type) }
    let page = link("url") ?? link("external_url")
    let title = item["title"]?.text.map { cleanedLine($0, isHTML: true) }.nonEmpty
    let id = item["id"]?.text.map { cleanedLine($0, limit: 9_000) }.nonEmpty
    let summary = self.summary
    var video = Video(
      id: id ?? files.first?.url.text ?? page?.text ?? title ?? summary.map { cleanedLine($0) } ?? Video.untitled,
      title: title ?? Video.untitled,
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

  private struct Offer {
    let url: WebAddress
    let type: String?
    let kind: MediaOffer.Kind
    let duration: VideoDuration?
  }

  /// What can be played, pictures before sound alone.
  private var offers: [Offer] {
    let offers = (item["attachments"]?.elements() ?? []).compactMap { value -> Offer? in
      guard let attachment = value.object, let url = attachment["url"]?.string.flatMap(resolved) else { return nil }
      let type = attachment["mime_type"]?.string?.lowercased()
      let seconds = attachment["duration_in_seconds"]
      return Offer(
        url: url, type: type.map { cleanedLine($0, limit: 100) },
        kind: MediaOffer.kind(type: type, medium: nil, url: url),
        duration: seconds?.double.flatMap { $0.magnitude < 1e9 ? VideoDuration(seconds: Int($0)) : nil }
          ?? seconds?.string.flatMap { VideoDuration(feedText: $0) })
    }
    let ranks: [MediaOffer.Kind] = [.stream, .video, .unknown, .audio]
    return ranks.flatMap { kind in offers.filter { $0.kind == kind } }
  }

  private var covers: [Cover] {
    var urls = [link("image"), link("banner_image")].compactMap { $0 }
    if urls.isEmpty, let html = item["content_html"]?.string, let picture = HTMLPage.firstPicture(in: html),
      let url = resolved(picture)
    {
      urls = [url]
    }
    if urls.count == 2, urls[0] == urls[1] { urls.removeLast() }
    return urls.map { Cover(url: $0) }
  }

  /// Our own extension; the format has no sizes.
  private var pictureSize: PixelSize? {
    guard let size = item["_vfeed"]?.object, let width = size["width"]?.integer, let height = size["height"]?.integer
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// Version 1 has one author, version 1.1 a list.
  private var author: String? {
    let people =
      (item["authors"]?.elements(limit: 4) ?? []).compactMap(\.object) + [item["author"]?.object].compactMap { $0 }
    return people.lazy.compactMap { $0["name"]?.text.map { cleanedLine($0, limit: 200) }.nonEmpty }.first
  }

  private var summary: String? {
    let markup = item["content_html"]?.string ?? item["content_text"]?.string ?? item["summary"]?.string
    return markup.map { cleanedText($0) }.nonEmpty
  }

  private func link(_ name: StaticString) -> WebAddress? { item[name]?.string.flatMap(resolved) }

  private func resolved(_ text: String) -> WebAddress? { WebAddress(reference: text, base: address) }
}
