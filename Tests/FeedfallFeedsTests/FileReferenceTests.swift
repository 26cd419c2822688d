import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct FileReferenceTests {
  private let file = FileAddress(path: "/films/list.m3u".utf8).map(MediaAddress.file)
  private let web = WebAddress("https://a.example/list.m3u").map(MediaAddress.web)

  private func addresses(_ body: String, in document: MediaAddress?) throws -> [String] {
    var reader = FeedDocumentReader(address: document, bytes: Array(body.utf8))
    reader.finish()
    return try reader.nextVideos(100).flatMap { video in
      [video.playbackURL?.text, video.covers.first?.url.text].compactMap { $0 }
    }
  }

  private static let documents = [
    "#EXTM3U\n#EXTINF:1 tvg-logo=\"a.jpg\",One\nsub/a.mp4\n",
    "<playlist><trackList><track><location>sub/a.mp4</location><image>a.jpg</image></track></trackList></playlist>",
    #"{"videos": [{"title": "One", "url": "sub/a.mp4", "cover": "a.jpg"}]}"#,
  ]

  @Test(arguments: documents)
  func `local playlists and lists may refer to files beside them`(body: String) throws {
    #expect(try addresses(body, in: file) == ["file:///films/sub/a.mp4", "file:///films/a.jpg"])
    #expect(try addresses(body, in: web) == ["https://a.example/sub/a.mp4", "https://a.example/a.jpg"])
    #expect((try? addresses(body, in: nil)) ?? [] == [])
  }

  @Test func `a local stream playlist is played by its own address`() throws {
    let body = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\na.ts\n"
    #expect(try addresses(body, in: file) == ["file:///films/list.m3u"])
  }

  @Test func `a path in a local playlist need not be an address`() throws {
    func list(_ location: String) -> String {
      "<playlist><trackList><track><location>\(location)</location></track></trackList></playlist>"
    }
    for (written, path) in [
      ("/srv/The Lamps/100% &amp; more/4 - Old #2.mp4", "/srv/The%20Lamps/100%25%20%26%20more/4%20-%20Old%20%232.mp4"),
      ("../a/110 - Käse?.mp4", "/films/../a/110%20-%20K%C3%A4se%3F.mp4"), ("a%20b.mp4", "/films/a%20b.mp4"),
      ("file:///srv/a%20b.mp4", "/srv/a%20b.mp4"), ("Käse#1.mp4", "/films/K%C3%A4se%231.mp4"),
      ("50%.mp4", "/films/50%25.mp4"),
    ] {
      #expect(try addresses(list(written), in: file) == ["file://" + path])
    }
  }

  @Test func `the backslashes of a local playlist are slashes`() throws {
    let lines = "#EXTM3U\nsub\\a b.mp4\nC:\\films\\b.mp4\n\\\\server\\c.mp4\n/films/back\\slash.mp4\n"
    #expect(try addresses(lines, in: file) == ["file:///films/sub/a%20b.mp4", "file:///films/back%5Cslash.mp4"])
    #expect(
      try addresses(lines, in: web) == ["https://a.example/sub/a%20b.mp4", "https://a.example/films/back%5Cslash.mp4"])
  }

  @Test(arguments: ["#EXT-X-TARGETDURATION:10\n#EXTINF:10,\na.ts\n", "#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n"])
  func `a stream in a pipe cannot be played`(lines: String) throws {
    for folder in [FileAddress(path: "/films/".utf8).map(MediaAddress.file), nil] {
      var reader = FeedDocumentReader(address: folder, bytes: Array(("#EXTM3U\n" + lines).utf8))
      reader.finish()
      #expect(reader.readAll().failure == .streamInPipe)
    }
    let list = "#EXTM3U\n#EXTINF:5,One\na.mp4\n"
    #expect(
      try addresses(list, in: FileAddress(path: "/films/".utf8).map(MediaAddress.file)) == ["file:///films/a.mp4"])
  }

  @Test func `a local video keeps its extension flv`() throws {
    let body = #"{"videos": [{"title": "One", "url": "a.flv"}]}"#
    #expect(try addresses(body, in: file) == ["file:///films/a.flv"])
  }
}
