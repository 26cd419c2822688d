import FeedfallText

extension SyndicationDocument {
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
  struct Item {
    let item: XMLElement
    private let channel: Channel
    private let mediaGroup: XMLElement?

    init(_ item: XMLElement, channel: Channel) {
      (self.item, self.channel) = (item, channel)
      mediaGroup = item.first(.media, "group")
    }

    /// The video of the item, or several in a group if its files are different films.
    func videos(_ shared: inout SharedTexts) -> [Video] {
      let media = Media(item)
      let page = self.page
      let published = self.published
      let title = self.title
      let summary = self.summary
      let id =
        self.id ?? media.identifyingFile?.url.text ?? page?.text ?? "\(title ?? "") \(published?.description ?? "")"
      let stray = media.files.contains(where: \.isPlayable) ? nil : EmbeddedMedia(inPlaceOfMediaOf: item, page: page)
      var video = Video(
        id: cleanedLine(id, limit: 9_000).nonEmpty ?? Video.untitled, title: title ?? Video.opening(of: summary),
        playback: (page ?? media.players.first).map(Playback.page) ?? .unknown)
      video.players = media.players
      video.pageURL = page
      video.published = published
      video.live = live
      if video.live != nil { video.liveEnd = item.attribute("end").flatMap { UnixTime(feedDate: $0) } }
      video.language = shared.shared(language)
      video.covers = covers(media, poster: stray?.poster)
      video.covers.append(ofChannel: channel.cover)
      video.author = shared.shared(author ?? media.author ?? channel.author)
      video.channel = shared.shared(channel.title)
      video.channelURL = shared.shared(YouTubeSite.ChannelID(item.first(.youTube, "channelid")?.text)?.page)
      video.views = views
      video.summary = summary
      video.licence = shared.shared(licence)
      let rare = Extras(item, in: channel, &shared)
      video.flags.formUnion(rare.flags)
      if rare.extras != VideoExtras() { video.extras = rare.extras }
      video.chapters = rare.simpleChapters.map(Chapter.list(podlove:)) ?? []
      if video.chapters.isEmpty { video.chaptersURL = rare.linkedChapters.flatMap(Chapter.address) }
      var videos = video.films(stray?.files ?? media.files)
      if videos.count == 1 { videos[0].duration = videos[0].duration ?? duration(media) }
      if video.live != nil { for index in videos.indices { videos[index].duration = nil } }
      return videos
    }

    // MARK: - Names and texts

    private var id: String? {
      (item.first("guid") ?? item.first("id"))?.text.nonEmpty.flatMap { cleanedLine($0, limit: 9_000).nonEmpty }
    }

    private var title: String? {
      let sources = [
        item.first("title"), item.first(.media, "title"), item.first(.itunes, "title"),
        item.first(.dublinCore, "title"),
        mediaTitle(in: item),
      ]
      return sources.firstNonNil { $0.flatMap { $0.feedLine() } }
        ?? item.first("enclosure")?.first(.media, "title").flatMap { $0.feedLine() }
    }

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
      return sources.firstNonNil { $0.flatMap { $0.personName } }
    }

    private var summary: String? {
      let sources = [
        item.first(.media, "description") ?? mediaGroup?.first(.media, "description"), item.first(.content, "encoded"),
        item.first("content"), item.first("description"), item.first("summary"), item.first(.itunes, "summary"),
        item.first(.dublinCore, "description"), item.first(.itunes, "subtitle"),
      ]
      return sources.firstNonNil { $0.flatMap { $0.feedParagraphs } }
    }

    private var licence: String? {
      let element = item.first(.media, "license") ?? item.first(.dublinCore, "license") ?? item.first("rights")
      return element.flatMap { $0.feedLine(limit: 200) }
    }

    private var language: String? {
      let text = item.first(.dublinCore, "language")?.text ?? item.attribute(.xml, "lang")
      return text.map { cleanedLine($0, limit: Video.maximumLanguageLength) }.nonEmpty ?? channel.language
    }

    // MARK: - The page

    private var page: WebAddress? {
      let links = item.children { $0.space.isFeed && $0.hasName("link") }
      let alternates = links.filter { $0.attribute("href") != nil && isPage($0) }
      let linked =
        alternates.first { type(of: $0).contains("html") } ?? alternates.first { type(of: $0).isEmpty }
        ?? alternates.first
      if let linked, let address = link(linked.attribute("href"), in: linked) { return address }
      // An empty reference is the base (RFC 3986, 4.4), if the feed declares one.
      if let linked, linked.attribute("href") == "", linked.base != channel.documentAddress { return linked.base }
      for link in links where link.attribute("href") == nil && isPage(link) {
        if let address = self.link(link.text, in: link) { return address }
      }
      return identifyingPage
    }

    /// The ID, if it is an address or a path; the fallback for a missing link. Many others are numbers, hashes or
    /// words, such as `1234 at https://…`. A relative one is a path if it is declared to be an address, and by default
    /// in RSS, or in Atom with a declared base, unless it is one word with a digit.
    private var identifyingPage: WebAddress? {
      guard let id = item.first("guid") ?? item.first("id") else {
        return item.attribute("about").flatMap { WebAddress($0) }
      }
      let text = Array(id.text.utf8).trimmingBlanks()
      guard text.allSatisfy({ $0 > .space }) else { return nil }
      let mayBePath = (id.name == "guid" || id.base != channel.documentAddress) && !isOpaque(id.text)
      let isAddress = id.attribute("ispermalink").map { $0.lowercased() == "true" } ?? mayBePath
      return text.first == .slash || isAddress ? link(id.text, in: id) : WebAddress(id.text)
    }

    /// Whether an ID is one word with a digit, such as `1234`, `n0` or a UUID.
    private func isOpaque(_ id: String) -> Bool {
      id.contains(where: \.isNumber) && !id.contains { $0 == "/" || $0 == "." }
    }

    private func isPage(_ link: XMLElement) -> Bool {
      guard let relation = link.attribute("rel")?.lowercased() else { return true }
      return relation == "alternate" || relation.isEmpty || relation.hasSuffix("#alternate")
    }

    private func type(of link: XMLElement) -> String { link.attribute("type")?.lowercased() ?? "" }

    private func link(_ text: String?, in element: XMLElement) -> WebAddress? {
      text.flatMap { WebAddress(link: $0, base: element.base) }
    }

    // MARK: - Numbers

    private var published: UnixTime? {
      Self.dates.firstNonNil { space, name in
        (space.map { item.first($0, name) } ?? item.first(name)).flatMap { UnixTime(feedDate: $0.text) }
      } ?? item.attribute("start").flatMap { UnixTime(feedDate: $0) }
    }

    /// In their order of preference; those without a namespace are of RSS or Atom.
    private static let dates: [(space: XMLNamespace?, name: String)] = [
      (nil, "pubdate"), (nil, "published"), (nil, "issued"), (.dublinCore, "issued"), (nil, "updated"),
      (nil, "modified"), (.dublinCore, "date"), (.dublinCore, "modified"), (nil, "date"), (nil, "created"),
      (.dublinCore, "created"),
    ]

    private func duration(_ media: Media) -> VideoDuration? {
      let declared = item.first(.itunes, "duration").flatMap { VideoDuration(feedText: $0.text) }
      let youTube = (item.first(.youTube, "duration") ?? mediaGroup?.first(.youTube, "duration"))?.attribute("seconds")
      return declared ?? media.anyDuration
        ?? item.first("duration").flatMap { VideoDuration(feedText: $0.text) }
        ?? youTube.flatMap { VideoDuration(feedText: $0) }
    }

    private var views: Int? {
      let community = item.first(.media, "community") ?? mediaGroup?.first(.media, "community")
      let views = community?.first(.media, "statistics")?.attribute("views")
      return views.flatMap(WrittenCount.count)
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
}

extension SyndicationDocument.Item {
  private static let maximumCoverCount = 6
  /// The maximum count of addresses that are resolved to find the covers.
  private static let maximumOfferCount = 64

  func covers(_ media: SyndicationDocument.Media, poster: WebAddress?) -> [Cover] {
    var covers: [Cover] = []
    Self.appendThumbnails(of: item, to: &covers)
    covers += media.pictures.map { Cover(url: $0.url, width: $0.width, height: $0.height) }
    covers += images
    if covers.count > 1 {
      var seen: Set<MediaAddress> = []
      covers = covers.filter { seen.insert($0.url).inserted }
    }
    covers = Array(Self.withYouTubeSizes(covers).prefix(Self.maximumCoverCount))
    if let poster { covers.append(inText: [poster]) }
    covers.append(inText: picturesInText)
    return covers
  }

  private static func appendThumbnails(of element: XMLElement, to covers: inout [Cover]) {
    for case .element(let child) in element.nodes
    where child.space == .media && covers.count < maximumOfferCount {
      switch child.name {
      case "thumbnail":
        let text = child.attribute("url") ?? child.attribute("href") ?? child.text
        if let url = WebAddress(reference: text, base: child.base) {
          covers.append(Cover(url: url, width: child.length("width"), height: child.length("height")))
        }
      case "group", "content": appendThumbnails(of: child, to: &covers)
      default: continue
      }
    }
  }

  private var images: [Cover] {
    item.children { $0.isImage }.prefix(Self.maximumOfferCount).compactMap { child in
      if child.name == "link" {
        return child.attribute("href").flatMap { WebAddress(reference: $0, base: child.base) }.map { Cover(url: $0) }
      }
      return child.imageAddress.map { Cover(url: $0, width: child.length("width")) }
    }
  }

  private var picturesInText: [WebAddress] {
    item.feedTexts.firstNonNil { text in
      guard let text, text.feedHTMLMayHave(.picture) else { return nil }
      let pictures = HTMLPictures(in: text.feedHTML, base: text.base).addresses
      return pictures.isEmpty ? nil : pictures
    } ?? []
  }

  /// Adds the cover without black bars, which YouTube's feeds do not contain.
  private static func withYouTubeSizes(_ covers: [Cover]) -> [Cover] {
    guard let first = covers.first?.url.web, first.host.hasSuffix(".ytimg.com"),
      first.path.hasSuffix("/hqdefault.jpg"),
      let small = WebAddress(resolving: "mqdefault.jpg", against: first)
    else { return covers }
    return [Cover(url: small, width: 320, height: 180)] + covers
  }
}

extension XMLElement {
  fileprivate var isImage: Bool {
    switch space {
    case .rss, .atom: hasName("image")
    case .podcast: hasName("image") || hasName("images")
    case .itunes: hasName("image") || hasName("link") && attribute("rel")?.lowercased() == "image"
    default: false
    }
  }

  /// The address of an `image`, from an attribute, a child or its text.
  var imageAddress: WebAddress? {
    let best = attribute("srcset").flatMap { HTMLPictures.SourceSet($0).best }
    let candidates = [
      attribute("href"), attribute("url"), first("url")?.text, first("href")?.text, best, attribute("resource"),
      isPlain ? text : nil,
    ]
    return candidates.firstNonNil { $0.flatMap { WebAddress(reference: $0, base: base) } }
  }

  fileprivate func length(_ name: String) -> Int? {
    attribute(name).flatMap { Int($0.prefix { $0.isNumber }) }
  }
}
