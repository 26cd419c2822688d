import FeedfallText
import Synchronization
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct FileReferenceTests {
  private let file = FileAddress(path: "/films/list.m3u".utf8).map(MediaAddress.file)
  private let web = WebAddress("https://a.example/list.m3u").map(MediaAddress.web)

  private func addresses(_ body: String, in document: MediaAddress?) throws -> [String] {
    var reader = FeedDocumentReader(Array(body.utf8), from: document)
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
      var reader = FeedDocumentReader(Array(("#EXTM3U\n" + lines).utf8), from: folder)
      #expect(reader.readAll().failure == .streamInPipe)
    }
    let list = "#EXTM3U\n#EXTINF:5,One\na.mp4\n"
    #expect(
      try addresses(list, in: FileAddress(path: "/films/".utf8).map(MediaAddress.file)) == ["file:///films/a.mp4"])
  }

  /// Reads a document in `/films` where only some paths exist; returns the videos and how many were checked.
  private func read(
    _ body: String, existing paths: Set<String>, in document: MediaAddress?
  ) throws -> (videos: [Video], checks: Int) {
    let checks = Mutex(0)
    var reader = FeedDocumentReader(
      Array(body.utf8), from: document,
      fileExists: { file in
        checks.withLock { $0 += 1 }
        return paths.contains(String(decoding: file.path, as: UTF8.self))
      })
    return (try reader.nextVideos(1_000), checks.withLock { $0 })
  }

  @Test(arguments: [
    "#EXTM3U\n#EXTINF:1 tvg-logo=\"a%20b.jpg\",One\na%20b.mp4\n", "[playlist]\nFile1=a%20b.mp4\nTitle1=One\n",
    "<playlist><trackList><track><location>a%20b.mp4</location><title>One</title></track></trackList></playlist>",
    "<asx><entry><title>One</title><ref href='a%20b.mp4'/></entry></asx>",
    #"{"videos": [{"title": "One", "url": "a%20b.mp4", "cover": "a%20b.jpg"}]}"#,
  ])
  func `in each kind of list, the reading of a path that exists is used`(body: String) throws {
    for (path, address) in [("/films/a b", "file:///films/a%20b"), ("/films/a%20b", "file:///films/a%2520b")] {
      let video = try #require(try read(body, existing: [path + ".mp4", path + ".jpg"], in: file).videos.first)
      #expect(video.playbackURL?.text == address + ".mp4" && video.id == address + ".mp4" && video.title == "One")
      #expect(video.covers.allSatisfy { $0.url.text == address + ".jpg" })
    }
    #expect(try read(body, existing: [], in: web).checks == 0)
  }

  @Test func `a title made of the path follows its reading`() throws {
    let videos = try read("#EXTM3U\nmy%20film.mp4\n50%25.mp4\n", existing: ["/films/my film.mp4"], in: file).videos
    #expect(videos.map(\.title) == ["my film.mp4", "50%25.mp4"])
  }

  @Test func `two spellings of one file are two videos with distinct IDs, or one`() throws {
    let entries = "#EXTINF:1,One\na%20b.mp4\n#EXTINF:1,Two\na b.mp4\n#EXTINF:1,One\nfile:///films/a%20b.mp4\n"
    let videos = try read("#EXTM3U\n" + entries, existing: ["/films/a b.mp4"], in: file).videos
    #expect(Set(videos.map(\.playbackURL?.text)) == ["file:///films/a%20b.mp4"])
    #expect(videos[0].id != videos[1].id && videos[0].id == videos[2].id)
  }

  @Test func `of many encoded paths, only those of the next pages are checked, each a few times`() throws {
    let checks = Mutex(0)
    let lines = (0..<100_000).map { "a%20\($0)\\b.mp4\n" }.joined()
    var reader = FeedDocumentReader(
      Array(("#EXTM3U\n" + lines).utf8), from: file,
      fileExists: { _ in
        checks.withLock { $0 += 1 }
        return false
      })
    #expect(checks.withLock { $0 } == 0)
    #expect(try reader.nextVideos(60).count == 60)
    #expect(checks.withLock { $0 } <= 4 * FeedDocumentReader.lookahead)
    var count = 60
    while case let videos = try reader.nextVideos(5_000), !videos.isEmpty { count += videos.count }
    #expect(count == 100_000 && checks.withLock { $0 } <= 400_000)
  }

  @Test func `paths without an escape are not checked`() throws {
    #expect(try read("#EXTM3U\na b.mp4\n100%.mp4\nKäse.mp4\n", existing: [], in: file).checks == 0)
  }

  @Test func `a local video keeps its extension flv`() throws {
    let body = #"{"videos": [{"title": "One", "url": "a.flv"}]}"#
    #expect(try addresses(body, in: file) == ["file:///films/a.flv"])
  }
}
