import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct DownloadingTests {
  @Test func `a download has the key of the record of an earlier version`() throws {
    let address = try #require(WebAddress("https://films.example/17.mp4"))
    var video = Video(id: "17", title: "Spring", playback: .direct([MediaFile(url: .web(address))]))
    video.scope = FeedScope(try #require(WebAddress("https://films.example/feed?page=news")))
    let earlier = VideoKey(text: try #require(video.scope?.earlierText) + " 17")
    var records = UserData()
    #expect(try Downloading.request(for: video, records, maximumHeight: nil).key == VideoKey(video))
    records.apply(UserEvent(time: 1, device: "a", key: earlier, value: .starred(true)))
    #expect(try Downloading.request(for: video, records, maximumHeight: nil).key == earlier)
  }
}
