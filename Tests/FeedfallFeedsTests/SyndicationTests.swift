import FeedfallDocuments
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

/// The items of an RSS feed.
func rss(_ items: String, channel: String = "", attributes: String = "") throws -> [Video] {
  let names = "xmlns:media='http://search.yahoo.com/mrss/' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"
  return try decode("<rss version='2.0' \(names) \(attributes)><channel>\(channel)\(items)</channel></rss>").videos
}

func addresses(_ video: Video?) -> [String] {
  if case .direct(let files)? = video?.playback { files.map(\.url.text) } else { [] }
}

@Suite(.hangLimit) struct SyndicationTests {
  @Test func `an item of MediathekViewWeb has its duration in an element of its own`() throws {
    let item = """
      <item><title>A</title><link>https://a.example/1.mp4</link><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">ARD</dc:creator>
      <enclosure url="https://a.example/1.mp4" length="0" type="video/mp4"/><duration>2700</duration></item>
      """
    let video = try #require(try rss(item).first)
    #expect(video.duration == .seconds(2_700) && video.author == "ARD" && video.byteCount == nil)
  }

  @Test func `a text of Atom in Base64 is decoded`() throws {
    let document = try decode(
      """
      <feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><title mode="base64">
      QSA8Yj5maWxtPC9iPg==
      </title><summary mode="base64">PHA+T25lPC9wPg==</summary></entry></feed>
      """)
    #expect(document.videos.map(\.title) == ["A film"])
    #expect(document.videos.map(\.summary) == ["One"])
  }

  @Test func `a link to an enclosure is no page, even as a text`() throws {
    let item =
      "<item><title>A</title><link rel='enclosure'>https://a.example/1.mp4</link><link>https://a.example/1</link></item>"
    #expect(try rss(item).map(\.pageURL?.text) == ["https://a.example/1"])
  }

  @Test func `a cover is read from an iTunes link, and a title from an enclosure`() throws {
    let item = """
      <item><itunes:link rel="image" type="video/jpeg" href="https://a.example/1.jpg">A</itunes:link>
      <enclosure url="https://a.example/1.mp4"><media:title>A film</media:title></enclosure></item>
      """
    let video = try #require(try rss(item).first)
    #expect(video.title == "A film" && video.covers.map(\.url.text) == ["https://a.example/1.jpg"])
  }

  @Test func `an Atom feed in XHTML is read, and a web page that mentions one is not`() throws {
    let entry = "<entry><title>A</title><link href='https://a.example/1'/></entry>"
    let page = "<html xmlns='http://www.w3.org/1999/xhtml'><body>"
    let document = try decode("\(page)<feed xmlns='http://www.w3.org/2005/Atom'>\(entry)</feed></body></html>")
    #expect(document.videos.map(\.title) == ["A"])
    #expect(throws: FeedFailure.self) {
      try decode("\(page)<feed>\(entry)</feed>&lt;feed xmlns='http://www.w3.org/2005/Atom'>")
    }
  }

  @Test func `an item without a cover has the picture of its channel, marked as such`() throws {
    let items =
      "<item><title>A</title></item><item><title>B</title><itunes:image href='https://a.example/b.jpg'/></item>"
    let document = try decode(
      "<rss><channel><image><url>https://a.example/c.jpg</url></image>\(items)</channel></rss>")
    #expect(document.cover?.text == "https://a.example/c.jpg")
    #expect(
      document.videos.map { $0.covers.map(\.url.text) } == [["https://a.example/c.jpg"], ["https://a.example/b.jpg"]])
    #expect(document.videos.map { $0.covers.map(\.isOfChannel) } == [[true], [false]])
    let feed = #"{"version":"https://jsonfeed.org/version/1","icon":"/i.png","items":[{"url":"/1","title":"A"}]}"#
    let cover = try #require(try decode(feed).videos.first?.covers.first)
    #expect(cover.url.text == "https://feed.example/i.png" && cover.isOfChannel)
  }

  @Test(arguments: [
    ("<p>Hello &amp; welcome</p><p>More</p>", "Hello & welcome"),
    (String(repeating: "word ", count: 40), String(repeating: "word ", count: 15) + "word…"),
    (String(repeating: "x", count: 200), String(repeating: "x", count: 80) + "…"),
    ("<br/>", "(untitled)"),
  ])
  func `a post without a title has the first words of its text`(text: String, title: String) throws {
    let item = "<item><link>https://a.example/1</link><description><![CDATA[\(text)]]></description></item>"
    #expect(try decode("<rss><channel>\(item)</channel></rss>").videos.map(\.title) == [title])
  }

  @Test func `an empty item has an id`() throws {
    let video = try #require(try rss("<item><link/></item>").first)
    #expect(!video.id.isEmpty)
    #expect(video.title == Video.untitled)
  }

  @Test(
    arguments: [
      ("<guid>n0</guid>", nil),
      ("<guid>https://films.example/n0</guid>", "https://films.example/n0"),
      ("<guid>episode</guid>", nil),
      ("<guid>/watch/n0</guid>", "https://feed.example/watch/n0"),
      ("<guid isPermaLink='true'>watch/n0</guid>", nil),
    ] as [(String, String?)])
  func `a guid is the page only if it is an address`(guid: String, page: String?) throws {
    let document = try decode("<rss><channel><item><title>A</title>\(guid)</item></channel></rss>")
    #expect(document.videos.first?.pageURL?.text == page)
  }

  @Test(arguments: [("</channel></rss>", false), ("", true), ("<item><title>Tw", true)])
  func `the notice of a feed without its end says so`(end: String, isCut: Bool) throws {
    let document = try decode("<rss><channel><item><title>A</title></item>" + end)
    #expect((document.notice?.hasPrefix("The feed is incomplete") ?? false) == isCut)
  }

  @Test func `an item of RSS becomes a video`() throws {
    let document = try decode(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <rss version="2.0"><channel><title>Evening films</title><link>https://films.example/</link>
        <item><title>A &amp;amp; B</title><link>/watch/1</link><guid isPermaLink="false">f-1</guid>
          <pubDate>Tue, 03 Feb 2026 10:00:00 +0100</pubDate><author>ann@films.example (Ann Bee)</author>
          <description>&lt;p&gt;One&lt;/p&gt;&lt;p&gt;Two&lt;/p&gt;</description>
          <enclosure url="media/1.mp4" length="1234" type="video/mp4"/></item>
        <item><title>Second</title></item>
      </channel></rss>
      """)
    #expect(document.kind == .syndication)
    #expect(document.title == "Evening films")
    #expect(document.videos.count == 2)
    let video = try #require(document.videos.first)
    #expect(video.id == "f-1")
    #expect(video.title == "A & B")
    #expect(video.pageURL?.text == "https://feed.example/watch/1")
    #expect(video.published?.description == "2026-02-03T09:00:00Z")
    #expect(video.author == "Ann Bee")
    #expect(video.channel == "Evening films")
    #expect(video.summary == "One\n\nTwo")
    #expect(addresses(video) == ["https://feed.example/media/1.mp4"])
    #expect(video.byteCount == 1234)
  }

  @Test func `an entry of Atom becomes a video`() throws {
    let document = try decode(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://a.example/x/"><title>Feed</title>
        <link rel="next" href="page/2"/><author><name>Everyone</name></author>
        <entry xml:base="y/"><id>urn:x:1</id><title type="html">a &lt;b&gt;bold&lt;/b&gt; one</title>
          <link rel="self" href="no"/><link rel="alternate" type="text/html" href="page"/>
          <link rel="enclosure" type="video/webm" href="f.webm"/>
          <published>2026-01-02T03:04:05Z</published><updated>2026-05-05T00:00:00Z</updated>
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>In <i>italics</i></p></div></content>
        </entry>
        <entry><id>http://a.example/only-an-id</id><title type="text">1 &lt; 2 &lt;b&gt;</title></entry>
      </feed>
      """)
    #expect(document.nextAddress?.text == "http://a.example/x/page/2")
    let video = try #require(document.videos.first)
    #expect(video.id == "urn:x:1")
    #expect(video.title == "a bold one")
    #expect(video.pageURL?.text == "http://a.example/x/y/page")
    #expect(addresses(video) == ["http://a.example/x/y/f.webm"])
    #expect(video.published?.description == "2026-01-02T03:04:05Z")
    #expect(video.author == "Everyone")
    #expect(video.summary == "In italics")
    #expect(document.videos.last?.pageURL?.text == "http://a.example/only-an-id")
    #expect(document.videos.last?.title == "1 < 2 <b>")
  }

  @Test func `old versions of RSS and Atom are decoded`() throws {
    let rdf = try decode(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>RDF</title>
        <items><rdf:Seq><rdf:li resource="y"/></rdf:Seq></items></channel>
        <item rdf:about="http://a.example/1"><title>One</title><dc:creator>Cy</dc:creator><dc:date>2004-05-06</dc:date>
        <link>http://a.example/1</link></item></rdf:RDF>
      """)
    #expect(rdf.videos.map(\.title) == ["One"])
    #expect(rdf.videos.first?.author == "Cy")
    #expect(rdf.videos.first?.published?.description == "2004-05-06T00:00:00Z")
    let atom03 = try decode(
      """
      <feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><title mode="escaped">A &amp;lt; B</title>
      <issued>2004-01-02T03:04:05-08:00</issued><link rel="alternate" href="http://a.example/z"/></entry></feed>
      """)
    #expect(atom03.videos.first?.title == "A < B")
    #expect(atom03.videos.first?.published?.description == "2004-01-02T11:04:05Z")
  }

  @Test func `an incomplete document yields its complete items`() throws {
    let text = "<rss><channel><title>T</title><item><title>One</title></item><item><title>Two</title><link>http://a."
    #expect(try decode(text).videos.map(\.title) == ["One", "Two"])
    #expect(failure("<rss><channel><title>T</ti")?.kind == .temporary)
    #expect(try decode("<rss><channel></channel></rss>").videos.isEmpty)
  }

  @Test func `unclosed elements do not contain later items`() throws {
    #expect(try rss("<itunes:category text='x'><item><title>One</title><item><title>Two</title></item>").count == 2)
    #expect(try rss(String(repeating: "<item><title>One", count: 1_000)).count == 1_000)
    #expect(try rss("<odd><item><title>In</title></item></odd>").map(\.title) == ["In"])
  }

  @Test func `the failure for other documents names their format`() {
    #expect(failure("<html><head><title>Log in</title></head></html>")?.reason.contains("(Log in)") == true)
    #expect(failure("<?xml version='1.0'?><opml><body/></opml>")?.reason.contains("(opml)") == true)
    #expect(!HTMLPage.isStarted(by: Array("<rss><channel><description><body></description>".utf8)))
  }

  @Test func `a feed in UTF-16 is decoded despite a wrong declaration`() throws {
    let text = "<?xml version='1.0' encoding='utf-8'?><rss><channel><item><title>Größe</title></item></channel></rss>"
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
    #expect(try FeedDecoder.decode(bytes, from: nil).videos.map(\.title) == ["Größe"])
  }

  @Test func `announced broadcasts are upcoming`() throws {
    let videos = try rss(
      "<podcast:liveItem status='pending' start='2026-03-01T10:00:00Z'><title>Soon</title></podcast:liveItem>")
    #expect(videos.map(\.live) == [.upcoming(UnixTime(rfc3339: "2026-03-01T10:00:00Z"))])
    #expect(videos.first?.published?.description == "2026-03-01T10:00:00Z")
  }

  @Test func `a document in pieces has the same videos as a whole one`() throws {
    let text = "<rss><channel><title>T</title><item><title>Größe</title></item></channel></rss>"
    var reader = FeedDocumentReader(address: nil)
    for byte in text.utf8 {
      reader.push([byte][...])
      #expect(try reader.nextVideos(5).isEmpty)
    }
    reader.finish()
    #expect(reader.readAll().videos == (try FeedDecoder.decode(Array(text.utf8), from: nil).videos))
    #expect(reader.isAtEnd)
  }
}
