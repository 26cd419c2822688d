import Testing
import VideoFeed

struct FeedLinksTests {
  private func links(_ html: String) throws -> [String] {
    let page = try #require(WebAddress("https://films.example/blog/index.html"))
    return FeedLinks.alternates(inHTML: Array(html.utf8), from: page).map(\.text)
  }

  @Test func `feeds of every type are found, in the page's order and once`() throws {
    #expect(
      try links(
        """
        <!doctype html><HTML><head><title>Films</title>
        <link rel="stylesheet" href="/style.css">
        <LINK REL='Alternate' TYPE="application/rss+xml" title="RSS" HREF='/feed.xml'>
        <link href=atom.xml type=application/atom+xml rel=alternate>
        <link rel="alternate" type="application/feed+json; charset=utf-8" href="//cdn.example/feed.json"/>
        <link rel="alternate" type="application/rss+xml" href="https://films.example/feed.xml">
        </head>
        """) == [
          "https://films.example/feed.xml", "https://films.example/blog/atom.xml", "https://cdn.example/feed.json",
        ])
  }

  @Test func `feeds of comments come last`() throws {
    #expect(
      try links(
        """
        <link rel="alternate" type="application/rss+xml" title="Films &raquo; Comments" href="/c1">
        <link rel="alternate" type="application/rss+xml" href="/comments/feed">
        <link rel="alternate" type="application/rss+xml" title="Films" href="/feed?a=1&amp;b=2">
        """) == [
          "https://films.example/feed?a=1&b=2", "https://films.example/c1", "https://films.example/comments/feed",
        ])
  }

  @Test(arguments: [
    "<!-- <link rel=alternate type=application/rss+xml href=/feed> -->",
    "<script>'<link rel=alternate type=application/rss+xml href=/feed>'</script>",
    "<link rel=alternate type=application/rss+xml href='javascript:alert(1)'>",
    "<link rel=alternate type=application/rss+xml href='file:///etc/passwd'>",
    "<link rel=alternate hreflang=de href=/de>",
    "<link rel=alternate type='application/json' href='/wp-json/wp/v2/posts/1'>",
    "<link rel=alternate type=application/rss+xml>", "<", "<link", "<link rel", "<link rel=", "<link rel='alternate",
    "<a href=/feed>feed</a>", "",
  ])
  func `what is no link to a feed is left out`(html: String) throws {
    #expect(try links(html) == [])
  }

  @Test func `the page's base counts`() throws {
    #expect(
      try links("<base href='https://other.example/x/'><link rel=alternate type=application/rss+xml href=f.xml>")
        == ["https://other.example/x/f.xml"])
  }

  @Test func `a page of nothing but the beginnings of tags takes no longer than its size`() throws {
    let hostile = String(repeating: "<link rel=alternate type=application/rss+xml href=", count: 20_000)
    #expect(try links(hostile).count <= 16)
    #expect(try links(String(repeating: "<!--", count: 200_000)) == [])
  }
}

struct KnownSiteTests {
  @Test(arguments: [
    (
      "https://www.youtube.com/channel/UCabc_-1/videos",
      "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc_-1"
    ),
    ("https://youtube.com/playlist?list=PL12", "https://www.youtube.com/feeds/videos.xml?playlist_id=PL12"),
    ("https://m.youtube.com/watch?v=x&list=UU9", "https://www.youtube.com/feeds/videos.xml?playlist_id=UU9"),
    ("https://www.youtube.com/user/name", "https://www.youtube.com/feeds/videos.xml?user=name"),
    ("https://media.ccc.de/", "https://api.media.ccc.de/public/events/recent"),
    ("https://media.ccc.de/c/38c3", "https://api.media.ccc.de/public/conferences/38c3"),
    ("https://media.ccc.de/search?q=linux+audio", "https://api.media.ccc.de/public/events/search?q=linux%20audio"),
  ])
  func `a page's address tells its feed`(page: String, feed: String) throws {
    #expect(KnownSite.feedAddress(for: try #require(WebAddress(page)))?.text == feed)
  }

  @Test func `a category of Commons and a collection of the Internet Archive are asked of their interfaces`() throws {
    let category = try #require(WebAddress("https://commons.wikimedia.org/wiki/Category:Videos_of_cats"))
    let commons = try #require(KnownSite.feedAddress(for: category)?.text)
    #expect(commons.hasPrefix("https://commons.wikimedia.org/w/api.php?action=query&format=json&formatversion=2&"))
    #expect(commons.contains("gcmtitle=Category:Videos_of_cats"))
    let collection = try #require(WebAddress("https://archive.org/details/prelinger"))
    let archive = try #require(KnownSite.feedAddress(for: collection)?.text)
    #expect(archive.contains("q=%28collection:prelinger%29%20AND%20mediatype:movies&"))
    #expect(archive.hasSuffix("&rows=30&page=1&output=json"))
  }

  @Test(arguments: [
    "https://www.youtube.com/watch?v=abc", "https://www.youtube.com/@handle", "https://www.youtube.com/channel",
    "https://media.ccc.de/v/123", "https://commons.wikimedia.org/wiki/File:X.webm", "https://archive.org/",
    "https://films.example/channel/UC1", "https://notyoutube.com/channel/UC1",
  ])
  func `other pages have none`(page: String) throws {
    #expect(KnownSite.feedAddress(for: try #require(WebAddress(page))) == nil)
  }
}
