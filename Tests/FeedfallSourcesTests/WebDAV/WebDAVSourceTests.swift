import FeedfallFeeds
import FeedfallText
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct WebDAVSourceTests {
  /// A server with these members by folder; a member that ends with a slash is a folder.
  private static func server(_ folders: [String: [String]], user: String? = nil) -> TestServer.Answering {
    { request in
      if let user, request.headers["authorization"] != user {
        let error = #"<?xml version="1.0"?><d:error xmlns:d="DAV:"/>"#
        return .answer(TestAnswer(error, status: 401, headers: ["Content-Type": "application/xml"]))
      }
      guard request.method == "PROPFIND", request.headers["depth"] == "1",
        String(decoding: request.body, as: UTF8.self).contains("getcontentlength"), let members = folders[request.path]
      else { return .answer(TestAnswer("", status: 404)) }
      let responses = ([""] + members).map { member in
        let kind = member.isEmpty || member.hasSuffix("/") ? "<d:collection/>" : ""
        return """
          <d:response><d:href>\(request.path)\(member)</d:href><d:propstat><d:prop>
          <d:resourcetype>\(kind)</d:resourcetype><d:getcontentlength>7</d:getcontentlength>
          </d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
          """
      }
      let body = "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\">\(responses.joined())</d:multistatus>"
      return .answer(TestAnswer(body, status: 207, headers: ["Content-Type": "application/xml"]))
    }
  }

  private static let films = [
    "/films/": ["a.mp4", "a.jpg", "old/", "notes.txt"], "/films/old/": ["b%20c.mkv", "deep/"],
    "/films/old/deep/": ["d.webm"],
  ]

  @Test func `a folder has its videos, and those of its subfolders as groups`() async throws {
    try await withServer(Self.server(Self.films)) { server in
      let source = try open("dav://127.0.0.1:\(server.port)/films")
      let videos = try await allPages(of: source).flatMap(\.videos)
      #expect(videos.map(\.title) == ["a", "b c", "d"])
      #expect(videos.map(\.group) == [nil, "old", "deep"])
      #expect(videos.map(\.byteCount) == [7, 7, 7])
      #expect(videos[0].covers.map(\.url.text) == [server.origin + "/films/a.jpg"])
      #expect(source.name == "127.0.0.1:\(server.port)/films")
    }
  }

  @Test func `the login is sent to the folder and to the player`() async throws {
    try await withServer(Self.server(Self.films, user: "Basic YW5uYTpzM2NyZXQ=")) { server in
      var options = SourceOptions()
      options.login = SourceLogin(user: "anna", passwordCommand: "echo s3cret")
      let source = try FeedSources.open("webdav+http://127.0.0.1:\(server.port)/films/", options: options)
      let video = try #require(try await source.page(.start).get().videos.first)
      #expect(video.playbackURL?.text == server.origin + "/films/a.mp4")
      guard case .direct(let files) = video.playback else { throw TestFailure("no file") }
      #expect(files.map(\.headers?.authorization) == [.basic(user: "anna", password: "s3cret")])
    }
  }

  private static let token = "AbCdEfGhIjKlMn0"

  @Test(arguments: ["/public.php/dav/files/\(token)/", "/public.php/webdav/"])
  func `a shared folder is found in newer and older versions`(folder: String) async throws {
    // `AbCdEfGhIjKlMn0:` in Base64.
    let user = "Basic QWJDZEVmR2hJaktsTW4wOg=="
    try await withServer(Self.server([folder: ["a.mp4", "in/"], folder + "in/": ["b.mp4"]], user: user)) { server in
      let pages = try await allPages(of: try open("\(server.origin)/index.php/s/\(Self.token)"))
      #expect(
        pages.flatMap(\.videos).map(\.playbackURL?.text) == ["a.mp4", "in/b.mp4"].map { server.origin + folder + $0 })
    }
  }

  @Test(arguments: [401, 403, 404, 405, 500, 501, 502])
  func `an address that only looks like a share is a feed`(status: Int) async throws {
    try await withServer { request in
      request.method == "GET" ? .answer(TestAnswer(articles([1], end: true))) : .answer(TestAnswer("", status: status))
    } _: { server in
      let source = try open("\(server.origin)/s/\(Self.token)")
      #expect(await source.page(.start).titles == ["Film 1"])
      #expect(server.requests.map(\.method) == ["PROPFIND", "PROPFIND", "GET"])
    }
  }

  @Test func `a share with a password asks for it, and tries nothing else`() async throws {
    try await withServer(Self.server([:], user: "nobody")) { server in
      let failure = try await open("\(server.origin)/s/\(Self.token)").page(.start).failure
      #expect(
        failure?.advice
          == "set password-command of this source in config.toml to a command that prints the password of the share")
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [429, 503])
  func `a busy server of a share gets no other request`(status: Int) async throws {
    try await withServer { _ in
      .answer(TestAnswer("", status: status))
    } _: { server in
      let failure = try await open("\(server.origin)/s/\(Self.token)").page(.start).failure
      #expect(failure != nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a wrong password of a share is reported`() async throws {
    try await withServer(Self.server([:], user: "nobody")) { server in
      var options = SourceOptions()
      options.login = SourceLogin(passwordCommand: "echo s3cret")
      let failure = try await FeedSources.open("\(server.origin)/s/\(Self.token)", options: options).page(.start)
        .failure
      #expect(failure?.advice == "check password-command of this source")
    }
  }

  /// The methods and authorizations of the requests for an address that looks like a share.
  private func requests(_ login: SourceLogin) async throws -> [String] {
    try await withServer { request in
      request.method == "GET" ? .answer(TestAnswer(articles([1], end: true))) : .answer(TestAnswer("", status: 405))
    } _: { server in
      var options = SourceOptions()
      options.login = login
      let source = try FeedSources.open("\(server.origin)/s/\(Self.token)", options: options)
      #expect(await source.page(.start).titles == ["Film 1"])
      return server.requests.map { "\($0.method) \($0.headers["authorization"] ?? "")" }
    }
  }

  @Test func `an address with a user is no share`() async throws {
    let requests = try await requests(SourceLogin(user: "anna", passwordCommand: "echo s3cret"))
    #expect(requests == ["GET Basic YW5uYTpzM2NyZXQ="])
  }

  @Test func `the page in place of a share has the login of its source`() async throws {
    let share = "PROPFIND Basic QWJDZEVmR2hJaktsTW4wOnMzY3JldA=="
    #expect(
      try await requests(SourceLogin(passwordCommand: "echo s3cret")) == [share, share, "GET Basic OnMzY3JldA=="])
  }

  @Test(arguments: ["/videos/local/", "/w/2024/", "/c/films/videos/", "/api/v1/channels/UCabcdefghijklmnopqrstuv/"])
  func `a folder can have the path of a service`(path: String) async throws {
    try await withServer(Self.server([path: ["a.mp4"]])) { server in
      let source = try open("dav://127.0.0.1:\(server.port)\(path)")
      #expect(await source.page(.start).titles == ["a"])
      #expect(server.requests.map(\.target) == [path])
    }
  }

  @Test func `a missing folder is not looked for elsewhere`() async throws {
    try await withServer(Self.server([:])) { server in
      let path = "/api/v1/channels/UCabcdefghijklmnopqrstuv/"
      let failure = try await open("dav://127.0.0.1:\(server.port)\(path)").page(.start).failure
      #expect(failure != nil)
      #expect(server.requests.map(\.target) == [path])
    }
  }

  @Test func `a shared folder that failed for a while is found again`() async throws {
    let isBroken = Mutex(false)
    let folder = "/public.php/webdav/"
    try await withServer { request in
      if request.path == "/s/\(Self.token)" { return .answer(TestAnswer(articles([0], end: true))) }
      return Self.server(isBroken.withLock { $0 } ? [:] : [folder: ["a.mp4"]])(request)
    } _: { server in
      let source = try open("\(server.origin)/s/\(Self.token)")
      let titles = try await source.page(.start).get().videos.map(\.title)
      isBroken.withLock { $0 = true }
      #expect(await source.page(.start).titles == ["Film 0"])
      isBroken.withLock { $0 = false }
      let count = server.requests.count
      #expect(await source.page(.start).titles == titles)
      #expect(await source.page(.start).titles == titles)
      #expect(server.requests.dropFirst(count).last?.path == folder)
    }
  }
}
