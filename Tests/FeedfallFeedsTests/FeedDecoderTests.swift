import FeedfallFeeds
import FeedfallText
import FoundationEssentials
import TestSupport
import Testing

@Suite(.hangLimit) struct FeedDecoderTests {
  @Test(arguments: [
    (
      "<!DOCTYPE html><html><head><title> Films &amp;\n more </title>",
      "the answer is a web page (Films & more), not a feed"
    ),
    ("\u{FEFF} <html><body>x", "the answer is a web page, not a feed"),
    (
      "<?xml version=\"1.0\"?><svg><title>x</title>",
      "the answer is XML (svg), but not a feed that feedfall reads"
    ),
    (
      "<?xml version='1.0'?><opml><body/></opml>",
      "the answer is XML (opml), but not a feed that feedfall reads"
    ),
    (
      "Too many requests, please try again later.",
      "the answer is neither a feed nor a video (Too many requests, please try again later.)"
    ),
    ("", "the answer is empty"), (" \n", "the answer is empty"),
    ("42", "the answer is neither a feed nor a video"), ("\u{0}\u{1}", "the answer is neither a feed nor a video"),
    (#"{"a":1}"#, "the answer is JSON without a list of videos"),
    (
      #"{"code":500,"data":null,"message":"no\u001b such page"}"#,
      "the answer contains a message instead of videos: no such page"
    ),
    (#"{"total":3,"data":[{"uuid":"u","name":"A"},{"uuid":"v""#, "the feed is incomplete after 1 video"),
    (#"{"data":{"info_list":["#, "the feed is incomplete after 0 videos"),
    (
      #"{"data":{"info_list":[{"title":"A","flv":"https://m.example/v"},{"title":"B","flv":"https://m.example/v"}],"end":0"#,
      "the feed is incomplete after 2 videos"
    ),
    (#"{"data":{"info_list":[{"title":"A","flv":"https://m.example/v"}}"#, "the feed is invalid JSON after 1 video"),
    (#"[{"title":"A","x":[1}],{"title":"B","flv":"https://m.example/v"}]"#, "the feed is invalid JSON after 0 videos"),
    (#"{"data" []}"#, "the feed is invalid JSON after 0 videos"),
  ])
  func `the failure for other documents gives the reason`(body: String, reason: String) {
    #expect(failure(body)?.reason == reason)
  }

  @Test func `an incomplete feed is a temporary failure`() {
    #expect(failure(#"{"data":["#)?.kind == .temporary)
    #expect(failure("<rss><channel><title>T</ti")?.kind == .temporary)
    #expect(failure("<html>")?.kind == .permanent)
  }

  @Test(arguments: [
    (
      #"{"total":1,"data":[{"id":1,"url":"https://p.example/c/1","text":"Hm","threadId":1,"inReplyToCommentId":null}]}"#,
      "a list of comments, not of videos"
    ),
    (
      #"{"total":1,"data":[{"id":1,"url":"https://p.example/video-channels/a","name":"a","followersCount":3}]}"#,
      "a list of channels, not of videos"
    ),
    (
      #"{"total":1,"data":[{"id":1,"uuid":"u","displayName":"Mine","videosLength":3}]}"#,
      "a list of playlists, not of videos"
    ),
    (#"[{"title":"A","published":"2026-01-01"},{"title":"B"}]"#, "a list of titles without an address to play or open"),
    (
      #"{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","content_text":"Hello"}]}"#,
      "a list, but not of videos"
    ),
  ])
  func `the failure for a list without videos names its content`(body: String, words: String) {
    #expect(failure(body)?.reason == "the answer is \(words)")
    #expect(failure(body)?.advice == "use the address of a list of videos")
  }

  @Test(arguments: [
    (#"[{"title":"A","flv":"https://m/1.flv"}]"#, FeedKind.articles),
    (#"[{"title":"A","url":"https://m/1.mp4"}]"#, .catalogue),
    (#"[{"uuid":"u","name":"A"}]"#, .peerTube),
    (#"{"data":[{"title":"A","flv":"https://m/1.flv"}]}"#, .articles),
    (#"{"info_list":[{"title":"A","flv":"https://m.example/v"}]}"#, .articles),
    (#"{"title":"T","videos":[{"title":"A","flv":"https://m.example/v"}]}"#, .catalogue),
    (
      #"{"x":{"data":[1,2]},"y":[[{}]],"data":{"more":[{}],"info_list":[{"title":"A","flv":"https://m.example/v"}]}}"#,
      .articles
    ),
    ("<rss><channel><item><title>A</title></item></channel></rss>", .syndication),
    (#"{"version":"https://jsonfeed.org/version/1.1","items":[{"title":"A","url":"/1"}]}"#, .jsonFeed),
    ("#EXTM3U\n#EXTINF:-1,A\nhttps://m.example/v", .playlist),
    ("<html><title>Index of /</title><a href='/A.mp4'>A</a></html>", .directory),
  ])
  func `the content determines the kind`(body: String, kind: FeedKind) throws {
    let document = try decode(body)
    #expect(document.kind == kind)
    #expect(document.videos.map(\.title) == ["A"])
  }

  @Test(arguments: [
    (#"{"items":[{"uuid":"u","title":"A","url":"https://m/1.mp4"}]}"#, FeedKind.jsonFeed),
    (#"{"videos":[{"uuid":"u","title":"A","flv":"https://m/1.flv"}]}"#, .catalogue),
    (#"{"info_list":[{"uuid":"u","title":"A","url":"https://m/1.mp4"}]}"#, .articles),
    (#"{"data":{"info_list":[{"uuid":"u","title":"A","url":"https://m/1.mp4"}]}}"#, .articles),
  ])
  func `the name of a list determines the kind before its items do`(body: String, kind: FeedKind) throws {
    let document = try decode(body)
    #expect(document.kind == kind)
    #expect(document.videos.map(\.title) == ["A"])
  }

  @Test(arguments: [
    ("[]", FeedKind.catalogue), (#"{"data":[]}"#, .peerTube), (#"{"items":[]}"#, .jsonFeed),
    (#"{"videos":[]}"#, .catalogue), (#"{"info_list":[]}"#, .articles), (#"{"data":{"info_list":[]}}"#, .articles),
    (#"{"version":"https://jsonfeed.org/version/1","title":"T","items":[]}"#, .jsonFeed),
  ])
  func `an empty list has the kind of its place`(body: String, kind: FeedKind) throws {
    #expect(try decode(body).kind == kind)
  }

  @Test(arguments: ["items", "videos", "data", "films"])
  func `a list under an unknown name is ignored`(name: String) {
    let body = #"{"\#(name == "films" ? "x" : "data")":{"\#(name)":[{"title":"A","url":"https://m/1.mp4"}]}}"#
    #expect(failure(body) != nil)
  }

  @Test(
    arguments: [
      (
        #"{"type":"about:blank","title":"Bad Request","detail":"Incorrect request parameters: sort","status":400}"#,
        "Incorrect request parameters: sort"
      ),
      (#"{"title":"Not Found"}"#, "Not Found"), (#"{"error":"gone"}"#, "gone"), (#"{"error":{"a":1}}"#, nil),
      ("Too many requests, please try again later.", "Too many requests, please try again later."),
      ("<html><title>x</title>", nil), ("", nil),
      (#"{"detail":"\u001b[31m red &amp; <b>bold</b>"}"#, "[31m red & bold"),
      ("{", nil), ("[1]", nil),
    ] as [(String, String?)])
  func `the reason in the body of an error is found`(body: String, words: String?) {
    #expect(ProblemDetails.summary(Array(body.utf8)) == words)
  }

  @Test func `the reason in an error is shortened`() {
    let body = #"{"detail":""# + String(repeating: "x", count: 100_000) + #""}"#
    #expect(ProblemDetails.summary(Array(body.utf8))?.count == 201)
  }

  @Test(arguments: [
    ("<!doctype HTML>", true), ("<!doctype html><link rel=icon href=/i>", true), ("<!doctype html>\n<div>", true),
    ("<base href=/>", true), (" \n<HTML lang=x>", true), ("<?xml version='1.0'?><html>", true),
    ("<rss><title>", false), ("<rss><channel><description><body></description>", false),
    ("{\"a\":\"<html>\"}", false), ("", false),
  ])
  func `a web page is recognized`(body: String, isHTML: Bool) {
    #expect(HTMLPage.isStarted(by: Array(body.utf8)) == isHTML)
  }

  @Test(arguments: ["{}", #"{"id":7}"#, "[]", "3", #"{"position":2,"video":null}"#])
  func `an invalid first item does not determine the format`(first: String) throws {
    let document = try decode(#"{"total":2,"data":[\#(first),{"uuid":"u","name":"A","url":"https://p.example/w/u"}]}"#)
    #expect(document.kind == .peerTube)
    #expect(document.videos.map(\.title) == ["A"])
    #expect(document.skippedCount == 1)
  }

  @Test func `many long escaped keys are decoded in linear time`() throws {
    let key = String(repeating: #"\u0061"#, count: 1_300)
    let members = (0..<400).map { #""\#(key)\#($0)":1"# }.joined(separator: ",")
    #expect(try decode(#"[{\#(members),"title":"A","flv":"https://m.example/v"}]"#).videos.map(\.title) == ["A"])
  }

  @Test func `the next address in a feed takes precedence over the Link header`() throws {
    let body = #"{"version":"https://jsonfeed.org/version/1.1","next_url":"https://h.example/own","items":[]}"#
    let document = try FeedDecoder.decode(
      Array(body.utf8), from: WebAddress("https://h.example/a/list?q=x"), link: "<https://h.example/other>; rel=next")
    #expect(document.nextAddress?.path == "/own")
  }

  @Test func `a document nested too deep is refused`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(failure(deep)?.reason == "the feed is nested deeper than 512 levels")
    #expect(failure(#"{"a":"# + deep)?.reason == "the feed is nested deeper than 512 levels")
    #expect(failure(#"{"data":[{"a":"# + deep)?.reason == "the feed is nested deeper than 512 levels")
  }

  @Test func `an item that is too large is skipped`() throws {
    let large = #"{"title":"L","x":""# + String(repeating: "y", count: 5 << 20) + #""}"#
    let document = try decode(
      #"[{"title":"A","flv":"https://m.example/v"},"# + large + #",{"title":"B","flv":"https://m.example/v"}]"#)
    #expect(document.videos.map(\.title) == ["A", "B"])
    #expect(document.skippedCount == 1)
  }

  @Test func `long strings and numbers are decoded`() throws {
    let nines = String(repeating: "9", count: 1 << 20)
    let text = String(repeating: "\\u00e9 ", count: 100_000)
    let document = try decode(
      #"{"total":\#(nines),"z":"\#(nines)","data":[{"title":"\#(text)","duration":\#(nines),"flv":"https://h/\#(nines)","page":"https://h/"}]}"#
    )
    let video = try #require(document.videos.first)
    #expect(video.title.count <= 501)
    #expect(video.duration == nil)
    #expect(video.playback == .page(try #require(WebAddress("https://h/"))))
    #expect(document.total == nil)
  }
}

@Suite(.hangLimit) struct CatalogueTests {
  private func catalogue() throws -> DecodedDocument {
    let data = try Data(contentsOf: URL(filePath: packageRoot + "/Resources/catalogue.json"))
    return try FeedDecoder.decode(Array(data), from: nil)
  }

  @Test func `all videos of the built-in catalogue are decoded`() throws {
    let document = try catalogue()
    #expect(document.kind == .catalogue)
    #expect(document.title == "Free films")
    #expect(document.videos.count == 30)
    #expect(document.skippedCount == 0)
    #expect(Set(document.videos.map(\.id)).count == 30)
    for video in document.videos {
      guard case .direct(let files) = video.playback else {
        Issue.record("\(video.id) cannot be played")
        continue
      }
      #expect(files.allSatisfy { $0.url.web?.scheme == "https" })
      #expect(video.author != nil && video.licence != nil && video.year != nil)
    }
  }

  @Test func `alternate files follow the preferred one`() throws {
    let film = try #require(try catalogue().videos.first { $0.id == "blender-big-buck-bunny" })
    guard case .direct(let files) = film.playback else {
      Issue.record("not playable")
      return
    }
    #expect(files.count == 5)
    #expect(files.first?.height == 720)
    #expect(film.pictureSize == PixelSize(width: 1_280, height: 720))
    #expect(film.covers.first?.width == 1_280)
    #expect(film.licenceURL?.host == "creativecommons.org")
    #expect(film.duration == .seconds(596))
  }
}
