import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct SyndicationMediaTests {
  @Test func `a cover has the width of its thumbnail`() throws {
    let thumbnail = "<media:thumbnail url='http://c.example/1.jpg' width='320' height='180'/>"
    let player = "<media:player url='https://player.example/1'/>"
    let items = "<item>\(thumbnail)</item><item><media:content>\(player)\(thumbnail)</media:content></item>"
    #expect(try rss(items).map { $0.covers.map(\.width) } == [[320], [320]])
  }

  @Test(arguments: [
    ("3661", 3661), ("1:01:01", 3661), ("01:01", 61), ("1014.708375", 1014), ("00:10:00.0", 600), ("PT1H1M1S", 3661),
    ("0", nil), ("", nil), ("long", nil), ("00:00:00:01", nil), ("PT", nil), ("P1Y", nil),
  ]) func `durations are parsed`(text: String, seconds: Int?) throws {
    let video = try rss("<item><title>T</title><itunes:duration>\(text)</itunes:duration></item>").first
    #expect(video?.duration == seconds.map(VideoDuration.seconds))
  }
}
