import FeedfallFeeds
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct OpenSourceTests {
  private static let playlist = "#EXTM3U\n#EXTINF:60,Video\nhttps://a.example/1.mp4\n"

  private func open(_ arguments: String?...) throws -> [OpenSource] {
    try OpenSource.open(arguments.map { NamedSource(argument: $0) }, options: SourceOptions())
  }

  @Test func `an unknown name is reported with the nearest one`() {
    func failure(_ similarName: String?) -> FeedFailure? {
      #expect(throws: FeedFailure.self) {
        try OpenSource.open([NamedSource(argument: "talsk", similarName: similarName)], options: SourceOptions())
      }
    }
    #expect(failure(nil)?.reason == "no file, folder, source or view is called \"talsk\"")
    #expect(failure("Talks")?.advice == "try \"Talks\", which is configured")
  }

  @Test func `one of several sources fails on its own, until its file exists`() async throws {
    try await withFolder { folder in
      let path = folder + "/list.m3u"
      let sources = try open(nil, path)
      #expect(await sources[0].pages.page(.start, .whileFresh).failure == nil)
      #expect(await sources[1].pages.page(.start, .whileFresh).failure?.reason == "there is no \(path)")
      try Data(Self.playlist.utf8).write(to: URL(filePath: path))
      #expect(try await sources[1].pages.page(.start, .whileFresh).get().videos.map(\.title) == ["Video"])
    }
  }

  @Test func `a single source of the configuration that cannot be opened fails in its tab, with its place`()
    async throws
  {
    var source = NamedSource(name: "A", argument: "/no/such/file.json")
    source.origin = "config.toml:3:11"
    let opened = try OpenSource.open([source], options: SourceOptions())
    let failure = await opened[0].pages.page(.start, .whileFresh).failure
    #expect(failure?.reason == "config.toml:3:11: there is no /no/such/file.json")
    source.fault = FeedFailure(.permanent, "config.toml:4:9: the proxy is not valid")
    let faulty = try OpenSource.open([source], options: SourceOptions())
    #expect(await faulty[0].pages.page(.start, .whileFresh).failure == source.fault)
  }

  @Test func `standard input can be only one of the sources`() {
    #expect(throws: FeedFailure.self) { try open("-", "-") }
  }

  @Test(arguments: [
    "rtspx://h.example/x", "magnet:?xt=urn:btih:0", "ftp://h.example/x", "gopher://h.example/", "-", "", "films",
    "mms:///h",
    "javascript:alert(1)", "data:text/plain,x", "jellyfin+http://[x", "dav://[x", "yt-dlp:", "N/A",
    "/no/such/file.json",
  ])
  func `a source of the configuration that is refused fails in its tab, and the others load`(address: String)
    async throws
  {
    try await withFolder { folder in
      try Data(Self.playlist.utf8).write(to: URL(filePath: folder + "/list.m3u"))
      let text = """
        [[source]]
        name = "Bad"
        address = "\(address)"
        [[source]]
        name = "Good"
        address = "\(folder)/list.m3u"
        """
      try FileManager.default.createDirectory(atPath: folder + "/feedfall", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: folder + "/feedfall/config.toml"))
      let configuration = UserConfiguration(file: ConfigurationFile(Environment(["XDG_CONFIG_HOME": folder])))
      for names in [[], ["Bad", "Good"]] {
        let opened = try OpenSource.open(configuration.selection(named: names).sources, options: SourceOptions())
        #expect(opened.map(\.givenName) == ["Bad", "Good"])
        let reason = await opened[0].pages.page(.start, .whileFresh).failure?.reason
        #expect(reason?.hasPrefix("config.toml:3:11: ") == true, "\(reason ?? "nil")")
        #expect(try await opened[1].pages.page(.start, .whileFresh).get().videos.map(\.title) == ["Video"])
      }
      #expect(try OpenSource.open(configuration.selection(named: ["Bad"]).sources, options: SourceOptions()).count == 1)
    }
  }
}
