import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct FeedLinksTests {
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
  func `other links are ignored`(html: String) throws {
    #expect(try links(html) == [])
  }

  @Test(arguments: [
    ("<base href='/x/'><base href='/y/'>", "https://films.example/x/f.xml"),
    ("<base href='https://other.example/x/'>", "https://other.example/x/f.xml"),
  ])
  func `links are resolved against the first base of the page`(bases: String, feed: String) throws {
    #expect(try links(bases + "<link rel=alternate type=application/rss+xml href=f.xml>") == [feed])
  }

  @Test func `a page of unclosed tags is searched in linear time`() throws {
    let hostile = String(repeating: "<link rel=alternate type=application/rss+xml href=", count: 20_000)
    #expect(try links(hostile).count <= 16)
    #expect(try links(String(repeating: "<!--", count: 200_000)) == [])
  }
}
