import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallUserData

@Suite(.hangLimit) struct VideoKeyTests {
  private func key(_ id: String, _ playback: Playback = .unknown) -> String {
    VideoKey(Video(id: id, title: "", playback: playback)).text
  }

  @Test func `an ID that is an address has no user name and no password`() {
    #expect(key("https://me:secret@films.example/1") == "https://films.example/1")
    #expect(VideoKey(text: "https://me:secret@films.example/1").text == "https://films.example/1")
    #expect(key("/films/1.mp4") == "/films/1.mp4")
  }

  @Test func `another ID is prefixed with the host that plays the video`() throws {
    let page = try #require(WebAddress("https://a.example/1"))
    let file = MediaFile(url: .web(try #require(WebAddress("https://b.example/1.mp4"))))
    #expect(key("1", .page(page)) == "a.example 1")
    #expect(key("1", .direct([file])) == "b.example 1")
    #expect(key("1") == "1")
  }
}
