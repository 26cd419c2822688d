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
