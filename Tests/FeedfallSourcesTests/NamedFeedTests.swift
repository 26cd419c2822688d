import FeedfallFeeds
import FeedfallText
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit, .serialized) struct NamedFeedTests {
  private func rss(_ films: Range<Int>, next: String? = nil) -> String {
    let link = next.map { "<atom:link rel='next' href='\($0)'/>" } ?? ""
    let items = films.map {
      "<item><title>Film \($0)</title><enclosure type='video/mp4' url='https://films.example/\($0).mp4'/></item>"
    }
    return "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>Films</title>\(link)"
      + items.joined() + "</channel></rss>"
  }

  private static let page =
    "<!doctype html><title>Films</title><link rel=alternate type=application/rss+xml href=/feed.xml>"

  @Test func `a web page leads to the feed that it names, and a refresh requests that feed`() async throws {
    try await withServer { request in
      switch request.path {
      case "/": .answer(TestAnswer(Self.page))
      case "/feed.xml": .answer(TestAnswer(rss(0..<3)))
      default: .answer(TestAnswer("", status: 404))
      }
    } _: { server in
      let source = try open(server.origin + "/")
      let first = try await source.page(.start).get()
      #expect(first.videos.map(\.title) == ["Film 0", "Film 1", "Film 2"])
      #expect(first.next == nil && first.title == "Films")
      #expect(try await source.page(.start).get() == first)
      #expect(server.requests.map(\.path) == ["/", "/api/v1/config", "/feed.xml", "/feed.xml"])
    }
  }

  @Test func `the folders of a directory listing follow as groups`() async throws {
    @Sendable func listing(_ names: String...) -> TestAnswer {
      .html("<html><head><title>Index of /</title></head>" + names.map { "<a href='\($0)'>\($0)</a>" }.joined())
    }
    try await withServer { request in
      switch request.path {
      case "/films/": .answer(listing("../", "a.mp4", "old/", "gone/", "new/"))
      case "/films/old/": .answer(listing("../", "b.mp4", "c.mkv"))
      case "/films/new/": .answer(listing("d.webm", "deep/", "../old/"))
      case "/films/new/deep/": .answer(listing("e.mp4"))
      default: .answer(TestAnswer("", status: 404))
      }
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/films/"))
      #expect(pages.flatMap(\.videos).map(\.title) == ["a", "b", "c", "d", "e"])
      #expect(pages.flatMap(\.videos).map(\.group) == [nil, "old", "old", "new", "deep"])
      #expect(
        server.requests.map(\.path) == ["/films/", "/films/old/", "/films/gone/", "/films/new/", "/films/new/deep/"])
    }
  }

  @Test(arguments: ["/@ann", "/tags/films"])
  func `a page of Mastodon leads to its feed`(path: String) async throws {
    let page =
      "<!DOCTYPE html><html><head><title>Ann</title><link href='\(path).rss' rel='alternate' type='application/rss+xml'>"
    try await withServer { request in
      switch request.path {
      case path: .answer(.html(page))
      case path + ".rss": .answer(TestAnswer(rss(0..<3)))
      default: .answer(TestAnswer("", status: 404))
      }
    } _: { server in
      let titles = try await open(server.origin + path).page(.start).titles
      #expect(titles?.count == 3)
    }
  }

  @Test func `a web page that names itself or another web page is not followed`() async throws {
    try await withServer { request in
      request.path == "/api/v1/config" ? .answer(TestAnswer("", status: 404)) : .answer(TestAnswer(Self.page))
    } _: { server in
      let failure = try await open(server.origin + "/").page(.start).failure
      #expect(failure?.reason.contains("a web page") == true)
      #expect(server.requests.map(\.path) == ["/", "/api/v1/config", "/feed.xml"])
    }
  }

  @Test func `the feed names its next page, and a cycle ends`() async throws {
    try await withServer { request in
      switch request.target {
      case "/feed.xml": .answer(TestAnswer(rss(0..<2, next: "/feed.xml?page=2")))
      case "/feed.xml?page=2": .answer(TestAnswer(rss(2..<4, next: "feed.xml?page=3")))
      default: .answer(TestAnswer(rss(4..<5, next: "/feed.xml")))
      }
    } _: { server in
      let pages = try await allPages(of: open(server.origin + "/feed.xml"))
      #expect(pages.flatMap(\.videos).map(\.title) == (0..<5).map { "Film \($0)" })
      #expect(server.requests.map(\.target) == ["/feed.xml", "/feed.xml?page=2", "/feed.xml?page=3"])
    }
  }

  @Test func `a page requested again continues as before`() async throws {
    try await withServer { request in
      switch request.target {
      case "/feed.xml": .answer(TestAnswer(rss(0..<2, next: "/feed.xml?page=2")))
      case "/feed.xml?page=2": .answer(TestAnswer(rss(2..<4, next: "/feed.xml?page=3")))
      default: .answer(TestAnswer(rss(4..<5, next: "/feed.xml?page=2")))
      }
    } _: { server in
      let feed = try open(server.origin + "/feed.xml")
      let second = try #require(try await feed.page(.start).get().next)
      let third = try #require(try await feed.page(second).get().next)
      #expect(try await feed.page(third).get().next == nil)
      #expect(try await feed.page(second).get().next == third)
      #expect(try await feed.page(third).get().next == nil)
    }
  }

  @Test func `the encoding named by the server applies to text that is not Unicode`() async throws {
    // "Кино" in windows-1251; the document itself names no encoding.
    let title: [UInt8] = [0xCA, 0xE8, 0xED, 0xEE]
    let body =
      Array("<rss version='2.0'><channel><item><title>".utf8) + title + Array("</title></item></channel></rss>".utf8)
    for (type, expected) in [("text/xml; charset=\"Windows-1251\"", "Кино"), ("text/xml", "Êèíî")] {
      let document = try FeedDecoder.decode(body, from: nil, contentType: type)
      #expect(document.videos.map(\.title) == [expected])
    }
    try await withServer { _ in
      .answer(TestAnswer(body, headers: ["Content-Type": "application/rss+xml; charset=windows-1251"]))
    } _: { server in
      let page = try await open(server.origin + "/feed.xml").page(.start).get()
      #expect(page.videos.map(\.title) == ["Кино"])
    }
  }
}
