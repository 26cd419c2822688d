import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct JellyfinTests {
  private func server(_ text: String = "https://media.example/jellyfin") throws -> JellyfinServer {
    let address = try #require(WebAddress(text))
    return try #require(JellyfinServer(address))
  }

  private func items(_ json: String) throws -> JellyfinAnswer.Items? {
    let (server, user) = (try server(), try #require(JellyfinID("u1")))
    return JellyfinAnswer.items(
      Array(#"{"Items":[\#(json)],"TotalRecordCount":9}"#.utf8), from: server, in: server.scope(ofUser: user))
  }

  @Test(arguments: [
    ("https://a.example", "https://a.example/"), ("https://a.example/jf/", "https://a.example/jf/"),
    ("https://a.example:8096/web/index.html#/home", "https://a.example:8096/"),
    ("http://u:p@a.example", "http://a.example/"),
  ])
  func `the address of a server is the start of its requests`(text: String, base: String) throws {
    #expect(try server(text).base.text == base)
  }

  @Test func `an item has the position of its user and the size of its cover`() throws {
    let items = try items(
      #"""
      {"Id":"e1","Name":"The End","ImageTags":{"Primary":"f00"},"PrimaryImageAspectRatio":1.6,
       "UserData":{"PlaybackPositionTicks":615000000,"LastPlayedDate":"2026-03-01T20:15:30.1234567Z"}}
      """#)
    let video = try #require(items?.videos.first)
    #expect(items?.count == 1 && video.covers.map(\.height) == [400])
    #expect(video.resumeSeconds == 61 && video.resumeTime == UnixTime(rfc3339: "2026-03-01T20:15:30Z"))
  }

  @Test(arguments: [
    #"{"Name":"no id"}"#, #"{"Id":"../Users","Name":"x"}"#, #"{"Id":"a?b","Name":"x"}"#, #"{"Id":"","Name":"x"}"#,
    #"{"Id":"a","Name":"x","IsFolder":true}"#, #"{"Id":"a","Name":"x","MediaType":"Audio"}"#,
    #"{"Id":"a","Name":"x","LocationType":"Virtual"}"#, "7",
  ])
  func `an item that is no video is skipped`(json: String) throws {
    let items = try items(json)
    #expect(items?.videos.isEmpty == true && items?.count == 1)
  }

  @Test func `hostile values are dropped or cleaned`() throws {
    let items = try items(
      #"""
      {"Id":"a","Name":"x\u001b[2J\ny","RunTimeTicks":1e300,"PrimaryImageAspectRatio":-1,
       "ImageTags":{"Primary":"a/../b"},"UserData":{"PlaybackPositionTicks":-5}}
      """#)
    let video = try #require(items?.videos.first)
    #expect(video.title.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(video.duration == nil && video.covers.isEmpty && video.resumeSeconds == 0)
  }

  @Test func `libraries are those that may have videos`() throws {
    let body = #"""
      {"Items":[{"Id":"1","Name":"Films","CollectionType":"movies"},{"Id":"2","Name":"Songs","CollectionType":"music"},
       {"Id":"3","Name":"Mixed"},{"Name":"none"}]}
      """#
    #expect(JellyfinAnswer.libraries(Array(body.utf8))?.map(\.name) == ["Films", "Mixed"])
    #expect(JellyfinAnswer.users(Array(#"[{"Id":"1","Name":"anna"},{"Id":"/"}]"#.utf8))?.map(\.name) == ["anna"])
    #expect(JellyfinAnswer.libraries(Array("<html>".utf8)) == nil && JellyfinAnswer.users(Array("{}".utf8)) == nil)
  }

  @Test func `only the address of a file names its item`() throws {
    let server = try server()
    let (item, version) = try (#require(JellyfinID("e1")), #require(JellyfinID("v2")))
    for isConverted in [false, true] {
      let own =
        isConverted ? server.convertedStream(of: item, version: version) : server.stream(of: item, version: version)
      #expect(
        server.version(playedFrom: own) == JellyfinServer.Version(item: item, id: version, isConverted: isConverted))
    }
    for text in [
      "Videos/e1/stream", "Videos/e1/stream?static=true&mediaSourceId=a/b", "Items/e1/stream?mediaSourceId=e1", "",
      "Videos/e1/master.m3u8?mediaSourceId=e1",
    ] {
      let other = try #require(WebAddress(server.base.text + text))
      #expect(server.version(playedFrom: other) == nil)
    }
  }

  @Test func `a mark is a member of the user's data of an item, and its answer states the new value`() {
    #expect(JellyfinServer.userDataBody(MarkChange(.watched, true, ids: ["e1"])) == #"{"Played":true}"#)
    #expect(JellyfinServer.userDataBody(MarkChange(.starred, false, ids: ["e1"])) == #"{"IsFavorite":false}"#)
    #expect(JellyfinServer.userDataBody(MarkChange(.hidden, true, ids: ["e1"])) == nil)
    let change = MarkChange(.starred, true, ids: ["e1"])
    for (body, isConfirmed) in [
      (#"{"IsFavorite":true,"Played":false}"#, true), (#"{"IsFavorite":false}"#, false), (#"{"Played":true}"#, false),
      ("<html>Log in", false), ("", false),
    ] { #expect(JellyfinAnswer.confirms(Array(body.utf8), change) == isConfirmed, "\(body)") }
  }

  @Test func `a report has the position in ticks`() throws {
    let id = try #require(JellyfinID("e1"))
    let item = JellyfinServer.Version(item: id, id: id, isConverted: false)
    let file = MediaAddress.web(try server().stream(of: id, version: id))
    let report = PlaybackReport(.progress(isPaused: true), of: file, seconds: 61.5, duration: 100)
    #expect(
      JellyfinServer.sessionBody(report, of: item)
        == #"{"ItemId":"e1","MediaSourceId":"e1","PositionTicks":615000000,"IsPaused":true,"CanSeek":true,"#
        + #""PlayMethod":"DirectPlay"}"#)
    let now = UnixTime(seconds: 1_800_000_000)
    let date = #""LastPlayedDate":"2027-01-15T08:00:00Z""#
    #expect(JellyfinServer.userDataBody(report, at: now) == #"{"PlaybackPositionTicks":615000000,\#(date)}"#)
    let end = PlaybackReport(.stopped, of: file, seconds: 60, duration: 100, isWatched: true)
    #expect(JellyfinServer.userDataBody(end, at: now) == #"{"PlaybackPositionTicks":0,"Played":true,\#(date)}"#)
    let early = PlaybackReport(.stopped, of: file, seconds: 95, duration: 100)
    #expect(JellyfinServer.userDataBody(early, at: now) == #"{"PlaybackPositionTicks":950000000,\#(date)}"#)
    #expect(JellyfinServer.userDataBody(PlaybackReport(.started, of: file, seconds: 5), at: now) == nil)
    let endless = PlaybackReport(.stopped, of: file, seconds: .infinity)
    #expect(JellyfinServer.userDataBody(endless, at: now) == #"{"PlaybackPositionTicks":0,\#(date)}"#)
  }
}
