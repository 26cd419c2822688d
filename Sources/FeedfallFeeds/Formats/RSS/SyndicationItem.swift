import FeedfallDocuments
import FeedfallText

/// An item of RSS or an entry of Atom, with Media RSS, iTunes, Podcasting 2.0 and Dublin Core.
///
/// | property | the first of |
/// |---|---|
/// | id | `guid`, `id`; the medium's address; the page's; title and date |
/// | title | `title`, `media:title`, `itunes:title`, `dc:title`; the first words of the text |
/// | page | `link`, `link rel=alternate`; a `guid` or an `id` that is an address |
/// | date | `pubDate`, `published`, `issued`, `dc:date`, `updated`, `modified` |
/// | duration | of the chosen `media:content`, `itunes:duration`, `duration`, `yt:duration` |
/// | author | `dc:creator`, `itunes:author`, `author`, `media:credit`, the channel's |
struct SyndicationItem {
  private let item: XMLElement
  private let channel: SyndicationChannel

  init(_ item: XMLElement, channel: SyndicationChannel) {
    self.item = item
    self.channel = channel
  }

  func video(_ shared: inout SharedTexts) -> Video {
    let media = SyndicationMedia(item)
    let page = self.page
    let published = self.published
    let title = self.title
    let files = media.files
    let summary = self.summary
    let id = self.id ?? files.first?.url.text ?? page?.text ?? "\(title ?? "") \(published?.description ?? "")"
    var video = Video(
      id: cleanedLine(id, limit: 9_000).nonEmpty ?? Video.untitled, title: title ?? Video.opening(of: summary),
      playback: playback(files, page: page, players: media.players))
    video.players = media.players
    video.pageURL = page
    video.published = published
    video.live = live
    if video.live == nil {
      video.duration = duration(media)
    } else {
      video.liveEnd = item.attribute("end").flatMap { UnixTime(feedDate: $0) }
    }
    video.covers = SyndicationCovers(item, media: media).covers
    if video.covers.isEmpty, let cover = channel.cover { video.covers = [Cover(ofChannel: cover)] }
    video.pictureSize = media.chosen?.pictureSize
    video.author = shared.shared(author ?? media.author ?? channel.author)
    video.channel = shared.shared(channel.title)
    video.channelURL = shared.shared(YouTubeChannelID(item.first(.youTube, "channelid")?.text)?.page)
    video.views = views
    video.byteCount = media.chosen?.byteCount
    video.summary = summary
    video.licence = shared.shared(licence)
    video.chapters = ChapterList.simple(in: item)
    if video.chapters.isEmpty { video.chaptersURL = ChapterList.address(in: item) }
    return video
  }

  private func playback(_ files: [MediaFile], page: WebAddress?, players: [WebAddress]) -> Playback {
    if !files.isEmpty { return .direct(files) }
    return (page ?? players.first).map(Playback.page) ?? .unknown
  }

  // MARK: - Names and texts

  private var id: String? {
    (item.first("guid") ?? item.first("id"))?.text.nonEmpty.flatMap { cleanedLine($0, limit: 9_000).nonEmpty }
  }

  private var title: String? {
    let sources = [
      item.first("title"), item.first(.media, "title"), item.first(.itunes, "title"), item.first(.dublinCore, "title"),
      mediaTitle(in: item),
    ]
    return sources.firstNonNil { $0.flatMap { SyndicationText.line($0) } }
      ?? item.first("enclosure")?.first(.media, "title").flatMap { SyndicationText.line($0) }
  }

  /// The title of a medium or a group of media.
  private func mediaTitle(in element: XMLElement) -> XMLElement? {
    element.first(.media, "title")
      ?? element.nodes.firstNonNil { node in
        guard case .element(let child) = node, child.space == .media, ["group", "content"].contains(child.name) else {
          return nil
        }
        return mediaTitle(in: child)
      }
  }

  private var author: String? {
    let sources = [
      item.first(.dublinCore, "creator"), item.first(.itunes, "author"), item.first("author"),
      item.first(.media, "credit") ?? mediaGroup?.first(.media, "credit"), item.first(.dublinCore, "author"),
    ]
    return sources.firstNonNil { $0.flatMap(SyndicationText.person) }
  }

  private var summary: String? {
    let sources = [
      item.first(.media, "description") ?? mediaGroup?.first(.media, "description"), item.first(.content, "encoded"),
      item.first("content"), item.first("description"), item.first("summary"), item.first(.itunes, "summary"),
      item.first(.dublinCore, "description"), item.first(.itunes, "subtitle"),
    ]
    return sources.firstNonNil { $0.flatMap(SyndicationText.paragraphs) }
  }

  private var licence: String? {
    let element = item.first(.media, "license") ?? item.first(.dublinCore, "license") ?? item.first("rights")
    return element.flatMap { SyndicationText.line($0, limit: 200) }
  }

  private var mediaGroup: XMLElement? { item.first(.media, "group") }

  // MARK: - The page

  private var page: WebAddress? {
    let links = item.children { $0.space.isFeed && $0.hasName("link") }
    let alternates = links.filter { $0.attribute("href") != nil && isPage($0) }
    let linked = alternates.last { isWeb($0) } ?? alternates.last
    if let linked, let address = address(linked.attribute("href"), in: linked) { return address }
    for link in links where link.attribute("href") == nil && isPage(link) {
      if let address = address(link.text, in: link) { return address }
    }
    return identifyingPage
  }

  /// The id, if it is an address; the fallback for a missing link.
  private var identifyingPage: WebAddress? {
    guard let id = item.first("guid") ?? item.first("id") else {
      return item.attribute("about").flatMap { WebAddress($0) }
    }
    // In RSS a guid is an address unless declared otherwise, but many undeclared ones are numbers or hashes. In Atom
    // relative ids are addresses in practice.
    let isDeclared = id.attribute("ispermalink") != nil || id.name != "guid"
    return isDeclared || !isOpaque(id.text) ? address(id.text, in: id) : nil
  }

  /// Whether an id is one word with a digit, such as `1234`, `n0` or a UUID.
  private func isOpaque(_ id: String) -> Bool {
    id.contains(where: \.isNumber) && !id.contains { $0 == "/" || $0 == "." }
  }

  private func isPage(_ link: XMLElement) -> Bool {
    guard let relation = link.attribute("rel")?.lowercased() else { return true }
    return relation == "alternate" || relation.isEmpty || relation.hasSuffix("#alternate")
  }

  private func isWeb(_ link: XMLElement) -> Bool {
    guard let type = link.attribute("type")?.lowercased() else { return true }
    return type.isEmpty || type.contains("html")
  }

  private func address(_ text: String?, in element: XMLElement) -> WebAddress? {
    text.flatMap { WebAddress(reference: $0, base: element.base) }
  }

  // MARK: - Numbers

  private var published: UnixTime? {
    let sources = [
      item.first("pubdate"), item.first("published"), item.first("issued"), item.first(.dublinCore, "issued"),
      item.first("updated"), item.first("modified"), item.first(.dublinCore, "date"),
      item.first(.dublinCore, "modified"), item.first("date"), item.first("created"),
      item.first(.dublinCore, "created"),
    ]
    return sources.firstNonNil { $0.flatMap { UnixTime(feedDate: $0.text) } }
      ?? item.attribute("start").flatMap { UnixTime(feedDate: $0) }
  }

  private func duration(_ media: SyndicationMedia) -> VideoDuration? {
    let declared = item.first(.itunes, "duration").flatMap { VideoDuration(feedText: $0.text) }
    let group = mediaGroup
    let youTube = (item.first(.youTube, "duration") ?? group?.first(.youTube, "duration"))?.attribute("seconds")
    return media.chosen?.duration ?? declared ?? media.anyDuration
      ?? item.first("duration").flatMap { VideoDuration(feedText: $0.text) }
      ?? youTube.flatMap { VideoDuration(feedText: $0) }
  }

  private var views: Int? {
    let community = item.first(.media, "community") ?? mediaGroup?.first(.media, "community")
    let views = community?.first(.media, "statistics")?.attribute("views")
    return views.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  private var live: LiveState? {
    guard item.space == .podcast else { return nil }
    switch item.attribute("status")?.lowercased() {
    case "pending": return .upcoming(item.attribute("start").flatMap { UnixTime(feedDate: $0) })
    case "ended": return .ended
    default: return .live
    }
  }
}
