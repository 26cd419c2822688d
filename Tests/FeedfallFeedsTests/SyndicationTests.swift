import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

/// The items of an RSS feed.
func rss(_ items: String, attributes: String = "") throws -> [Video] {
  let names = "xmlns:media='http://search.yahoo.com/mrss/' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"
  return try decode("<rss version='2.0' \(names) \(attributes)><channel>\(items)</channel></rss>").videos
}

func addresses(_ video: Video?) -> [String] {
  if case .direct(let files)? = video?.playback { files.map(\.url.text) } else { [] }
}

@Suite(.hangLimit) struct SyndicationTests {
  @Test func `a thousand unclosed items are a thousand videos`() throws {
    #expect(try rss(String(repeating: "<item><title>One", count: 1_000)).count == 1_000)
  }
}
