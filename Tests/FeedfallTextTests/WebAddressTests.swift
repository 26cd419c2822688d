import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct WebAddressTests {
  @Test(arguments: [
    ("https://example.org/a/b?c=d&e[]=f#g", "https://example.org/a/b?c=d&e[]=f#g"), ("http://h", "http://h"),
    ("HTTPS://Example.ORG/Path", "https://example.org/Path"), ("  https://example.org/x \n", "https://example.org/x"),
    ("https://example.org/a film.mp4", "https://example.org/a%20film.mp4"),
    ("https://example.org/é", "https://example.org/%C3%A9"),
    ("https://example.org/a\"b<c>`{|}^\\", "https://example.org/a%22b%3Cc%3E%60%7B%7C%7D%5E%5C"),
    ("https://example.org:8080/", "https://example.org:8080/"), ("http://[::1]:80/x", "http://[::1]:80/x"),
    ("https://user:word@example.org/", "https://user:word@example.org/"),
    ("https://example.org?x=1", "https://example.org?x=1"), ("https://example.org/100%", "https://example.org/100%"),
    ("https://example.org/e\u{301}", "https://example.org/e%CC%81"),
    ("https://example.org/हिन्दी", "https://example.org/%E0%A4%B9%E0%A4%BF%E0%A4%A8%E0%A5%8D%E0%A4%A6%E0%A5%80"),
    ("https://example.org/❤️", "https://example.org/%E2%9D%A4%EF%B8%8F"),
    ("https://example.org/a\u{200D}b", "https://example.org/a%E2%80%8Db"),
    ("https://हिन्दी.example/", "https://xn--j2bd4cyah0f.example/"),
    ("http://Bücher.example:80/ü", "http://xn--bcher-kva.example:80/%C3%BC"),
    ("http://BU\u{308}CHER.example", "http://xn--bcher-kva.example"),
    ("http://me@例え。テスト/f.xml", "http://me@xn--r8jz45g.xn--zckzah/f.xml"),
    ("http://straße.example/", "http://xn--strae-oqa.example/"), ("http://ＥＸＡＭＰＬＥ．org/", "http://example.org/"),
    ("http://１２７.0.0.1/", "http://127.0.0.1/"), ("http://نامه\u{200C}ای.com/", "http://xn--mgba3gch31f060k.com/"),
    ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
    ("http://%65xample%2Eorg/", "http://example.org/"),
    ("http://XN--bcher-kva.example/", "http://xn--bcher-kva.example/"),
    ("http://i❤.ws/", "http://xn--i-7iq.ws/"), ("http://✌️.lord.geek.nz/", "http://xn--7bi.lord.geek.nz/"),
    ("http://%F0%9F%92%A9.la/", "http://xn--ls8h.la/"), ("http://☃.net/", "http://xn--n3h.net/"),
    ("http://AMD➡.ws", "http://xn--amd-5y6a.ws"), ("http://👍🏽.example。org/", "http://xn--on8h5e.example.org/"),
    ("http://xn--zzzzzzz9999.example/", "http://xn--zzzzzzz9999.example/"),
    ("http://r3---sn-4g5e6nsz.example/", "http://r3---sn-4g5e6nsz.example/"),
  ])
  func `an http address is accepted and normalized`(given: String, text: String) {
    #expect(WebAddress(given)?.text == text)
  }

  @Test(arguments: [
    "", "x", "https://", "https:///path", "http:/host", "ftp://example.org/", "javascript:alert(1)",
    "file:///etc/passwd",
    "--script=x", "https://ex ample.org/", "https://example.org/\u{1B}[2J", "https://example.org/a\tb",
    "https://example.org/a\nb", "https://example.org/\u{202E}4pm", "https://example.org/\u{200B}",
    "https://-x/",
    "https://example.org/\u{85}", "https://example.org/\u{3000}", "https://example.org:99999/",
    "https://h:8a/",
    "https://a\u{200D}b.example/", "https://a\u{200C}b.example/", "https://[::1/", "https://[zz]/",
    "https://exa\\mple.org\\x/", "https://.org/", "https://a%2fb/",
    "//example.org/x", "https://\u{301}a.example/", "https://a.\u{64E}.example/",
    "https://good.example\\@evil.example/", "https://℀.example/", "https://ü／evil.example/", "https://ü：80.example/",
    "https://ü＠evil.example/", "https://ü%2Fevil.example/", "https://ü%00.example/", "https://ü%25.example/",
    "https://%FC.example/", "https://%.example/", "https://a%20b.example/", "https://ü..example\u{200B}/",
    "https://ü\u{AD}.example/", "https://%E2%80%AEü.example/", "https://ü-.example/", "https://。example/",
    "https://xn--zzzzzzz9999.ü/", "https://\u{FE0F}.example/", "https://ü❤.example/", "https://a❤\u{200D}❤.example/",
  ])
  func `unsafe and other addresses are refused`(text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test func `an address has at most 8192 bytes`() {
    let start = "https://example.org/"
    #expect(WebAddress(start + String(repeating: "a", count: 8_192 - 20)) != nil)
    #expect(WebAddress(start + String(repeating: "a", count: 8_193 - 20)) == nil)
    #expect(WebAddress(start + String(repeating: " a", count: 3_000)) == nil)
  }

  @Test func `an address is split into its parts`() throws {
    let address = try #require(WebAddress("https://me@Example.org:8080/a/b%20c/?q=1+2&empty&q=x%26y#top"))
    #expect(address.scheme == "https")
    #expect(address.host == "example.org")
    #expect(address.port == 8_080)
    #expect(address.origin == "https://example.org:8080")
    #expect(address.path == "/a/b%20c/")
    #expect(address.pathSegments == ["a", "b c"])
    #expect(address.query == "q=1+2&empty&q=x%26y")
    #expect(address.queryItems.map(\.name) == ["q", "empty", "q"])
    #expect(address.queryItems.map(\.value) == ["1 2", "", "x&y"])
    #expect(address.queryValue("q") == "1 2")
    #expect(address.queryValue("none") == nil)
  }

  @Test func `the host of an IPv6 address keeps its brackets`() throws {
    let address = try #require(WebAddress("http://[::1]:8080/x"))
    #expect(address.host == "[::1]")
    #expect(address.port == 8_080)
    #expect(WebAddress("http://[::1]/x")?.port == nil)
  }

  @Test(arguments: [
    ("https://h/x", "https://h/x?page=3"), ("https://h/x?page=1", "https://h/x?page=3"),
    ("https://h/x?a=%20b&page=1&c=d#e", "https://h/x?a=%20b&page=3&c=d#e"),
    ("https://h/x?page=1&a=b&page=2", "https://h/x?page=3&a=b"),
    ("https://h?homepage=1", "https://h?homepage=1&page=3"), ("https://h/?", "https://h/?page=3"),
    ("https://h/#page=1", "https://h/?page=3#page=1"),
  ])
  func `setting a query value keeps the others`(given: String, text: String) {
    #expect(WebAddress(given)?.setting(query: "page", to: "3").text == text)
  }

  @Test func `a query value is percent-encoded`() {
    let address = WebAddress("https://h/")?.setting(query: "search", to: "a b&c=d#é")
    #expect(address?.text == "https://h/?search=a%20b%26c%3Dd%23%C3%A9")
    #expect(address?.queryValue("search") == "a b&c=d#é")
  }

  @Test(
    arguments: [
      ("peertube.example", "https://peertube.example"), ("host:8080/x", "https://host:8080/x"),
      ("https://h/x", "https://h/x"), ("HTTP://h/x", "http://h/x"),
      ("localhost:8000/feed.json", "http://localhost:8000/feed.json"), ("127.0.0.1/x", "http://127.0.0.1/x"),
      ("[::1]:80/x", "http://[::1]:80/x"), (" example.org/a b ", "https://example.org/a%20b"),
      ("example.org?next=https://x/", nil),
      ("films", nil), ("films/list.json", nil), ("mailto:a@b.example", "https://mailto:a@b.example"),
      ("magnet:?xt=urn:btih:0", nil), ("host:/x", nil), ("tel:", nil), ("javascript:alert(1)", nil),
      ("ftp://example.org", nil), ("-x.example", nil), ("", nil),
    ] as [(String, String?)])
  func `a typed address gets a default scheme`(typed: String, text: String?) {
    #expect(WebAddress(typed: typed)?.text == text)
  }
}

@Suite(.hangLimit) struct AddressResolutionTests {
  /// RFC 3986, 5.4, with the path of its example.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/../h", "http://a/b/c/h"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
  ])
  func `a reference is resolved according to RFC 3986`(reference: String, text: String) throws {
    let base = try #require(WebAddress("http://a/b/c/d;p?q"))
    #expect(WebAddress(resolving: reference, against: base)?.text == text)
  }

  @Test(arguments: ["", "  ", "javascript:alert(1)", "mailto:x@y", "file:///etc/passwd", "//", "http:g"])
  func `a reference to another scheme is refused`(reference: String) throws {
    let base = try #require(WebAddress("http://a/b"))
    #expect(WebAddress(resolving: reference, against: base) == nil)
  }

  @Test func `a reference against a bare host starts at the root`() throws {
    let base = try #require(WebAddress("https://host:81"))
    #expect(WebAddress(resolving: "x/y.jpg", against: base)?.text == "https://host:81/x/y.jpg")
    #expect(WebAddress(resolving: "/x", against: base)?.text == "https://host:81/x")
  }

  @Test(arguments: [
    ("https://me:se:cret@a.example/x@y", "https://me:•••@a.example/x@y", "https://a.example/x@y"),
    ("https://me:@a.example", "https://me:•••@a.example", "https://a.example"),
    ("https://me@a.example/", "https://me@a.example/", "https://a.example/"),
    ("https://a.example:80/?q=a:b@c", "https://a.example:80/?q=a:b@c", "https://a.example:80/?q=a:b@c"),
    ("rtsp://a:b@c/", "rtsp://a:•••@c/", "rtsp://c/"),
    ("me:secret@a.example/x", "me:•••@a.example/x", "me:secret@a.example/x"),
    ("a/b:c@d", "a/b:c@d", "a/b:c@d"), ("", "", ""),
    ("https://me:se/cr?e#t@a.example/x", "https://me:•••@a.example/x", "https://a.example/x"),
    ("https://a.example:80/b@c", "https://a.example:80/b@c", "https://a.example:80/b@c"),
    ("https://[::1]/b@c", "https://[::1]/b@c", "https://[::1]/b@c"),
    (
      "https://a:b@c.example/s.xml?a=1&token=x?y#z&token=2", "https://a:•••@c.example/s.xml?a=1&token=•••#z&token=•••",
      "https://c.example/s.xml?a=1&token=x?y#z&token=2"
    ),
    (
      "https://a.example/?token=&mytoken=1", "https://a.example/?token=•••&mytoken=•••",
      "https://a.example/?token=&mytoken=1"
    ),
  ])
  func `passwords are hidden, and users removed`(text: String, shown: String, plain: String) {
    #expect(text.hidingPassword == shown)
    #expect(text.removingUser == plain)
  }

  @Test func `the description of an address shows no password`() throws {
    let address = try #require(WebAddress("https://me:secret@a.example/"))
    #expect("\(address) \(MediaAddress.web(address))" == "https://me:•••@a.example/ https://me:•••@a.example/")
    #expect(address.withoutUser == WebAddress("https://a.example/"))
  }
}
