import FeedfallText

extension Service {
  /// PeerTube (its OpenAPI description, versions 7 and 8, and its answers): a video in a list, in an element of a
  /// playlist, or by itself with all details; or a channel or a playlist in a list of them.
  static let peerTube = Service(
    .peerTube, site: Site("sepiasearch.org", search: "https://sepiasearch.org/search?search=", pages: []),
    // A comment names its video, too.
    matches: { item in
      item["inReplyToCommentId"] == nil
        && (item["uuid"] != nil || item["video"] != nil || item["position"] != nil || isPeerTubeChannel(item))
    },
    isVideo: { $0["uuid"]?.string != nil },
    // The video of an element of a playlist may be gone.
    wrapper: "video",
    facts: [
      .id("uuid|shortUUID") { id in
        id.utf8.count <= 64 && id.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
      },
      .title("name"), .page("url"), .duration("duration"),
      Fact { draft in
        guard let isLive = draft.item["isLive"] else { return }
        draft.video.statedLive = LiveState.Statement(isLive.bool == true ? peerTubeLive(draft.item) : nil)
        if isLive.bool == true { draft.video.duration = nil }
      },
      .language("language.id"), Fact(adoptPeerTubeFiles),
      Fact { draft in
        // Paths would decode both objects several times.
        let (account, channel) = (draft.item["account"]?.object, draft.item["channel"]?.object)
        func name(_ owner: JSONObject?) -> String? { owner?.line("displayName") ?? owner?.line("name") }
        draft.video.author = draft.shared.shared(name(account))
        // The channel has the name of its host if that is not the server of the list.
        let (host, server) = (channel?.line("host"), draft.web?.host)
        let isForeign = server != nil && host.map { $0.lowercased() != server } ?? false
        draft.video.channel = draft.shared.shared(name(channel).map { isForeign ? "\($0) (\(host ?? ""))" : $0 })
        draft.video.channelURL = draft.shared.shared(
          channel?.address("url", base: nil) ?? account?.address("url", base: nil))
        draft.video.covers = peerTubeCovers(draft)
        draft.video.aspectRatio = draft.item["aspectRatio"]?.double.flatMap { (0.05...20).contains($0) ? $0 : nil }
        // The time of the first publication anywhere.
        draft.video.published = draft.item.time("originallyPublishedAt") ?? draft.item.time("publishedAt")
        if let licence = draft.item["licence"]?.object, licence["id"] != nil {
          draft.video.licence = draft.shared.shared(licence.line("label"))
        }
      },
      .views("views"), .summary("description|truncatedDescription", as: .markdown), .statedFlag(.sensitive, "nsfw"),
      // Only the details and search indexes have them.
      Fact { draft in
        guard draft.item["tags"] != nil else { return }
        draft.video.extras.tags = draft.item.texts("tags", limit: VideoExtras.maximumTagCount)
          .compactMap { cleanedLine($0, limit: 60).nonEmpty }
      },
      Fact { draft in
        guard let privacy = draft.item["privacy"] else { return }
        draft.video.statedFlags.insert(.needsPassword)
        // Privacy 5 of PeerTube requires a password.
        if privacy.object?["id"]?.integer == 5 { draft.video.flags.insert(.needsPassword) }
      },
    ],
    // A playlist has a UUID, too.
    isLink: { $0["videosLength"] != nil || isPeerTubeChannel($0) },
    linkFacts: [
      Fact { draft in
        guard let page = draft.item.address("url", base: nil)?.withoutUser,
          let list = peerTubeList(draft.item, at: page)
        else { return }
        (draft.video.id, draft.video.pageURL, draft.video.playback) = (list.address.text, page, .list(list))
      },
      .title("displayName|name"), .summary("description", as: .markdown),
      Fact { draft in
        if draft.video.list?.kind == .playlist {
          let owner = (draft.item["videoChannel"] ?? draft.item["ownerAccount"])?.object
          draft.video.channel = draft.shared.shared(owner?.line("displayName") ?? owner?.line("name"))
        }
        let avatars = peerTubeAvatars(draft)
        draft.video.covers = avatars.isEmpty ? peerTubeCovers(draft) : avatars
      },
    ],
    // The instance of the video knows more videos with its tags than one that only lists it.
    related: { video, _ in
      guard let page = video.pageURL, KnownSite.isPeerTube(page) else { return nil }
      let tags = video.extras.tags
      guard !tags.isEmpty else { return video.detailsURL == nil ? nil : .afterDetails }
      let query = tags.map { "&tagsOneOf=" + PercentCoding.encode($0) }.joined()
      return RelatedVideos.list("\(page.origin)/api/v1/videos?sort=-publishedAt\(query)", relatedTo: video.id)
    })

  private static func isPeerTubeChannel(_ item: JSONObject) -> Bool {
    item["followersCount"] != nil && item["ownerAccount"] != nil
  }

  /// The list on its own instance; nil for an address that is not one of PeerTube.
  private static func peerTubeList(_ item: JSONObject, at page: WebAddress) -> ListLink? {
    let isPlaylist = item["videosLength"] != nil
    let id = PercentCoding.encodeSegment(item["shortUUID"]?.string ?? item["uuid"]?.string ?? "")
    guard let address = isPlaylist ? WebAddress("\(page.origin)/w/p/\(id)") : page,
      let endpoint = PeerTubeEndpoint(address: address), endpoint.isCertain, !endpoint.isSingleVideo
    else { return nil }
    return ListLink(
      isPlaylist ? .playlist : .channel, .web(address),
      videoCount: item.count("videosLength") ?? item.count("videosCount"), followerCount: item.count("followersCount"))
  }

  /// The pictures of a channel, small ones first. SepiaSearch sends addresses, an instance of an earlier version sends
  /// paths.
  private static func peerTubeAvatars(_ draft: VideoDraft) -> [Cover] {
    let names: [StaticString] = ["fileUrl", "url"]
    let absolute = names.flatMap { draft.item.covers("avatars", url: $0, base: nil) }
    let host = draft.web ?? draft.video.pageURL
    let avatars = absolute.isEmpty ? draft.item.covers("avatars", url: "path", base: host) : absolute
    return Array(avatars.sorted { ($0.width ?? 0) < ($1.width ?? 0) }.prefix(maximumPeerTubeCoverCount))
  }

  /// What PeerTube shows on its page "Discover" (`/api/v1/overviews/videos`): videos by category, channel and tag.
  static let peerTubeOverview = Service(
    .peerTube,
    answer: { object, address in
      let lists: [(name: StaticString, title: Field)] = [
        ("categories", "category.label"), ("channels", "channel.displayName"), ("tags", "tag"),
      ]
      guard lists.allSatisfy({ object[$0.name]?.elements(limit: 0) != nil }) else { return nil }
      var known: Set<String> = []
      var answer = ServiceAnswer(kind: .peerTube)
      for list in lists {
        for group in object.objects(list.name) {
          let videos = peerTube.videos(of: group.objects("videos"), from: address)
          answer.videos += videos.filter { known.insert($0.id).inserted }.inGroup(group.line(at: list.title))
        }
      }
      guard !answer.videos.isEmpty, let address else { return answer }
      let page = address.queryValue("page").flatMap { Int($0) } ?? 1
      answer.nextPage = NextPage(tokens: [("page", String(min(max(page, 1), 1_000) + 1))], after: address)
      return answer
    })

  /// States of PeerTube: 1 published, 4 waiting for the broadcast, 5 broadcast ended.
  private static func peerTubeLive(_ item: JSONObject) -> LiveState {
    let schedules = item["liveSchedules"]?.elements(limit: 1) ?? []
    switch item["state"]?.object?["id"]?.integer {
    case 5: return .ended
    case 4: break
    case nil where !schedules.isEmpty: break
    default: return .live
    }
    return .upcoming(schedules.first?.object?.time("startAt"))
  }

  /// The landscape thumbnails, or all if there are none, small ones first. SepiaSearch sends addresses, an instance of
  /// an earlier version sends paths.
  private static func peerTubeCovers(_ draft: VideoDraft) -> [Cover] {
    let listed = draft.item.covers("thumbnails", url: "fileUrl", base: nil)
    let landscape = listed.filter { ($0.width ?? 0) > ($0.height ?? 0) }
    let usable = (landscape.isEmpty ? listed : landscape).sorted { ($0.width ?? 0) < ($1.width ?? 0) }
    if !usable.isEmpty { return Array(usable.prefix(maximumPeerTubeCoverCount)) }
    let host = draft.web ?? draft.video.pageURL
    let names: [(StaticString, StaticString)] = [("thumbnailUrl", "thumbnailPath"), ("previewUrl", "previewPath")]
    return names.compactMap { absolute, path in
      draft.item.address(absolute, base: nil)
        ?? host.flatMap { host in draft.item[path]?.string.flatMap { WebAddress(resolving: $0, against: host) } }
    }.map { Cover(url: $0) }
  }

  private static let maximumPeerTubeCoverCount = 8

  /// The HLS playlist with all heights, then the files; audio only if there is nothing else.
  @Sendable private static func adoptPeerTubeFiles(_ draft: inout VideoDraft) {
    let (item, page) = (draft.item, draft.video.pageURL)
    let path = "/api/v1/videos/\(draft.video.id)"
    guard item["streamingPlaylists"] != nil || item["files"] != nil else {
      // A search index has no details; the instance of the video has them.
      let isIndex = item["thumbnailUrl"] != nil || draft.web?.host == "sepiasearch.org"
      let host = (isIndex ? page : draft.web) ?? page ?? draft.web
      if let details = host.flatMap({ WebAddress(resolving: path, against: $0) }) {
        draft.video.playback = .details(details, page: page)
      }
      return
    }
    let streams = item.objects("streamingPlaylists")
    let ownFiles = item.objects("files")
    // The files of the video, or of its stream if it has no others.
    let files = ownFiles.isEmpty ? streams.first?.objects("files") ?? [] : ownFiles
    // A height of 0 means audio only.
    func height(_ file: JSONObject) -> Int? { file["resolution"]?.object?["id"]?.integer }
    let pictures = files.filter { $0["hasVideo"]?.bool != false && height($0) != 0 }
    let stream = streams.firstNonNil { $0.address("playlistUrl", base: nil) }
    let films = pictures.filter { $0["hasAudio"]?.bool != false }
    draft.video.adopt(
      [stream].compactMap { $0.map { OfferedFile($0, type: OfferedFile.hls) } }
        + (films.isEmpty && stream == nil ? files : films).compactMap { file in
          file.address("fileUrl", base: nil).map {
            var offered = OfferedFile($0, type: nil)
            offered.height = height(file) ?? file["height"]?.integer
            if offered.height == 0 { offered.kind = .audio }
            return offered
          }
        })
    draft.video.pictureSize = pictures.first?.pictureSize()
    if draft.video.live == nil, let host = draft.web ?? page {
      // The details lack the chapters.
      draft.video.chaptersURL = WebAddress(resolving: path + "/chapters", against: host)
    }
    guard !files.isEmpty else { return }
    draft.video.statedFlags.insert(.audioOnly)
    draft.video.flags.remove(.audioOnly)
    if files.allSatisfy({ height($0) == 0 }) { draft.video.flags.insert(.audioOnly) }
  }
}
