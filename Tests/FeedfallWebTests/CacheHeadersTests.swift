import FeedfallText
import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct CacheHeadersTests {
  private func read(_ lines: String) -> CacheHeaders {
    CacheHeaders(HTTPHeaders(lines: lines), at: UnixTime(seconds: 0))
  }

  @Test(arguments: [
    ("max-age=900", 900), ("public, MAX-AGE = 60", 60), ("max-age=\"7\"", 7), ("max-age=86400", 18_000),
    ("max-age=99999999999999999999", 18_000), ("no-cache, max-age=900", 0), ("max-age=-1", 0), ("max-age=", 0),
    ("s-maxage=60", 0), ("", 0),
  ])
  func `max-age is limited to five hours`(value: String, seconds: Int) {
    #expect(read("HTTP/1.1 200 OK\r\nCache-Control: \(value)\r\n").freshSeconds == seconds)
  }

  @Test(arguments: [
    ("", nil), ("Cache-Control: max-age=900", 900), ("Cache-Control: max-age=900\r\nAge: 100", 800),
    ("Cache-Control: max-age=900\r\nExpires: 0", 900), ("Cache-Control: no-cache, max-age=9", 0),
    ("Cache-Control: no-store", 0), ("Cache-Control: max-age=99999999999999999999", 1 << 31), ("Expires: 0", 0),
    ("Expires: Fri, 02 Jan 1970 00:00:00 GMT", 84_400), ("Expires: Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Expires: Fri, 02 Jan 1970 00:00:00 GMT\r\nDate: Thu, 01 Jan 1970 23:59:50 GMT", 10),
    ("Date: Thu, 01 Jan 1970 00:33:20 GMT\r\nLast-Modified: Thu, 01 Jan 1970 00:16:40 GMT", 100),
    ("Last-Modified: Fri, 02 Jan 1970 00:00:00 GMT", 0), ("Last-Modified: Thu, 01 Jan 1970 00:16:40 GMT", 100),
    ("Last-Modified: yesterday", nil), ("Last-Modified: Tue, 19 Jan 2038 03:14:07 GMT", nil),
    ("Cache-Control: public", nil), ("ETag: \"1\"", nil),
  ])
  func `the lifetime is that of max-age, of Expires or of the last change`(lines: String, seconds: Int?) {
    #expect(CacheHeaders(HTTPHeaders(lines: lines + "\r\n"), at: UnixTime(seconds: 2_000)).lifetime == seconds)
  }

  @Test func `header names are case-insensitive, and invalid lines are ignored`() {
    let headers = HTTPHeaders(
      lines: "HTTP/2 200\r\nETAG:  \"a:b\" \r\n: x\r\nLink: <a>\r\nlink: <b>\r\nnonsense\r\n\r\n")
    #expect(headers["etag"] == "\"a:b\"")
    #expect(headers["link"] == "<a>, <b>")
    #expect(headers["http/2 200"] == nil)
  }

  @Test func `the placeholder date 2038 is not sent back`() {
    #expect(read("Last-Modified: Tue, 19 Jan 2038 03:14:07 GMT\r\n").lastModified == nil)
    #expect(read("Last-Modified: Tue, 19 Jan 2027 03:14:07 GMT\r\n").lastModified == "Tue, 19 Jan 2027 03:14:07 GMT")
  }

  @Test(arguments: ["", String(repeating: "x", count: 1025), "a\u{1}b", "a\u{7F}", "\u{FFFD}"])
  func `a validator that cannot be sent back unchanged is dropped`(tag: String) {
    #expect(read("ETag: \(tag)\r\n").entityTag == nil)
  }

  @Test(arguments: [(0, 600), (599, 600), (7200, 7200), (1_000_000, 18_000), (-50, 600)])
  func `the longer a feed that fails at random has failed, the less often it is requested`(age: Int, trust: Int) {
    let kept = CachedAnswer(
      id: 1, address: WebAddress("https://a.example/")!, contentType: "", fetched: UnixTime(seconds: 1_000_000),
      freshUntil: UnixTime(seconds: 0), byteCount: 0)
    let now = UnixTime(seconds: 1_000_000 + age)
    #expect(kept.endOfFreshness(afterFailureAt: now).seconds - now.seconds == trust)
  }

  @Test func `an answer is fresh until it expires, and never if its date is in the future`() {
    let kept = CachedAnswer(
      id: 1, address: WebAddress("https://a.example/")!, contentType: "", fetched: UnixTime(seconds: 100),
      freshUntil: UnixTime(seconds: 200), byteCount: 0)
    let times = [99, 100, 199, 200]
    #expect(times.map { kept.isFresh(at: UnixTime(seconds: $0), since: nil) } == [false, true, true, false])
    #expect(kept.isFresh(at: UnixTime(seconds: 150), since: UnixTime(seconds: 100)))
    #expect(!kept.isFresh(at: UnixTime(seconds: 150), since: UnixTime(seconds: 101)))
  }

  @Test(arguments: [
    ("Age: 3599", 1), ("Age: 3600", 0), ("Age: 99999999999999999999", 0), ("Age: -5", 3_600), ("Age: x", 3_600),
    ("Age: 10, 20", 3_590), ("Date: Thu, 01 Jan 1970 00:33:20 GMT", 3_600),
    ("Date: Thu, 01 Jan 1970 00:23:20 GMT", 3_000), ("Date: Thu, 01 Jan 1970 00:23:20 GMT\r\nAge: 700", 2_900),
    ("Date: Fri, 02 Jan 1970 00:00:00 GMT", 3_600), ("Date: yesterday", 3_600),
  ])
  func `the time in caches counts against freshness`(lines: String, seconds: Int) {
    let headers = HTTPHeaders(lines: "Cache-Control: max-age=3600\r\n\(lines)\r\n")
    #expect(CacheHeaders(headers, at: UnixTime(seconds: 2_000)).freshSeconds == seconds)
  }

  @Test func `an answer that is not too old stays fresh for the longest time`() {
    let headers = HTTPHeaders(lines: "Cache-Control: max-age=604800\r\nAge: 86400\r\n")
    #expect(CacheHeaders(headers, at: UnixTime(seconds: 0)).freshSeconds == 18_000)
  }

  @Test(arguments: 0..<200)
  func `any headers and any clock give between zero and five hours`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func number() -> String {
      ["\(Int.random(in: .min ... .max, using: &random))", "", "9e9", "\(Int.random(in: 0...9_000, using: &random))"]
        .randomElement(using: &random) ?? ""
    }
    let dates = ["Expires", "Last-Modified"].map { "\($0): \(number())\r\n" }.joined()
    let lines = "Cache-Control: max-age=\(number())\r\nAge: \(number())\r\nDate: \(number())\r\n" + dates
    let now = UnixTime(seconds: [0, -9_000, 4_000_000_000, UnixTime.latestStored].randomElement(using: &random) ?? 0)
    let headers = CacheHeaders(HTTPHeaders(lines: lines), at: now)
    #expect((0...18_000).contains(headers.freshSeconds))
    #expect(headers.lifetime.map { (0...1 << 31).contains($0) } ?? true)
  }
}
