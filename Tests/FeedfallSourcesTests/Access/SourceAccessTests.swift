import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Foundation
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct SourceAccessTests {
  /// `anna:s3cret` in Base64 (RFC 7617).
  private static let header = "Basic YW5uYTpzM2NyZXQ="
  private static let feed =
    #"{"data": {"info_list": [{"title": "Film", "flv": "/1.mp4", "cover": "/1.jpg"}], "end": 1}}"#

  /// Opens a source whose password command counts its runs in a file.
  private func withSource<Value>(
    _ address: String, cache: AnswerCache = AnswerCache(),
    _ body: (PageSource, _ runs: () throws -> Int) async throws -> Value
  ) async throws -> Value {
    try await withFolder { folder in
      let path = try writeScript("echo >> '\(folder)/runs'; echo s3cret", to: "\(folder)/secret")
      var options = SourceOptions(cache: cache)
      options.timeoutSeconds = 600
      options.login = SourceLogin(user: "anna", passwordCommand: "'\(path)'")
      let source = try FeedSources.open(address, options: options)
      return try await body(source) { try fileBytes(of: "\(folder)/runs").count }
    }
  }

  private func file(_ page: FeedPage) throws -> MediaFile {
    guard case .direct(let files) = try #require(page.videos.first).playback else { throw TestFailure("no file") }
    return try #require(files.first)
  }

  @Test func `requests have the password, whose command runs once`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(Self.feed))
    } _: { server in
      try await withSource(server.origin + "/feed") { source, runs in
        async let one = source.page(.start)
        async let other = source.page(.start)
        let page = try await one.get()
        #expect(try await other.get() == page)
        _ = try await source.page(.start).get()
        #expect(try runs() == 1)
        #expect(Set(server.requests.map { $0.headers["authorization"] }) == [Self.header])
        #expect(try file(page).headers?.authorization == .basic(user: "anna", password: "s3cret"))
        #expect(!"\(page)".contains("s3cret"))
      }
    }
  }

  @Test func `a redirect to another server carries no password`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(Self.feed))
    } _: { other in
      try await withServer { request in
        .answer(request.path == "/a" ? .redirect(to: "/b") : .redirect(to: other.origin + "/c"))
      } _: { server in
        try await withSource(server.origin + "/a") { source, _ in
          let page = try await source.page(.start).get()
          #expect(server.requests.map { $0.headers["authorization"] } == [Self.header, Self.header])
          #expect(other.requests.map { $0.headers["authorization"] } == [nil])
          #expect(try file(page).headers == nil)
        }
      }
    }
  }

  @Test func `neither the password nor its answers are on disk, and covers use it`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(Self.feed, headers: ["Cache-Control": "max-age=3600"]))
    } _: { server in
      try await withCacheFolder { folder in
        let cache = AnswerCache(folder: folder)
        try await withSource(server.origin + "/feed", cache: cache) { source, _ in
          _ = try await source.page(.start).get()
          #expect(await source.page(.start, .onlyIfCached).failure != nil)
          let cover = try #require(WebAddress(server.origin + "/1.jpg"))
          let authorization = try #require(cache.authorization(forCover: cover))
          #expect(authorization(cover) == .basic(user: "anna", password: "s3cret"))
          #expect(authorization(try #require(WebAddress("http://127.0.0.1:1/1.jpg"))) == nil)
          let unnamed = try #require(WebAddress(server.origin + "/2.jpg"))
          #expect(cache.authorization(forCover: unnamed) == nil, "another feed may name it")
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in files {
          let text = String(decoding: try fileBytes(of: "\(folder)/\(name)"), as: UTF8.self)
          #expect(!text.contains("s3cret") && !text.contains("info_list"))
        }
      }
    }
  }

  @Test func `a failed command sends no request, and runs again for the next page`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(Self.feed))
    } _: { server in
      try await withFolder { folder in
        let path = try writeScript("cat '\(folder)/key'", to: "\(folder)/secret")
        var options = SourceOptions()
        options.login = SourceLogin(user: "anna", passwordCommand: "'\(path)'")
        let source = try FeedSources.open(server.origin + "/feed", options: options)
        #expect(await source.page(.start).failure?.reason == "the password command ended with status 1")
        #expect(server.requests.isEmpty)
        try writeFile("s3cret\n", to: "\(folder)/key")
        #expect(await source.page(.start).titles == ["Film"])
      }
    }
  }

  @Test func `a server that requires a password names the keys to write`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("", status: 401))
    } _: { server in
      let failure = try await open(server.origin + "/feed").page(.start).failure
      #expect(failure?.reason == "the server answered 401 Unauthorized")
      #expect(
        failure?.advice
          == "set user and password-command of this source in config.toml, or install yt-dlp and open "
          + "yt-dlp:\(server.origin)/feed")
    }
  }

  @Test func `a refused password is reported, and its command runs again`() async throws {
    try await withServer { request in
      .answer(request.headers["authorization"] == Self.header ? TestAnswer(Self.feed) : TestAnswer("", status: 401))
    } _: { server in
      try await withFolder { folder in
        try writeFile("old\n", to: "\(folder)/key")
        var options = SourceOptions()
        options.login = SourceLogin(user: "anna", passwordCommand: "cat '\(folder)/key'")
        let source = try FeedSources.open(server.origin + "/feed", options: options)
        let failure = await source.page(.start).failure
        #expect(failure?.reason == "the server refused the login (401 Unauthorized)")
        #expect(failure?.advice == "check user and password-command of this source")
        try writeFile("s3cret\n", to: "\(folder)/key")
        #expect(await source.page(.start).titles == ["Film"])
      }
    }
  }

  @Test func `sources with the same command ask once, and once more after the server has refused the password`()
    async throws
  {
    try await withServer { request in
      .answer(request.headers["authorization"] == Self.header ? TestAnswer(Self.feed) : TestAnswer("", status: 401))
    } _: { server in
      try await withFolder { folder in
        try writeFile("old\n", to: "\(folder)/key")
        let path = try writeScript("echo >> '\(folder)/runs'; cat '\(folder)/key'", to: "\(folder)/secret")
        var options = SourceOptions()
        options.timeoutSeconds = 600
        options.login = SourceLogin(user: "anna", passwordCommand: "'\(path)'")
        let sources = try (1...4).map { try FeedSources.open(server.origin + "/feed\($0)", options: options) }
        func failures() async -> [String?] {
          await withTaskGroup { group in
            for source in sources { group.addTask { await source.page(.start).failure?.reason } }
            return await group.reduce(into: []) { $0.append($1) }
          }
        }
        let refused = "the server refused the login (401 Unauthorized)"
        #expect(await failures() == Array(repeating: refused, count: 4))
        let count = try fileBytes(of: "\(folder)/runs").count
        try writeFile("s3cret\n", to: "\(folder)/key")
        #expect(await failures() == Array(repeating: nil, count: 4))
        #expect(try fileBytes(of: "\(folder)/runs").count <= count + 1)
      }
    }
  }

  @Test func `a redirect to a server that requires a login names that server`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("", status: 401))
    } _: { other in
      try await withServer { _ in
        .answer(.redirect(to: other.origin + "/feed"))
      } _: { server in
        try await withSource(server.origin + "/feed") { source, _ in
          let failure = try #require(await source.page(.start).failure)
          #expect(failure.reason.hasPrefix("the server redirects to \(other.origin), which requires a login"))
          #expect(failure.advice?.contains(other.origin) == true)
        }
      }
    }
  }

  @Test(arguments: [0, 300_000])
  func `an answer from before the login was configured is not used`(padding: Int) async throws {
    let body = Self.feed + String(repeating: " ", count: padding)
    try await withServer { _ in
      .answer(TestAnswer(body, headers: ["Cache-Control": "max-age=3600"]))
    } _: { server in
      try await withCacheFolder { folder in
        let cache = AnswerCache(folder: folder)
        let open = try FeedSources.open(server.origin + "/feed", options: SourceOptions(cache: cache))
        _ = try await open.page(.start).get()
        #expect(await open.page(.start, .whileFresh).titles == ["Film"])
        #expect(server.requests.count == 1)
        try await withSource(server.origin + "/feed", cache: cache) { source, _ in
          #expect(await source.page(.start, .onlyIfCached).titles == nil)
          #expect(await source.page(.start, .whileFresh).titles == ["Film"])
          #expect(server.requests.map { $0.headers["authorization"] } == [nil, Self.header])
        }
      }
    }
  }

  @Test(arguments: ["http", "dav"])
  func `the login has the user of the address if no other is configured`(scheme: String) async throws {
    try await withServer { _ in
      .answer(TestAnswer(Self.feed))
    } _: { server in
      for (user, header) in [(nil, Self.header), ("bob", "Basic Ym9iOnMzY3JldA==")] {
        var options = SourceOptions()
        options.login = SourceLogin(user: user, passwordCommand: "echo s3cret")
        let source = try FeedSources.open("\(scheme)://%61nna@127.0.0.1:\(server.port)/feed", options: options)
        _ = await source.page(.start)
        #expect(server.requests.last?.headers["authorization"] == header)
      }
    }
  }
}
