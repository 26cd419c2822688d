import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

/// The addresses of details and channels that services name.
@Suite(.hangLimit) struct ChannelTests {
  private static let channel = "UC0123456789abcdefghij-_"
  private static let uuid = "2c9347ab-7090-4f5a-a541-ca27340e9c9b"

  private static let documents =
    [
      (
        #"{"total":1,"data":[{"uuid":"\#(uuid)","url":"https://home.example/w/a","name":"A","channel":{"name":"t","url":"https://home.example/video-channels/t"}}]}"#,
        "https://asked.example/api/v1/videos", "https://home.example/video-channels/t",
        FeedKind.peerTube, "https://asked.example/api/v1/videos/\(uuid)"
      ),
      (
        #"{"total":1,"data":[{"uuid":"\#(uuid)","url":"https://home.example/w/a","name":"A","channel":{"name":"t","url":"file:///etc/passwd"},"account":{"name":"ann","url":"https://home.example/accounts/ann"}}]}"#,
        "https://sepiasearch.org/api/v1/search/videos?search=x", "https://home.example/accounts/ann",
        .peerTube, "https://home.example/api/v1/videos/\(uuid)"
      ),
      (
        #"[{"type":"video","title":"A","videoId":"aaaaaaaaaaa","author":"Ann","authorId":"\#(channel)","lengthSeconds":61}]"#,
        "https://yewtu.be/api/v1/popular", "https://yewtu.be/channel/\(channel)",
        .youTubeProxy, "https://yewtu.be/api/v1/videos/aaaaaaaaaaa"
      ),
      (
        #"[{"url":"/watch?v=aaaaaaaaaaa","type":"stream","title":"A","uploaderName":"Ann","uploaderUrl":"/channel/\#(channel)"}]"#,
        "https://p.example/trending", "https://www.youtube.com/channel/\(channel)",
        .youTubeProxy, nil
      ),
      (
        #"{"events":[{"guid":"a","title":"A","frontend_link":"https://media.ccc.de/v/a","url":"https://api.media.ccc.de/public/events/a","conference_url":"https://api.media.ccc.de/public/conferences/38c3"}]}"#,
        "https://api.media.ccc.de/public/events/recent", "https://api.media.ccc.de/public/conferences/38c3",
        .mediaCCC, "https://api.media.ccc.de/public/events/a"
      ),
      (
        #"{"response":{"numFound":1,"start":0,"docs":[{"identifier":"film","title":"A","creator":["Ann \"A\" Bee","Bob"],"mediatype":"movies"}]}}"#,
        "https://archive.org/advancedsearch.php?q=x", "https://archive.org/search?query=creator:%22Ann%20A%20Bee%22",
        .archive, "https://archive.org/metadata/film"
      ),
      (
        #"{"items":[{"identifier":"film","title":"A","creator":["Ann \"A\" Bee","Bob"],"mediatype":"movies"}],"count":1,"total":9}"#,
        "https://archive.org/services/search/v1/scrape?q=x",
        "https://archive.org/search?query=creator:%22Ann%20A%20Bee%22",
        .archive, "https://archive.org/metadata/film"
      ),
      (
        #"<feed xmlns="http://www.w3.org/2005/Atom" xmlns:yt="http://www.youtube.com/xml/schemas/2015"><entry><id>yt:video:aaaaaaaaaaa</id><yt:channelId>\#(channel)</yt:channelId><title>A</title><link rel="alternate" href="https://www.youtube.com/watch?v=aaaaaaaaaaa"/></entry></feed>"#,
        "https://www.youtube.com/feeds/videos.xml?playlist_id=PL1", "https://www.youtube.com/channel/\(channel)",
        .syndication, nil
      ),
    ] as [(String, String, String, FeedKind, String?)]

  @Test(arguments: documents)
  func `a video has the addresses of its details and its channel, which can be opened`(
    body: String, from: String, channel: String, kind: FeedKind, details: String?
  ) throws {
    let document = try decode(body, from: from)
    let video = try #require(document.videos.first)
    #expect(document.kind == kind && video.detailsURL?.text == details)
    #expect(video.channelURL?.text == channel)
    let address = try #require(WebAddress(channel))
    #expect(KnownSite.request(for: address) != nil || PeerTubeEndpoint(address: address) != nil)
  }

  @Test(arguments: ["UC0123456789abcdefghij", "UU0123456789abcdefghij-_", "UC0123456789abcdefghij-/", ""])
  func `a text of another form is no ID of a channel`(text: String) {
    #expect(YouTubeSite.ChannelID(text) == nil)
  }

  @Test func `details complete the address of the channel`() {
    var (listed, details) = (
      Video(id: "a", title: "A", playback: .unknown), Video(id: "a", title: "A", playback: .unknown)
    )
    listed.channelURL = WebAddress("https://home.example/c/a")
    #expect(listed.completed(by: details).channelURL == listed.channelURL)
    details.channelURL = WebAddress("https://home.example/c/b")
    #expect(listed.completed(by: details).channelURL == details.channelURL)
  }
}
