import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct SyndicationMediaTests {
  @Test func `a media content with a player in place of a file gives length, author and player`() throws {
    let document = try decode(
      """
      <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Vimeo / Ann</title><item><title>A</title>
      <media:content duration="61"><media:player url="https://player.example/video/1"/>
      <media:credit role="author">Ann</media:credit><media:thumbnail url="https://i.example/1.jpg" width="640" height="360"/>
      </media:content></item></channel></rss>
      """)
    let video = try #require(document.videos.first)
    #expect(video.duration == .seconds(61) && video.author == "Ann")
    #expect(video.players.map(\.text) == ["https://player.example/video/1"])
    #expect(video.playbackURL?.text == "https://player.example/video/1")
    #expect(video.covers.map(\.width) == [640])
  }

  @Test func `entries of a YouTube channel are played by their pages`() throws {
    let video = try decode(
      """
      <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/"
        xmlns="http://www.w3.org/2005/Atom"><title>Channel</title>
      <entry><id>yt:video:abc</id><yt:videoId>abc</yt:videoId><title>T</title>
        <link rel="alternate" href="https://www.youtube.com/watch?v=abc"/><author><name>Who</name></author>
        <media:group><media:title>T</media:title>
        <media:content url="https://www.youtube.com/v/abc?version=3" type="application/x-shockwave-flash" width="640"
        height="390"/><media:thumbnail url="https://i1.ytimg.com/vi/abc/hqdefault.jpg" width="480" height="360"/>
        <media:description>Words</media:description>
        <media:community><media:statistics views="77"/></media:community></media:group></entry></feed>
      """
    ).videos.first
    #expect(video?.id == "yt:video:abc")
    #expect(video?.playback == WebAddress("https://www.youtube.com/watch?v=abc").map(Playback.page))
    #expect(video?.players.map(\.text) == ["https://www.youtube.com/v/abc?version=3"])
    #expect(
      video?.covers.map(\.url.text) == [
        "https://i1.ytimg.com/vi/abc/mqdefault.jpg", "https://i1.ytimg.com/vi/abc/hqdefault.jpg",
      ])
    #expect(video?.views == 77)
    #expect(video?.summary == "Words")
  }

  @Test func `covers come from thumbnails, media, images and the text`() throws {
    let video = try rss(
      """
      <item><media:thumbnail url="http://c.example/1.jpg" width="320" height="180"/>
      <media:content url="http://c.example/2.jpg" medium="image"/><itunes:image href="http://c.example/3.jpg"/></item>
      """
    ).first
    #expect(video?.covers.map(\.url.text) == (1...3).map { "http://c.example/\($0).jpg" })
    #expect(video?.covers.first?.width == 320)
    let other = try rss(
      "<item><description>&lt;img src='p.gif' width='1'&gt;&lt;img src=\"q.png\"&gt;</description></item>"
    ).first
    #expect(other?.covers.map(\.url.text) == ["https://feed.example/q.png"])
  }

  @Test(arguments: [
    ("3661", 3661), ("1:01:01", 3661), ("01:01", 61), ("1014.708375", 1014), ("00:10:00.0", 600), ("PT1H1M1S", 3661),
    ("0", nil), ("", nil), ("long", nil), ("00:00:00:01", nil), ("PT", nil), ("P1Y", nil),
  ]) func `durations are parsed`(text: String, seconds: Int?) throws {
    let video = try rss("<item><title>T</title><itunes:duration>\(text)</itunes:duration></item>").first
    #expect(video?.duration == seconds.map(VideoDuration.seconds))
  }
}
