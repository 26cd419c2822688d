import FeedfallText

extension Service {
  /// A recorded talk of voctoweb, the program behind media.ccc.de: in a list, or by itself (`json.jbuilder` of its
  /// events).
  static let mediaCCC = Service(
    .mediaCCC, site: .mediaCCC, list: "events", matches: isTalk, isVideo: isTalk,
    other: { item, _ in isTalk(item) ? nil : .unusable },
    facts: [
      .id("guid"), .title("title"), .page("frontend_link"),
      Fact { draft in
        if draft.item["recordings"] == nil, let details = draft.item.address("url", base: draft.web) {
          draft.video.playback = .details(details, page: draft.video.pageURL)
        }
        let names = (draft.item["persons"]?.elements(limit: 40) ?? []).compactMap(\.string)
        draft.video.author = cleanedLine(names.joined(separator: ", "), limit: 200).nonEmpty
        // The day of the release: its time is midnight in the zone of the server, which may be another day in UTC.
        draft.video.published =
          draft.item["release_date"]?.string.flatMap { UnixTime(rfc3339: String($0.prefix(10))) }
          ?? draft.item["date"]?.string.flatMap { UnixTime(rfc3339: $0) }
        let subtitle = draft.item.line("subtitle", limit: 500)
        draft.video.summary =
          [subtitle, draft.item.paragraphs("description", as: .html)].compactMap(\.self)
          .joined(separator: "\n\n").nonEmpty
      },
      // A `length` of 0 is unknown.
      .duration("length|duration"), .covers("thumb_url", "poster_url"), .channel("conference_title"),
      .channelPage("conference_url"), .views("view_count"), .language("original_language"),
      Fact { draft in draft.video.adopt(recordings(of: draft.item, base: draft.web)) },
    ],
    answer: { object, address in
      related(to: object, from: address)
        ?? object["conferences"]?.elements(limit: .max).map { folder($0.compactMap(\.object), from: address) }
    },
    related: { video, _ in
      let places = [video.detailsURL, video.channelURL].compactMap(\.self)
      let api = places.first { ["events", "conferences"].contains($0.pathSegments.dropFirst().first) }
      guard let api, api.pathSegments.first == "public" else { return nil }
      let talk = "\(api.origin)/public/events/\(PercentCoding.encodeSegment(video.id))"
      return RelatedVideos.list(talk, relatedTo: video.id)
    })

  private static let maximumRelatedTalkCount = 20

  /// A talk names the related ones by their IDs and weights; each has a document of its own.
  private static func related(to talk: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    guard let address, let own = address.relatedID, isTalk(talk) else { return nil }
    let talks = talk.objects("related", limit: 256).compactMap { related -> (address: WebAddress, weight: Double)? in
      guard let id = related.line("event_guid"), id != own, !id.hasPrefix(".") else { return nil }
      return WebAddress(resolving: "./" + PercentCoding.encodeSegment(id), against: address.withoutRelatedID).map {
        ($0, related["weight"]?.double ?? 0)
      }
    }
    var answer = ServiceAnswer(kind: .mediaCCC)
    answer.parts = talks.sorted { $0.weight > $1.weight }.prefix(maximumRelatedTalkCount).map(\.address)
    return answer
  }

  @Sendable private static func isTalk(_ item: JSONObject) -> Bool {
    item["guid"] != nil && (item["frontend_link"] != nil || item["conference_url"] != nil)
  }

  /// The kind of a file depends on its type, because some audio files have a width and height. Files with all languages
  /// come first, then the speaker's language, then translations; MP4 comes before other formats. Subtitles have no type.
  private static func recordings(of talk: JSONObject, base: WebAddress?) -> [OfferedFile] {
    let original = talk["original_language"]?.string
    return talk.objects("recordings").compactMap { recording in
      guard let url = recording.address("recording_url", base: base), let type = recording["mime_type"]?.string else {
        return nil
      }
      var file = OfferedFile(url, type: type)
      file.size = file.kind == .audio ? nil : recording.pictureSize()
      file.byteCount = recording["size"]?.double.flatMap { (0.1...1e7).contains($0) ? Int($0 * 1_048_576) : nil }
      file.language = recording.line("language", limit: Video.maximumLanguageLength)
      let languages = (file.language ?? "").split(separator: "-")
      let isOriginal = languages.first.map(String.init) == original
      file.rank = -4 * min(languages.count, 8) + (isOriginal ? 0 : 2) + (type.hasPrefix("video/mp4") ? 0 : 1)
      return file
    }
  }

  /// Decodes the list of conferences, whose talks are the videos; the conference with the newest talks comes first. The
  /// fragment of the address may be the folder of the conferences.
  private static func folder(_ conferences: [JSONObject], from address: WebAddress?) -> ServiceAnswer {
    let folder = address?.fragment.map { PercentCoding.decode($0.utf8, plusIsBlank: false) } ?? ""
    let dated = conferences.compactMap { conference -> (UnixTime, WebAddress)? in
      let place = conference["slug"]?.string ?? ""
      guard folder.isEmpty || place == folder || place.hasPrefix(folder + "/"),
        let newest = conference["event_last_released_at"]?.string.flatMap({ UnixTime(rfc3339: $0) }),
        let talks = conference.address("url", base: address)
      else { return nil }
      return (newest, talks)
    }
    var answer = ServiceAnswer(kind: .mediaCCC)
    answer.parts = dated.sorted { $0.0 > $1.0 }.map(\.1)
    if dated.isEmpty {
      answer.failure = FeedFailure(.permanent, "there is no conference with talks", advice: "check the address")
    }
    return answer
  }

  /// A live conference of streaming.media.ccc.de (`streams/v2.json`): groups of rooms with streams.
  static let broadcast = Service(
    .mediaCCC, site: .mediaCCCStreams,
    matches: { $0["groups"]?.elements(limit: 0) != nil && $0["conference"]?.string != nil },
    items: { conference, address, _ in
      conference.objects("groups").flatMap { group in
        group.objects("rooms").compactMap { broadcast(in: $0, of: conference, from: address?.web) }
          .inGroup(group.line("group"))
      }
    })

  private static func broadcast(in room: JSONObject, of conference: JSONObject, from address: WebAddress?) -> Video? {
    func time(_ name: StaticString) -> UnixTime? { conference[name]?.string.flatMap { UnixTime(rfc3339: $0) } }
    let title = room.line("display") ?? room.line("schedulename") ?? Video.untitled
    let id = "\(conference.line("slug") ?? "")/\(room.line("slug") ?? title)"
    var video = Video(id: id, title: title, playback: .unknown)
    video.adopt(streams(of: room, base: address))
    guard video.playback != .unknown else { return nil }
    let isStreaming = conference["isCurrentlyStreaming"]?.bool
    video.live = isStreaming == false ? .upcoming(time("startsAt")) : .live
    // A broadcast may last longer than planned.
    if isStreaming != true { video.liveEnd = time("endsAt") }
    video.covers = [room.address("thumb", base: address)].compactMap { $0.map { Cover(url: $0) } }
    video.pageURL = room.address("link", base: address)
    video.channel = conference.line("conference")
    video.author = conference.line("author")
    video.summary = conference.paragraphs("description")
    return video
  }

  /// The original audio comes before translations; slides and audio alone come last.
  private static func streams(of room: JSONObject, base: WebAddress?) -> [OfferedFile] {
    let names: [(name: StaticString, type: String)] = [
      ("hls", OfferedFile.hls), ("dash", "application/dash+xml"), ("webm", "video/webm"), ("mp3", "audio/mpeg"),
      ("opus", "audio/ogg"),
    ]
    return room.objects("streams").enumerated().flatMap { index, stream in
      let sizes = stream["videoSize"]?.elements(limit: 2)?.compactMap(\.integer) ?? []
      let kind = stream["type"]?.string
      return names.compactMap { name, type -> OfferedFile? in
        let urls = stream["urls"]?.object
        guard let url = urls?[name]?.object?.address("url", base: base) else { return nil }
        var file = OfferedFile(url, type: type)
        if kind == "audio" || kind == "music" { file.kind = .audio } else if kind == "slides" { file.kind = .unknown }
        file.size = sizes.count == 2 ? PixelSize(width: sizes[0], height: sizes[1]) : nil
        file.rank = (stream["isTranslated"]?.bool == true ? 1_000 : 0) + index
        return file
      }
    }
  }
}
