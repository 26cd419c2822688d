import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct MediaCCCTests {
  private static let origin = "https://api.talks.example/public"

  private func talk(_ name: String, _ more: String = "") -> String {
    """
    {"guid":"\(name)","title":"Talk \(name)","slug":"c1-\(name)","persons":["Ada","Bob"],"length":3467,"view_count":73,
     "original_language":"deu","subtitle":"Of it","description":"All\\nof it","conference_title":"C 1",
     "release_date":"2025-07-10T00:00:00.000+02:00","date":"2025-06-14T10:30:00.000+02:00",
     "thumb_url":"https://s.example/t.jpg","poster_url":"https://s.example/p.jpg",
     "frontend_link":"https://talks.example/v/\(name)","url":"\(Self.origin)/events/\(name)"\(more)}
    """
  }

  private func recording(_ type: String, _ name: String, height: Int = 0, language: String = "deu", size: String = "1")
    -> String
  {
    """
    {"size":\(size),"mime_type":"\(type)","language":"\(language)","width":\(height * 16 / 9),"height":\(height),
     "recording_url":"https://cdn.example/\(name)"}
    """
  }

  private func files(_ recordings: String...) throws -> (video: Video, names: [Substring]) {
    let body = talk("a", #","recordings":[\#(recordings.joined(separator: ","))]"#)
    let video = try #require(try decode(body, from: Self.origin + "/events/a").videos.first)
    guard case .direct(let files) = video.playback else { return (video, []) }
    return (video, files.compactMap { $0.url.web?.path.split(separator: "/").last })
  }

  @Test func `a list of talks becomes videos`() throws {
    let document = try decode(
      #"{"events":[\#(talk("a")),\#(talk("b")),{"title":"nothing"},7]}"#, from: Self.origin + "/events/recent")
    #expect(document.kind == .mediaCCC)
    #expect(document.videos.map(\.id) == ["a", "b"])
    #expect(document.skippedCount == 2)
    let video = try #require(document.videos.first)
    #expect(video.title == "Talk a" && video.author == "Ada, Bob" && video.channel == "C 1" && video.views == 73)
    #expect(video.duration == .seconds(3_467))
    #expect(video.published?.civilDate.description == "2025-07-10")
    #expect(video.summary == "Of it\n\nAll\nof it")
    #expect(video.covers.map(\.url.text) == ["https://s.example/t.jpg", "https://s.example/p.jpg"])
    #expect(video.detailsURL?.text == Self.origin + "/events/a")
    #expect(video.playbackURL?.text == "https://talks.example/v/a")
  }

  @Test func `details contain the recordings`() throws {
    let list = try decode(#"{"events":[\#(talk("a"))]}"#)
    let details = talk("a", #","recordings":[\#(recording("video/mp4", "a.mp4", height: 1_080, size: "235"))]"#)
    let address = try #require(WebAddress(Self.origin + "/events/a"))
    let video = try FeedDecoder.decodeDetails(
      Array(details.utf8), completing: try #require(list.videos.first), from: address)
    #expect(video.playbackURL?.text == "https://cdn.example/a.mp4")
    #expect(video.pictureSize == PixelSize(width: 1_920, height: 1_080))
    #expect(video.byteCount == 235 << 20)
    #expect(video.detailsURL == nil)
  }

  @Test func `the type determines the kind of a recording, and subtitles are ignored`() throws {
    let (video, names) = try files(
      recording("audio/ogg", "a.ogg", height: 576), recording("application/x-subrip", "a.srt"),
      recording("text/vtt", "a.vtt"), recording("video/webm", "a.webm", height: 576),
      recording("video/mp4", "a.mp4", height: 576), recording("video/mp4", "hd.mp4", height: 1_080))
    #expect(names == ["hd.mp4", "a.mp4", "a.webm", "a.ogg"])
    #expect(video.flags == [])
  }

  @Test func `a file with all languages comes first, then one in the speaker's language at any height`() throws {
    let (video, names) = try files(
      recording("video/mp4", "eng.mp4", height: 720, language: "eng"),
      recording("video/mp4", "deu.mp4", height: 720, language: "deu"),
      recording("video/mp4", "all.mp4", height: 720, language: "deu-eng-fra"),
      recording("video/mp4", "uhd.mp4", height: 2_160, language: "deu-eng-fra"))
    #expect(names == ["all.mp4", "deu.mp4", "uhd.mp4", "eng.mp4"])
    guard case .direct(let files) = video.playback else { return }
    #expect(files.map(\.language) == ["deu-eng-fra", "deu", "deu-eng-fra", "eng"])
  }

  @Test func `a talk with only audio is flagged`() throws {
    let (video, names) = try files(recording("audio/mpeg", "a.mp3"))
    #expect(names == ["a.mp3"])
    #expect(video.flags == .audioOnly)
    let none = try files().video
    #expect(none.playback == .page(try #require(WebAddress("https://talks.example/v/a"))))
  }

  @Test func `a conference becomes its talks, and an empty one is empty`() throws {
    let document = try decode(#"{"acronym":"c1","title":"C 1","events":[\#(talk("a"))]}"#)
    #expect(document.title == "C 1" && document.videos.count == 1)
    #expect(try decode(#"{"acronym":"c1","events":[]}"#).videos.isEmpty)
    #expect(
      failure(#"{"events":[{"name":"a party"}]}"#)?.reason
        == "the answer is a list of titles without an address to play or open")
  }

  private let conferences = #"""
    {"conferences":[
    {"acronym":"old","slug":"congress/2001","url":"/public/conferences/old","event_last_released_at":"2002-01-01T00:00:00Z"},
    {"acronym":"none","slug":"congress/2030","url":"/public/conferences/none","event_last_released_at":null},
    {"acronym":"new","slug":"congress/2023","url":"/public/conferences/new","event_last_released_at":"2024-01-01T00:00:00Z"},
    {"acronym":"other","slug":"congressional","url":"/public/conferences/other","event_last_released_at":"2023-01-01T00:00:00Z"}
    ]}
    """#

  @Test(arguments: [
    ("", ["new", "other", "old"]), ("#congress", ["new", "old"]), ("#congress/2001", ["old"]),
  ])
  func `a folder has its conferences with talks, newest first`(folder: String, names: [String]) throws {
    let document = try decode(conferences, from: Self.origin + "/conferences" + folder)
    #expect(document.videos.isEmpty && document.kind == .mediaCCC)
    #expect(document.parts.map(\.text) == names.map { "\(Self.origin)/conferences/\($0)" })
  }

  @Test func `a folder without conferences is a failure`() throws {
    #expect(throws: FeedFailure.self) { try decode(conferences, from: Self.origin + "/conferences#nowhere") }
  }

  private func room(_ streams: String) -> String {
    #"""
    [{"conference":"C 1","slug":"c1","isCurrentlyStreaming":true,"groups":[{"group":"Halls","rooms":[
    {"slug":"h1","display":"Hall 1","thumb":"https://s.example/h1.png","link":"https://s.example/h1","streams":[\#(streams)]},
    {"slug":"h2","display":"Hall 2","streams":[]}]}]}]
    """#
  }

  private func stream(_ type: String, _ name: String, _ url: String, translated: Bool = false) -> String {
    """
    {"type":"\(type)","isTranslated":\(translated),"videoSize":\(type == "audio" ? "null" : "[1920,1080]"),
     "urls":{"\(url)":{"url":"https://cdn.example/\(name)"}}}
    """
  }

  @Test func `a broadcast has a video for each room`() throws {
    let document = try decode(
      room(
        [
          stream("slides", "slides.m3u8", "hls"), stream("audio", "a.mp3", "mp3"),
          stream("video", "translated.m3u8", "hls", translated: true), stream("video", "h.webm", "webm"),
          stream("video", "h.m3u8", "hls"),
        ].joined(separator: ",")))
    #expect(document.kind == .mediaCCC && document.skippedCount == 0)
    #expect(document.videos.map(\.id) == ["c1/h1"])
    let video = try #require(document.videos.first)
    #expect(video.title == "Hall 1" && video.channel == "C 1" && video.group == "Halls" && video.live == .live)
    guard case .direct(let files) = video.playback else {
      Issue.record("not playable")
      return
    }
    #expect(
      files.map { $0.url.web?.path } == ["/h.m3u8", "/translated.m3u8", "/h.webm", "/slides.m3u8", "/a.mp3"])
    #expect(video.pictureSize == PixelSize(width: 1_920, height: 1_080))
  }

  @Test func `no broadcast is an empty list`() throws {
    #expect(try decode("[]").videos.isEmpty)
  }
}
