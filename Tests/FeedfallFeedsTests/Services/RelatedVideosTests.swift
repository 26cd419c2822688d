import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct RelatedVideosTests {
  private static let id = "9c9de5e8-0a1e-484a-b099-e80766180a6d"

  private func videos(_ body: String, from address: String) throws -> [Video] {
    try decode(body, from: address).videos
  }

  private func related(_ video: Video?, _ source: String? = nil, hasYtDlp: Bool = true) throws -> RelatedVideos? {
    KnownSite.related(
      to: try #require(video), listedBy: source.flatMap { WebAddress(typed: $0) }, hasYtDlp: hasYtDlp)
  }

  private func list(_ address: String) throws -> RelatedVideos { .list(try #require(WebAddress(address))) }

  // MARK: - Invidious and Piped

  private static func item(_ id: String) -> String {
    #"{"title":"A","videoId":"\#(id)","author":"Ann","authorId":"UCaaaaaaaaaaaaaaaaaaaaaa","lengthSeconds":61}"#
  }

  private let ofInvidious = "https://inv.example/api/v1/videos/aaaaaaaaaaa#related=aaaaaaaaaaa"

  @Test func `Invidious names related videos in the details, also once they are known`() throws {
    let address = "https://inv.example/api/v1/popular"
    #expect(try related(videos("[\(Self.item("aaaaaaaaaaa"))]", from: address).first) == list(ofInvidious))
    let details = #"{"formatStreams":[{"url":"/x.mp4"}],"# + Self.item("aaaaaaaaaaa").dropFirst()
    let known = try videos(details, from: "https://inv.example/api/v1/videos/aaaaaaaaaaa").first
    #expect(known?.detailsURL == nil)
    #expect(try related(known) == list(ofInvidious))
  }

  @Test func `the recommended videos of Invidious are a list without the video itself`() throws {
    let others = ["bbbbbbbbbbb", "aaaaaaaaaaa", "ccccccccccc"].map(Self.item).joined(separator: ",")
    let details =
      #"{"formatStreams":[{"url":"/x.mp4"}],"recommendedVideos":[\#(others),{"x":1},7],"#
      + Self.item("aaaaaaaaaaa").dropFirst()
    let document = try decode(details, from: ofInvidious)
    #expect(document.videos.map(\.id) == ["bbbbbbbbbbb", "ccccccccccc"])
    #expect(document.videos.first?.detailsURL?.text == "https://inv.example/api/v1/videos/bbbbbbbbbbb")
    #expect(document.title == nil)
    #expect(try videos(details, from: "https://inv.example/api/v1/videos/aaaaaaaaaaa").map(\.id) == ["aaaaaaaaaaa"])
  }

  @Test func `an unrelated answer in place of the details is a failure`() {
    #expect(throws: FeedFailure.self) { try decode(#"{"error":"x"}"#, from: ofInvidious) }
  }

  private let ofPiped = "https://pipedapi.kavin.rocks/streams/aaaaaaaaaaa#related=aaaaaaaaaaa"

  private static func stream(_ id: String) -> String {
    #"{"url":"/watch?v=\#(id)","type":"stream","title":"A","uploaderName":"Ann","duration":61}"#
  }

  @Test func `Piped names related videos in the details`() throws {
    let listed = try videos(
      #"{"relatedStreams":[\#(Self.stream("aaaaaaaaaaa"))]}"#, from: "https://pipedapi.kavin.rocks/channel/UC1"
    ).first
    #expect(try related(listed, "https://piped.video/channel/UC1") == list(ofPiped))
    #expect(try related(listed, "https://pipedapi.kavin.rocks/channel/UC1") == list(ofPiped))
    let details = """
      {"title":"T","audioStreams":[],"videoStreams":[],"relatedStreams":[\(Self.stream("bbbbbbbbbbb")),\
      {"type":"channel","url":"/channel/UC1"},\(Self.stream("aaaaaaaaaaa"))]}
      """
    #expect(try videos(details, from: ofPiped).map(\.id) == ["bbbbbbbbbbb"])
  }

  @Test func `channels and playlists among the related videos of Invidious are cards of lists`() throws {
    let details = #"""
      {"formatStreams":[{"url":"/x.mp4"}],"title":"A","videoId":"aaaaaaaaaaa","recommendedVideos":[
      {"type":"playlist","title":"P","playlistId":"PL1","videoCount":7,"videos":[]},
      {"type":"channel","author":"Ann","authorId":"UCaaaaaaaaaaaaaaaaaaaaaa","subCount":3},
      {"type":"playlist","title":"Bad","playlistId":"../x"},{"type":"hashtag","title":"#x","channelCount":1},
      {"videoId":"bbbbbbbbbbb","title":"B","lengthSeconds":1}]}
      """#
    let related = try videos(details, from: ofInvidious)
    #expect(related.map { $0.list?.kind } == [.playlist, .channel, nil])
    #expect(related.map { $0.list?.videoCount } == [7, nil, nil])
    #expect(
      related.map { $0.list?.address.text } == [
        "https://inv.example/playlist?list=PL1", "https://inv.example/channel/UCaaaaaaaaaaaaaaaaaaaaaa", nil,
      ])
  }

  @Test func `channels and playlists among the related videos of Piped are cards of lists`() throws {
    let details = #"""
      {"title":"T","audioStreams":[],"videoStreams":[],"relatedStreams":[
      {"type":"playlist","url":"/playlist?list=RDaaaaaaaaaaa","name":"Mix","videos":-1},
      {"type":"channel","url":"/channel/UCaaaaaaaaaaaaaaaaaaaaaa","name":"Ann","subscribers":3,"videos":7},
      {"type":"playlist","url":"/playlist?list=../x","name":"Bad"},{"type":"channel","url":7}]}
      """#
    let related = try videos(details, from: ofPiped)
    #expect(related.map(\.title) == ["Mix", "Ann"])
    #expect(related.map { $0.list?.kind } == [.playlist, .channel])
    #expect(related.map { $0.list?.videoCount } == [nil, 7])
    #expect(
      related.map { $0.list?.address.text } == [
        "https://pipedapi.kavin.rocks/playlists/RDaaaaaaaaaaa",
        "https://pipedapi.kavin.rocks/channel/UCaaaaaaaaaaaaaaaaaaaaaa",
      ])
  }

  @Test func `other videos on YouTube have a mix, which only yt-dlp lists`() throws {
    var video = Video(id: "x", title: "A", playback: .unknown)
    video.pageURL = WebAddress("https://youtu.be/aaaaaaaaaaa")
    let mix = try list("https://www.youtube.com/watch?v=aaaaaaaaaaa&list=RDaaaaaaaaaaa#related=aaaaaaaaaaa")
    #expect(try related(video, "https://www.youtube.com/feeds/videos.xml?channel_id=UC1") == mix)
    #expect(try related(video, hasYtDlp: false) == nil)
    guard case .list(let address) = mix else { return }
    #expect(KnownSite.needsYtDlp(address))
    #expect(address.withoutRelatedID.text == "https://www.youtube.com/watch?v=aaaaaaaaaaa&list=RDaaaaaaaaaaa")
  }

  // MARK: - PeerTube

  private static func video(_ uuid: String, _ members: String) -> String {
    #"{"uuid":"\#(uuid)","name":"A","url":"https://home.example/videos/watch/\#(uuid)"\#(members)}"#
  }

  @Test func `PeerTube finds videos by the tags of the details, on the instance of the video`() throws {
    let listed = try videos(
      #"{"total":1,"data":[\#(Self.video(Self.id, ""))]}"#, from: "https://p.example/api/v1/videos"
    ).first
    #expect(try related(listed) == .afterDetails)
    let details = Self.video(Self.id, #","files":[],"tags":["rain & town","b",7,"","c","d","e","f"]"#)
    let known = try videos(details, from: "https://p.example/api/v1/videos/\(Self.id)").first
    #expect(
      try related(known)
        == list(
          "https://home.example/api/v1/videos?sort=-publishedAt&tagsOneOf=rain%20%26%20town&tagsOneOf=b&tagsOneOf=7"
            + "&tagsOneOf=c#related=\(Self.id)"))
    let untagged = Self.video(Self.id, #","files":[],"tags":[]"#)
    #expect(try related(videos(untagged, from: "https://p.example/api/v1/videos/\(Self.id)").first) == nil)
  }

  @Test func `a list by tags keeps its mark on all pages and leaves out the video itself`() throws {
    let address = "https://p.example/api/v1/videos?tagsOneOf=b#related=\(Self.id)"
    let endpoint = try #require(WebAddress(address).flatMap { PeerTubeEndpoint(address: $0) })
    let page = endpoint.address(start: 20, count: 20)
    #expect(page.text == "https://p.example/api/v1/videos?tagsOneOf=b&start=20&count=20#related=\(Self.id)")
    let other = "8c9de5e8-0a1e-484a-b099-e80766180a6d"
    let body = #"{"total":2,"data":[\#(Self.video(Self.id, "")),\#(Self.video(other, ""))]}"#
    #expect(try videos(body, from: page.text).map(\.id) == [other])
  }

  // MARK: - media.ccc.de

  private let api = "https://api.media.ccc.de/public"

  private func talk(_ id: String, _ members: String = "") -> String {
    #"{"guid":"\#(id)","title":"A","frontend_link":"https://media.ccc.de/v/a","url":"\#(api)/events/\#(id)","#
      + #""conference_url":"\#(api)/conferences/c"\#(members)}"#
  }

  @Test func `a talk of media.ccc.de names related talks, the best first`() throws {
    let listed = try videos(#"{"events":[\#(talk("a-1"))]}"#, from: api + "/events/recent").first
    #expect(try related(listed) == list(api + "/events/a-1#related=a-1"))
    let details = talk(
      "a-1",
      #","recordings":[],"related":[{"event_guid":"b","weight":1},{"event_guid":"a-1"},{"event_guid":"../x"},"#
        + #"{"event_guid":"c/d","weight":5},{"weight":2},3]"#)
    let document = try decode(details, from: api + "/events/a-1#related=a-1")
    #expect(document.parts.map(\.text) == ["c%2Fd", "b"].map { "\(api)/events/\($0)" })
    #expect(document.videos.isEmpty)
    #expect(try related(videos(details, from: api + "/events/a-1").first) == list(api + "/events/a-1#related=a-1"))
  }

  @Test func `many related talks are limited`() throws {
    let many = (0..<500).map { #"{"event_guid":"t\#($0)","weight":\#($0)}"# }.joined(separator: ",")
    let document = try decode(talk("a", #","related":[\#(many)]"#), from: api + "/events/a#related=a")
    #expect(document.parts.count == 20)
  }

  @Test func `a video of an unknown service has no related ones`() throws {
    var video = Video(id: "x", title: "A", playback: .unknown)
    video.pageURL = WebAddress("https://films.example/watch/1")
    #expect(try related(video, "https://films.example/api/v1/list") == nil)
  }

  // MARK: - Addresses

  @Test(arguments: [
    ("https://www.youtube.com/watch?v=aaaaaaaaaaa", true), ("https://youtu.be/aaaaaaaaaaa", true),
    ("https://www.youtube.com/@talks", true), ("https://www.youtube.com/about", false),
    ("https://p.example/w/kkGMgK9ZtnKfYAgnEtQxbv", true), ("https://media.ccc.de/v/a", true),
    ("https://a.example/film.mp4", true), ("https://a.example/feed.xml", true), ("https://a.example/feed/", true),
    ("https://a.example/page.html", false), ("https://a.example/", false), ("https://a.example/x.png", false),
    ("https://drive.google.com/file/d/aaaaaaaaaaaaaaaaaaaaaaaaa/view", false), ("https://github.com/a/b", false),
    ("https://www.google.com/url?q=https://shop.example/", false),
    ("https://www.google.com/url?q=https://youtu.be/aaaaaaaaaaa", true),
  ])
  func `an address alone shows whether it has videos`(address: String, hasVideos: Bool) throws {
    #expect(KnownSite.hasVideos(at: try #require(WebAddress(address))) == hasVideos)
  }
}
