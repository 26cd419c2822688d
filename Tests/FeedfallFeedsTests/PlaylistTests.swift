import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct PlaylistTests {
  private func headers(_ lines: String) throws -> [RequestHeaders?] {
    try decode("#EXTM3U\n" + lines).videos.map { video in
      guard case .direct(let files) = video.playback else { return nil }
      return files.first?.headers
    }
  }

  @Test func `the headers of an entry belong to that entry alone`() throws {
    let lines = """
      #EXTINF:-1,One
      #EXTVLCOPT:http-user-agent=Box/1.0 (a b)
      #EXTVLCOPT:http-referrer=https://p.example/
      https://s.example/1.m3u8
      https://s.example/2.m3u8|User-Agent=Box%2F2&Referer=https%3A%2F%2Fq.example%2F&Cookie=x
      https://s.example/3.m3u8
      https://s.example/a|b.m3u8
      """
    #expect(
      try headers(lines) == [
        RequestHeaders(userAgent: "Box/1.0 (a b)", referrer: "https://p.example/"),
        RequestHeaders(userAgent: "Box/2", referrer: "https://q.example/"), nil, nil,
      ])
    let videos = try decode("#EXTM3U\n" + lines).videos
    #expect(addresses(videos[1]) == ["https://s.example/2.m3u8"])
    #expect(addresses(videos[3]) == ["https://s.example/a%7Cb.m3u8"])
  }

  @Test(arguments: [
    "x%0D%0ACookie:%20a", "x%1B%5B2J", "%E2%80%AE", "", String(repeating: "x", count: 401),
  ])
  func `an invalid header is dropped`(value: String) throws {
    #expect(try headers("https://s.example/1.mp4|User-Agent=\(value)&Referer=file:///etc/passwd") == [nil])
  }

  @Test func `entries of other schemes are counted and named`() throws {
    let schemes = ["rtsp", "rtmp", "udp", "rtp", "mms", "srt", "RTSP", "a\u{1b}b", "dvb"]
    let lines = schemes.map { "\($0)://s.example/x" } + ["https://s.example/a.mp4"]
    let document = try decode("#EXTM3U\n" + lines.joined(separator: "\n"))
    #expect(document.kind == .playlist && document.videos.count == 1 && document.skippedCount == 9)
    #expect(
      document.notice
        == "Skipped 9 entries: feedfall plays http and https, not rtsp, rtmp, udp, rtp, mms, srt.")
    let track = "<track><location>rtsp://a.example/1</location></track>"
    let list = try decode("<playlist><trackList>\(track)</trackList></playlist>")
    #expect(list.skippedCount == 1)
    #expect(list.notice == "Skipped 1 entry: feedfall plays http and https, not rtsp.")
  }

  @Test func `the segments of a stream are one video`() throws {
    let document = try decode("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\na.ts\n#EXTINF:10,\nb.ts\n")
    #expect(document.videos.map { addresses($0) } == [["https://feed.example/list?page=1"]])
  }

  @Test(arguments: [
    "#EXT-X-VERSION:3", "#EXT-X-ENDLIST", "#EXT-X-MEDIA:TYPE=AUDIO", "#EXT-X-STREAM-INF:BANDWIDTH=1",
    "#EXT-X-TARGETDURATION:10", "#EXT-X-MEDIA-SEQUENCE:1",
  ])
  func `a list of channels with a tag of streams stays a list`(tag: String) throws {
    for lines in [
      "\(tag)\n#EXTINF:-1,A\na.ts\n#EXTINF:-1,B\nb.ts\n", "#EXTINF:-1,A\na.ts\n#EXTINF:-1,B\n\(tag)\nb.ts\n",
    ] {
      #expect(try decode("#EXTM3U\n" + lines).videos.map(\.title) == ["A", "B"])
    }
    let attributes = "\(tag)\n#EXTINF:0 tvg-id=\"1\",A\na.ts\n#EXTINF:0 tvg-id=\"2\",B\nb.ts\n"
    #expect(try decode("#EXTM3U\n" + attributes).videos.map(\.title) == ["A", "B"])
  }

  @Test(arguments: [
    "#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb.m3u8\n",
    "#EXT-X-VERSION:3\n #ext-x-targetduration:6\n#EXTINF:5.005,\na.ts\n#EXTINF: 5 ,Title, with commas\nb.ts\n",
    "#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:EVENT\n",
  ])
  func `a playlist with the structure of a stream is one video`(lines: String) throws {
    #expect(try decode("#EXTM3U\n" + lines).videos.count == 1)
  }

  @Test(arguments: [
    "[playlist]\nFile1=http://a.example/1.mp4\n", "File1=http://a.example/1.mp4\n", "# one\nhttp://a.example/1.mp4\n",
    "\u{feff}http://a.example/1.mp4\n", "#PLAYLIST:x\nhttp://a.example/1.mp4", "http://a.example/1.mp4\n" + longComment,
    longComment + "http://a.example/1.mp4\n",
  ])
  func `a playlist that arrives byte by byte is not read as JSON`(text: String) throws {
    var reader = FeedDocumentReader(address: nil)
    for byte in text.utf8 { reader.push([byte]) }
    reader.finish()
    #expect(try reader.nextVideos(5).map(\.title) == ["1.mp4"])
  }

  @Test func `the lines by which a list is recognized may be cut`() throws {
    for length in 190..<240 {
      let line = "http://a.example/" + String(repeating: "x", count: length) + "\n"
      #expect(try decode(String(repeating: line, count: 30)).videos.count == 30, "\(length)")
    }
  }

  private static let longComment = "#" + String(repeating: " words", count: 300) + "\n"

  @Test(arguments: [
    ("http://a.example/x.M3U", ""), ("http://a.example/x", "audio/x-mpegurl"),
    ("http://a.example/x", "application/vnd.apple.mpegurl; a=b"),
    ("http://a.example/x.m3u8?a=b", "text/plain"), ("http://a.example/x", "text/uri-list"),
  ])
  func `the name or the type of a document says that its lines are paths`(address: String, type: String) throws {
    let lines = Array("# a list\nfilms/one.mp4\n".utf8)
    #expect(
      try FeedDecoder.decode(lines, from: WebAddress(address), contentType: type).videos.map(\.title) == ["one.mp4"])
    #expect(throws: FeedFailure.self) {
      try FeedDecoder.decode(lines, from: WebAddress("http://a.example/x"), contentType: "text/plain")
    }
    #expect(throws: FeedFailure.self) {
      try FeedDecoder.decode(Array("gone".utf8), from: WebAddress(address), contentType: type)
    }
    let other = Array(#"{"videos": [{"title": "One", "url": "one.mp4"}]}"#.utf8)
    #expect(try FeedDecoder.decode(other, from: WebAddress(address), contentType: type).videos.map(\.title) == ["One"])
  }

  @Test(arguments: [
    "#", "#EXT", "#EXTINF:1\n", "http://a.example/1\n", "x\n", "\n", "#EXTINF:-1 a=\"b\",\n", "File1=a\n", "\\",
    "#EXTGRP:a\n", "a|b=c&d=e\n",
  ])
  func `a long list is read to its end`(part: String) {
    for address in ["http://a.example/x.m3u", "http://a.example/x"] {
      let body = String(repeating: part, count: (1 << 20) / part.utf8.count / 4)
      var reader = FeedDocumentReader(address: WebAddress(address).map(MediaAddress.web), bytes: Array(body.utf8))
      reader.finish()
      let result = reader.readAll(by: 10_000)
      #expect(result.failure != nil || reader.isAtEnd)
    }
  }
}
