import FeedfallApp
import FeedfallFeeds
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Foundation
import Glibc
import TestServer
import TestSupport
import Testing

@testable import FeedfallProgram

private func feed(_ name: String, at address: String? = nil, tags: [String] = []) throws -> SubscriptionList.Feed {
  let address = try #require(WebAddress(address ?? "https://\(name).example/feed"))
  return SubscriptionList.Feed(name: name, address: address, tags: tags)
}

@Suite(.hangLimit) struct LiveListFileTests {
  private static let address = "https://lab.example/list.opml?token=secret"

  @Test func `the next start reads the feeds, from a file that only the user can read`() async throws {
    try await withFolder { folder in
      let lists = StoredLists(folder: folder + "/state/lists")
      #expect(lists.feeds(at: Self.address).isEmpty)
      let feeds = [try feed("a"), try feed("b", tags: ["news", "talks"])]
      lists.write(feeds, at: Self.address)
      #expect(lists.feeds(at: Self.address) == feeds)
      #expect(lists.feeds(at: "https://lab.example/other.opml").isEmpty)
      let names = try FileManager.default.contentsOfDirectory(atPath: lists.folder)
      let name = try #require(names.first)
      #expect(names.count == 1 && !name.contains("secret") && !name.contains("lab"))
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(lists.folder)/\(name)")
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      lists.write([], at: Self.address)
      #expect(lists.feeds(at: Self.address).isEmpty)
    }
  }

  @Test func `addresses with secrets are not stored`() async throws {
    try await withFolder { folder in
      let lists = StoredLists(folder: folder)
      let secrets = ["https://ann:pw@c.example/feed", "https://d.example/feed?token=0123456789abcdef0123456789abcdef"]
      let (open, secret) = (try feed("a"), try secrets.map { try feed("x", at: $0) })
      lists.write([open] + secret, at: Self.address)
      #expect(lists.feeds(at: Self.address) == [open])
    }
  }

  @Test func `a damaged file and a link are ignored`() async throws {
    try await withFolder { folder in
      let lists = StoredLists(folder: folder)
      let feeds = [try feed("a")]
      lists.write(feeds, at: Self.address)
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
      let path = "\(folder)/\(name)"
      try Data("<html>".utf8).write(to: URL(filePath: path))
      #expect(lists.feeds(at: Self.address).isEmpty)
      lists.write(feeds, at: Self.address)
      #expect(lists.feeds(at: Self.address) == feeds)
      #expect(rename(path, folder + "/other") == 0 && symlink("other", path) == 0)
      #expect(lists.feeds(at: Self.address).isEmpty)
    }
  }
}

@Suite(.hangLimit) struct LiveListConfigurationTests {
  private static let toml = """
    [[source]]
    name = "Own"
    address = "https://own.example/feed"
    [[source]]
    name = "Lab"
    address = "https://lab.example/list.opml"
    list = true
    refresh = "1h"
    shorts = false
    proxy = "none"
    password-command = "echo key"
    """

  private func configuration(
    _ toml: String = Self.toml, _ stored: [SubscriptionList.Feed] = []
  ) -> UserConfiguration {
    UserConfiguration(ConfigurationReading(toml: Array(toml.utf8))) { address in
      #expect(address == "https://lab.example/list.opml")
      return stored
    }
  }

  @Test func `the stored sources of a list follow those of the configuration, with its settings`() throws {
    let stored = [
      try feed("a", tags: ["news"]), try feed("Own", at: "https://other.example/feed"),
      try feed("own", at: "https://own.example/feed"),
      try feed("Lab", at: "https://lab.example/list.opml"), try feed("", at: "https://c.example/feed"),
    ]
    let sources = configuration(Self.toml, stored).sources
    #expect(sources.map(\.name) == ["Own", "Lab", "a", "Own 2", "c.example"])
    #expect(sources.map(\.listName) == [nil, nil, "Lab", "Lab", "Lab"])
    #expect(sources[1].list == stored && sources[2].list == nil && sources[2].tags == ["news"])
    #expect(sources[2].argument == "https://a.example/feed" && sources[2].origin == nil)
    #expect(sources[2].proxy == Configuration.Proxy.none && !sources[2].includesShorts)
    #expect(sources[2].login == nil && sources[2].refresh == nil && sources[1].login != nil)
  }

  @Test func `the name of a list selects its sources, and that of a source only this one`() throws {
    let configuration = configuration(Self.toml, [try feed("a"), try feed("b")])
    #expect(configuration.selection(named: ["Lab"]).sources.map(\.name) == ["Lab", "a", "b"])
    #expect(configuration.selection(named: ["b"]).sources.map(\.name) == ["b"])
    #expect(configuration.selection(named: []).sources.map(\.name) == ["Own", "Lab", "a", "b"])
  }

  @Test func `commands use the sources of a list, and fail before it has been loaded`() throws {
    var names: [String?] = []
    let status = configuration(Self.toml, [try feed("a")]).selection(named: ["Lab"]).run { sources in
      names = sources.map(\.name)
      return ExitStatus.success
    }
    #expect(status == ExitStatus.success && names == ["a"])
    #expect(configuration().selection(named: ["Lab"]).run { _ in ExitStatus.success } == ExitStatus.failure)
  }

  @Test(arguments: ["/srv/list.opml", "~/list.opml", "davs://h.example/x"])
  func `a live list needs a web address`(address: String) {
    let toml = "[[source]]\nname = \"Lab\"\naddress = \"\(address)\"\nlist = true\n"
    let configuration = UserConfiguration(ConfigurationReading(toml: Array(toml.utf8))) { _ in
      Issue.record("the list is read")
      return []
    }
    #expect(configuration.faults?.faults.map(\.reason) == [LiveListWords.localFault])
    #expect(configuration.sources.map { $0.fault == nil } == [false])
  }

  @Test func `a list in own.toml stays one`() throws {
    let source = try #require(ConfigurationReading(toml: Array(Self.toml.utf8)).configuration.source(named: "Lab"))
    let written = Configuration(sources: [source]).toml
    #expect(ConfigurationReading(toml: Array(written.utf8), isOwn: true).configuration.sources == [source])
  }

  @Test func `thousands of sources of one name get names of their own`() throws {
    let stored = try (0..<5_000).map { try feed("same", at: "https://\($0).example/feed") }
    let names = configuration(Self.toml, stored).sources.compactMap(\.name)
    #expect(names.count == 5_002 && Set(names).count == 5_002)
  }
}

@Suite(.hangLimit) struct LiveListLoadTests {
  private func options() -> SourceOptions {
    var options = SourceOptions()
    options.timeoutSeconds = 600
    return options
  }

  private func list(at address: String) -> NamedSource {
    var list = NamedSource(name: "Lab", argument: address)
    list.list = []
    return list
  }

  /// Loads a live list whose server answers with this body.
  private func load(_ body: String) async throws -> Result<FeedPage, FeedFailure> {
    let answer: TestServer.Answering = { _ in .answer(TestAnswer(body)) }
    return try await withServer(answer) { server in
      let list = list(at: server.origin + "/list.opml")
      let sources = RunningSources(
        try OpenSource.open([list, NamedSource(name: "Own", argument: "https://own.example/")], options: options()),
        configured: [list, NamedSource(name: "Own", argument: "https://own.example/")], options: options())
      return await sources.page(SourceID(0), .start, .revalidated)
    }
  }

  private func opml(_ outlines: String) -> String { "<opml version=\"2.0\"><body>\(outlines)</body></opml>" }

  private func outline(_ name: String, _ address: String) -> String {
    "<outline text=\"\(name)\" xmlUrl=\"\(address)\"/>"
  }

  @Test func `the page of a list has its feeds under names of their own, and no videos`() async throws {
    let body = opml(
      "<outline text=\"News\">\(outline("Own", "https://a.example/f"))</outline>" + outline("", "https://b.example/f"))
    let page = try await load(body).get()
    #expect(page.videos.isEmpty && page.next == nil)
    #expect(page.subscriptions?.feeds.map(\.name) == ["Own 2", "b.example"])
    #expect(page.subscriptions?.feeds.map(\.tags) == [["News"], []])
  }

  @Test func `local paths, duplicates, long names and control characters are cleaned`() async throws {
    let long = String(repeating: "n", count: 10_000)
    let body = opml(
      ["/etc/passwd", "file:///etc/passwd", "~/films.json", "../list.opml"].map { outline("Local", $0) }.joined()
        + "<outline text=\"a&#27;[31m&#10;b\">\(outline(long, "https://a.example/f"))</outline>"
        + outline("again", "https://a.example/f"))
    let feeds = try #require(try await load(body).get().subscriptions?.feeds)
    #expect(feeds.map(\.address.text) == ["https://a.example/f"])
    #expect(feeds[0].name.count <= 80)
    #expect(feeds[0].tags.allSatisfy { Configuration.Source.isTag($0) })
  }

  @Test(arguments: [
    String(repeating: " ", count: 1 << 20), "", "<html><body>Sign in</body></html>", "{\"error\": 1}",
    "<rss><channel><item><title>x</title></item></channel></rss>",
  ])
  func `an answer that is no list fails`(body: String) async throws {
    let result = try await load(body)
    #expect(throws: FeedFailure.self) { try result.get() }
  }

  @Test func `a list is not read from the cache of answers, and a local one never`() async throws {
    let list = list(at: "https://lab.example/list.opml")
    let opened = try OpenSource.open([list, list], options: options())
    #expect(throws: FeedFailure.self) { try FeedSources.open("/etc/passwd", isList: true, options: options()) }
    let result = await opened[0].pages.page(.start, .onlyIfCached)
    #expect(throws: FeedFailure.self) { try result.get() }
  }

  @Test func `sources of a list are opened with its settings, and closed with their names`() async throws {
    var lab = list(at: "https://lab.example/list.opml")
    lab.proxy = Configuration.Proxy.none
    let sources = RunningSources([], configured: [lab], options: options())
    var change = LiveListChange(name: "Lab", address: "https://lab.example/list.opml")
    change.opened = [SourceID(1): try feed("a"), SourceID(2): try feed("b")]
    sources.change(change)
    #expect(sources.proxies(of: "a") != nil && sources.proxies(of: "b") != nil)
    var closing = LiveListChange(name: "Lab", address: change.address)
    closing.closed = [SourceID(1)]
    sources.change(closing)
    #expect(sources.proxies(of: "a") == nil && sources.proxies(of: "b") != nil)
    let result = await sources.page(SourceID(1), .start, .onlyIfCached)
    #expect(throws: FeedFailure(.permanent, "the tab is closed")) { try result.get() }
  }

  @Test func `without its list, a source is not opened, because its proxy is not known`() async throws {
    let sources = RunningSources([], configured: [], options: options())
    var change = LiveListChange(name: "Lab", address: "https://lab.example/list.opml")
    change.opened = [SourceID(1): try feed("a")]
    sources.change(change)
    let result = await sources.page(SourceID(1), .start, .onlyIfCached)
    #expect(throws: FeedFailure(.permanent, "the tab is closed")) { try result.get() }
  }
}
