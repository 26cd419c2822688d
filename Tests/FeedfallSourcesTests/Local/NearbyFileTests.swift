import FeedfallFeeds
import FeedfallText
import Glibc
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct NearbyFileTests {
  private func write(_ files: [String: String], in folder: String) throws {
    for (name, text) in files { try writeFile(text, to: "\(folder)/\(name)") }
  }

  private func videos(_ folder: String) async throws -> [Video] {
    try await open(folder).page(.start).get().videos.sorted { $0.title < $1.title }
  }

  private static let nfo = "<movie><title>The film</title><plot>About it</plot><aired>2026-01-31</aired></movie>"

  @Test func `files beside the videos of a folder describe them`() async throws {
    try await withFolder { folder in
      try write(
        [
          "a.mp4": "film", "A.NFO": Self.nfo, "b.mp4": "film", "other.nfo": Self.nfo,
          "c.mp4": "film", "c.info.json": #"{"title":"Zebra","webpage_url":"https://a.example/c","duration":90}"#,
        ], in: folder)
      let videos = try await videos(folder)
      #expect(videos.map(\.title) == ["The film", "Zebra", "b"])
      #expect(videos[0].summary == "About it" && videos[0].published?.seconds == 1_769_817_600)
      #expect(videos[1].duration?.seconds == 90 && videos.allSatisfy { $0.playbackURL?.file != nil })
    }
  }

  @Test func `a page reads a limited amount of notes, and the details read the others`() async throws {
    try await withFolder { folder in
      let blanks = String(repeating: " ", count: 1_000_000)
      for number in 10..<22 {
        let note = #"{"title":"Film \#(number)","webpage_url":"https://a.example/c"}"#
        try write(["\(number).mp4": "film", "\(number).info.json": note + blanks], in: folder)
      }
      let feed = try #require(FolderFeed(folder, pageSize: nil, nil))
      let films = try await feed.page(.start).videos
      #expect(films.filter { $0.title.hasPrefix("Film") }.count == 9)
      let other = try #require(films.first { !$0.title.hasPrefix("Film") })
      #expect(try await feed.details(other).title.hasPrefix("Film"))
    }
  }

  @Test func `a file beside a single video describes it`() async throws {
    try await withFolder { folder in
      try write(["film.mp3": "ID3\u{3}", "film.nfo": Self.nfo], in: folder)
      #expect(try await videos("\(folder)/film.mp3").map(\.title) == ["The film"])
    }
  }

  @Test func `neither large files nor pipes nor folders are read`() async throws {
    try await withFolder { folder in
      try write(["a.mp4": "film", "a.nfo": Self.nfo, "b.mp4": "film", "c.mp4": "film"], in: folder)
      try #require(truncate("\(folder)/a.nfo", 1 << 20 + 1) == 0 && mkfifo("\(folder)/b.nfo", 0o600) == 0)
      try #require(mkdir("\(folder)/c.nfo", 0o700) == 0)
      #expect(try await videos(folder).map(\.title) == ["a", "b", "c"])
      try #require(mkfifo("\(folder)/c.info.json", 0o600) == 0)
      #expect(try await videos(folder).map(\.title) == ["a", "b", "c"])
    }
  }

  @Test func `stream files of a folder are the films that they name`() async throws {
    try await withFolder { folder in
      try write(
        ["a.strm": "https://a.example/1.mp4\n", "b.STRM": "c.mp4", "c.mp4": "film", "a.nfo": Self.nfo], in: folder)
      try write(["d.strm": "/dev/zero", "e.strm": "gone.mp4", "f.strm": "f.mp4"], in: folder)
      try #require(symlink("/dev/zero", "\(folder)/f.mp4") == 0)
      let page = try await open(folder).page(.start).get()
      let films = page.videos.map { "\($0.title) \($0.playbackURL?.text.split(separator: "/").last ?? "")" }
      #expect(films.sorted() == ["The film 1.mp4", "b c.mp4", "c c.mp4"])
      #expect(page.skippedCount == 3)
    }
  }

  @Test func `a stream file is a single video`() async throws {
    try await withFolder { folder in
      try write(["A film.strm": "https://a.example/1.mp4"], in: folder)
      let path = "\(folder)/A film.strm"
      let videos = try await videos(path)
      #expect(videos.map(\.title) == ["A film"] && videos.first?.playbackURL?.text == "https://a.example/1.mp4")
      #expect(SingleVideo.video(named: path)?.playbackURL?.text == "https://a.example/1.mp4")
      try write(["A film.strm": "/dev/zero"], in: folder)
      #expect(SingleVideo.video(named: path) == nil)
    }
  }

  @Test func `a local list may name stream files`() async throws {
    try await withFolder { folder in
      try write(["list.m3u": "#EXTM3U\n#EXTINF:60,Film\na.strm\n", "a.strm": "https://a.example/1.mp4"], in: folder)
      let videos = try await videos("\(folder)/list.m3u")
      #expect(videos.map(\.title) == ["Film"] && videos.first?.playbackURL?.text == "https://a.example/1.mp4")
    }
  }
}
