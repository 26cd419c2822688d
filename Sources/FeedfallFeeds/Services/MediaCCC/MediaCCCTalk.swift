import FeedfallText

extension FeedKind {
  /// The talks, conferences and broadcasts of media.ccc.de and other sites that run voctoweb.
  public static let mediaCCC = FeedKind("mediaCCC", hasDetails: true)
}

/// A recorded talk of voctoweb, the program behind media.ccc.de: in a list, `{"events": […]}`, or by itself
/// (`json.jbuilder` of its events).
struct MediaCCCTalk: JSONListFormat {
  static let kind = FeedKind.mediaCCC
  static let listName: String? = "events"

  static func matches(_ item: JSONObject) -> Bool { MediaCCCTalk(item, address: nil) != nil }

  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
    DecodedItem(MediaCCCTalk(item, address: address?.web)?.video(&shared))
  }

  private let talk: JSONObject
  private let id: String
  private let address: WebAddress?

  private init?(_ talk: JSONObject, address: WebAddress?) {
    guard let id = talk.line("guid"), talk["frontend_link"] != nil || talk["conference_url"] != nil else { return nil }
    (self.talk, self.id, self.address) = (talk, id, address)
  }

  private func video(_ shared: inout SharedTexts) -> Video {
    let page = talk.address("frontend_link", base: address)
    var video = Video(id: id, title: talk.line("title", limit: 500) ?? Video.untitled, playback: playback(page))
    // A `length` of 0 is unknown.
    video.duration = [talk.count("length"), talk.count("duration")].firstNonNil {
      $0.flatMap { VideoDuration(seconds: $0) }
    }
    video.covers = covers
    video.pageURL = page
    video.author = speakers
    video.channel = shared.shared(talk.line("conference_title"))
    video.channelURL = shared.shared(talk.address("conference_url", base: address))
    video.published = published
    video.views = talk.count("view_count")
    video.language = shared.shared(talk.line("original_language", limit: Video.maximumLanguageLength))
    video.summary = summary
    video.adopt(talk.objects("recordings").compactMap(recording))
    return video
  }

  /// The playback without playable recordings.
  private func playback(_ page: WebAddress?) -> Playback {
    if talk["recordings"] == nil, let details = talk.address("url", base: address) {
      return .details(details, page: page)
    }
    return page.map(Playback.page) ?? .unknown
  }

  private var covers: [Cover] {
    [talk.address("thumb_url", base: address), talk.address("poster_url", base: address)]
      .compactMap { $0.map { Cover(url: $0) } }
  }

  /// The day of the release: its time is midnight in the zone of the server, which may be another day in UTC.
  private var published: UnixTime? {
    talk["release_date"]?.string.flatMap { UnixTime(rfc3339: String($0.prefix(10))) }
      ?? talk["date"]?.string.flatMap { UnixTime(rfc3339: $0) }
  }

  private var speakers: String? {
    let names = (talk["persons"]?.elements(limit: 40) ?? []).compactMap { $0.string }
    return cleanedLine(names.joined(separator: ", "), limit: 200).nonEmpty
  }

  private var summary: String? {
    let parts = [talk.line("subtitle", limit: 500), talk.paragraphs("description", as: .html)].compactMap { $0 }
    return parts.joined(separator: "\n\n").nonEmpty
  }

  /// The kind depends on the type, because some audio files have a width and height. Subtitles are
  /// no recordings.
  private func recording(_ recording: JSONObject) -> OfferedFile? {
    guard let url = recording.address("recording_url", base: address), let type = recording["mime_type"]?.string else {
      return nil
    }
    var file = OfferedFile(url, type: type)
    file.size = file.kind == .audio ? nil : recording.pictureSize()
    file.byteCount = recording["size"]?.double.flatMap { (0.1...1e7).contains($0) ? Int($0 * 1_048_576) : nil }
    file.language = recording.line("language", limit: Video.maximumLanguageLength)
    file.rank = rank(language: file.language ?? "", type: type)
    return file
  }

  /// Files with all languages come first, then the speaker's language, then translations; MP4 comes before other
  /// formats.
  private func rank(language: String, type: String) -> Int {
    let languages = language.split(separator: "-")
    let isOriginal = languages.first.map(String.init) == talk["original_language"]?.string
    return -4 * min(languages.count, 8) + (isOriginal ? 0 : 2) + (type.hasPrefix("video/mp4") ? 0 : 1)
  }
}

extension MediaCCCTalk: ServiceAnswerFormat {
  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    if let conferences = object["conferences"]?.elements(limit: .max) {
      return folder(conferences.compactMap(\.object), from: address)
    }
    guard let talk = MediaCCCTalk(object, address: address) else { return nil }
    var shared = SharedTexts()
    return ServiceAnswer(kind: .mediaCCC, videos: [talk.video(&shared)])
  }

  /// Decodes the list of conferences, whose talks are the videos; the conference with the newest talks comes first. The
  /// fragment of the address may be the folder of the conferences.
  private static func folder(_ conferences: [JSONObject], from address: WebAddress?) -> ServiceAnswer {
    let folder = MediaCCCSite.folder(in: address)
    let dated = conferences.compactMap { conference -> (UnixTime, WebAddress)? in
      guard isIn(folder, conference["slug"]?.string ?? ""),
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

  private static func isIn(_ folder: String, _ place: String) -> Bool {
    folder.isEmpty || place == folder || place.hasPrefix(folder + "/")
  }
}
