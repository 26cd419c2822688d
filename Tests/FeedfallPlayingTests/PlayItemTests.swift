import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallPlaying

@Suite(.hangLimit) struct PlayItemTests {
  @Test func `the headers of a file go with its address`() throws {
    let url = try #require(WebAddress("https://films.example/a.mp4"))
    var file = MediaFile(url: url)
    file.headers = RequestHeaders(userAgent: "Box/1", referrer: nil)
    let item = PlayItem(Video(id: "a", title: "A", playback: .direct([file, MediaFile(url: url)])))
    #expect(item.candidates(maximumHeight: nil).map(\.headers) == [file.headers, nil])
  }

  private func names(_ video: Video, maximumHeight: Int? = nil) -> [String] {
    PlayItem(video).candidates(maximumHeight: maximumHeight).map {
      String($0.address.text.split(separator: "/").last ?? "")
    }
  }

  @Test func `without a maximum height the feed's order counts`() {
    #expect(names(video([("b.mp4", 360), ("a.mp4", 1_080), ("c.mp4", nil)])) == ["b.mp4", "a.mp4", "c.mp4"])
  }

  @Test func `the nearest lower height comes first and greater heights last`() {
    let sample = video([("1080.mp4", 1_080), ("360.mp4", 360), ("720.mp4", 720), ("x.mp4", nil)])
    #expect(names(sample, maximumHeight: 720) == ["720.mp4", "360.mp4", "x.mp4", "1080.mp4"])
    #expect(names(sample, maximumHeight: 200) == ["x.mp4", "360.mp4", "720.mp4", "1080.mp4"])
  }

  @Test(arguments: [Int.max, .min, 100_001, -1])
  func `an impossible height counts as unknown`(height: Int) {
    let sample = video([("x.mp4", height), ("720.mp4", 720)])
    #expect(names(sample, maximumHeight: 720) == ["720.mp4", "x.mp4"])
  }

  @Test func `a stream list matches every height`() {
    let sample = video([("720.mp4", 720), ("all.m3u8?x=1", nil), ("480.mp4", 480)])
    #expect(names(sample, maximumHeight: 480) == ["all.m3u8?x=1", "480.mp4", "720.mp4"])
  }

  @Test func `files of equal height keep their order`() {
    #expect(names(video([("a.mp4", 480), ("a.flv", 480)]), maximumHeight: 720) == ["a.mp4", "a.flv"])
  }

  @Test func `duplicate addresses are removed and their number is limited`() {
    #expect(names(video([("a.mp4", nil), ("a.mp4", nil)])) == ["a.mp4"])
    #expect(names(video((0..<500).map { ("\($0).mp4", nil) })).count == PlayItem.maximumCandidates)
  }

  @Test func `a page is used only if the feed names no file`() throws {
    let page = try #require(WebAddress("https://films.example/watch"))
    var sample = video([("a.mp4", nil)])
    sample.pageURL = page
    sample.players = [page]
    #expect(PlayItem(sample).candidates(maximumHeight: nil).map(\.isPage) == [false])
    for playback in [Playback.page(page), .details(page, page: page), .details(page, page: nil), .unknown] {
      sample.playback = playback
      #expect(PlayItem(sample).candidates(maximumHeight: nil) == [PlayCandidate(page: page)])
    }
  }

  @Test func `heights are distinct and in descending order`() {
    #expect(PlayItem(video([("a", 360), ("b", nil), ("c", 720), ("d", 360)])).heights == [720, 360])
  }
}
