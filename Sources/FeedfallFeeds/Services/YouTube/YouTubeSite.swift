import FeedfallText

extension Service {
  /// YouTube, whose Atom feeds contain the newest 15 videos of a channel or a playlist. A page such as `/@handle` names
  /// its feed itself. Other lists have no feed: yt-dlp reads them.
  static let youTube = Service(
    .syndication,
    site: Site(
      { ($0.host == "youtu.be" || YouTubeSite.allHosts.contains($0.host)) && !YouTubeSite.needsYtDlp($0) },
      pages: [
        Route("/feeds/…") { .list($0.address) },
        Route("/channel/{id}/…", "https://www.youtube.com/feeds/videos.xml?channel_id={id}"),
        // Pages of YouTube Music.
        Route("/browse/VL{id}", "https://www.youtube.com/feeds/videos.xml?playlist_id={id}"),
        Route("/browse/UC{id}", "https://www.youtube.com/feeds/videos.xml?channel_id=UC{id}"),
        Route("/user/{name}/…", "https://www.youtube.com/feeds/videos.xml?user={name}"),
        Route("/…") { page in
          let mayHaveList =
            page.address.host == "youtu.be" || ["playlist", "watch", "embed"].contains(page.address.pathSegments.first)
          guard mayHaveList, let list = page["?list"], !YouTubeSite.isPersonal(list) else { return nil }
          return YouTubeSite.feed("playlist_id", list).map(PageMeaning.list)
        },
      ]),
    // The mix that YouTube starts with a video.
    related: { video, _ in
      video.youTubeID.flatMap { id in
        RelatedVideos.list("https://www.youtube.com/watch?v=\(id)&list=RD\(id)", relatedTo: id)
      }
    })
}

enum YouTubeSite {
  /// Returns the feed of the channel that a page shows: the page names it by its canonical address, by its identifier,
  /// or only in the data of its scripts.
  static func meaning(ofPage body: [UInt8], at address: WebAddress) -> PageMeaning? {
    guard hosts.contains(address.host), let first = address.pathSegments.first,
      first.hasPrefix("@") || ["c", "user"].contains(first)
    else { return nil }
    let page = Array(body.prefix(FeedLinks.searchedByteCount))
    let channel = channelMarks.firstNonNil { mark in
      page.firstIndex(of: mark, from: 0).flatMap { channelID(page[($0 + mark.utf8.count)...]) }
    }
    return channel.flatMap { feed("channel_id", $0) }.map(PageMeaning.list)
  }

  private static let channelMarks = [
    #"rel="canonical" href="https://www.youtube.com/channel/"#, #"itemprop="identifier" content=""#,
    #"itemprop="channelid" content=""#, #""externalid":""#,
  ]

  /// Parses `UC` and 22 letters, digits, `-` and `_`, which nothing of this kind follows.
  private static func channelID(_ text: ArraySlice<UInt8>) -> String? {
    let id = text.prefix(25).prefix { $0.isOfYouTubeID }
    return id.count == 24 && id.starts(with: "UC".utf8) ? String(decoding: id, as: UTF8.self) : nil
  }

  static let hosts = ["youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com"]
  fileprivate static let allHosts = hosts + ["youtube-nocookie.com", "www.youtube-nocookie.com"]

  static func isHere(_ address: WebAddress) -> Bool { hosts.contains(address.host) }

  static func video(on page: WebAddress) -> VideoID? {
    let segments = page.pathSegments
    if page.host == "youtu.be" { return VideoID(segments.first) }
    guard allHosts.contains(page.host), let first = segments.first else { return nil }
    if first == "watch" { return VideoID(page.queryValue("v")) }
    return ["shorts", "live", "embed", "v", "e"].contains(first) ? VideoID(segments.dropFirst().first) : nil
  }

  /// Also the pages that name their feeds themselves.
  static func hasVideos(at page: WebAddress) -> Bool {
    let first = page.pathSegments.first ?? ""
    return video(on: page) != nil || needsYtDlp(page)
      || hosts.contains(page.host) && (first.hasPrefix("@") || first == "c")
  }

  static func needsYtDlp(_ address: WebAddress) -> Bool {
    let hasList = address.queryValue("list").map { !$0.isEmpty && !isPersonal($0) } ?? false
    if address.host == "youtu.be" { return !hasList && !address.pathSegments.isEmpty }
    guard allHosts.contains(address.host), let first = address.pathSegments.first else { return false }
    switch first {
    case "results", "search", "shorts", "live", "hashtag", "clip", "v", "e": return true
    case "watch", "playlist", "embed": return !hasList
    case "browse":
      guard let id = address.pathSegments.dropFirst().first, !id.hasPrefix("UC") else { return false }
      return !id.hasPrefix("VL") || isPersonal(String(id.dropFirst(2)))
    default:
      // The feed has the videos of all tabs but these.
      let tab = address.pathSegments.dropFirst(first.hasPrefix("@") ? 1 : 2).first
      return isChannel(address) && tab.map { !["videos", "featured", "about"].contains($0) } ?? false
    }
  }

  /// Returns the page of the channel of which an address is a page or the feed; nil for other addresses.
  static func channel(_ address: WebAddress) -> WebAddress? {
    if hosts.contains(address.host), address.path == "/feeds/videos.xml" {
      return ChannelID(address.queryValue("channel_id"))?.page
    }
    guard isChannel(address), let first = address.pathSegments.first else { return nil }
    let segments = address.pathSegments.prefix(first.hasPrefix("@") ? 1 : 2).map(PercentCoding.encodeSegment)
    return WebAddress("https://www.youtube.com/" + segments.joined(separator: "/"))
  }

  static func isChannel(_ address: WebAddress) -> Bool {
    guard hosts.contains(address.host), let first = address.pathSegments.first else { return false }
    return first.hasPrefix("@") || ["channel", "c", "user"].contains(first)
  }

  /// Whether the list is a mix or belongs to the logged-in user; such lists have no feeds.
  fileprivate static func isPersonal(_ list: String) -> Bool {
    ["WL", "LL", "LM"].contains(list) || list.hasPrefix("RD") || list.hasPrefix("UL")
  }

  static func page(ofFeed feed: WebAddress) -> WebAddress? {
    for (name, path) in [("channel_id", "channel/"), ("playlist_id", "playlist?list="), ("user", "user/")] {
      guard let value = feed.queryValue(name), Site.isYouTubeID(value) else { continue }
      return WebAddress("https://www.youtube.com/\(path)\(value)")
    }
    return nil
  }

  fileprivate static func feed(_ name: String, _ value: String) -> WebAddress? {
    guard !value.isEmpty else { return nil }
    return WebAddress("https://www.youtube.com/feeds/videos.xml?\(name)=\(PercentCoding.encode(value))")
  }
}

extension KnownSite {
  /// Returns the feed of a channel without Shorts and streams, which is that of a generated playlist; other addresses
  /// unchanged.
  public static func withoutShorts(_ feed: WebAddress) -> WebAddress {
    guard YouTubeSite.hosts.contains(feed.host), feed.path == "/feeds/videos.xml",
      let channel = feed.queryValue("channel_id"),
      channel.hasPrefix("UC")
    else { return feed }
    return YouTubeSite.feed("playlist_id", "UULF" + channel.dropFirst(2)) ?? feed
  }

  /// Whether an address is the tab of a channel that lists its Shorts or its streams.
  public static func isShortsTab(_ address: WebAddress) -> Bool {
    YouTubeSite.hosts.contains(address.host) && ["shorts", "streams"].contains(address.pathSegments.dropFirst().last)
  }

  /// The consent cookie for an address, without which YouTube redirects pages to `consent.youtube.com` in some
  /// countries; nil for none.
  public static func cookie(for address: WebAddress) -> String? {
    address.host == "youtube.com" || address.host.hasSuffix(".youtube.com") ? "SOCS=CAI" : nil
  }
}

extension YouTubeSite {
  struct VideoID {
    let text: String

    init?(_ text: String?) {
      guard let text, text.utf8.count == 11, text.utf8.allSatisfy(\.isOfYouTubeID) else { return nil }
      self.text = text
    }

    var page: WebAddress { WebAddress(unchecked: "https://www.youtube.com/watch?v=\(text)") }
  }

  struct ChannelID {
    let text: String

    init?(_ text: String?) {
      guard let text, text.utf8.count == 24, text.hasPrefix("UC"), text.utf8.allSatisfy(\.isOfYouTubeID) else {
        return nil
      }
      self.text = text
    }

    var page: WebAddress { WebAddress(unchecked: "https://www.youtube.com/channel/\(text)") }
  }
}

extension UInt8 {
  /// Whether the byte may be a part of the ID of a video, a channel or a playlist.
  var isOfYouTubeID: Bool { isASCIILetter || isASCIIDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}

extension [Video] {
  /// The videos of yt-dlp's lists in place of a feed of YouTube, under the feed's IDs and without groups. Each one that
  /// the cached feed has stays as it was there; the rest of the feed follows. Lists go back further than the feed: of
  /// each, the videos after the first one that the feed has are not new, and neither are those of a list without one.
  public func replacingFeed(_ cached: [Video]) -> [Video] {
    let known = Dictionary(cached.compactMap { video in video.youTubeID.map { ($0, video) } }) { first, _ in first }
    let groups = Set(filter { $0.youTubeID.map { known[$0] != nil } ?? false }.map(\.group))
    var ended = groups.isEmpty ? [] : Set(map(\.group)).subtracting(groups)
    var listed: Set<String> = []
    let current = compactMap { video -> Video? in
      guard let id = video.youTubeID, listed.insert(id).inserted else { return nil }
      if let known = known[id] {
        ended.insert(video.group)
        return known
      }
      guard !ended.contains(video.group) else { return nil }
      var new = video
      (new.id, new.group) = ("yt:video:\(id)", nil)
      return new
    }
    return current + cached.filter { $0.youTubeID.map { !listed.contains($0) } ?? true }
  }
}
