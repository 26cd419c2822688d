import FeedfallFeeds
import FeedfallText
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct FolderFeedTests {
  /// Creates files with ages in hours; a name that ends in a slash is a folder.
  private func make(_ files: [(name: String, hours: Int)], in folder: String) throws {
    for (name, hours) in files {
      let path = "\(folder)/\(name)"
      if name.hasSuffix("/") {
        try #require(mkdir(path, 0o700) == 0)
        continue
      }
      try writeFile("film", to: path)
      let time = timespec(tv_sec: 1_700_000_000 - hours * 3600, tv_nsec: 0)
      try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }
  }

  private func feed(_ folder: String, pageSize: Int? = nil, probe: FileProbe? = nil) throws -> FolderFeed {
    try #require(FolderFeed(folder, pageSize: pageSize, probe))
  }

  private func titles(_ folder: String) async throws -> [String] {
    try await feed(folder).page(.start).videos.map(\.title)
  }

  @Test func `videos come newest first, with size and date from the disk`() async throws {
    try await withFolder { folder in
      try make([("old.mp4", 9), ("new.MKV", 1), ("middle.webm", 5), ("notes.txt", 0), ("mp4", 0)], in: folder)
      let page = try await feed(folder).page(.start)
      #expect(page.videos.map(\.title) == ["new", "middle", "old"])
      #expect(page.total == 3)
      #expect(page.next == nil)
      let video = try #require(page.videos.first)
      #expect(video.byteCount == 4)
      #expect(video.published?.seconds == 1_700_000_000 - 3600)
      #expect(video.playbackURL?.text == "file://\(folder)/new.MKV")
      #expect(video.group == nil)
      #expect(!video.canBeCompleted)
    }
  }

  @Test func `videos are grouped by folder, the folder with the newest one first`() async throws {
    try await withFolder { folder in
      try make(
        [("top.mp4", 3), ("a/", 0), ("a/1.mp4", 9), ("a/b/", 0), ("a/b/2.mp4", 1), ("a/b/3.mp4", 8)], in: folder)
      let videos = try await feed(folder).page(.start).videos
      #expect(videos.map(\.title) == ["2", "3", "top", "1"])
      let name = try #require(folder.split(separator: "/").last)
      #expect(videos.map(\.group) == ["a/b", "a/b", String(name), "a"])
    }
  }

  @Test func `videos of one time are in the natural order of their names`() async throws {
    try await withFolder { folder in
      let names = ["a 1", "a 2", "a 010", "a 10", "a 999", "a 1021", "b"]
      try make(names.shuffled().map { ("\($0).mp4", 1) }, in: folder)
      #expect(try await titles(folder) == names)
    }
  }

  @Test func `pages are slices of the listing`() async throws {
    try await withFolder { folder in
      try make((0..<7).map { ("\($0).mp4", $0) }, in: folder)
      let source = try open(folder, pageSize: 3)
      let pages = try await allPages(of: source)
      #expect(pages.map { $0.videos.map(\.title) } == [["0", "1", "2"], ["3", "4", "5"], ["6"]])
      #expect(source.isLocal)
      #expect(await source.page(.item(3)).titles == ["3", "4", "5"])
    }
  }

  @Test func `hidden files, other kinds and broken links are ignored`() async throws {
    try await withFolder { folder in
      try make([("1.mp4", 0), (".2.mp4", 0), (".git/", 0), (".git/3.mp4", 0), ("4.mp4/", 0)], in: folder)
      try #require(mkfifo("\(folder)/5.mp4", 0o600) == 0)
      try #require(symlink("/no/such", "\(folder)/6.mp4") == 0)
      try #require(symlink("1.mp4", "\(folder)/7.mp4") == 0)
      #expect(try await Set(titles(folder)) == ["1", "7"])
    }
  }

  @Test func `recordings with the extensions of TypeScript are recognized by their content, a few files only`()
    async throws
  {
    try await withFolder { folder in
      let packet = [0x47] + [UInt8](repeating: 0xFF, count: 187)
      let film = [UInt8]((0..<400).map { _ in packet }.joined())
      let code = [UInt8](repeating: UInt8(ascii: "/"), count: 100_000)
      for (name, bytes) in [
        ("tv.ts", film), ("camera.MTS", [0, 0, 0, 0] + film), ("code.ts", code),
        ("short.ts", Array(film.prefix(1_000))),
      ] { try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
      #expect(try await Set(titles(folder)) == ["tv", "camera"])
      let limits = FolderWalk.Limits(openedFileCount: 0)
      #expect(try FolderWalk.list(Array(folder.utf8), name: "", limits: limits) { false }.files.isEmpty)
    }
  }

  @Test func `circular links are followed once`() async throws {
    try await withFolder { folder in
      try make([("1.mp4", 0), ("a/", 0), ("a/2.mp4", 0)], in: folder)
      try #require(symlink("..", "\(folder)/a/up") == 0)
      try #require(symlink("a", "\(folder)/b") == 0)
      #expect(try await titles(folder).sorted() == ["1", "2"])
    }
  }

  @Test func `lists in a folder are cards, and neither streams nor folders with such names are`() async throws {
    try await withFolder { folder in
      try make(
        [("a.mp4", 1), ("b.m3u", 2), ("c.OPML", 3), ("d.rss", 4), ("e.m3u8", 5), (".f.m3u", 6), ("g.txt", 7)],
        in: folder)
      try make([("h.m3u/", 0), ("h.m3u/b.pls", 9)], in: folder)
      try writeFile("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5.0,\na.ts\n", to: "\(folder)/i.m3u8")
      try #require(mkfifo("\(folder)/j.pls", 0o600) == 0)
      let page = try await feed(folder).page(.start)
      #expect(page.videos.map(\.title) == ["a", "b", "c", "d", "e", "b"] && page.total == 6)
      let kinds: [ListLink.Kind?] = [nil, .playlist, .playlist, .playlist, .playlist, .playlist]
      #expect(page.videos.map(\.list?.kind) == kinds)
      let list = page.videos[1]
      #expect(list.list?.address.text == "file://\(folder)/b.m3u" && list.playbackURL == nil)
      #expect(list.byteCount == nil && !list.canBeCompleted)
      let limits = FolderWalk.Limits(openedFileCount: 0)
      let names = try FolderWalk.list(Array(folder.utf8), name: "", limits: limits) { false }.files.map(\.name)
      #expect(!names.contains { $0.pathExtension == "m3u8" })
    }
  }

  @Test func `a folder below the deepest level is a card, and the first page has a notice`() async throws {
    try await withFolder { folder in
      let below = (1...FolderWalk.Limits().depth + 1).map { String(repeating: "d/", count: $0) }
      try make(below.map { ($0, 0) }, in: folder)
      try make([(below[below.count - 2] + "in.mp4", 0), (below[below.count - 1] + "out.mp4", 0)], in: folder)
      let page = try await feed(folder).page(.start)
      #expect(page.videos.map(\.title) == ["d", "in"])
      let deepest = try #require(page.videos.first?.list)
      #expect(deepest.kind == .folder)
      #expect(deepest.address.text == "file://\(folder)/\(below[below.count - 1].dropLast())")
      #expect(try await open(deepest.address.text).page(.start).get().videos.map(\.title) == ["out"])
      #expect(page.notice?.hasPrefix("The folder may have more videos: ") == true)
    }
  }

  @Test(arguments: [
    (FolderWalk.Limits(fileCount: 3), 3, true), (FolderWalk.Limits(fileCount: 4), 4, false),
    (FolderWalk.Limits(entryCount: 4), 3, true), (FolderWalk.Limits(entryCount: 5), 4, false),
    (FolderWalk.Limits(entryCount: 1), 1, true), (FolderWalk.Limits(depth: 0), 2, true),
  ])
  func `a listing that leaves out videos has a notice`(limits: FolderWalk.Limits, count: Int, isCut: Bool) async throws
  {
    try await withFolder { folder in
      try make([("a/", 0), ("1.mp4", 0)] + (2...4).map { ("a/\($0).mp4", 0) }, in: folder)
      let listing = try FolderWalk.list(Array(folder.utf8), name: "", limits: limits) { false }
      #expect(listing.files.count <= count && listing.isCut == isCut)
      if !isCut { #expect(listing.files.count == count) }
    }
  }

  @Test func `a name with an invalid encoding can be shown and played`() async throws {
    try await withFolder { folder in
      let name: [UInt8] = Array("\(folder)/a\u{1B}".utf8) + [0xFF] + Array(" b.mp4".utf8)
      let descriptor = Glibc.open((name + [0]).map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
      try #require(descriptor >= 0)
      close(descriptor)
      let video = try #require(try await feed(folder).page(.start).videos.first)
      #expect(video.title == "a\u{FFFD} b")
      #expect(video.playbackURL?.text == "file://\(folder)/a%1B%FF%20b.mp4")
      #expect(video.playbackURL?.file?.path == name)
    }
  }

  @Test func `pictures beside a video and in its folder are its covers`() async throws {
    try await withFolder { folder in
      try make([("a.mp4", 1), ("A.JPG", 0), ("b.mp4", 2), ("Poster.png", 0), ("x.webp", 0)], in: folder)
      let videos = try await feed(folder).page(.start).videos
      #expect(
        videos.map { $0.covers.map(\.url.text) } == [
          ["file://\(folder)/A.JPG", "file://\(folder)/Poster.png"], ["file://\(folder)/Poster.png"],
        ])
    }
  }

  @Test func `a refresh lists the folder again`() async throws {
    try await withFolder { folder in
      try make([("1.mp4", 5), ("2.mp4", 6)], in: folder)
      let feed = try feed(folder)
      #expect(try await feed.page(.start).videos.map(\.title) == ["1", "2"])
      unlink("\(folder)/1.mp4")
      try make([("3.mp4", 1)], in: folder)
      #expect(try await feed.page(.start).videos.map(\.title) == ["3", "2"])
    }
  }

  @Test func `a folder without videos is reported`() async throws {
    try await withFolder { folder in
      let name = try #require(folder.split(separator: "/").last)
      let failure = await Result.of { () throws(FeedFailure) in try await feedOrFail(folder).page(.start) }.failure
      #expect(failure?.reason == "\(name) contains no videos")
    }
  }

  private func feedOrFail(_ folder: String) throws(FeedFailure) -> FolderFeed {
    guard let feed = FolderFeed(folder, pageSize: nil, nil) else { throw FeedFailure(.permanent, "no folder") }
    return feed
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func `unreadable subfolders are counted, and an unreadable source is reported`() async throws {
    try await withFolder { folder in
      try make([("1.mp4", 0), ("a/", 0)], in: folder)
      defer { chmod("\(folder)/a", 0o700) }
      try #require(chmod("\(folder)/a", 0) == 0)
      #expect(try await feed(folder).page(.start).skippedCount == 1)
      let failure = await Result.of { () throws(FeedFailure) in try await feedOrFail("\(folder)/a").page(.start) }
        .failure
      #expect(failure?.reason == "a is not readable")
    }
  }

  @Test func `a deleted folder is reported`() async throws {
    try await withFolder { folder in
      try make([("a/", 0), ("a/1.mp4", 0)], in: folder)
      let feed = try feed("\(folder)/a")
      unlink("\(folder)/a/1.mp4")
      rmdir("\(folder)/a")
      let failure = await Result.of { () throws(FeedFailure) in try await feed.page(.start) }.failure
      #expect(failure?.reason == "there is no a")
    }
  }

  // MARK: - Details

  private func withProbe<Value>(_ lines: String, _ body: (FolderFeed, Video) async throws -> Value) async throws
    -> Value
  {
    try await withFolder { folder in
      try make([("a b.mp4", 0)], in: folder)
      let feed = try feed(folder, probe: FileProbe(path: try writeScript(lines, to: "\(folder)/ffprobe")))
      let video = try #require(try await feed.page(.start).videos.first)
      #expect(video.canBeCompleted)
      #expect(video.detailsURL == nil, "it plays without details")
      return try await body(feed, video)
    }
  }

  @Test func `ffprobe completes a video when its details are requested`() async throws {
    try await withProbe(
      #"for last; do :; done; printf '{"format":{"duration":"7","tags":{"title":"%s"}}}' "${last##*/}""#
    ) { feed, video in
      let completed = try await feed.details(video)
      #expect(completed.duration == .seconds(7))
      #expect(completed.summary == "a b.mp4")
      #expect(completed.byteCount == 4)
      #expect(!completed.canBeCompleted)
    }
  }

  @Test func `ffprobe reads a file again only after it has changed`() async throws {
    try await withFolder { folder in
      try make([("a.mp4", 1)], in: folder)
      let probe = FileProbe(
        path: try writeScript("echo >> '\(folder)/runs'; echo '{\"format\":{}}'", to: "\(folder)/ffprobe"))
      for name in ["a.mp4", "a.mp4", "longer"] {
        if name == "longer" { try writeFile("longer film", to: "\(folder)/a.mp4") }
        let feed = try feed(folder, probe: probe)
        _ = try await feed.details(try #require(try await feed.page(.start).videos.first))
      }
      #expect(try fileBytes(of: "\(folder)/runs").count == 2)
    }
  }

  @Test func `a video without a picture beside it has a frame, if ffmpeg is installed`() async throws {
    try await withFolder { folder in
      try make([("a.mp4", 1), ("b.mp4", 2), ("b.jpg", 2)], in: folder)
      #expect(try await feed(folder).page(.start).videos.map(\.covers.count) == [0, 1])
      let videos = try await #require(FolderFeed(folder, pageSize: nil, nil, hasFrames: true)).page(.start).videos
      let frame = try #require(videos[0].covers.first?.url.frame)
      #expect(frame.file.text == "file://\(folder)/a.mp4" && frame.byteCount == 4)
      #expect(frame.modified.seconds == 1_700_000_000 - 3600)
      #expect(videos[0].coverAddress == nil)
      #expect(videos[1].coverAddress?.text == "file://\(folder)/b.jpg")
    }
  }

  @Test func `a file that ffprobe cannot read is reported`() async throws {
    try await withProbe("echo \"$9: Invalid data\" >&2; exit 1") { feed, video in
      let failure = await Result.of { () throws(FeedFailure) in try await feed.details(video) }.failure
      #expect(failure?.reason == "ffprobe failed: Invalid data")
    }
  }

  @Test func `an empty file is reported as such`() async throws {
    try await withFolder { folder in
      try make([("a.mp4", 1)], in: folder)
      let feed = try feed(folder, probe: FileProbe(path: "/usr/bin/false"))
      let video = try #require(try await feed.page(.start).videos.first)
      try writeFile("", to: "\(folder)/a.mp4")
      let failure = await Result.of { () throws(FeedFailure) in try await feed.details(video) }.failure
      #expect(failure?.reason == "a.mp4 is empty")
    }
  }

  @Test func `ffprobe is not run again for a file that it cannot read`() async throws {
    try await withFolder { folder in
      try make([("a.mp4", 1)], in: folder)
      let script = "echo >> '\(folder)/runs'; echo \"$9: Invalid data\" >&2; exit 1"
      let feed = try feed(folder, probe: FileProbe(path: try writeScript(script, to: "\(folder)/ffprobe")))
      let video = try #require(try await feed.page(.start).videos.first)
      for _ in 0..<2 {
        let failure = await Result.of { () throws(FeedFailure) in try await feed.details(video) }.failure
        #expect(failure?.reason == "ffprobe failed: Invalid data")
      }
      #expect(try fileBytes(of: "\(folder)/runs").count == 1)
    }
  }

  // MARK: - Playlists

  @Test func `a playlist file can name files beside it`() async throws {
    try await withFolder { folder in
      try writeFile("#EXTM3U\n#EXTINF:5,One\nfilms/1.mp4\n", to: "\(folder)/list.m3u")
      let videos = try await open("\(folder)/list.m3u").page(.start).get().videos
      #expect(videos.map(\.playbackURL?.text) == ["file://\(folder)/films/1.mp4"])
    }
  }
}
