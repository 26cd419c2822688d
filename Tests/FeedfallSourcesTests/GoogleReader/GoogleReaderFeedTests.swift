import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import TestServer
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct GoogleReaderFeedTests {
  private typealias Entry = GoogleReaderAccount.Entry

  private func source(
    _ server: TestServer, pageSize: Int? = nil, password: String = GoogleReaderAccount.password,
    path: String = ""
  ) throws -> PageSource {
    var options = SourceOptions()
    options.timeoutSeconds = 600
    options.pageSize = pageSize
    options.login = SourceLogin(user: GoogleReaderAccount.user, passwordCommand: "echo '\(password)'")
    return try FeedSources.open("greader+http://127.0.0.1:\(server.port)\(path)", options: options)
  }

  private func entries(_ count: Int) -> [Entry] { (1...count).reversed().map { Entry($0) } }

  private func paths(_ server: TestServer) -> [String] {
    server.requests.map { $0.path.split(separator: "/").suffix(2).joined(separator: "/") }
  }

  private static func id(_ number: Int) -> String {
    let digits = String(UInt64(bitPattern: Int64(number)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: - Pages

  @Test func `entries are loaded page by page, with one login`() async throws {
    let account = GoogleReaderAccount(entries(5))
    try await withServer(account.answer) { server in
      let pages = try await allPages(of: source(server, pageSize: 2))
      #expect(pages.map { $0.videos.map(\.title) } == [["Film 5", "Film 4"], ["Film 3", "Film 2"], ["Film 1"]])
      #expect(pages[0].videos[0].channel == "Films & more")
      #expect(pages[0].videos[0].playback == .page(try #require(WebAddress("https://films.example/5"))))
      #expect(pages[0].videos[0].published == UnixTime(seconds: 1_700_000_005))
      let contents = "items/contents"
      #expect(
        paths(server) == ["accounts/ClientLogin", "subscription/list", "items/ids", contents, contents, contents])
    }
  }

  @Test(arguments: [
    (#"[{"url":"https://a.example/a.mp4"}]"#, false), (#"[{"href":"https://a.example/a.mp4"}]"#, false), ("[]", false),
    ("null", false), (#"[{"uri":"https://a.example/a.mp4"}]"#, true), (#"[{"href":""}]"#, true),
  ])
  func `media without an address are reported`(enclosures: String, isReported: Bool) async throws {
    let account = GoogleReaderAccount(entries(1))
    let entry =
      #"{"id":"\#(Self.id(1))","title":"A","canonical":[{"href":"https://a.example/"}],"enclosure":\#(enclosures)}"#
    try await withServer { request in
      request.path.hasSuffix("items/contents")
        ? .answer(TestAnswer(#"{"items":[\#(entry)]}"#)) : account.answer(request)
    } _: { server in
      let page = try await source(server).page(.start).get()
      #expect(page.videos.count == 1)
      #expect((page.notice?.hasPrefix("The server lists media without a usable address") == true) == isReported)
    }
  }

  @Test func `the password and the secret of the login are in no address`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withServer(account.answer) { server in
      let page = try await source(server).page(.start).get()
      #expect(page.videos.count == 1)
      #expect(server.requests.allSatisfy { !$0.target.contains("ss") && !$0.target.contains("anna") })
      #expect(server.requests.dropFirst().allSatisfy { $0.headers["authorization"] == "GoogleLogin auth=anna/1" })
      #expect(server.requests[0].headers["content-type"] == "application/x-www-form-urlencoded")
    }
  }

  @Test func `negative numbers and long lists are read, in batches of at most 100`() async throws {
    let account = GoogleReaderAccount([Entry(-1), Entry(Int.min, published: 5)] + entries(1_500))
    try await withServer(account.answer) { server in
      let source = try source(server, pageSize: 5_000)
      let pages = try await allPages(of: source)
      #expect(pages.flatMap(\.videos).count == 1_502)
      #expect(pages.map(\.videos.count).max() == 100)
      #expect(pages[0].videos[0].id == "ffffffffffffffff" && pages[0].videos[1].id == "8000000000000000")
      #expect(paths(server).filter { $0 == "items/ids" }.count == 2)
    }
  }

  @Test func `a page contains the marks of its entries`() async throws {
    let account = GoogleReaderAccount(entries(3))
    account.change {
      $0[0].isRead = true
      $0[2].isStarred = true
    }
    try await withServer(account.answer) { server in
      let marks = try await source(server).page(.start).get().marks
      #expect(marks.map(\.video.id) == [Self.id(3), Self.id(2), Self.id(1)])
      #expect(marks.map(\.marks) == [[.watched], [], [.starred]])
    }
  }

  @Test func `videos of two users of a server have different scopes`() throws {
    let server = try #require(WebAddress("https://rss.example/api/greader.php").flatMap { GoogleReaderServer($0) })
    #expect(server.base.text == "https://rss.example/api/greader.php/")
    #expect(server.scope(ofUser: "anna") != server.scope(ofUser: "bob"))
    #expect(!server.scope(ofUser: "anna").text.contains("anna"))
    let full = WebAddress("https://eve@rss.example/reader/api/0/?x=1#y").flatMap { GoogleReaderServer($0) }
    #expect(full?.base.text == "https://rss.example/")
  }

  // MARK: - Refreshing

  @Test func `a refresh loads the contents of new entries only, and the marks of all loaded ones`() async throws {
    let account = GoogleReaderAccount(entries(4))
    try await withServer(account.answer) { server in
      let source = try source(server, pageSize: 2)
      _ = try await source.page(.start).get()
      account.change {
        $0.insert(Entry(9), at: 0)
        $0[1].isRead = true
        $0[2].isStarred = true
      }
      let before = server.requests.count
      let page = try await source.page(.start).get()
      #expect(page.videos.map(\.title) == ["Film 9", "Film 4"])
      #expect(
        Dictionary(uniqueKeysWithValues: page.marks.map { ($0.video.id, $0.marks) }) == [
          Self.id(9): [], Self.id(4): [.watched], Self.id(3): [.starred],
        ])
      let requests = server.requests[before...]
      let since = "\(1_700_000_003 - 86_400)"
      #expect(requests.filter { $0.path.hasSuffix("ids") }.map { $0.query["ot"] } == [since, since, since])
      let forms = requests.filter { $0.method == "POST" }.map { String(decoding: $0.body, as: UTF8.self) }
      #expect(forms.map { $0.hasSuffix(Self.id(9)) && !$0.contains("&") } == [true])
      let rest = try await source.page(try #require(page.next)).get()
      #expect(rest.videos.map(\.title) == ["Film 3", "Film 2"])
    }
  }

  @Test func `a deleted entry counts as neither read nor unread and disappears`() async throws {
    let account = GoogleReaderAccount(entries(3))
    try await withServer(account.answer) { server in
      let source = try source(server)
      _ = try await source.page(.start).get()
      account.change { $0.remove(at: 1) }
      let page = try await source.page(.start).get()
      #expect(page.videos.map(\.title) == ["Film 3", "Film 1"])
      #expect(page.marks.map(\.video.id) == [Self.id(3), Self.id(1)])
    }
  }

  // MARK: - Login

  @Test func `an expired login is renewed once`() async throws {
    let account = GoogleReaderAccount(entries(3))
    try await withServer(account.answer) { server in
      let source = try source(server, pageSize: 1)
      let page = try await source.page(.start).get()
      account.expireLogin()
      #expect(try await source.page(try #require(page.next)).get().videos.map(\.title) == ["Film 2"])
      #expect(account.loginCount == 2)
    }
  }

  @Test func `a server that refuses each login is asked twice`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withServer { request in
      let answer = account.answer(request)
      if request.path == "/accounts/ClientLogin" { account.expireLogin() }
      return answer
    } _: { server in
      let failure = try await source(server).page(.start).failure
      #expect(failure?.reason == "the server refused the login (401 Unauthorized)")
      #expect(account.loginCount == 2)
    }
  }

  @Test func `a wrong password is reported without the server's words`() async throws {
    try await withServer { request in
      .answer(TestAnswer(#"{"detail":"not wrong"}"#, status: 403))
    } _: { server in
      let failure = try await source(server, password: "wrong").page(.start).failure
      #expect(failure?.reason == "the server refused the login (401 Unauthorized)")
      #expect(failure?.advice == "check user and password-command of this source")
    }
    try await withServer { _ in
      .answer(TestAnswer(#"{"detail":"wrong"}"#, status: 500))
    } _: { server in
      let failure = try await source(server, password: "wrong").page(.start).failure
      #expect(failure?.reason == "the server answered 500 Internal Server Error")
    }
  }

  @Test func `without a password command no request is sent`() async throws {
    let failure = #expect(throws: FeedFailure.self) {
      try FeedSources.open("greader+https://rss.example", options: SourceOptions())
    }
    #expect(failure?.advice == "set user and password-command of this source in config.toml")
  }

  @Test func `a login is not sent to another server after a redirect`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("Auth=x"))
    } _: { other in
      try await withServer { _ in
        .answer(.redirect(to: other.origin + "/accounts/ClientLogin", status: 307))
      } _: { server in
        let failure = try await source(server).page(.start).failure
        #expect(failure?.reason == "the server redirects to \(other.origin), which must not receive the login")
        #expect(other.requests.isEmpty)
      }
    }
  }

  @Test func `a redirect on the same server is followed`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withServer { request in
      guard request.path.hasPrefix("/old/") else { return account.answer(request) }
      return .answer(.redirect(to: String(request.target.dropFirst(4)), status: 308))
    } _: { server in
      let page = try await source(server, path: "/old").page(.start).get()
      #expect(page.videos.map(\.title) == ["Film 1"])
    }
  }

  // MARK: - Changes

  @Test func `marks are changed on the server with a token`() async throws {
    let account = GoogleReaderAccount(entries(3))
    try await withServer(account.answer) { server in
      let marks = try #require(try source(server).marks)
      #expect(await marks.send(MarkChange(.watched, true, ids: [Self.id(1), Self.id(3)])) == .sent)
      #expect(await marks.send(MarkChange(.starred, true, ids: [Self.id(2)])) == .sent)
      #expect(await marks.send(MarkChange(.watched, false, ids: [Self.id(3)])) == .sent)
      #expect(account.entries.map(\.isRead) == [false, false, true])
      #expect(account.entries.map(\.isStarred) == [false, true, false])
      account.expireLogin()
      #expect(await marks.send(MarkChange(.starred, false, ids: [Self.id(2)])) == .sent)
      #expect(account.entries.allSatisfy { !$0.isStarred } && account.loginCount == 2)
    }
  }

  @Test func `a refused token causes one new login`() async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withServer(account.answer) { server in
      let marks = try #require(try source(server).marks)
      account.answerChanges(with: [401])
      #expect(await marks.send(MarkChange(.watched, true, ids: [Self.id(1)])) == .sent)
      #expect(account.entries[0].isRead && account.loginCount == 2)
      account.answerChanges(with: [401, 401])
      guard case .failed(let failure) = await marks.send(MarkChange(.watched, false, ids: [Self.id(1)])) else {
        throw TestFailure("not failed")
      }
      #expect(failure.reason == "the server refused the login (401 Unauthorized)")
      #expect(account.loginCount == 3)
    }
  }

  @Test(arguments: [(400, true), (404, true), (500, false), (503, false)])
  func `only a client error refuses a change for good`(status: Int, isRefused: Bool) async throws {
    let account = GoogleReaderAccount(entries(1))
    try await withServer(account.answer) { server in
      account.answerChanges(with: [status])
      switch try await source(server).marks?.send(MarkChange(.watched, true, ids: [Self.id(1)])) {
      case .refused: #expect(isRefused)
      case .failed: #expect(!isRefused)
      case .sent, nil: throw TestFailure("not failed")
      }
    }
  }

  // MARK: - Hostile answers

  @Test(
    arguments: [
      "", "null", "[]", "{", #"{"subscriptions":7}"#, "<html>Hello", String(repeating: "[", count: 100_000),
    ])
  func `an answer of another kind is reported`(body: String) async throws {
    try await withServer { request in
      .answer(TestAnswer(request.path.hasSuffix("ClientLogin") ? "Auth=x\n" : body))
    } _: { server in
      let failure = try await source(server).page(.start).failure
      #expect(failure?.reason == "\(server.origin)/ is not a server of the Google Reader API")
    }
  }

  @Test(arguments: ["", "SID=x", "Auth=", "Auth=a\u{7F}b", "Auth=ä", "Auth=" + String(repeating: "x", count: 2_049)])
  func `a login without a usable secret is reported`(body: String) async throws {
    try await withServer { _ in
      .answer(TestAnswer(body))
    } _: { server in
      let failure = try await source(server).page(.start).failure
      #expect(failure?.reason == "\(server.origin)/ is not a server of the Google Reader API")
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a continuation without an end is bounded`() async throws {
    try await withServer { request in
      switch request.path.split(separator: "/").last {
      case "ClientLogin": .answer(TestAnswer("Auth=x\n"))
      case "list": .answer(TestAnswer(#"{"subscriptions":[]}"#))
      case "ids":
        .answer(
          TestAnswer(
            #"{"itemRefs":[{"id":"7"},{"id":"x y"},{"id":{}},{"id":"7"}],"continuation":"\#(request.target.count)"}"#))
      default: .answer(TestAnswer(#"{"items":[{"id":"8","canonical":[{"href":"https://a.example/"}]},7,null]}"#))
      }
    } _: { server in
      let page = try await source(server).page(.start).get()
      // An entry that was not requested is ignored.
      #expect(page.videos.isEmpty && page.marks.isEmpty)
      #expect(server.requests.count < 30)
    }
  }
}
