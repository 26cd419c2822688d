import FeedfallText
import Glibc
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct SourceArgumentTests {
  @Test(arguments: [
    ("https://v.example/1", true), ("v.example/feed", true), ("/films", true), ("./film", true), ("films.m3u", true),
    ("-", true), ("yt-dlp:v.example", true), ("ytsearch:cats", true), ("magnet:?xt=1", true), ("cats", false),
    ("big buck bunny", false), ("@talks", true), ("UCaaaaaaaaaaaaaaaaaaaaaa", true), ("yt:aaaaaaaaaaa", true),
    ("feed://v.example/rss", true),
  ])
  func `search words are not a source`(text: String, isSource: Bool) {
    #expect(FeedSources.isSource(text) == isSource)
  }

  @Test(arguments: [
    ("https://v.example/", true), ("~/film.mp4", true), ("../film.mp4", true), ("davs://host/", true),
    ("node.js", false), ("film.mp4", false), ("cats", false),
  ])
  func `addresses and paths are known by their form`(text: String, isAddress: Bool) {
    #expect(FeedSources.isWrittenAddress(text) == isAddress)
  }

  private func argument(_ text: String, existing: [String] = []) -> SourceArgument {
    SourceArgument(text, exists: existing.contains)
  }

  @Test(arguments: [
    "https://a.example/feed.json", "HTTP://a.example", "a.example", "a.example/c/name", "localhost:8080",
  ])
  func `a web address is parsed`(text: String) {
    #expect(argument(text) == .web)
  }

  @Test(arguments: [
    "./a.example", "/tmp/x", "feed.json", "films.m3u", "news.rss", "feed", "", "~/feed", "film.mp4", "list.pls",
  ])
  func `an argument written like a path is a file`(text: String) {
    #expect(argument(text) == .file(path: text))
  }

  @Test func `an existing file takes precedence over an address`() {
    #expect(argument("a.example", existing: ["a.example"]) == .file(path: "a.example"))
  }

  @Test func `a file address is parsed as a path`() {
    #expect(argument("file:///tmp/a%20b.json") == .file(path: "/tmp/a b.json"))
    #expect(argument("file://localhost/x%") == .file(path: "/x%"))
    #expect(argument("FILE:/tmp/a%20b.json") == .file(path: "/tmp/a b.json"))
    #expect(argument("file:/tmp/a%20b", existing: ["/tmp/a%20b"]) == .file(path: "/tmp/a%20b"))
    #expect(argument("file:///tmp/a%20b", existing: ["/tmp/a%20b", "/tmp/a b"]) == .file(path: "/tmp/a b"))
    #expect(argument("file:x", existing: ["file:x"]) == .file(path: "file:x"))
  }

  @Test func `a file address that is not one of this machine is refused`() {
    for text in ["file://host/x.m3u", "file:///C:/x.m3u", "file://../etc/passwd"] {
      #expect(failure(text)?.reason == "file: is a file on another machine, which feedfall does not support")
    }
    #expect(argument("file:///etc/passwd%00.m3u") == .file(path: "/etc/passwd%00.m3u"))
  }

  private func failure(_ argument: String?) -> FeedFailure? {
    do {
      _ = try FeedSources.open(argument, options: SourceOptions())
      return nil
    } catch {
      return error
    }
  }

  @Test func `the prefix yt-dlp: selects yt-dlp`() {
    #expect(argument("yt-dlp:https://a.example/x") == .prefixed(.ytDlp, rest: "https://a.example/x"))
    #expect(argument("yt-dlp:x", existing: ["yt-dlp:x"]) == .file(path: "yt-dlp:x"))
  }

  @Test func `a missing file and an unknown scheme fail at once`() {
    #expect(failure("/no/such/file")?.reason == "there is no /no/such/file")
    #expect(failure("no-such-films.m3u")?.reason == "there is no no-such-films.m3u")
    #expect(failure("")?.reason == "the source is empty")
    #expect(failure("gopher://a.example/")?.reason == "gopher://a.example/ is not a web address")
    for text in ["yt-dlp:file:///etc/passwd", "yt-dlp:--exec=x", "yt-dlp:", "yt-dlp:ytsearch:"] {
      #expect(throws: FeedFailure.self) { try open(text, ytDlp: "/bin/true") }
    }
  }

  @Test(arguments: ["rtsp://a.example/x", "SRT://a.example:9000?mode=caller", "udp://@239.0.0.1:1234", "mms://h"])
  func `an address of a live stream is a source of one video`(text: String) async throws {
    let page = try await open(text).page(.start).get()
    #expect(page.videos.count == 1 && page.videos.first?.live == .live && page.next == nil)
    #expect(page.videos.first?.playbackURL?.stream == StreamAddress(text))
  }

  @Test(arguments: [
    ("magnet:?xt=urn:btih:0", "magnet: is a BitTorrent link, which feedfall does not support"),
    ("JavaScript:alert(1)", "javascript: is a part of a web page, which feedfall does not support"),
    ("ftp://a.example/", "ftp: is a file server, which feedfall does not support"),
    ("ftps://a.example/x", "ftps: is a file server, which feedfall does not support"),
  ])
  func `an address of another kind is refused by name`(text: String, reason: String) {
    #expect(failure(text)?.reason == reason)
  }

  @Test func `a file that is there goes before an address of another kind`() {
    #expect(argument("magnet:x", existing: ["magnet:x"]) == .file(path: "magnet:x"))
  }

  @Test(arguments: [
    ("feed:https://a.example/f", "https://a.example/f"), ("feed://a.example/f", "https://a.example/f"),
    ("itpc://a.example/f", "https://a.example/f"), ("PCAST:http://a.example/f", "http://a.example/f"),
    ("podcast://localhost:80/f", "http://localhost:80/f"), ("feed://https://a.example/f", "https://a.example/f"),
    ("feed:", "feed:"), ("feed:///etc/passwd", "feed:///etc/passwd"), ("feed.example:80", "feed.example:80"),
  ])
  func `a scheme for feeds leads to the feed`(text: String, address: String) {
    #expect(text.withoutFeedScheme == address)
  }

  @Test func `an existing file has precedence over a short form`() async throws {
    try await withFolder { folder in
      let name = "\(folder)/PL0123456789ABCDEF"
      try writeFile("", to: name)
      #expect(SourceArgument.expanded(name) == name)
    }
    #expect(argument("PL0123456789ABCDEF", existing: ["PL0123456789ABCDEF"]) == .file(path: "PL0123456789ABCDEF"))
    #expect(SourceArgument.expanded("PL0123456789ABCDEF").hasSuffix("?list=PL0123456789ABCDEF"))
  }

  @Test func `short forms and links are opened as their addresses`() throws {
    #expect(try open("@blender").name == "www.youtube.com/@blender")
    #expect(try open("@ann@films.example").name == "@ann@films.example")
    #expect(try open("UCX6OQ3DkcsbYNE6H8uQQuVA").name == "www.youtube.com/channel/UCX6OQ3DkcsbYNE6H8uQQuVA")
    #expect(try open("https://www.youtube.com/redirect?q=https%3A%2F%2Fa.example%2Ffilms").name == "a.example/films")
    #expect(!FeedSources.isLocal("@blender") && FeedSources.startSeconds("yt:aqz-KE-bpKQ") == nil)
    #expect(SingleVideo.video(named: "yt:aqz-KE-bpKQ")?.id == "https://www.youtube.com/watch?v=aqz-KE-bpKQ")
  }

  @Test func `a list that only yt-dlp reads fails at once where it is missing`() throws {
    let failure = #expect(throws: FeedFailure.self) { try open("https://www.youtube.com/results?search_query=x") }
    #expect(failure?.reason == "yt-dlp is not installed")
    #expect(try open("youtube.com/@x/streams", ytDlp: "/bin/true").name == "youtube.com/@x/streams")
  }

  @Test func `a file that is too large fails at once`() async throws {
    try await withFolder { folder in
      try writeFile("", to: "\(folder)/feed.json")
      try #require(truncate("\(folder)/feed.json", (256 << 20) + 1) == 0)
      #expect(
        failure("\(folder)/feed.json")?.reason.hasSuffix("is larger than 256 MB") == true)
      try #require(truncate("\(folder)/feed.json", 0) == 0)
      #expect(failure("\(folder)/feed.json") == nil)
    }
  }

  @Test func `sources have names for the status line`() throws {
    #expect(try open(nil).name == "built-in catalogue")
    #expect(try open("https://a.example:8080/c/name?x=1").name == "a.example:8080/c/name")
    #expect(try open("https://a.example/").name == "a.example")
    #expect(try open("/dev/null").name == "null")
  }

  @Test func `local files are local sources`() throws {
    #expect(try open(nil).isLocal)
    #expect(try open("/dev/null").isLocal)
    #expect(try !open("a.example").isLocal)
  }
}
