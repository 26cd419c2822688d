import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallPlaying

@Suite(.hangLimit) struct PlayItemTests {
  private func names(_ video: Video, maximumHeight: Int? = nil) -> [String] {
    PlayItem(video).candidates(maximumHeight: maximumHeight).map {
      String($0.address.text.split(separator: "/").last ?? "")
    }
  }

  @Test func `without a wish the feed's own order counts`() {
    #expect(names(video([("b.mp4", 360), ("a.mp4", 1_080), ("c.mp4", nil)])) == ["b.mp4", "a.mp4", "c.mp4"])
  }

  @Test func `the nearest below the wished height comes first, what is higher last`() {
    let film = video([("1080.mp4", 1_080), ("360.mp4", 360), ("720.mp4", 720), ("x.mp4", nil)])
    #expect(names(film, maximumHeight: 720) == ["720.mp4", "360.mp4", "x.mp4", "1080.mp4"])
    #expect(names(film, maximumHeight: 200) == ["x.mp4", "360.mp4", "720.mp4", "1080.mp4"])
  }

  @Test func `a list of streams holds every height`() {
    let film = video([("720.mp4", 720), ("all.m3u8?x=1", nil), ("480.mp4", 480)])
    #expect(names(film, maximumHeight: 480) == ["all.m3u8?x=1", "480.mp4", "720.mp4"])
  }

  @Test func `files of one height stay as they were`() {
    #expect(names(video([("a.mp4", 480), ("a.flv", 480)]), maximumHeight: 720) == ["a.mp4", "a.flv"])
  }

  @Test func `the same address is tried once, and not hundreds of them`() {
    #expect(names(video([("a.mp4", nil), ("a.mp4", nil)])) == ["a.mp4"])
    #expect(names(video((0..<500).map { ("\($0).mp4", nil) })).count == PlayItem.maximumCandidates)
  }

  @Test func `a page is one only where there is no file`() throws {
    let page = try #require(WebAddress("https://films.example/watch"))
    var film = video([("a.mp4", nil)])
    film.pageURL = page
    film.players = [page]
    #expect(PlayItem(film).candidates(maximumHeight: nil).map(\.isPage) == [false])
    for playback in [Playback.page(page), .details(page, page: page), .details(page, page: nil), .unknown] {
      film.playback = playback
      #expect(PlayItem(film).candidates(maximumHeight: nil) == [PlayCandidate(address: .web(page), isPage: true)])
    }
  }

  @Test func `the heights to choose from`() {
    #expect(PlayItem(video([("a", 360), ("b", nil), ("c", 720), ("d", 360)])).heights == [720, 360])
  }
}
