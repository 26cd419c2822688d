import FeedfallText
import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct RedirectChainTests {
  private func next(_ from: String, _ to: String) -> String? {
    guard let address = WebAddress(from) else { return nil }
    var chain = RedirectChain(from: address)
    try? chain.follow(to, status: 302)
    return chain.address == address ? nil : chain.address.text
  }

  @Test func `http can redirect to https`() {
    #expect(next("http://a.example/", "https://b.example/x") == "https://b.example/x")
  }

  @Test func `https cannot redirect to http`() {
    #expect(next("https://a.example/", "http://a.example/x") == nil)
    #expect(next("https://a.example/", "HTTP://a.example/x") == nil)
  }

  @Test func `a chain that may leave https follows redirects to http, and back`() throws {
    var chain = RedirectChain(from: try #require(WebAddress("https://a.example/")), mayLeaveHTTPS: true)
    try chain.follow("http://b.example/", status: 302, cookies: ["a=1; Domain=example"])
    #expect(chain.address.text == "http://b.example/" && chain.cookies == nil)
    try chain.follow("https://a.example/2", status: 302, cookies: ["b=1"])
    #expect(chain.cookies == "a=1")
  }

  @Test func `a refused redirect names the server and the target without its path and secrets`() throws {
    var chain = RedirectChain(from: try #require(WebAddress("https://films.example/film?token=1")))
    let fault = #expect(throws: WebFailure.self) {
      try chain.follow("http://ann:secret@cdn.example:8080/film?token=2", status: 302)
    }
    #expect(fault?.reason == "films.example redirects to http://cdn.example:8080, which is not encrypted")
  }

  @Test(arguments: 0..<200) func `a chain never leaves https unless it may, and then without the cookies of https`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let mayLeave = random.chance(1, in: 2)
    let addresses = ["https", "http"].flatMap { scheme in
      ["a.example", "b.example", "x.a.example"].map { "\(scheme)://\($0)/" }
    }
    let start = try #require(addresses.randomElement(using: &random).flatMap { WebAddress($0) })
    var chain = RedirectChain(from: start, mayLeaveHTTPS: mayLeave)
    for step in 0..<20 {
      let before = chain.address
      let target = addresses.randomElement(using: &random)! + "\(step)"
      // The value names the scheme.
      let cookie = "c\(step)=\(before.scheme); Domain=\(before.host)"
      do throws(WebFailure) { try chain.follow(target, status: 302, cookies: [cookie]) } catch {
        guard case .redirect(.notEncrypted) = error else { break }
        #expect(!mayLeave && before.scheme == "https" && target.hasPrefix("http://") && chain.address == before)
      }
      #expect(mayLeave || before.scheme == "http" || chain.address.scheme == "https")
      if chain.address.scheme == "http" { #expect(chain.cookies?.contains("https") != true) }
    }
  }

  @Test func `the eleventh redirect is not followed`() throws {
    var chain = RedirectChain(from: try #require(WebAddress("http://a.example/")))
    for number in 1...10 { try chain.follow("http://a.example/\(number)", status: 302) }
    #expect(throws: WebFailure.redirect(.tooMany)) { try chain.follow("http://a.example/11", status: 302) }
  }

  @Test func `a redirect to an earlier address is a circle`() throws {
    for start in ["http://a.example/", "http://a.example/2"] {
      var chain = RedirectChain(from: try #require(WebAddress(start)))
      if start.hasSuffix("/") { try chain.follow("http://a.example/2", status: 302) }
      #expect(throws: WebFailure.redirect(.circle)) { try chain.follow(start, status: 301) }
    }
  }

  @Test func `a redirect to the same address with a new cookie is followed, with the same one it is a circle`() throws {
    var chain = RedirectChain(from: try #require(WebAddress("http://a.example/film")))
    #expect(chain.cookies == nil)
    try chain.follow("http://a.example/film", status: 301, cookies: ["seen=1"])
    #expect(chain.cookies == "seen=1" && !chain.isPermanent)
    #expect(throws: WebFailure.redirect(.circle)) {
      try chain.follow("http://a.example/film", status: 302, cookies: ["seen=1"])
    }
  }

  @Test func `a loop with a new cookie each time ends after ten redirects`() throws {
    var chain = RedirectChain(from: try #require(WebAddress("http://a.example/")))
    for number in 1...10 { try chain.follow("http://a.example/", status: 302, cookies: ["count=\(number)"]) }
    #expect(throws: WebFailure.redirect(.tooMany)) {
      try chain.follow("http://a.example/", status: 302, cookies: ["count=11"])
    }
  }

  @Test func `a request with a login has one in its address or its headers`() throws {
    let (plain, named) = (
      try #require(WebAddress("https://a.example/")), try #require(WebAddress("https://ann:pw@a.example/"))
    )
    let login = RequestHeaders(nil, authorization: .basic(user: "ann", password: "pw"))
    #expect(!FileRequest(plain).hasLogin && FileRequest(named).hasLogin && FileRequest(plain, headers: login).hasLogin)
  }

  @Test func `only five statuses are redirects`() {
    #expect((300...399).filter(RedirectChain.isRedirect) == [301, 302, 303, 307, 308])
  }

  @Test(
    arguments: [
      (nil, [], false), (nil, [301], true), (nil, [308, 301], true), (nil, [301, 302], false),
      (nil, [302, 301], false),
      ("http://b.example/", [], true), ("http://b.example/", [301], true), ("http://b.example/", [302], false),
    ] as [(String?, [Int], Bool)])
  func `a chain of permanent redirects is permanent`(known: String?, statuses: [Int], isPermanent: Bool) throws {
    let start = try #require(WebAddress("http://a.example/"))
    var chain = RedirectChain(from: start, knownTarget: known.flatMap { WebAddress($0) })
    for (number, status) in statuses.enumerated() {
      try chain.follow("http://c.example/\(number)", status: status)
    }
    #expect(chain.isPermanent == isPermanent)
  }

  @Test func `the route of a film is asked with one byte, and that of http is not asked`() async throws {
    var request = FileRequest(try #require(WebAddress("http://127.0.0.1:9/film")))
    #expect(request.range == nil)
    #expect(await HTTPClient(timeoutSeconds: 1, userAgent: "a").route(of: request) == .other)
    request.isProbe = true
    #expect(request.range == "bytes=0-0")
  }
}
