import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct PackedVideoTests {
  private func address(_ name: String) -> WebAddress? { WebAddress("https://films.example/\(name)") }

  private func text(_ chances: inout SeededGenerator) -> String {
    let texts = [
      "", "a", "Sintel", "中文视频 学习", "e\u{301} \u{1F468}\u{200D}\u{1F469}", String(repeating: "long ", count: 400),
    ]
    return texts.randomElement(using: &chances) ?? ""
  }

  private func number(_ chances: inout SeededGenerator) -> Int {
    [0, 1, 127, 128, 16_384, -1, .max, .min, 1_700_000_000].randomElement(using: &chances) ?? 0
  }

  /// The common facts of a feed, each with a chance.
  private func randomVideo(_ chances: inout SeededGenerator) -> Video {
    var video = Video(id: text(&chances), title: text(&chances), playback: .unknown)
    func has() -> Bool { Bool.random(using: &chances) }
    if has() { video.scope = address("feed.xml").map { FeedScope($0) } }
    if has() { video.published = UnixTime(seconds: number(&chances)) }
    if has() { video.pageURL = address("watch") }
    if has() { video.duration = .seconds(number(&chances)) }
    if has() { video.author = text(&chances) }
    if has() { video.channel = has() ? video.author : text(&chances) }
    if has() { video.summary = text(&chances) }
    if has() { (video.views, video.byteCount) = (number(&chances), number(&chances)) }
    if has() { (video.language, video.licence, video.group) = ("en-US", text(&chances), text(&chances)) }
    if has() { (video.channelURL, video.licenceURL) = (address("channel"), address("licence")) }
    if has() { video.flags = VideoFlags(rawValue: UInt16.random(in: 0...7, using: &chances)) }
    if has() { (video.isPartial, video.pictureSize) = (true, PixelSize(width: 1_280, height: 720)) }
    if has() {
      video.covers = [address("a.jpg"), address("b.jpg")].compactMap { $0.map { Cover(url: $0, width: 480) } }
    }
    let file = address("film.mp4").map { MediaFile(url: $0, mimeType: "video/mp4", height: has() ? 1_080 : nil) }
    switch Int.random(in: 0..<4, using: &chances) {
    case 0: video.playback = .direct([file, file].compactMap(\.self))
    case 1: video.playback = (video.pageURL ?? address("other")).map { .page($0) } ?? .unknown
    case 2: video.playback = address("other").map { .page($0) } ?? .unknown
    default: break
    }
    return video
  }

  @Test(arguments: 1...500) func `a packed video loses nothing`(seed: Int) throws {
    var chances = SeededGenerator(seed: UInt64(seed))
    let video = randomVideo(&chances)
    // The number -1 has no form of its own.
    guard let packed = PackedVideo(video) else {
      let numbers = [video.views, video.byteCount, video.duration?.seconds, video.published?.seconds]
      #expect(numbers.contains(-1))
      return
    }
    #expect(packed.video == video && packed.title == video.title && packed.published == video.published)
    #expect(PackedVideo(video) == packed)
  }

  private static let file = FileAddress(path: "/film.mp4".utf8).map { MediaAddress.file($0) }
  private static let changes: [@Sendable (inout Video) -> Void] = [
    { $0.duration = .text("two hours") },
    { $0.chapters = Chapter.listed(in: "0:00 Start\n1:00 Middle\n2:00 End") },
    { $0.live = .live },
    { $0.players = [WebAddress("https://films.example/player")].compactMap(\.self) },
    { $0.resumeSeconds = 9 },
    { $0.year = 1_999 },
    { $0.aspectRatio = 1.5 },
    { $0.span = 2 },
    { $0.rows = 9 },
    { $0.playback = WebAddress("https://films.example/api").map { .details($0, page: nil) } ?? .unknown },
    { video in file.map { video.playback = .direct([MediaFile(url: $0)]) } },
    { video in file.map { video.playback = .direct([MediaFile(url: $0, mimeType: "\u{7F}", height: 3)]) } },
    { video in file.map { video.covers = [Cover(url: $0, width: 9, height: 9)] } },
  ]

  @Test(arguments: changes.indices) func `a video with rare facts is not packed`(index: Int) {
    var video = Video(id: "1", title: "Sintel", playback: .unknown)
    #expect(PackedVideo(video)?.video == video)
    Self.changes[index](&video)
    #expect(PackedVideo(video) == nil)
  }
}
