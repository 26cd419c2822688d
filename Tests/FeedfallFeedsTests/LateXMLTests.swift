import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct LateXMLTests {
  private let feed =
    "<rss version='2.0'><channel><title>F</title><item><title>A</title><link>/a</link></item></channel></rss>"

  private func read(_ text: String) -> (titles: [String], notice: String?, failure: FeedFailure?) {
    var reader = FeedDocumentReader(
      Array(text.utf8), from: WebAddress("https://h.example/").map(MediaAddress.web))
    let result = reader.readAll()
    return (result.videos.map(\.title), reader.notice, result.failure)
  }

  @Test func `a feed after any other text is found`() {
    let parts = [
      "HTTP/1.1 200 OK\r\n", "x", "<br />", "<b>Warning</b>: ", "\n", "é", "<p>", "</p>", "1", "\"", "'", "&", ">",
      "<!-- a -->",
      "<?xml version='1.0'?>",
    ]
    var random = SeededGenerator(seed: 41)
    for _ in 0..<200 {
      let before = (0..<Int.random(in: 0...8, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined()
      let seen = read(before + feed)
      #expect(seen.titles == ["A"] && seen.failure == nil, "\(before)")
    }
  }

  @Test func `a notice reports text before a feed`() {
    #expect(
      read("Notice: x\n" + feed).notice?.hasPrefix("Ignored 10 bytes of other text before the feed") == true)
    for before in ["", " \n", "<?xml version='1.0'?>\n", "<!-- c -->", "\u{FEFF}"] {
      #expect(read(before + feed).notice == nil)
    }
  }

  @Test func `text before a feed is reported at its end, where files are read in pages`() {
    var reader = FeedDocumentReader(Array(("x" + feed).utf8), from: nil)
    _ = reader.readAll()
    #expect(reader.endNotice?.hasPrefix("Ignored 1 byte of other text") == true)
  }

  @Test func `a feed beyond 64 kB or in a web page is not found`() {
    #expect(read(String(repeating: "x", count: 70_000) + feed).failure != nil)
    #expect(read(String(repeating: "<br>", count: 20_000) + feed).failure != nil)
    for page in ["<html>", "<!doctype html><p>", "<head><title>T</title></head>", "<script>x</script>"] {
      #expect(read(page + feed).failure?.reason.contains("web page") == true, "\(page)")
    }
    #expect(read("x" + String(repeating: "<rss", count: 200_000)).failure != nil)
  }

  @Test func `a list of feeds after other text is imported`() throws {
    let outline = "<opml version='2.0'><body><outline text='A' xmlUrl='https://h.example/a'/></body></opml>"
    for before in ["", "Warning: x\n", "<br />\n"] {
      #expect(try SubscriptionList(document: Array((before + outline).utf8)).feeds.map(\.name) == ["A"])
    }
  }
}
