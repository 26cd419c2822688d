import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct JellyfinFeedTests {
  /// A server with 5 films, 1 episode, a begun film and a next episode. Its keys are `user`, the token of
  /// the user anna, and `admin`, an API key without a user.
  private static func answer(_ request: TestRequest) -> TestBehaviour {
    let key = request.headers["authorization"]
    guard [#"MediaBrowser Token="user""#, #"MediaBrowser Token="admin""#].contains(key) else {
      return .answer(TestAnswer("", status: 401))
    }
    let isUser = key == #"MediaBrowser Token="user""#
    switch (request.method, request.path) {
    case ("GET", "/Users/Me"):
      return .answer(isUser ? TestAnswer(#"{"Id":"u1","Name":"anna"}"#) : TestAnswer("", status: 400))
    case ("GET", "/Users"): return .answer(TestAnswer(#"[{"Id":"u1","Name":"anna"},{"Id":"u2","Name":"Bob"}]"#))
    case ("GET", _) where request.query["userId"] == nil: return .answer(TestAnswer("", status: 400))
    case ("GET", "/UserViews"):
      return .answer(
        TestAnswer(
          #"{"Items":[{"Id":"films","Name":"Films","CollectionType":"movies"},{"Id":"shows","Name":"Shows"}]}"#))
    case ("GET", "/UserItems/Resume"): return .answer(items(["f9"], total: 1, position: 600_000_000))
    case ("GET", "/Shows/NextUp"): return .answer(items(["e2"], total: 1))
    case ("GET", "/Items"): return .answer(library(request))
    case ("POST", _): return .answer(TestAnswer("", status: 204))
    default: return .answer(TestAnswer("", status: 404))
    }
  }

  private static func library(_ request: TestRequest) -> TestAnswer {
    let all = request.query["parentId"] == "films" ? (1...5).map { "f\($0)" } : ["e1"]
    let start = Int(request.query["startIndex"] ?? "") ?? 0
    let limit = Int(request.query["limit"] ?? "") ?? 0
    return items(Array(all.dropFirst(start).prefix(limit)), total: all.count)
  }

  private static func items(_ ids: [String], total: Int, position: Int = 0) -> TestAnswer {
    let items = ids.map { #"{"Id":"\#($0)","Name":"\#($0)","UserData":{"PlaybackPositionTicks":\#(position)}}"# }
    return TestAnswer(#"{"Items":[\#(items.joined(separator: ","))],"TotalRecordCount":\#(total),"StartIndex":0}"#)
  }

  private func source(_ server: TestServer, key: String, user: String? = nil, pageSize: Int? = nil) throws -> PageSource
  {
    var options = SourceOptions()
    options.timeoutSeconds = 600
    options.pageSize = pageSize
    options.login = SourceLogin(user: user, passwordCommand: "echo \(key)")
    return try FeedSources.open("jellyfin+http://127.0.0.1:\(server.port)", options: options)
  }

  @Test func `the users of a server have different scopes`() async throws {
    try await withServer(Self.answer) { server in
      var scopes: [FeedScope] = []
      for (key, user) in [("user", nil), ("admin", "Bob"), ("admin", "ANNA")] {
        let source = try source(server, key: key, user: user)
        #expect(source.marks == nil)
        let videos = try await source.page(.start).get().videos
        let scope = try #require(source.marks?.scope)
        #expect(videos.count > 2 && videos.allSatisfy { $0.scope == scope } && !scope.text.contains("u1"))
        scopes.append(scope)
      }
      #expect(scopes[0] != scopes[1] && scopes[0] == scopes[2])
    }
  }

  @Test func `libraries are groups after the begun and the next videos, page by page`() async throws {
    try await withServer(Self.answer) { server in
      let pages = try await allPages(of: source(server, key: "user", pageSize: 3))
      #expect(pages.map { $0.videos.map(\.id) } == [["f9", "e2", "f1", "f2", "f3"], ["f4", "f5", "e1"]])
      #expect(
        pages.flatMap(\.videos).map(\.group) == ["Continue watching", "Next up"] + Array(repeating: "Films", count: 5)
          + ["Shows"])
      #expect(pages[0].videos[0].resumeSeconds == 60)
      #expect(server.requests.filter { $0.path == "/Items" }.map { $0.query["startIndex"] } == ["0", "3", "0"])
      #expect(server.requests.allSatisfy { !$0.target.contains("user\"") && $0.query["api_key"] == nil })
    }
  }

  /// The film library of a server, whose total is wrong.
  private static func films(
    _ count: Int, total: @escaping @Sendable (_ start: Int, _ limit: Int) -> Int
  ) -> @Sendable (TestRequest) -> TestBehaviour {
    { request in
      guard request.path == "/Items", request.query["parentId"] == "films" else {
        return ["/Items", "/UserItems/Resume", "/Shows/NextUp"].contains(request.path)
          ? .answer(items([], total: 0)) : answer(request)
      }
      let (start, limit) = (Int(request.query["startIndex"] ?? "") ?? 0, Int(request.query["limit"] ?? "") ?? 0)
      let ids = (start..<max(start, min(start + limit, count))).map { "f\($0)" }
      return .answer(items(ids, total: total(start, limit)))
    }
  }

  @Test(
    arguments: [
      { _, limit in limit }, { _, _ in 0 }, { start, limit in max(0, 87 - start - limit) }, { start, _ in start },
      { _, _ in 2_000_000_000 }, { _, _ in 87 },
    ] as [@Sendable (Int, Int) -> Int])
  func `a library is read to its end, whatever its total is`(total: @escaping @Sendable (Int, Int) -> Int) async throws
  {
    try await withServer(Self.films(87, total: total)) { server in
      let pages = try await allPages(of: source(server, key: "user"), limit: 10)
      #expect(pages.flatMap(\.videos).map(\.id) == (0..<87).map { "f\($0)" })
      #expect(server.requests.filter { $0.query["parentId"] == "films" }.count <= 4)
    }
  }

  @Test func `a library ends at an answer that is repeated`() async throws {
    try await withServer { request in
      request.path == "/Items" && request.query["parentId"] == "films"
        ? .answer(Self.items(["f1", "f2", "f3"], total: 3)) : Self.answer(request)
    } _: { server in
      _ = try await allPages(of: source(server, key: "user", pageSize: 3), limit: 10)
      #expect(server.requests.filter { $0.query["parentId"] == "films" }.count == 2)
    }
  }

  @Test func `the key is in a header for the player, not in the address`() async throws {
    try await withServer(Self.answer) { server in
      let video = try #require(try await source(server, key: "user").page(.start).get().videos.first)
      guard case .direct(let files) = video.playback else { throw TestFailure("no file") }
      #expect(files.map(\.url.text) == [server.origin + "/Videos/f9/stream?static=true&mediaSourceId=f9"])
      #expect(files.map(\.headers?.authorization) == [.other(HeaderValue(#"MediaBrowser Token="user""#)!)])
    }
  }

  @Test func `an API key without a user requires a user name`() async throws {
    try await withServer(Self.answer) { server in
      let unnamed = try await source(server, key: "admin").page(.start).failure
      #expect(unnamed?.reason == "the server has 2 users")
      #expect(unnamed?.advice == "set user of this source in config.toml")
      let other = try await source(server, key: "admin", user: "eve").page(.start).failure
      #expect(other?.reason == "the server has no user eve")
      _ = try await source(server, key: "admin", user: "BOB").page(.start).get()
      #expect(server.requests.last { $0.path == "/Items" }?.query["userId"] == "u2")
    }
  }

  @Test func `a wrong key is reported`() async throws {
    try await withServer(Self.answer) { server in
      #expect(
        try await source(server, key: "wrong").page(.start).failure?.reason
          == "the server refused the login (401 Unauthorized)")
      let strange = try await source(server, key: "a,b").page(.start).failure
      #expect(strange?.advice == "check password-command")
    }
  }

  @Test func `the user is that of the new key after the server has refused the old one`() async throws {
    let isRevoked = Mutex(false)
    try await withServer { request in
      switch (request.headers["authorization"], request.path) {
      case (#"MediaBrowser Token="old""#, "/Users/Me"): .answer(TestAnswer(#"{"Id":"u1","Name":"anna"}"#))
      case (#"MediaBrowser Token="new""#, "/Users/Me"): .answer(TestAnswer(#"{"Id":"u2","Name":"Bob"}"#))
      case (#"MediaBrowser Token="old""#, _) where isRevoked.withLock({ $0 }): .answer(TestAnswer("", status: 401))
      case (_, "/UserViews"): .answer(TestAnswer(#"{"Items":[{"Id":"films","Name":"Films"}]}"#))
      case ("POST", _): .answer(TestAnswer("", status: 204))
      default: .answer(Self.items(["f1"], total: 1))
      }
    } _: { server in
      let jellyfin = try #require(WebAddress(server.origin).flatMap { JellyfinServer($0) })
      let access = SourceAccess(to: jellyfin.base) { () async throws(FeedFailure) in
        .other(HeaderValue(#"MediaBrowser Token="\#(isRevoked.withLock { $0 } ? "new" : "old")""#)!)
      }
      let client = access.applied(to: HTTPClient(timeoutSeconds: 600, userAgent: "test"))
      let feed = JellyfinFeed(jellyfin, options: SourceOptions(), client: client, access)
      func users() -> [String?] { server.requests.filter { $0.path == "/Items" }.map { $0.query["userId"] } }
      try await access.prepare()
      _ = try await feed.page(.start, .revalidated)
      isRevoked.withLock { $0 = true }
      await #expect(throws: FeedFailure.self) { try await feed.page(.start, .revalidated) }
      try await access.prepare()
      _ = try await feed.page(.start, .revalidated)
      #expect(users() == ["u1", "u2"])
    }
  }

  @Test func `a server of another kind is reported`() async throws {
    try await withServer { _ in
      .answer(.html("<html>Hello"))
    } _: { server in
      let failure = try await source(server, key: "user").page(.start).failure
      #expect(failure?.reason == "\(server.origin)/ is not a Jellyfin server of version 10.9 or newer")
    }
  }

  @Test func `refreshing drops the pages of all lists but the last two`() async throws {
    try await withServer(Self.answer) { server in
      let jellyfin = try #require(WebAddress(server.origin).flatMap { JellyfinServer($0) })
      let access = SourceAccess(to: jellyfin.base) { () async throws(FeedFailure) in
        .other(HeaderValue(#"MediaBrowser Token="user""#)!)
      }
      try await access.prepare()
      var options = SourceOptions()
      options.pageSize = 3
      let client = access.applied(to: HTTPClient(timeoutSeconds: 600, userAgent: "test"))
      let feed = JellyfinFeed(jellyfin, options: options, client: client, access)
      var next: [FeedCursor] = []
      for _ in 0..<4 { next.append(try #require(try await feed.page(.start, .revalidated).next)) }
      for dropped in next[..<2] {
        await #expect(throws: FeedFailure.noSuchPage) { try await feed.page(dropped, .revalidated) }
      }
      #expect(try await feed.page(next[2], .revalidated).videos.map(\.id) == ["f4", "f5", "e1"])
    }
  }

  // MARK: - Limits

  /// A server with one library, whose items are no videos until a start index.
  private static func claiming(_ total: Int, videosFrom first: Int) -> @Sendable (TestRequest) -> TestBehaviour {
    { request in
      guard request.path == "/Items" else {
        return request.path.hasPrefix("/UserItems") || request.path.hasPrefix("/Shows")
          ? .answer(items([], total: 0)) : answer(request)
      }
      let start = Int(request.query["startIndex"] ?? "") ?? 0
      guard request.query["parentId"] == "films" else { return .answer(items(["e1"], total: 1)) }
      let item = start >= first ? #"{"Id":"f\#(start)","Name":"Film"}"# : #"{"Id":"f\#(start)","IsFolder":true}"#
      return .answer(TestAnswer(#"{"Items":[\#(item)],"TotalRecordCount":\#(total)}"#))
    }
  }

  @Test func `a library that claims any number of items without videos ends, and the next one follows`() async throws {
    try await withServer(Self.claiming(2_000_000_000, videosFrom: .max)) { server in
      let page = try await source(server, key: "user").page(.start).get()
      #expect(page.videos.map(\.id) == ["e1"] && page.next == nil && page.skippedCount == 10)
      #expect(page.notice == "Left out the rest of Films: 10 responses had no videos.")
      #expect(server.requests.filter { $0.path == "/Items" }.count == 11)
    }
  }

  @Test func `a page of a library with few videos has a limit of requests, and the next one continues`() async throws {
    try await withServer(Self.claiming(100, videosFrom: 9)) { server in
      let source = try source(server, key: "user")
      let first = try await source.page(.start).get()
      let count = server.requests.filter { $0.path == "/Items" }.count
      #expect(count == 18 && first.videos.first?.id == "f9" && first.notice == nil)
      let pages = try await allPages(of: source)
      #expect(pages.flatMap(\.videos).map(\.id) == (9..<100).map { "f\($0)" } + ["e1"])
    }
  }

  // MARK: - Clocks

  @Test(arguments: [0, 3_600, -3_600, 315_360_000])
  func `times of the server are converted to the clock of this machine, and back`(lead: Int) async throws {
    let now = UnixTime(seconds: 1_792_224_000)
    let played =
      #"{"Id":"f1","UserData":{"PlaybackPositionTicks":9,"LastPlayedDate":"\#(UnixTime(seconds: now.seconds + lead - 60))"}}"#
    try await withServer { request in
      var behaviour = Self.answer(request)
      if case .answer(var answer) = behaviour {
        if request.path == "/Items" { answer = TestAnswer(#"{"Items":[\#(played)],"TotalRecordCount":1}"#) }
        answer.headers["Date"] = Self.httpDate(now.seconds + lead)
        behaviour = .answer(answer)
      }
      return behaviour
    } _: { server in
      let jellyfin = try #require(WebAddress(server.origin).flatMap { JellyfinServer($0) })
      let access = SourceAccess(to: jellyfin.base) { () async throws(FeedFailure) in
        .other(HeaderValue(#"MediaBrowser Token="admin""#)!)
      }
      let client = access.applied(to: HTTPClient(timeoutSeconds: 600, userAgent: "test"))
      var options = SourceOptions()
      options.login = SourceLogin(user: "anna", passwordCommand: "echo admin")
      let feed = JellyfinFeed(jellyfin, options: options, client: client, access) { now }
      try await access.prepare()
      let page = try await feed.page(.start, .revalidated)
      #expect(page.videos.last { $0.id == "f1" }?.resumeTime == UnixTime(seconds: now.seconds - 60))
      guard case .direct(let files) = try #require(page.videos.last).playback else { throw TestFailure("no file") }
      let file = try #require(files.first).url
      let headers = RequestHeaders(nil, authorization: .other(HeaderValue("x")!), account: access.account)
      await feed.report(PlaybackReport(.stopped, of: file, headers: headers, seconds: 12, duration: 100))
      let body = try #require(server.requests.last { $0.path.hasSuffix("UserData") }?.body)
      #expect(
        String(decoding: body, as: UTF8.self).contains(#""LastPlayedDate":"\#(UnixTime(seconds: now.seconds + lead))""#)
      )
    }
  }

  /// A date as in RFC 9110, 5.6.7.
  private static func httpDate(_ seconds: Int) -> String {
    let time = UnixTime(seconds: seconds)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let day = time.civilDate
    let clock = time.description.split(separator: "T")[1].dropLast()
    return "\(day.day < 10 ? "0" : "")\(day.day) \(months[day.month - 1]) \(day.year) \(clock) GMT"
  }

  // MARK: - Reports

  private func file(of source: PageSource) async throws -> (MediaAddress, RequestHeaders?) {
    guard case .direct(let files) = try #require(try await source.page(.start).get().videos.first).playback else {
      throw TestFailure("no file")
    }
    let file = try #require(files.first)
    return (file.url, file.headers)
  }

  @Test func `a position is stored for the user of the source only, though another one has the same key`() async throws
  {
    try await withServer(Self.answer) { server in
      let anna = try source(server, key: "admin", user: "anna")
      let bob = try source(server, key: "admin", user: "Bob")
      _ = try await anna.page(.start).get()
      let (file, headers) = try await file(of: bob)
      for source in [anna, bob] {
        await source.report?(PlaybackReport(.stopped, of: file, headers: headers, seconds: 12, duration: 100))
      }
      let posts = server.requests.filter { $0.method == "POST" }.map(\.target)
      #expect(posts == ["/Sessions/Playing/Stopped", "/UserItems/f9/UserData?userId=u2"])
    }
  }

  /// Sends the reports of one playback, and returns the requests.
  private func reports(_ server: TestServer, key: String, user: String? = nil) async throws -> [String] {
    let source = try source(server, key: key, user: user)
    let (file, headers) = try await file(of: source)
    let report = try #require(source.report)
    let elsewhere = MediaAddress.web(try #require(WebAddress("http://127.0.0.1:1/Videos/f9/stream")))
    await report(PlaybackReport(.started, of: file, headers: headers, seconds: 1))
    await report(PlaybackReport(.progress(isPaused: false), of: file, headers: headers, seconds: 11, duration: 100))
    await report(PlaybackReport(.stopped, of: elsewhere, headers: headers, seconds: 12))
    await report(PlaybackReport(.stopped, of: file, headers: headers, seconds: 12, duration: 100))
    return server.requests.filter { $0.method == "POST" }.map { request in
      "\(request.target) \(String(decoding: request.body, as: UTF8.self))"
    }
  }

  private static func session(_ ticks: Int) -> String {
    #"{"ItemId":"f9","MediaSourceId":"f9","PositionTicks":\#(ticks),"IsPaused":false,"CanSeek":true,"#
      + #""PlayMethod":"DirectPlay"}"#
  }

  @Test func `playback is reported to the session of the user`() async throws {
    try await withServer(Self.answer) { server in
      let requests = try await reports(server, key: "user")
      #expect(
        requests == [
          "/Sessions/Playing \(Self.session(10_000_000))", "/Sessions/Playing/Progress \(Self.session(110_000_000))",
          "/Sessions/Playing/Stopped \(Self.session(120_000_000))",
        ])
    }
  }

  @Test func `with an API key, the position is stored for the configured user`() async throws {
    try await withServer(Self.answer) { server in
      let requests = try await reports(server, key: "admin", user: "anna").filter { $0.contains("UserData") }
      let date = #","LastPlayedDate":""#
      #expect(requests.allSatisfy { $0.contains(date) })
      #expect(
        requests.map { String($0.split(separator: date)[0]) } == [
          #"/UserItems/f9/UserData?userId=u1 {"PlaybackPositionTicks":110000000"#,
          #"/UserItems/f9/UserData?userId=u1 {"PlaybackPositionTicks":120000000"#,
        ])
    }
  }

  @Test func `a report to a server that has stopped is dropped`() async throws {
    let answering = try TestServer(Self.answer)
    let source = try source(answering, key: "user")
    let (file, headers) = try await file(of: source)
    answering.stop()
    await source.report?(PlaybackReport(.stopped, of: file, headers: headers, seconds: 12))
    #expect(source.report != nil)
  }
}
