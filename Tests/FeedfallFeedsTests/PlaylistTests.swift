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
    "[playlist]\nFile1=http://a.example/1.mp4\n", "File1=http://a.example/1.mp4\n", "# one\nhttp://a.example/1.mp4\n",
    "\u{feff}http://a.example/1.mp4\n", "#PLAYLIST:x\nhttp://a.example/1.mp4", "http://a.example/1.mp4\n" + longComment,
    longComment + "http://a.example/1.mp4\n",
  ])
  func `a playlist is not read as JSON`(text: String) throws {
    #expect(try FeedDecoder.decode(Array(text.utf8), from: nil).videos.map(\.title) == ["1.mp4"])
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
      var reader = FeedDocumentReader(Array(body.utf8), from: WebAddress(address).map(MediaAddress.web))
      let result = reader.readAll(by: 10_000)
      #expect(result.failure != nil || reader.isAtEnd)
    }
  }
}
