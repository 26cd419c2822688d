import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct TextLinksTests {
  private func addresses(_ text: String) -> [String] { TextLinks(in: text).addresses.map(\.text) }

  @Test(arguments: [
    ("See https://a.example/x.", ["https://a.example/x"]),
    ("(https://a.example/x_(y)) and HTTP://B.example", ["https://a.example/x_(y)", "http://b.example"]),
    ("https://a.example/(x)).) [https://b.example/x]]).", ["https://a.example/(x)", "https://b.example/x"]),
    ("<https://a.example/?q=1&r=2>, “https://b.example/”", ["https://a.example/?q=1&r=2", "https://b.example/"]),
    ("動画：https://a.example/ab。次", ["https://a.example/ab"]),
    ("xhttps://a.example http:// https://", []),
    ("file:///etc/passwd ftp://a.example javascript:alert(1)", []),
    ("https://a.example/1 https://a.example/2 https://a.example/1", ["https://a.example/1", "https://a.example/2"]),
  ])
  func `the web addresses of a text are found without the marks around them`(text: String, links: [String]) {
    #expect(addresses(text) == links)
  }

  @Test func `only lines with links are listed, with their numbers`() {
    let links = TextLinks(
      in: "Hello\nSite: https://a.example/x, blog: https://b.example/\n\nAgain https://a.example/x!")
    #expect(
      links.lines == [
        "Site: https://a.example/x [1], blog: https://b.example/ [2]", "Again https://a.example/x [1]!",
      ])
  }

  @Test func `an address with a user is no link, and its password is not shown`() {
    let links = TextLinks(in: "https://good.example:word@evil.example/ or https://b.example/?token=abcdef123456")
    #expect(links.addresses.map(\.host) == ["b.example"])
    #expect(!links.lines.joined().contains("word"))
    #expect(!links.lines.joined().contains("abcdef123456"))
  }

  @Test func `count and length are limited`() {
    let many = (1...300).map { "https://a.example/\($0)" }.joined(separator: " ")
    #expect(addresses(many).count == 99)
    #expect(addresses("https://a.example/" + String(repeating: "a", count: 2_048)) == [])
    #expect(addresses("https://a.example/" + String(repeating: ")", count: 20_000)) == [])
  }
}
