import FeedfallText
import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct CookieJarTests {
  private func header(_ lines: [String], from: String, to: String) throws -> String? {
    var jar = CookieJar()
    jar.store(lines, from: try #require(WebAddress(from)), at: UnixTime(seconds: 1_700_000_000))
    return jar.header(for: try #require(WebAddress(to)))
  }

  @Test(
    arguments: [
      ("a=1", "http://h.example/x", "http://h.example/y", "a=1"),
      ("a=1", "http://h.example/x", "http://h.example", "a=1"),
      ("a=1", "http://h.example:8080/x", "http://h.example:9090/y", "a=1"),
      ("a=1", "http://h.example/x", "https://h.example/y", "a=1"),
      ("a=1", "https://h.example/x", "http://h.example/y", nil),
      ("a=1; Secure", "https://h.example/x", "https://h.example/y", "a=1"),
      ("a=1; secure", "http://h.example/x", "https://h.example/y", nil),
      ("a=1", "http://h.example/x", "http://sub.h.example/y", nil),
      ("a=1", "http://sub.h.example/x", "http://h.example/y", nil),
      ("a=1", "http://h.example/x", "http://h.example.evil.example/y", nil),
      ("a=1; Domain=h.example", "http://sub.h.example/x", "http://h.example/y", "a=1"),
      ("a=1; domain=.H.Example", "http://sub.h.example/x", "http://other.h.example/y", "a=1"),
      ("a=1; Domain=h.example", "http://sub.h.example/x", "http://xh.example/y", nil),
      ("a=1; Domain=other.example", "http://h.example/x", "http://h.example/y", nil),
      ("a=1; Domain=other.example", "http://h.example/x", "http://other.example/y", nil),
      ("a=1; Domain=sub.h.example", "http://h.example/x", "http://sub.h.example/y", nil),
      ("a=1; Domain=example", "http://h.example/x", "http://i.example/y", nil),
      ("a=1; Domain=example", "http://h.example/x", "http://h.example/y", "a=1"),
      ("a=1; Domain=co.uk", "http://h.co.uk/x", "http://i.co.uk/y", nil),
      ("a=1; Domain=co.uk", "http://h.co.uk/x", "http://h.co.uk/y", "a=1"),
      ("a=1; Domain=0.1", "http://127.0.0.1/x", "http://10.0.0.1/y", nil),
      ("a=1; Domain=127.0.0.1", "http://127.0.0.1/x", "http://127.0.0.1/y", "a=1"),
      ("a=1; Domain=", "http://h.example/x", "http://sub.h.example/y", nil),
      ("a=1; Path=/films", "http://h.example/x", "http://h.example/films", "a=1"),
      ("a=1; Path=/films", "http://h.example/x", "http://h.example/films/1", "a=1"),
      ("a=1; Path=/films", "http://h.example/x", "http://h.example/films2", nil),
      ("a=1; Path=/films/", "http://h.example/x", "http://h.example/films", nil),
      ("a=1", "http://h.example/films/x", "http://h.example/films/y?z", "a=1"),
      ("a=1", "http://h.example/films/x", "http://h.example/", nil),
      ("a=1; Path=films", "http://h.example/films/x", "http://h.example/", nil),
      ("a=1; Max-Age=0", "http://h.example/", "http://h.example/", nil),
      ("a=1; Max-Age=-5", "http://h.example/", "http://h.example/", nil),
      ("a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:01 GMT", "http://h.example/", "http://h.example/", "a=1"),
      ("a=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT", "http://h.example/", "http://h.example/", nil),
      ("a=1; Expires=Thu, 01-Jan-1970 00:00:01 GMT", "http://h.example/", "http://h.example/", nil),
      ("a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT", "http://h.example/", "http://h.example/", "a=1"),
      ("a=1; Expires=soon", "http://h.example/", "http://h.example/", "a=1"),
      (" a = b=c ; HttpOnly; SameSite=Strict", "http://h.example/", "http://h.example/", "a=b=c"),
      (#"a="1, 2""#, "http://h.example/", "http://h.example/", #"a="1, 2""#),
      ("a=", "http://h.example/", "http://h.example/", "a="),
      ("a", "http://h.example/", "http://h.example/", nil),
      ("=1", "http://h.example/", "http://h.example/", nil),
      ("", "http://h.example/", "http://h.example/", nil),
      (";;;", "http://h.example/", "http://h.example/", nil),
      ("a=\u{7}", "http://h.example/", "http://h.example/", nil),
      ("a=ü", "http://h.example/", "http://h.example/", nil),
    ] as [(String, String, String, String?)])
  func `a cookie is sent to the addresses of its scope`(line: String, from: String, to: String, sent: String?) throws {
    #expect(try header([line], from: from, to: to) == sent)
  }

  @Test func `a cookie replaces the one with its name and scope, or removes it`() throws {
    let address = "http://h.example/a/b"
    #expect(try header(["x=1", "y=2", "x=3"], from: address, to: address) == "y=2; x=3")
    #expect(try header(["x=1", "y=2", "x=; Max-Age=0"], from: address, to: address) == "y=2")
    #expect(try header(["x=1; Path=/", "x=2"], from: address, to: address) == "x=2; x=1")
  }

  @Test func `a thousand cookies leave the last twenty, within four kilobytes`() throws {
    let address = "http://h.example/"
    let names = try header((0..<1_000).map { "c\($0)=1" }, from: address, to: address)
    #expect(names == (980..<1_000).map { "c\($0)=1" }.joined(separator: "; "))
    let value = String(repeating: "x", count: 3_000)
    let long = try header((0..<1_000).map { "c\($0)=\(value)" }, from: address, to: address)
    #expect(long == "c999=\(value)")
    #expect(try header(["c=" + String(repeating: "x", count: 4_095)], from: address, to: address) == nil)
  }

  @Test(arguments: 0..<200) func `cookies reach only their own servers, in bounded numbers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let hosts = ["a.example", "b.example", "x.a.example", "y.a.example", "a.co.uk", "b.co.uk", "127.0.0.1", "[::1]"]
    let domains = hosts + ["example", "co.uk", "uk", ".a.example", "0.0.1", "[::1]", "1", ""]
    let paths = ["", "/", "/p", "/p/q", "/pq"]
    func address() throws -> WebAddress {
      let scheme = Bool.random(using: &random) ? "https" : "http"
      return try #require(
        WebAddress("\(scheme)://\(hosts.randomElement(using: &random)!)\(paths.randomElement(using: &random)!)"))
    }
    var jar = CookieJar()
    var origins: [String: WebAddress] = [:]
    for step in 0..<60 {
      let from = try address()
      // The value names the origin.
      origins["\(step)"] = from
      var line = "n\(Int.random(in: 0..<30, using: &random))=\(step)"
      if random.chance(1, in: 2) { line += "; Domain=\(domains.randomElement(using: &random)!)" }
      if random.chance(1, in: 3) { line += "; Path=\(paths.randomElement(using: &random)!)" }
      if random.chance(1, in: 4) { line += "; Secure" }
      if random.chance(1, in: 8) { line += "; Max-Age=\(Int.random(in: -1...1, using: &random))" }
      jar.store([line], from: from, at: UnixTime(seconds: 0))
      #expect(jar.count <= CookieJar.maximumCount)
      let to = try address()
      let sent = jar.header(for: to) ?? ""
      #expect(sent.utf8.count <= CookieJar.maximumByteCount)
      for pair in sent.split(separator: "; ") {
        let origin = try #require(origins[String(pair.drop { $0 != "=" }.dropFirst())])
        let isOwn = origin.host == to.host || origin.host.hasSuffix("a.example") && to.host.hasSuffix("a.example")
        #expect(isOwn && (origin.scheme == "http" || to.scheme == "https"), "\(pair) of \(origin) sent to \(to)")
      }
    }
  }
}
