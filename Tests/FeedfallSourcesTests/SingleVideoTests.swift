import FeedfallFeeds
import FeedfallText
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit, .serialized) struct SingleVideoTests {
  @Test(arguments: ["film.mp4", "a%20film.MKV", "x.webm", "x.mp3", "x.mpd"])
  func `the address of a medium is one card, without a request`(name: String) async throws {
    try await withServer { _ in
      .silence
    } _: { server in
      let page = try await open("\(server.origin)/\(name)?x=1").page(.start).get()
      #expect(page.videos.map(\.playbackURL?.text) == ["\(server.origin)/\(name)?x=1"])
      #expect(page.next == nil && server.requests.isEmpty)
    }
  }

  @Test func `a page about a file is not a single video`() throws {
    let page = try #require(WebAddress("https://wiki.example/wiki/File:film.webm"))
    #expect(SingleVideo.source(page)?.name == nil)
  }

  @Test func `the page of a shared film is one card, without a request`() async throws {
    let page = try await open("https://www.dropbox.com/s/abc/a%20film.mp4?dl=0").page(.start).get()
    #expect(page.videos.map(\.title) == ["a film"])
    let file = "https://www.dropbox.com/s/abc/a%20film.mp4?dl=1"
    #expect(page.videos.map(\.playbackURL?.text) == [file])
    #expect(SingleVideo.video(named: "https://www.dropbox.com/s/abc/a%20film.mp4?dl=0")?.playbackURL?.text == file)
  }

  @Test func `the title is the name without its extension`() async throws {
    #expect(try await open("https://a.example/a%20film.mp4").page(.start).titles == ["a film"])
  }

  @Test func `an answer that is a medium is one card`() async throws {
    let film = [0, 0, 0, 0x20] + Array("ftypisom".utf8)
    try await withServer { request in
      request.path == "/typed"
        ? .answer(TestAnswer(film, headers: ["Content-Type": "video/mp4"])) : .answer(TestAnswer(film))
    } _: { server in
      for path in ["/typed", "/untyped"] {
        let page = try await open(server.origin + path).page(.start).get()
        #expect(page.videos.map(\.playbackURL?.text) == [server.origin + path] && page.next == nil)
      }
    }
  }

  @Test func `a large medium without an extension is one card, of which only the start is loaded`() async throws {
    let film = [0, 0, 0, 0x20] + Array("ftypisom".utf8) + [UInt8](repeating: 0, count: 40 << 20)
    try await withServer { _ in
      .answer(TestAnswer(film, headers: ["Content-Type": "video/mp4"]))
    } _: { server in
      let source = try open(server.origin + "/film")
      for _ in 0..<2 {
        let page = try await source.page(.start).get()
        #expect(page.videos.map(\.playbackURL?.text) == [server.origin + "/film"] && page.next == nil)
      }
    }
  }

  @Test func `a large playlist is loaded whole, although its type is one of sounds`() async throws {
    let lines = (0..<5_000).map { "#EXTINF:-1,\($0)\nhttp://s.example/\($0)\n" }.joined()
    try await withServer { _ in
      .answer(TestAnswer("#EXTM3U\n" + lines, headers: ["Content-Type": "audio/x-mpegurl"]))
    } _: { server in
      let source = try open(server.origin + "/list")
      #expect(await source.page(.start).titles?.count == 5_000)
    }
  }

  @Test func `a feed whose type is wrong stays a feed`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(articles(0..<2, end: true), headers: ["Content-Type": "video/mp4"]))
    } _: { server in
      let titles = try await open(server.origin + "/feed").page(.start).titles
      #expect(titles?.count == 2)
    }
  }

  @Test func `a stream's list is loaded, since it may list stations`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("#EXTM3U\n#EXTINF:-1,A\nhttp://s.example/a\n#EXTINF:-1,B\nhttp://s.example/b\n"))
    } _: { server in
      let titles = try await open(server.origin + "/list.m3u8").page(.start).titles
      #expect(titles == ["A", "B"])
    }
  }

  @Test func `a local file with the name of a medium is one card unless it is a text`() async throws {
    try await withFolder { folder in
      for name in ["a.mp3", "b.aac", "c.m2ts", "d.aiff", "e.ac3", "f.mxf"] {
        try writeFile("\u{1}\u{2}\u{0}", to: "\(folder)/\(name)")
        let page = try await open("\(folder)/\(name)").page(.start).get()
        #expect(page.videos.map(\.playbackURL?.file?.name) == [name])
      }
      try writeFile("#EXTM3U\n#EXTINF:1,One\nfilm.mp4\n", to: "\(folder)/g.mp3")
      #expect(await (try open("\(folder)/g.mp3")).page(.start).titles == ["One"])
      try writeFile("", to: "\(folder)/h.mp3")
      #expect(await (try open("\(folder)/h.mp3")).page(.start).failure?.reason == "h.mp3 is empty")
    }
  }

  @Test func `a local video is one card`() async throws {
    try await withFolder { folder in
      try writeFile("\u{0}\u{0}\u{0} ftypisom", to: "\(folder)/a film.mp4")
      let page = try await open("\(folder)/a film.mp4").page(.start).get()
      #expect(page.videos.map(\.title) == ["a film"])
      #expect(page.videos[0].playbackURL?.file?.name == "a film.mp4")
    }
  }
}
