import FeedfallDocuments
import FeedfallText

/// A recorded talk as voctoweb tells it (`json.jbuilder` of its events), in a list or by itself.
struct TalkVideo {
  private let talk: JSONObject
  private let id: String
  private let address: WebAddress?

  /// Nil for what is no talk.
  init?(_ talk: JSONObject, address: WebAddress?) {
    guard let id = talk.line("guid"), talk["frontend_link"] != nil || talk["conference_url"] != nil else { return nil }
    self.talk = talk
    self.id = id
    self.address = address
  }

  func video(_ shared: inout SharedTexts) -> Video {
    let page = talk.address("frontend_link", base: address)
    var video = Video(id: id, title: talk.line("title", limit: 500) ?? Video.untitled, playback: playback(page))
    video.duration = (talk.count("length") ?? talk.count("duration")).flatMap { VideoDuration(seconds: $0) }
    video.covers = covers
    video.pageURL = page
    video.author = persons
    video.channel = shared.shared(talk.line("conference_title"))
    video.published = published
    video.views = talk.count("view_count")
    video.summary = summary
    video.play(talk.objects("recordings").compactMap(recording))
    return video
  }

  /// Until the recordings are told, or where there is none with picture or sound.
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

  /// A release has a day and no time: midnight where the server stands, which may be another day elsewhere.
  private var published: UnixTime? {
    talk["release_date"]?.string.flatMap { UnixTime(rfc3339: String($0.prefix(10))) }
      ?? talk["date"]?.string.flatMap { UnixTime(rfc3339: $0) }
  }

  private var persons: String? {
    let names = (talk["persons"]?.elements(limit: 40) ?? []).compactMap { $0.string }
    return cleanedLine(names.joined(separator: ", "), isHTML: true, limit: 200).nonEmpty
  }

  private var summary: String? {
    let parts = [talk.line("subtitle", limit: 500), talk.paragraphs("description")].compactMap { $0 }
    return parts.joined(separator: "\n\n").nonEmpty
  }

  /// The type tells what it is: sound alone was seen with a picture's width and height. Subtitles are no recording.
  private func recording(_ recording: JSONObject) -> OfferedFile? {
    guard let url = recording.address("recording_url", base: address), let type = recording["mime_type"]?.string else {
      return nil
    }
    var file = OfferedFile(url, type: type)
    file.size = file.kind == .audio ? nil : recording.pictureSize()
    file.byteCount = recording["size"]?.double.flatMap { (0.1...1e7).contains($0) ? Int($0 * 1_048_576) : nil }
    file.language = recording.line("language", limit: 40)
    file.rank = rank(language: file.language ?? "", type: type)
    return file
  }

  /// A file with all languages before one with the speaker's, that before a translation; what most can play first.
  private func rank(language: String, type: String) -> Int {
    let languages = language.split(separator: "-")
    let isOriginal = languages.first.map(String.init) == talk["original_language"]?.string
    return -4 * min(languages.count, 8) + (isOriginal ? 0 : 2) + (type.hasPrefix("video/mp4") ? 0 : 1)
  }
}
