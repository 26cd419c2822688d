import FeedfallText

extension ListFacts.Kind {
  /// The ends of the names of yt-dlp's extractors of lists.
  private static let extractors: [(end: String, kind: Self)] = [
    ("Channel", .channel), ("User", .channel), ("Playlist", .playlist), ("Album", .playlist),
    ("SoundcloudSet", .playlist),
    ("Podcast", .podcast), ("Series", .series), ("Season", .series),
  ]

  fileprivate init?(extractor: String, address: WebAddress) {
    if extractor == "YoutubeTab" {
      self = address.queryValue("list") == nil ? .channel : .playlist
    } else if let row = Self.extractors.first(where: { extractor.hasSuffix($0.end) }) {
      self = row.kind
    } else {
      return nil
    }
  }
}

extension Service {
  /// An entry of yt-dlp that another of its extractors lists; nil for a video.
  static func ytDlpCard(_ item: JSONObject) -> Video? {
    let isWhole = YtDlpList.isList(item)
    guard isWhole || ["url", "url_transparent"].contains(item["_type"]?.string) else { return nil }
    guard let address = (isWhole ? item["webpage_url"] : item["url"])?.string.flatMap({ WebAddress($0) }) else {
      return nil
    }
    let extractor = item["ie_key"]?.string ?? item["extractor_key"]?.string ?? ""
    guard let kind = ListFacts.Kind(extractor: extractor, address: address) ?? (isWhole ? .playlist : nil) else {
      return nil
    }
    let list = ListFacts(
      kind, at: .web(address), videoCount: item.count("playlist_count"),
      subscriberCount: item.count("channel_follower_count"))
    var card = Video(list: list, title: item.line("title", limit: 500))
    if kind != .channel {
      card.channel = item.line("channel") ?? item.line("uploader")
      card.channelURL = item.address("channel_url", base: nil)
    }
    (card.covers, card.summary) = (ytDlpCovers(item), item.paragraphs("description"))
    return card
  }

  static func isPeerTubeChannel(_ item: JSONObject) -> Bool {
    item["ownerAccount"] != nil && item["followersCount"] != nil
  }

  /// A channel (`VideoChannel`) or a playlist (`VideoPlaylist`) of PeerTube, opened by its page.
  ///
  /// - Parameter server: the origin of pictures that are paths.
  static func peerTubeList(_ item: JSONObject, from server: WebAddress?) -> Video? {
    guard let page = item.address("url", base: nil) else { return nil }
    let isPlaylist = item["videosLength"] != nil
    let address = isPlaylist ? playlist(item, on: page) : page
    guard let address else { return nil }
    let list = ListFacts(
      isPlaylist ? .playlist : .channel, at: .web(address),
      videoCount: item.count("videosLength") ?? item.count("videosCount"),
      subscriberCount: item.count("followersCount"))
    var card = Video(list: list, title: item.line("displayName", limit: 500) ?? item.line("name", limit: 500))
    let owner = (item["videoChannel"] ?? item["ownerAccount"])?.object
    if isPlaylist { card.channel = owner?.line("displayName") ?? owner?.line("name") }
    card.summary = item["description"]?.string.map { cleanedText($0, as: .markdown) }.nonEmpty
    let base = server ?? page
    let names: [StaticString] = ["thumbnails", "avatars"]
    let pictures = names.flatMap { name -> [Cover] in
      item.covers(name, url: "fileUrl", base: nil) + item.covers(name, url: "path", base: base)
    }
    card.covers = Array(pictures.sorted { ($0.width ?? 0) < ($1.width ?? 0) }.suffix(maximumListCoverCount))
    let picture = item.address("thumbnailUrl", base: nil) ?? item.address("thumbnailPath", base: base)
    if card.covers.isEmpty, let picture { card.covers = [Cover(url: picture)] }
    return card
  }

  private static let maximumListCoverCount = 8

  private static func playlist(_ item: JSONObject, on page: WebAddress) -> WebAddress? {
    let id = item["shortUUID"]?.string ?? item["uuid"]?.string
    guard let id, (20...36).contains(id.utf8.count), id.utf8.allSatisfy(\.isOfYouTubeID) else { return nil }
    return WebAddress("\(page.origin)/w/p/\(id)")
  }

  /// A channel or a playlist in the results of Invidious, opened on the same server.
  static func invidiousList(_ item: JSONObject, from server: WebAddress?) -> Video? {
    let list: ListFacts?
    if item["type"]?.string == "channel" {
      list = YouTubeSite.ChannelID(item["authorId"]?.string).flatMap { youTube($0.text, isChannel: true, item, server) }
    } else {
      list = item["playlistId"]?.string.flatMap { youTube($0, isChannel: false, item, server) }
    }
    guard let list else { return nil }
    var card = Video(list: list, title: item.line(list.kind == .channel ? "author" : "title", limit: 500))
    if list.kind == .playlist { card.channel = item.line("author") }
    card.summary = item.paragraphs("description")
    card.covers = item.covers("authorThumbnails", limit: 16, base: server).sorted { ($0.width ?? 0) < ($1.width ?? 0) }
    if let picture = item.address("playlistThumbnail", base: server) { card.covers = [Cover(url: picture)] }
    return card
  }

  private static func youTube(
    _ id: String, isChannel: Bool, _ item: JSONObject, _ server: WebAddress?
  ) -> ListFacts? {
    guard let server, Site.isYouTubeID(id) else { return nil }
    return WebAddress(server.origin + (isChannel ? "/channel/" : "/playlist?list=") + id).map {
      ListFacts(
        isChannel ? .channel : .playlist, at: .web($0), videoCount: item.count("videoCount"),
        subscriberCount: item.count("subCount"))
    }
  }

  /// A channel or a playlist in the results of Piped, whose API lists it on the same server.
  static func pipedList(_ item: JSONObject, from server: WebAddress?) -> Video? {
    guard let server, let page = item.address("url", base: youTubePage) else { return nil }
    let isChannel = item["type"]?.string == "channel"
    let id = isChannel ? YouTubeSite.ChannelID(page.pathSegments.last)?.text : page.queryValue("list")
    guard let id, Site.isYouTubeID(id),
      let address = WebAddress(server.origin + (isChannel ? "/channel/" : "/playlists/") + id)
    else { return nil }
    let list = ListFacts(
      isChannel ? .channel : .playlist, at: .web(address), videoCount: item.count("videos"),
      subscriberCount: item.count("subscribers"))
    var card = Video(list: list, title: item.line("name", limit: 500))
    if !isChannel { card.channel = item.line("uploaderName") }
    (card.pageURL, card.summary) = (page, item.paragraphs("description"))
    card.covers = [item.address("thumbnail", base: nil)].compactMap { $0.map { Cover(url: $0) } }
    return card
  }
}
