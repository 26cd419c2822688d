import FeedfallText
import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct CacheHeadersTests {
  private func read(_ lines: String) -> CacheHeaders { CacheHeaders(HTTPHeaders(lines: lines)) }

  @Test(arguments: [
    ("max-age=900", 900), ("public, MAX-AGE = 60", 60), ("max-age=\"7\"", 7), ("max-age=86400", 18_000),
    ("max-age=99999999999999999999", 18_000), ("no-cache, max-age=900", 0), ("max-age=-1", 0), ("max-age=", 0),
    ("s-maxage=60", 0), ("", 0),
  ])
  func `max-age is limited to five hours`(value: String, seconds: Int) {
    #expect(read("HTTP/1.1 200 OK\r\nCache-Control: \(value)\r\n").freshSeconds == seconds)
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
}
