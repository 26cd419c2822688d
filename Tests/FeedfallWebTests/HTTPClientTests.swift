import Synchronization
import TestServer
import TestSupport
import Testing

@testable import FeedfallText
@testable import FeedfallWeb

@Suite(.hangLimit, .serialized) struct HTTPClientTests {
  private func get(
    _ text: String, timeout: Double = hangLimitSeconds, maximumByteCount: Int = 32 << 20
  ) async throws -> Result<HTTPAnswer, WebFailure> {
    let address = try #require(WebAddress(text))
    let client = HTTPClient(
      timeoutSeconds: timeout, userAgent: "test/1", maximumByteCount: maximumByteCount)
    return await get(address, client)
  }

  private func get(_ address: WebAddress, _ client: HTTPClient) async -> Result<HTTPAnswer, WebFailure> {
    var load = client.load(nil)
    do { return .success(try await load.get(address, accept: "application/json")) } catch { return .failure(error) }
  }

  private func get(
    _ behaviour: TestBehaviour, timeout: Double = hangLimitSeconds, maximumByteCount: Int = 32 << 20
  ) async throws -> Result<HTTPAnswer, WebFailure> {
    try await withServer { _ in
      behaviour
    } _: { server in
      try await get(server.origin + "/feed", timeout: timeout, maximumByteCount: maximumByteCount)
    }
  }

  @Test func `an answer has a status, a body, a type and an address`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("hello", status: 404))
    } _: { server in
      let answer = try await get(server.origin + "/feed").get()
      let address = try #require(WebAddress(server.origin + "/feed"))
      let expected = HTTPAnswer(
        status: 404, body: Array("hello".utf8), contentType: "application/json", address: address)
      #expect(answer == expected)
    }
  }

  @Test func `the beginning of an answer is inspected each time that it has doubled`() async throws {
    let body = (0..<700_000).map { UInt8(truncatingIfNeeded: $0) }
    try await withServer { request in
      switch request.path {
      case "/moved": .answer(TestAnswer(body, status: 302, headers: ["Location": "/whole"]))
      case "/missing": .answer(TestAnswer(body, status: 404))
      default: .slow(TestAnswer(body), bytesPerSecond: 20_000_000)
      }
    } _: { server in
      for (path, count) in [("/moved", Int?.none), ("/whole", 2), ("/missing", 0)] {
        let seen = Mutex<[Int]>([])
        var client = HTTPClient(timeoutSeconds: hangLimitSeconds, userAgent: "test/1")
        client.inspect = { beginning in
          #expect(beginning.elementsEqual(body.prefix(beginning.count)))
          return seen.withLock { seen in
            seen.append(beginning.count)
            return seen.count != count
          }
        }
        let address = try #require(WebAddress(server.origin + path))
        #expect(try await get(address, client).get().body == body)
        let counts = seen.withLock { $0 }
        #expect(count.map { counts.count <= $0 } ?? !counts.isEmpty)
        #expect(counts.allSatisfy { $0 >= 1024 } && zip(counts, counts.dropFirst()).allSatisfy { $1 >= 2 * $0 })
        #expect(counts.dropLast().allSatisfy { $0 < 262_144 })
      }
    }
  }

  @Test func `a request names the program, the wanted types and the known encodings`() async throws {
    try await withServer { _ in
      .answer(TestAnswer(""))
    } _: { server in
      _ = try await get(server.origin + "/feed").get()
      let headers = try #require(server.requests.first?.headers)
      #expect(headers["user-agent"] == "test/1")
      #expect(headers["accept"] == "application/json")
      #expect(headers["accept-encoding"]?.contains("gzip") == true)
    }
  }

  @Test(arguments: [TestBehaviour.silence, .stall(TestAnswer(String(repeating: "a", count: 100)), after: 50)])
  func `silence before or within an answer is a time-out`(behaviour: TestBehaviour) async throws {
    #expect(try await get(behaviour, timeout: 0.3).failure == .timedOut(seconds: 0.3))
  }

  @Test func `an answer that keeps arriving may take longer than the time-out`() async throws {
    let answer = TestAnswer(String(repeating: "a", count: 100))
    #expect(try await get(.drip(answer, everyMilliseconds: 15), timeout: 1).get().body == answer.body)
  }

  @Test func `an answer that arrives without an end is refused after six time-outs`() async throws {
    let answer = TestAnswer(String(repeating: "a", count: 100_000))
    let failure = try await get(.drip(answer, everyMilliseconds: 5), timeout: 0.5).failure
    #expect(failure?.reason == "the answer was not complete after 3 s")
  }

  @Test func `a file that waits for the disk is no silence of another one`() async throws {
    let film = TestAnswer(String(repeating: "a", count: 60))
    try await withServer { _ in
      .drip(film, everyMilliseconds: 10)
    } _: { server in
      let address = try #require(WebAddress(server.origin + "/film"))
      let client = HTTPClient(timeoutSeconds: 1, userAgent: "test/1", maximumByteCount: 1 << 20)
      let (steady, waiting) = (PausedSink(seconds: 0), PausedSink(seconds: 1.5))
      async let first = client.receive(FileRequest(address), into: steady)
      try await eventually("the first byte") { steady.hasBegun.load(ordering: .relaxed) }
      _ = try await client.receive(FileRequest(address), into: waiting)
      #expect(try await first.status == 200)
    }
  }

  /// Waits at its first byte, as for a disk.
  private final class PausedSink: FileSink {
    let hasBegun = Atomic(false)
    private let pause: Duration

    init(seconds: Double) { pause = .seconds(seconds) }

    func receive(_ piece: UnsafeRawBufferPointer, of head: FileHead) -> Bool {
      guard !hasBegun.exchange(true, ordering: .relaxed) else { return true }
      let end = ContinuousClock.now + pause
      try? blockUntil("the end of the pause") { .now >= end }
      return true
    }
  }

  @Test func `redirects share the time of one answer`() async throws {
    let failure = try await withServer { _ in
      .late(.redirect(to: "/again"), afterMilliseconds: 100)
    } _: { server in
      try await get(server.origin + "/feed", timeout: 0.15).failure
    }
    #expect(failure != nil && failure != .redirect(.tooMany))
  }

  @Test(arguments: [
    TestBehaviour.reset(TestAnswer("0123456789"), after: 4), .cut(TestAnswer("0123456789"), after: 4), .raw([]),
  ])
  func `a connection that closes before the end leaves an incomplete answer`(behaviour: TestBehaviour) async throws {
    #expect(try await get(behaviour).failure == .cut)
  }

  @Test func `an answer that is not HTTP is reported as unreadable`() async throws {
    let failure = try await get(.raw(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))).failure
    #expect(failure?.retry == .permanent)
    #expect(failure?.reason.hasPrefix("127.0.0.1 sent an invalid answer") == true)
  }

  @Test func `endless headers are refused`() async throws {
    let header = "X-Long: \(String(repeating: "x", count: 60_000))\r\n"
    let head = "HTTP/1.1 200 OK\r\n" + String(repeating: header, count: 30) + "Content-Length: 0\r\n\r\n"
    #expect(try await get(.raw(Array(head.utf8))).failure != nil)
  }

  @Test func `an unknown host name is reported`() async throws {
    let failure = try await get("http://no-such-host.invalid/", timeout: 2).failure
    #expect(failure?.retry == .temporary)
    let words = [
      "the name no-such-host.invalid was not found", "no answer in 2 s",
    ]
    #expect(words.contains(failure?.reason ?? ""))
  }

  @Test func `https to a server without encryption is reported`() async throws {
    let failure = try await withServer { _ in
      .answer(TestAnswer(""))
    } _: { server in
      try await get("https://127.0.0.1:\(server.port)/").failure
    }
    #expect(failure?.reason.hasPrefix("the encrypted connection to 127.0.0.1 failed") == true)
  }

  @Test func `a body over the limit is refused`() async throws {
    let body = [UInt8](repeating: 32, count: (1 << 20) + 1)
    let failure = try await get(.answer(TestAnswer(body)), maximumByteCount: 1 << 20).failure
    #expect(failure?.reason == "the answer is larger than 1 MB")
  }

  @Test func `a body at the limit is accepted`() async throws {
    let body = [UInt8](repeating: 32, count: 1 << 20)
    let answer = try await get(.answer(TestAnswer(body)), maximumByteCount: 1 << 20).get()
    #expect(answer.body.count == 1 << 20)
  }

  @Test func `a redirect is followed, and the answer has the final address`() async throws {
    try await withServer { request in
      request.path == "/feed" ? .answer(.redirect(to: "other/../there?x=1")) : .answer(TestAnswer("here"))
    } _: { server in
      let answer = try await get(server.origin + "/feed").get()
      #expect(answer.body == Array("here".utf8))
      #expect(answer.address.text == server.origin + "/there?x=1")
    }
  }

  @Test func `cookies of a redirect are sent to its target, and to no later request`() async throws {
    try await withServer { request in
      if request.path == "/there" {
        return .answer(TestAnswer("", status: request.headers["cookie"] == "a=1; b=2" ? 200 : 403))
      }
      return .raw(
        Array("HTTP/1.1 302 Found\r\nSet-Cookie: a=1\r\nLocation: /there\r\nset-cookie: b=2; HttpOnly\r\n\r\n".utf8))
    } _: { server in
      #expect(try await get(server.origin + "/feed").get().status == 200)
      #expect(try await get(server.origin + "/there").get().status == 403)
      let address = try #require(WebAddress(server.origin + "/film"))
      let client = HTTPClient(timeoutSeconds: hangLimitSeconds, userAgent: "test/1")
      #expect(try await client.receive(FileRequest(address), into: IgnoringSink()).status == 200)
      #expect(server.requests.map { $0.headers["cookie"] } == [nil, "a=1; b=2", nil, nil, "a=1; b=2"])
    }
  }

  private final class IgnoringSink: FileSink {
    func receive(_ piece: UnsafeRawBufferPointer, of head: FileHead) -> Bool { true }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "javascript:1"])
  func `a redirect to another scheme is refused`(target: String) async throws {
    let failure = try await get(.answer(.redirect(to: target))).failure
    #expect(failure?.retry == .permanent)
    #expect(failure?.reason == "the server redirects to an address that is not http or https")
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "dict://127.0.0.1/"])
  func `only http and https are requested, even if the check of addresses is bypassed`(text: String) async throws {
    let client = HTTPClient(timeoutSeconds: hangLimitSeconds, userAgent: "test")
    let failure = await get(WebAddress(unchecked: text), client).failure
    #expect(failure?.reason.contains("not supported or disabled") == true)
  }

  /// A missing one is the pause of the program itself.
  @Test(arguments: [
    ("7", 7), ("Fri, 31 Dec 2100 23:59:59 GMT", 86_400), ("0", 1), ("Thu, 01 Jan 2015 00:00:00 GMT", 1), (nil, 30),
  ])
  func `Retry-After is parsed in both forms`(value: String?, seconds: Int) async throws {
    var answer = TestAnswer("", status: 429)
    answer.headers["retry-after"] = value
    #expect(try await get(.answer(answer)).get().retryAfter == seconds)
  }

  @Test(arguments: [70_000, 90_000])
  func `a status line longer than the header limit is skipped`(byteCount: Int) async throws {
    let line = Array("HTTP/1.1 200 ".utf8) + [UInt8](repeating: 0x78, count: byteCount) + Array("\r\n".utf8)
    let answer = try await get(.raw(line)).get()
    #expect(answer.status == 200 && answer.link == nil && answer.body.isEmpty)
  }

  @Test func `a cancelled request ends at once`() async throws {
    try await withServer { _ in
      .silence
    } _: { server in
      let task = Task { try await get(server.origin, timeout: 600) }
      while server.requests.isEmpty { await Task.yield() }
      task.cancel()
      let failure = try await task.value.failure
      #expect(failure == .cancelled)
    }
  }

  @Test func `many requests that are cancelled at random all end`() async throws {
    try await withServer { request in
      request.path == "/1" ? .silence : .answer(TestAnswer("x"))
    } _: { server in
      let ended = try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let task = Task { try await get(server.origin + "/\(number % 2)", timeout: 600) }
            for _ in 0..<(number % 7) { await Task.yield() }
            task.cancel()
            _ = try await task.value
          }
        }
        return try await group.reduce(0) { count, _ in count + 1 }
      }
      #expect(ended == 200)
    }
  }

  @Test(arguments: [(404, true), (500, true), (599, true), (403, false), (410, false)])
  func `a server that fails at random can be requested again after a 404 or a server error`(
    status: Int, isTransient: Bool
  ) async throws {
    try await withServer { _ in
      .answer(TestAnswer("", status: status))
    } _: { server in
      let client = HTTPClient(timeoutSeconds: hangLimitSeconds, userAgent: "test") { _ in true }
      let answer = try await get(try #require(WebAddress(server.origin)), client).get()
      #expect(
        answer.failure
          == (isTransient ? .transient(status: status, host: "127.0.0.1") : .status(status, retryAfter: nil)))
      #expect(answer.failure?.retry == (isTransient ? .temporary : .permanent))
    }
  }

  private static func proxies(_ server: TestServer) -> Proxies {
    Proxies().replacing(ProxyAddress(server.origin, setting: "--proxy"))
  }

  @Test func `a redirect follows the rules for proxies of the request`() async throws {
    try await withServer { request in
      .answer(request.target == "http://a.example/1" ? .redirect(to: "http://b.example/2") : TestAnswer("film"))
    } _: { server in
      var client = HTTPClient(timeoutSeconds: hangLimitSeconds, userAgent: "test")
      let address = try #require(WebAddress("http://a.example/1"))
      client.proxies = ProxyDirectory(Proxies())
      client.proxies.assign(Self.proxies(server), to: [address])
      let answer = try await get(address, client).get()
      #expect(answer.body == Array("film".utf8))
      #expect(server.requests.map(\.target) == ["http://a.example/1", "http://b.example/2"])
    }
  }

  @Test func `a failure of the proxy names it and its setting`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("", status: 407))
    } _: { server in
      var client = HTTPClient(timeoutSeconds: hangLimitSeconds, userAgent: "test")
      client.proxies = ProxyDirectory(Self.proxies(server))
      let failure = await get(try #require(WebAddress("https://a.example/")), client).failure
      #expect(failure?.reason == "the proxy 127.0.0.1:\(server.port) requires a password (407)")
      #expect(failure?.advice == "set --proxy to http://name:password@127.0.0.1:\(server.port)")
    }
  }
}
