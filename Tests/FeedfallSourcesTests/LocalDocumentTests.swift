import FeedfallFeeds
import FeedfallText
import Glibc
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct LocalDocumentTests {
  @Test func `entries of a local playlist that cannot be played are named once`() async throws {
    try await withFolder { folder in
      try writeFile("#EXTM3U\ndvb://a.example/1\na.mp4\nb.mp4\n", to: "\(folder)/list.m3u")
      let pages = try await allPages(of: open("\(folder)/list.m3u", pageSize: 1))
      #expect(pages.compactMap(\.notice) == ["Skipped 1 entry: feedfall does not play dvb."])
      #expect(pages.map(\.skippedCount).reduce(0, +) == 1)
    }
  }

  @Test
  func `lists and folders among the entries of a local playlist are cards, and streams and missing files are not`()
    async throws
  {
    try await withFolder { folder in
      try #require(mkdir("\(folder)/talks", 0o700) == 0 && mkfifo("\(folder)/pipe.pls", 0o600) == 0)
      try writeFile("#EXTM3U\n#EXTINF:1,A\na.mp4\n", to: "\(folder)/b.m3u8")
      try writeFile("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5.0,\na.ts\n", to: "\(folder)/live.m3u8")
      let entries = [
        "#EXTM3U", "a.mp4", "talks", "#EXTINF:5,Itself", "list.m3u", "b.m3u8", "live.m3u8", "missing.pls", "pipe.pls",
        "https://a.example/c.m3u",
      ]
      try writeFile(entries.joined(separator: "\n"), to: "\(folder)/list.m3u")
      let videos = try await open("\(folder)/list.m3u").page(.start).get().videos
      #expect(videos.map(\.list?.kind) == [nil, .folder, .playlist, .playlist, nil, nil, nil, nil])
      #expect(videos[2].title == "Itself" && videos[2].playbackURL == nil && videos[2].duration == nil)
      #expect(videos[1].list?.address.text == "file://\(folder)/talks")
      let opened = try await open(try #require(videos[3].list).address.text).page(.start).get()
      #expect(opened.videos.map(\.title) == ["A"])
    }
  }

  @Test func `a list from the web names no folder of this machine`() async throws {
    try await withFolder { folder in
      try #require(mkdir("\(folder)/talks", 0o700) == 0)
      let list = "#EXTM3U\nfile://\(folder)/talks\n\(folder)/talks\ntalks\n"
      let address = try #require(WebAddress("https://a.example/l.m3u"))
      let document = try FeedDecoder.decode(Array(list.utf8), from: address)
      #expect(document.videos.count == 2 && document.videos.map(NearbyFile.resolved) == document.videos)
      #expect(document.videos.allSatisfy { $0.list == nil && $0.playbackURL?.file == nil })
    }
  }

  @Test func `the feeds of a local OPML file are cards that open them`() async throws {
    try await withFolder { folder in
      let outlines =
        "<outline text='Talks'><outline text='A' xmlUrl='https://a.example/feed'/></outline>"
        + "<outline xmlUrl='https://b.example/feed'/><outline text='C' xmlUrl='file:///etc/passwd'/>"
      try writeFile("<opml version='2.0'><body>\(outlines)</body></opml>", to: "\(folder)/a.opml")
      let page = try await open("\(folder)/a.opml").page(.start).get()
      #expect(page.videos.map(\.list?.address.text) == ["https://a.example/feed", "https://b.example/feed"])
      #expect(page.videos.map(\.group) == ["Talks", nil])
      #expect(page.videos.map(\.title) == ["A", "https://b.example/feed"])
      #expect(page.total == 2 && page.skippedCount == 1 && page.next == nil)
      try writeFile("no list", to: "\(folder)/b.opml")
      #expect(try await open("\(folder)/b.opml").page(.start).failure?.reason == "it is not OPML")
    }
  }

  @Test func `the first page of a file has sixty videos, later ones up to five hundred`() async throws {
    try await withFolder { folder in
      try writeFile(articles(0..<1000), to: "\(folder)/feed.json")
      let pages = try await allPages(of: open("\(folder)/feed.json"))
      #expect(pages.map(\.videos.count) == [60, 500, 440])
      #expect(pages.map(\.next) == [.item(60), .item(560), nil])
      #expect(pages.last?.total == 1000)
      #expect(pages.flatMap(\.videos).map(\.title) == (0..<1000).map { "Film \($0)" })
    }
  }

  @Test func `a terminal is refused, because reading it would take the keys`() {
    let failure = #expect(throws: FeedFailure.self) { _ = try LocalDocument.file("/dev/ptmx", pageSize: nil) }
    #expect(failure == FeedFailure.terminal("/dev/ptmx"))
  }

  @Test func `a file that ends with a full page has no further page`() async throws {
    try await withFolder { folder in
      try writeFile(articles(0..<60), to: "\(folder)/feed.json")
      let page = try await open("\(folder)/feed.json").page(.start).get()
      #expect(page.videos.count == 60)
      #expect(page.next == nil)
    }
  }

  @Test func `pages can be requested again and out of order`() async throws {
    try await withFolder { folder in
      try writeFile(articles(0..<30), to: "\(folder)/feed.json")
      let source = try open("\(folder)/feed.json", pageSize: 10)
      for place in [20, 10, 10, 20] {
        #expect(await source.page(.item(place)).titles == (place..<place + 10).map { "Film \($0)" })
      }
    }
  }

  @Test func `requesting the first page again shows a changed file`() async throws {
    try await withFolder { folder in
      let path = "\(folder)/feed.json"
      try writeFile(articles(0..<3), to: path)
      let source = try open(path)
      #expect(await source.page(.start).titles?.count == 3)
      unlink(path)
      try writeFile(articles(0..<5), to: path)
      #expect(await source.page(.start).titles?.count == 5)
    }
  }

  @Test func `a truncated file returns its videos, then fails`() async throws {
    try await withFolder { folder in
      try writeFile(String(articles(0..<10).dropLast(60)), to: "\(folder)/feed.json")
      let source = try open("\(folder)/feed.json")
      let page = try await source.page(.start).get()
      #expect(page.videos.count == 9)
      let next = try #require(page.next)
      #expect(await source.page(next).failure != nil)
    }
  }

  @Test func `a file that is a web page is reported by its name`() async throws {
    try await withFolder { folder in
      try writeFile("<!doctype html><title>Films</title>", to: "\(folder)/feed.json")
      let failure = try await open("\(folder)/feed.json").page(.start).failure
      #expect(failure?.reason == "feed.json is a web page (Films), not a feed")
    }
  }

  @Test func `a PeerTube list in a file is one feed`() async throws {
    try await withFolder { folder in
      try writeFile(peerTubeList(0..<5, total: 400), to: "\(folder)/feed.json")
      let page = try await open("\(folder)/feed.json").page(.start).get()
      #expect(page.videos.count == 5)
      #expect(page.next == nil)
    }
  }

  @Test func `concurrent requests for pages of a file are independent`() async throws {
    try await withFolder { folder in
      try writeFile(articles(0..<200), to: "\(folder)/feed.json")
      let source = try open("\(folder)/feed.json", pageSize: 10)
      await withTaskGroup(of: Void.self) { group in
        for page in 0..<20 {
          group.addTask {
            let titles = await source.page(page == 0 ? .start : .item(page * 10)).titles
            #expect(titles == (page * 10..<page * 10 + 10).map { "Film \($0)" })
          }
        }
      }
    }
  }

  @Test func `the catalogue has pages of twelve videos`() async throws {
    let pages = try await allPages(of: open(nil))
    #expect(pages.count >= 2)
    #expect(pages.dropLast().allSatisfy { $0.videos.count == 12 })
    #expect(pages.allSatisfy { $0.skippedCount == 0 })
    let ids = pages.flatMap(\.videos).map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(pages.last?.total == ids.count)
  }
}
