import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

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
      #expect(PlayItem(sample).candidates(maximumHeight: nil) == [PlayItem.Candidate(page: page)])
    }
  }

  @Test(arguments: [nil, 100, 480, 5_000])
  func `sound is the last choice`(height: Int?) {
    let talk = video([("talk.mp3", nil), ("talk.opus", 0), ("hd.mp4", 1_080), ("x", nil), ("sd.mp4", 576)])
    #expect(names(talk, maximumHeight: height).first == (height.map { $0 < 576 } == true ? "x" : "hd.mp4"))
    #expect(names(talk, maximumHeight: height).suffix(2) == ["talk.mp3", "talk.opus"])
    #expect(PlayItem(talk).heights == [1_080, 576])
  }

  @Test func `a height above the maximum precedes sound`() {
    let talk = video([("hd.mp4", 1_080), ("sd.mp4", 576), ("talk.mp3", 0), ("talk.opus", 0)])
    #expect(names(talk, maximumHeight: 480) == ["sd.mp4", "hd.mp4", "talk.mp3", "talk.opus"])
  }

  @Test func `another height of the whole film is played in the same language`() throws {
    func file(_ name: String, _ height: Int, _ language: String?, isSample: Bool = false) -> MediaFile {
      MediaFile(
        url: address(name), FileTraits(kind: .video, height: height, language: language, isSample: isSample))
    }
    var film = video([])
    film.language = "en"
    film.playback = .direct([
      file("1080.mp4", 1_080, "en-GB"), file("720.mp4", 720, nil), file("de.mp4", 480, "de"),
      file("trailer.mp4", 360, nil, isSample: true),
    ])
    #expect(names(film, maximumHeight: 480) == ["720.mp4", "1080.mp4", "de.mp4", "trailer.mp4"])
    #expect(PlayItem(film).heights == [1_080, 720])
  }

  @Test func `among random files, the same one is played and downloaded`() throws {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<2_000 {
      let files = (0..<Int.random(in: 1...6, using: &random)).map { number in
        MediaFile(
          url: address("\(number)"),
          FileTraits(
            kind: [.video, .audio, .unknown][Int.random(in: 0..<3, using: &random)],
            height: [nil, 0, 240, 720, 1_080][Int.random(in: 0..<5, using: &random)],
            language: [nil, "de", "en"][Int.random(in: 0..<3, using: &random)], isSample: random.chance(1, in: 4)))
      }
      var film = video([])
      film.playback = .direct(files)
      let height = [nil, 100, 480, 720, 2_000][Int.random(in: 0..<5, using: &random)]
      let played = PlayItem(film).candidates(maximumHeight: height).first?.traits
      let downloaded = try DownloadRequest(film, key: VideoKey(film), maximumHeight: height).addresses.first?.traits
      #expect(played?.isSample == downloaded?.isSample && played?.isSound == downloaded?.isSound)
      let distances = [played, downloaded].map { $0?.distance(from: height) }
      #expect(distances[0] == distances[1], "\(files)")
    }
  }

  @Test func `heights are distinct and in descending order`() {
    #expect(PlayItem(video([("a", 360), ("b", nil), ("c", 720), ("d", 360)])).heights == [720, 360])
  }
}
