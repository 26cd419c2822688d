import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct AuthorizationTests {
  @Test(arguments: [Authorization.basic(user: "anna", password: "s3cret"), .other(HeaderValue("Token s3cret")!)])
  func `no description contains the secret`(authorization: Authorization) {
    var dumped = ""
    dump([authorization], to: &dumped)
    for text in ["\(authorization)", String(reflecting: authorization), "\([authorization])", dumped] {
      #expect(!text.contains("s3cret"))
    }
  }

  @Test(arguments: [
    ("https://a.example/x", true), ("https://A.EXAMPLE:443/", true), ("https://user@a.example/", true),
    ("http://a.example/", false), ("https://a.example:444/", false), ("https://b.a.example/", false),
    ("https://a.example@b.example/", false),
  ])
  func `the origin is scheme, host and port`(address: String, isSame: Bool) throws {
    let server = try #require(WebAddress("https://a.example/feed"))
    let other = try #require(WebAddress(address))
    #expect(other.hasSameOrigin(as: server) == isSame)
  }

  @Test func `a name and a password replace those in an address`() throws {
    let address = try #require(WebAddress("http://x:y@a.example:81/b?c#d"))
    #expect(address.naming(user: "a b", password: "p@:/").text == "http://a%20b:p%40%3A%2F@a.example:81/b?c#d")
  }

  @Test(arguments: ["W/\"1 odd, tag\"", "yesterday, or so", "Grüße", "GoogleLogin auth=a/b"])
  func `a value of a header is sent unchanged`(text: String) { #expect(HeaderValue(text)?.text == text) }

  @Test(arguments: [
    "", "a\r\nX-Other: b", "a\nb", "a\rb", "a\0b", "\u{1B}[m", "a\tb", "\u{7F}", "\u{85}", "\u{FFFD}",
    String(repeating: "x", count: HeaderValue.maximumByteCount + 1),
  ])
  func `a value of a header that would end its line or be changed is rejected`(text: String) {
    #expect(HeaderValue(text) == nil)
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func `no value of a header has a control character`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let scalars = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
        UnicodeScalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0xFF : 0xFFFF), using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      let isHarmless =
        !text.isEmpty && scalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{FFFD}" }
      #expect(HeaderValue(text)?.text == (isHarmless ? text : nil))
    }
  }
}
