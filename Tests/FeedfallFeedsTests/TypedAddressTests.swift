import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct TypedAddressTests {
  private static let channel = "UCX6OQ3DkcsbYNE6H8uQQuVA"
  private static let list = "https://www.youtube.com/playlist?list="

  @Test(arguments: [
    ("@blender", "https://www.youtube.com/@blender"), ("@a.b-c_d", "https://www.youtube.com/@a.b-c_d"),
    ("@büro", "https://www.youtube.com/@b%C3%BCro"), (channel, "https://www.youtube.com/channel/" + channel),
    ("yt:aqz-KE-bpKQ", "https://www.youtube.com/watch?v=aqz-KE-bpKQ"),
    ("PL0123456789ABCDEF", list + "PL0123456789ABCDEF"),
    ("PLav47HAVZMjnTFLZSVVZDyGGLYaYYCCCC", list + "PLav47HAVZMjnTFLZSVVZDyGGLYaYYCCCC"),
    ("UUX6OQ3DkcsbYNE6H8uQQuVA", list + "UUX6OQ3DkcsbYNE6H8uQQuVA"),
    ("UULFX6OQ3DkcsbYNE6H8uQQuVA", list + "UULFX6OQ3DkcsbYNE6H8uQQuVA"),
    ("OLAK5uy_k0123456789012345678901234567890-", list + "OLAK5uy_k0123456789012345678901234567890-"),
    ("@ann@films.example", "https://films.example/.well-known/webfinger?resource=acct:ann@films.example"),
    (
      "@a.b@films.example:8080", "https://films.example:8080/.well-known/webfinger?resource=acct:a.b@films.example:8080"
    ),
  ])
  func `a short form stands for an address`(text: String, address: String) {
    #expect(TypedAddress.shortForm(text) == address && TypedAddress.expanded(text) == address)
  }

  @Test(arguments: [
    "", "@", "@ab", "@a b", "@a/b", "@" + String(repeating: "a", count: 31), "UC", "UCX6OQ3DkcsbYNE6H8uQQuV",
    "UCX6OQ3DkcsbYNE6H8uQQu/A", "ucX6OQ3DkcsbYNE6H8uQQuVA", "PLfoo", "RDaqz-KE-bpKQ", "yt:short", "yt:aqz-KE-bpK?",
    "aqz-KE-bpKQ", "@ann@", "@@films.example", "@ann@films", "@ann@a.example/x", "@ann@a.example?x", "@a@b@c.example",
    "@an/n@a.example", "@ann@[a.example", "ann@a.example", "News", "/etc/passwd", "@ann\n",
  ])
  func `another text is no short form`(text: String) {
    #expect(TypedAddress.shortForm(text) == nil && TypedAddress.expanded(text) == text)
  }

  private static let film = "https://films.example/a?b=c&d=e"
  private static let encoded = "https%3A%2F%2Ffilms.example%2Fa%3Fb%3Dc%26d%3De"

  @Test(arguments: [
    ("https://www.youtube.com/redirect?event=x&redir_token=y&q=\(encoded)", film),
    (
      "https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3Daqz-KE-bpKQ%26feature%3Dshare",
      "https://www.youtube.com/watch?v=aqz-KE-bpKQ&feature=share"
    ),
    (
      "https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2F%40ann%3Fcbrd%3D1&gl=DE",
      "https://www.youtube.com/@ann?cbrd=1"
    ),
    ("https://www.google.com/url?sa=t&url=\(encoded)", film), ("m.youtube.com/redirect?q=\(encoded)", film),
    ("https://antennapod.org/deeplink/subscribe?url=\(encoded)&title=x", film),
    ("https://antennapod.org/deeplink/subscribe?url=feed%3A%2F%2Ffilms.example%2Frss", "https://films.example/rss"),
    ("https://www.youtube.com/redirect?q=%40blender", "https://www.youtube.com/@blender"),
    ("https://www.youtube.com/redirect?q=films.example", "https://films.example"),
    ("feed:\(film)", film), ("pcast://films.example/rss", "https://films.example/rss"),
    ("feed:https://www.youtube.com/redirect?q=\(encoded)", film),
  ])
  func `a link leads to its target`(link: String, target: String) {
    #expect(TypedAddress.expanded(link) == target)
  }

  @Test(arguments: [
    "file%3A%2F%2F%2Fetc%2Fpasswd", ".%2Ffilm.mp4", "~%2Ffilm.mp4", "film", "yt-dlp%3Ahttps%3A%2F%2Fa.example",
    "javascript%3Aalert(1)", "davs%3A%2F%2Fa.example", "%00",
  ])
  func `a link to anything but a web address is refused`(target: String) throws {
    let link = "https://www.youtube.com/redirect?q=" + target
    #expect(TypedAddress.expanded(link) == link)
    let failure = KnownSite.refusal(of: try #require(WebAddress(link)))
    #expect(failure?.reason == "the link does not lead to a web address" && failure?.advice != nil)
  }

  @Test func `a path in a link is one on its site, not a file`() {
    let link = "https://www.youtube.com/redirect?q=%2Fetc%2Fpasswd"
    #expect(TypedAddress.expanded(link) == "https://www.youtube.com/etc/passwd")
  }

  @Test func `links that lead to links are followed four times`() {
    func link(_ depth: Int) -> String {
      let start = "https://www.youtube.com/redirect?q="
      guard depth > 0 else { return "https://films.example/" }
      return start + String(link(depth - 1).flatMap { "%:/?=".contains($0) ? Self.escape($0) : "\($0)" })
    }
    #expect(TypedAddress.expanded(link(4)) == link(0))
    #expect(TypedAddress.expanded(link(7)) == link(3))
  }

  private static func escape(_ character: Character) -> String {
    "%" + String(character.asciiValue ?? 0, radix: 16, uppercase: true)
  }

  @Test(arguments: [
    ("https://open.spotify.com/show/4rOoJ6Egrf8K2IrywzwOMk", "Spotify", ":search podcasts"),
    ("https://www.reddit.com/r/videos/", "Reddit", "yt-dlp:"), ("https://redd.it/abc", "Reddit", "yt-dlp:"),
    ("https://old.reddit.com/r/videos.json", "Reddit", "cookies-from-browser"),
  ])
  func `a closed site is refused with an alternative`(page: String, name: String, way: String) throws {
    let address = try #require(WebAddress(page))
    let failure = try #require(KnownSite.refusal(of: address))
    #expect(failure.reason.hasPrefix(name) && failure.advice?.contains(way) == true)
  }

  @Test(arguments: [
    "https://www.reddit.com/r/videos/.rss?feed=x&user=ann", "https://v.redd.it/abc/DASH_720.mp4",
    "https://www.reddit.com/user/ann/saved.json?feed=x", "https://notreddit.com/", "https://spotify.example/",
  ])
  func `feeds and other hosts are not refused`(page: String) throws {
    #expect(KnownSite.refusal(of: try #require(WebAddress(page))) == nil)
  }
}
