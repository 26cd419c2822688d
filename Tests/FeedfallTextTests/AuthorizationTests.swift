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
}
