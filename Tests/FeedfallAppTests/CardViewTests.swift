import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct CardViewTests {
  private static let now = 1_700_000_000

  /// The screen of one video, shown at `now`.
  private func screen(
    width: Int = 80, height: Int = 24, layout: LayoutKind = .waterfall, style: CoverStyle? = nil,
    _ change: (inout Video) -> Void
  ) -> Canvas {
    var video = sampleVideo(0)
    change(&video)
    var scenario = Scenario(width: width, height: height, layout: layout)
    style.map { scenario.handle(.coverStyleChanged($0)) }
    guard let ticket = scenario.awaitedTicket else { return Canvas(size: .zero) }
    scenario.handle(.pageArrived(ticket, FeedPage(videos: [video]), at: UnixTime(seconds: Self.now)))
    return scenario.state.draw()
  }

  private func count(_ part: String, in canvas: Canvas) -> Int { canvas.text.split(separator: part).count - 1 }

  @Test(arguments: [LayoutKind.waterfall, .grid, .carousel], [CoverStyle.blocks, .initials])
  func `a card shows the length once`(layout: LayoutKind, style: CoverStyle) {
    for width in [20, 24, 32, 40, 80] {
      for seconds in [61, 3_661, 360_001] {
        let canvas = screen(width: width, layout: layout, style: style) { $0.duration = .seconds(seconds) }
        let length = VideoDuration.seconds(seconds).description
        #expect(count(length, in: canvas) == 1, "\(length) at \(width) columns")
      }
    }
  }

  @Test func `the selected card of a low window shows its length`() {
    let canvas = screen(width: 40, height: 12) { $0.pictureSize = PixelSize(width: 1000, height: 1500) }
    #expect(count("1:01", in: canvas) == 1)
  }

  @Test(arguments: [
    (0, "now"), (-30, "now"), (59, "now"), (60, "1 min ago"), (3_599, "59 min ago"), (3_600, "1 h ago"),
    (86_399, "23 h ago"), (86_400, "1 d ago"), (7 * 86_400 - 1, "6 d ago"), (7 * 86_400, "1 wk ago"),
    (35 * 86_400, "5 wk ago"), (250 * 86_400, "Mar 2023"),
  ])
  func `the second line has the channel and the age`(age: Int, text: String) {
    let canvas = screen { $0.published = UnixTime(seconds: Self.now - age) }
    #expect(canvas.text.contains(" Channel 0 · \(text) "))
  }

  @Test(arguments: [nil, -100_000, Int.min, Int.max])
  func `an unknown age is not shown`(age: Int?) {
    let time = age.map { UnixTime(seconds: Self.now.subtractingReportingOverflow($0).partialValue) }
    #expect(!screen { $0.published = time }.text.contains("Channel 0 ·"))
  }

  @Test func `a long channel is shortened before the age`() {
    let canvas = screen {
      $0.channel = String(repeating: "long ", count: 20)
      $0.published = UnixTime(seconds: Self.now - 7_200)
    }
    #expect(canvas.text.contains("… · 2 h ago"))
  }

  @Test func `a live video has a mark`() {
    #expect(screen { $0.live = .live }.text.contains("Channel 0 · ((·))"))
  }

  @Test func `a playing video has a mark until another one plays`() {
    var scenario = Scenario.showing(width: 120, height: 40).typing(" ")
    #expect(scenario.screen.contains("Channel 0 · ▶"))
    scenario.type("<Esc><Esc>j ")
    #expect(!scenario.screen.contains("Channel 0 · ▶"))
  }

  @Test func `a video that was left before its end has a mark`() {
    #expect(screen { $0.resumeSeconds = 60 }.text.contains("Channel 0 · ▶"))
    #expect(!screen { $0.resumeSeconds = 0 }.text.contains("▶"))
  }

  @Test func `videos that a refresh has added have a mark until the next one`() {
    var scenario = Scenario.showing(sampleVideos(2, from: 1))
    #expect(!scenario.screen.contains("●"))
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(3)))
    #expect(scenario.screen.contains("Channel 0 · ●") && !scenario.screen.contains("Channel 1 · ●"))
    scenario.endWaits()
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(3)))
    #expect(!scenario.screen.contains("●"))
  }

  @Test func `a frame in the gutters surrounds the selected card, and moving it moves nothing else`() {
    let first = Scenario.showing(sampleVideos(9)).state
    let frame = first.cards.frame(of: 0)
    let canvas = first.draw()
    let corners: [(Int, Int, Unicode.Scalar)] =
      [(frame.minX - 1, frame.minY - 1, "╭"), (frame.maxX, frame.minY - 1, "╮")]
      + [(frame.minX - 1, frame.maxY, "╰"), (frame.maxX, frame.maxY, "╯")]
    for (x, y, corner) in corners {
      #expect(canvas[x, y] == Cell(Glyph(corner), Style(.selection)))
    }
    let second = Scenario.showing(sampleVideos(9)).typing("l").state
    for card in 0..<3 { #expect(second.cards.frame(of: card) == first.cards.frame(of: card)) }
    #expect(second.draw()[frame.minX - 1, frame.minY - 1].glyph == .blank)
  }

  @Test func `without room between the cards there is no frame`() {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layoutOptions.spacing = .zero
    var scenario = Scenario(settings)
    scenario.answer(FeedPage(videos: sampleVideos(9)))
    #expect(!scenario.screen.contains("╭") && scenario.screen.contains("▸"))
  }

  @Test func `the text of a low selected card covers no other card`() {
    var videos = sampleVideos(30)
    for index in videos.indices { videos[index].rows = 1 }
    var scenario = Scenario.showing(videos, width: 40, height: 14)
    for _ in videos {
      scenario.type("j")
      let cards = scenario.state.cards
      for card in cards.visibleCards where cards.frame(of: card).maxY <= cards.offset + cards.viewport.height {
        #expect(scenario.screen.contains(videos[card].title.prefix(9)), "\(card) beside \(cards.selection ?? 0)")
      }
    }
  }

  @Test(arguments: [-9, -3, 10, 30])
  func `a selected card out of sight is not drawn`(y: Int) {
    let video = sampleVideo(0)
    let metrics = CardMetrics(LayoutKind.list.traits(.modern), columnWidth: 40, cellSize: Size(width: 8, height: 16))
    let face = CardFace(video, CardShape(of: video, TextWidths()), width: 40, metrics, TextWidths())
    let view = CardView(
      face: face, shape: CardShape(of: video, TextWidths()), metrics: metrics,
      sign: CardSign(isSelected: true, isPicked: false))
    var canvas = Canvas(size: Size(width: 40, height: 10))
    let cover = CoverView(ground: .initial(of: video.title))
    view.draw(in: Rect(x: 0, y: y, width: 40, height: 3), window: canvas.bounds, cover: { _ in cover }, on: &canvas)
    #expect(canvas == Canvas(size: canvas.size))
  }

  @Test(arguments: [(30, 15), (60, 30), (1, 1), (120, 60)])
  func `a begun video has its progress on the last row of the cover`(seconds: Int, percent: Int) throws {
    let canvas = screen(width: 40) {
      $0.resumeSeconds = seconds
      $0.duration = .seconds(200)
    }
    let row = try #require(canvas.roles.split(separator: "\n").firstIndex { $0.contains("r") })
    let text = canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
    let width = canvas.roles.split(separator: "\n")[row].count { $0 == "r" }
    #expect(text[row].count { $0 == "━" } == max(1, Int((Double(width * percent) / 100).rounded())))
    #expect(text[row].count { $0 == "─" } == width - text[row].count { $0 == "━" })
    #expect(text[row + 1].contains("▸0 Elephants Dream") && text[row - 1].contains("3:20"))
  }

  @Test func `only a begun video of a known length has a progress`() {
    let changes: [(inout Video) -> Void] = [
      { $0.resumeSeconds = nil }, { $0.resumeSeconds = 0 },
      {
        $0.resumeSeconds = 30
        $0.duration = nil
      },
      {
        $0.resumeSeconds = 30
        $0.live = .live
      },
    ]
    for change in changes { #expect(!screen(change).roles.contains("r")) }
  }

  @Test func `the progress of the playing video follows the player`() {
    var scenario = Scenario.showing(width: 120, height: 40).typing(" ")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 50))
    #expect(scenario.state.cards.state(of: 0) == CardStates.State(marks: .begun, watched: 0.5))
    #expect(scenario.state.draw().roles.contains("xrrrrrrrr"))
  }

  @Test func `an age without a channel beside it is the same`() {
    func line(_ age: Int) -> String {
      screen { ($0.published, $0.channel, $0.author) = (UnixTime(seconds: Self.now - age), nil, nil) }.text
    }
    #expect(line(300).contains(" 5 min ago"))
    #expect(line(30).contains(" now") && !line(30).contains("ago"))
  }

  @Test func `an age grows with the time of the events`() {
    var video = sampleVideo(0)
    video.published = UnixTime(seconds: Self.now - 60)
    var scenario = Scenario()
    scenario.answer(FeedPage(videos: [video]))
    for (minutes, text) in [(0, "1 min ago"), (1, "2 min ago"), (4, "5 min ago")] {
      scenario.handle(.input(.key(.character("j"))), at: (Self.now + minutes * 60) * 1_000)
      #expect(scenario.screen.contains(" · \(text) "))
    }
  }
}
