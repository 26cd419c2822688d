import FeedfallText

/// A live conference of streaming.media.ccc.de (`streams/v2.json`): groups of rooms with streams.
struct Broadcast: JSONListFormat {
  static let kind = FeedKind.mediaCCC

  static func matches(_ item: JSONObject) -> Bool { Broadcast(item, address: nil) != nil }

  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
    .videos(Broadcast(item, address: address?.web)?.videos ?? [])
  }

  private let conference: JSONObject
  private let address: WebAddress?

  private init?(_ conference: JSONObject, address: WebAddress?) {
    guard conference["groups"]?.elements(limit: 0) != nil, conference["conference"]?.string != nil else { return nil }
    (self.conference, self.address) = (conference, address)
  }

  private var videos: [Video] {
    conference.objects("groups").flatMap { group in
      group.objects("rooms").compactMap { room in video(room, in: group.line("group")) }
    }
  }

  private func video(_ room: JSONObject, in group: String?) -> Video? {
    let files = room.objects("streams").enumerated().flatMap { self.files($0.element, index: $0.offset) }
    let name = room.line("display") ?? room.line("schedulename") ?? Video.untitled
    let id = "\(conference.line("slug") ?? "")/\(room.line("slug") ?? name)"
    var video = Video(id: id, title: name, playback: .unknown)
    video.adopt(files)
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
    video.group = group
    return video
  }

  private func time(_ name: StaticString) -> UnixTime? { conference[name]?.string.flatMap { UnixTime(rfc3339: $0) } }

  /// The original audio comes before translations; slides and audio alone come last.
  private func files(_ stream: JSONObject, index: Int) -> [OfferedFile] {
    let names: [(name: StaticString, type: String)] = [
      ("hls", "application/vnd.apple.mpegurl"), ("dash", "application/dash+xml"), ("webm", "video/webm"),
      ("mp3", "audio/mpeg"), ("opus", "audio/ogg"),
    ]
    let sizes = stream["videoSize"]?.elements(limit: 2)?.compactMap(\.integer) ?? []
    let kind = stream["type"]?.string
    let isTranslated = stream["isTranslated"]?.bool == true
    guard let urls = stream["urls"]?.object else { return [] }
    return names.compactMap { name, type in
      guard let url = urls[name]?.object?.address("url", base: address) else { return nil }
      var file = OfferedFile(url, type: type)
      if kind == "audio" || kind == "music" { file.kind = .audio } else if kind == "slides" { file.kind = .unknown }
      file.size = sizes.count == 2 ? PixelSize(width: sizes[0], height: sizes[1]) : nil
      file.rank = (isTranslated ? 1_000 : 0) + index
      return file
    }
  }
}
