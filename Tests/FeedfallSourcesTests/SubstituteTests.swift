import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import FoundationEssentials
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

/// yt-dlp in place of a feed of YouTube that fails, which a proxy answers.
@Suite(.hangLimit) struct SubstituteTests {
  private static let channel = "UCaaaaaaaaaaaaaaaaaaaaaa"
  private static let feed = """
    <feed xmlns='http://www.w3.org/2005/Atom'><title>Ann</title>\
    <entry><id>yt:video:aaaaaaaaaa1</id><title>Old</title><published>2026-01-02T03:04:05Z</published>\
    <link rel='alternate' href='https://www.youtube.com/watch?v=aaaaaaaaaa1'/></entry>\
    <entry><id>yt:video:aaaaaaaaaa0</id><title>Oldest</title><published>2026-01-01T03:04:05Z</published>\
    <link rel='alternate' href='https://www.youtube.com/watch?v=aaaaaaaaaa0'/></entry></feed>
    """

  private final class Status: Sendable {
    let value = Mutex(200)
  }

  private struct World {
    let status: Status
    let source: PageSource
    let folder: String

    func answer(_ status: Int) { self.status.value.withLock { $0 = status } }

    /// The addresses that yt-dlp was called with.
    var calls: [String] {
      let calls = try? Files.read((folder + "/calls").utf8, limit: 1 << 16)
      return calls.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) } ?? []
    }
  }

  private static func entry(_ id: String, _ title: String) -> String {
    #"{"_type":"url","ie_key":"Youtube","id":"\#(id)","url":"https://www.youtube.com/watch?v=\#(id)","title":"\#(title)"}"#
  }

  private static let list =
    #"{"_type":"playlist","title":"Ann","entries":[\#(entry("aaaaaaaaaa2", "New")),\#(entry("aaaaaaaaaa1", "Old"))]}"#

  /// - Parameter ending: the lines of the script that stands in for yt-dlp.
  private func withWorld(
    _ ending: String = "echo '\(list)'", hasYtDlp: Bool = true, _ body: (World) async throws -> Void
  ) async throws {
    let status = Status()
    let server = try TestServer { _ in
      let status = status.value.withLock { $0 }
      return .answer(status == 200 ? TestAnswer(Self.feed) : .html("<!doctype html>", status: status))
    }
    defer { server.stop() }
    try await withFolder { folder in
      let script = try writeScript("read -r url; echo \"$url\" >> '\(folder)/calls'; \(ending)", to: folder + "/yt-dlp")
      var options = SourceOptions(cache: AnswerCache(folder: folder + "/cache"))
      options.timeoutSeconds = 600
      options.proxies = ProxyDirectory(Proxies { $0 == "http_proxy" ? server.origin : nil })
      options.ytDlp = YtDlpDirectory(YtDlp(program: hasYtDlp ? script : ""))
      let address = "http://www.youtube.com/feeds/videos.xml?channel_id=\(Self.channel)"
      let source = try FeedSources.open(address, options: options)
      try await body(World(status: status, source: source, folder: folder))
    }
  }

  @Test(arguments: [404, 500, 503])
  func `yt-dlp lists the channel, and the cached videos stay as they were`(status: Int) async throws {
    try await withWorld { world in
      let cached = try await world.source.page(.start).get()
      world.answer(status)
      let page = try await world.source.page(.start).get()
      #expect(page.videos.map(\.title) == ["New", "Old", "Oldest"])
      #expect(page.videos.map(\.id) == (0...2).reversed().map { "yt:video:aaaaaaaaaa\($0)" })
      #expect(Array(page.videos.dropFirst()) == cached.videos && cached.videos[0].published != nil)
      #expect(page.notice?.contains("answered \(status)") == true)
      #expect(page.notice?.hasSuffix("yt-dlp listed the videos instead.") == true)
      #expect(world.calls == ["https://www.youtube.com/channel/\(Self.channel)"])
    }
  }

  @Test func `yt-dlp is asked once, until the feed has answered again`() async throws {
    try await withWorld { world in
      world.answer(404)
      #expect(await world.source.page(.start).titles == ["New", "Old"])
      let failure = await world.source.page(.start).failure
      #expect(failure?.kind == .temporary && failure?.reason.contains("answered 404") == true)
      #expect(world.calls.count == 1)
      world.answer(200)
      #expect(await world.source.page(.start).titles == ["Old", "Oldest"])
      world.answer(404)
      #expect(await world.source.page(.start).titles == ["New", "Old", "Oldest"])
      #expect(world.calls.count == 2)
    }
  }

  @Test func `a failure of both is temporary, names both, and is not repeated at once`() async throws {
    try await withWorld("echo 'ERROR: [youtube:tab] HTTP Error 404: Not Found' >&2; exit 1") { world in
      world.answer(404)
      let failure = await world.source.page(.start).failure
      #expect(failure?.reason.contains("answered 404") == true && failure?.reason.contains("yt-dlp failed") == true)
      #expect(failure?.kind == .temporary)
      _ = await world.source.page(.start)
      #expect(world.calls.count == 1)
    }
  }

  @Test func `without yt-dlp the failure stays temporary`() async throws {
    try await withWorld(hasYtDlp: false) { world in
      world.answer(404)
      let failure = await world.source.page(.start).failure
      #expect(failure?.kind == .temporary && failure?.reason.contains("answered 404") == true)
      #expect(failure?.advice?.hasSuffix("install yt-dlp, which may list the videos") == true)
      #expect(await world.source.page(.start, .onlyIfCached).failure != nil)
    }
  }

  @Test func `the list that stands in for a feed has no further pages`() async throws {
    let entries = (10..<40).map { Self.entry("aaaaaaaaa\($0)", "\($0)") }.joined(separator: ",")
    try await withWorld(#"echo '{"_type":"playlist","entries":[\#(entries)]}'"#) { world in
      world.answer(404)
      let page = try await world.source.page(.start).get()
      #expect(page.videos.count == 30 && page.next == nil)
    }
  }

  @Test func `of each list, only the videos before a cached one are added`() {
    func video(_ id: String, _ group: String? = nil) -> Video {
      var video = Video(id: id, title: id, playback: .unknown)
      video.pageURL = WebAddress("https://www.youtube.com/watch?v=aaaaaaaaaa\(id)")
      video.group = group
      return video
    }
    let listed = [video("1", "Videos"), video("2", "Videos"), video("3", "Videos"), video("4", "Shorts")]
    #expect(listed.replacingFeed([video("2"), video("5")]).map(\.title) == ["1", "2", "5"])
    #expect(listed.replacingFeed([video("5")]).map(\.title) == ["1", "2", "3", "4", "5"])
    #expect(listed.replacingFeed([]).map(\.title) == ["1", "2", "3", "4"])
  }

  @Test func `yt-dlp stands in for a few feeds at a time`() {
    let limit = SubstituteLimit()
    let tries = (0..<10).map { _ in limit.acquire(at: UnixTime(seconds: 1_000)) }
    #expect(tries.filter { $0 }.count == 4)
    #expect(!limit.acquire(at: UnixTime(seconds: 1_899)) && limit.acquire(at: UnixTime(seconds: 1_900)))
  }

  @Test(arguments: [
    ("channel_id=UC1", "https://www.youtube.com/channel/UC1"), ("user=ann", "https://www.youtube.com/user/ann"),
    ("playlist_id=PL1", "https://www.youtube.com/playlist?list=PL1"), ("channel_id=", nil), ("x=1", nil),
    ("channel_id=a/../b?c", nil), ("playlist_id=PL1%26x=1", nil), ("user=ann%0A", nil), ("user=%C3%A9ric", nil),
  ])
  func `a feed leads to its page`(query: String, page: String?) throws {
    let feed = try #require(WebAddress("https://www.youtube.com/feeds/videos.xml?\(query)"))
    #expect(KnownSite.page(ofFeed: feed)?.text == page)
    #expect(KnownSite.page(ofFeed: try #require(WebAddress("https://v.example/feeds/videos.xml?\(query)"))) == nil)
  }
}
