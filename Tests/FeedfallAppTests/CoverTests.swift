import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

private let halves = CoverStyle.pictures(.halves, wantsPixels: false)

/// The program on a terminal with this cover style.
private func showing(
  _ videos: [Video] = sampleVideos(200), style: CoverStyle = halves, width: Int = 80, height: Int = 24,
  layout: LayoutKind = .waterfall
) -> Scenario {
  var scenario = Scenario.showing([], width: width, height: height, layout: layout)
  scenario.handle(.coverStyleChanged(style))
  scenario.type("r")
  scenario.answer(FeedPage(videos: videos))
  return scenario
}

extension Scenario {
  /// The numbers of the videos whose covers are requested, in order.
  fileprivate var requestedVideos: [Int] {
    awaitedCovers.compactMap { awaited in
      awaited.request.addresses.first.flatMap { Int($0.text.split(separator: "/").last?.dropLast(4) ?? "") }
    }
  }

  fileprivate mutating func answerAllCovers(gray: UInt8? = 255) {
    while !awaitedCovers.isEmpty { answerCover(gray: gray) }
  }

  fileprivate var coverRequestCount: Int {
    effects.count { if case .requestCover = $0 { true } else { false } }
  }
}

@Suite(.hangLimit) struct CoverTests {
  @Test(arguments: [LayoutKind.waterfall, .grid, .carousel])
  func `the visible covers are requested at once, up to the limit`(layout: LayoutKind) {
    let scenario = showing(width: 120, height: 40, layout: layout)
    let visible = scenario.state.cards.visibleCards
    #expect(!scenario.requestedVideos.isEmpty)
    #expect(scenario.awaitedCovers.count <= 8)
    #expect(scenario.requestedVideos.prefix(visible.count) == visible.prefix(8))
  }

  @Test func `each answer triggers the next request, visible covers first`() {
    var scenario = showing(width: 120, height: 40)
    let visible = scenario.state.cards.visibleCards
    var requested = scenario.requestedVideos
    while !scenario.awaitedCovers.isEmpty {
      scenario.answerCover()
      requested += scenario.requestedVideos.filter { !requested.contains($0) }
    }
    #expect(requested.prefix(visible.count) == visible[...])
    #expect(requested.count > visible.count)
    #expect(requested.count == Set(requested).count)
  }

  @Test func `a frame of a video brings its length to the card`() throws {
    var videos = sampleVideos(3)
    for index in videos.indices { videos[index].duration = nil }
    var scenario = showing(videos)
    #expect(!scenario.state.draw().text.contains("2:03"))
    let awaited = try #require(scenario.awaitedCovers.first)
    var frame = try #require(picture(gray: 255, for: awaited.request))
    frame.videoSeconds = 123
    scenario.handle(.coverArrived(awaited.ticket, frame))
    #expect(scenario.state.draw().text.contains("2:03"))
  }

  @Test func `covers are requested when scrolling stops, not while scrolling`() {
    var scenario = showing()
    scenario.rest()
    scenario.answerAllCovers()
    let count = scenario.coverRequestCount
    scenario.type("<C-f><C-f><C-f><C-f><C-f>")
    #expect(scenario.coverRequestCount == count)
    scenario.rest()
    let visible = Set(scenario.state.cards.visibleCards)
    #expect(!scenario.awaitedCovers.isEmpty)
    #expect(visible.contains(scenario.requestedVideos.first ?? -1))
  }

  @Test func `requests for covers that are far away are canceled`() {
    var scenario = showing()
    let first = scenario.awaitedCovers.map(\.ticket)
    #expect(!first.isEmpty)
    scenario.type("G")
    scenario.rest()
    for ticket in first { #expect(scenario.effects.contains(.cancel(ticket))) }
    let before = scenario.state.draw()
    scenario.handle(.coverFailed(first[0], FeedFailure(.temporary, "late")))
    #expect(scenario.state.draw() == before)
  }

  @Test func `a failed cover is not requested again until a refresh`() {
    var scenario = showing(sampleVideos(3))
    scenario.answerAllCovers(gray: nil)
    let count = scenario.coverRequestCount
    scenario.type("vvvv<Enter>q")
    scenario.rest()
    #expect(scenario.coverRequestCount == count)
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(3)))
    scenario.rest()
    #expect(scenario.coverRequestCount > count)
  }

  @Test func `a refresh requests a failed cover even if it is known to be missing`() throws {
    var scenario = showing(sampleVideos(3))
    #expect(scenario.awaitedCovers.allSatisfy { $0.request.use == .always })
    scenario.rest()
    scenario.answerAllCovers(gray: nil)
    for press in 2...3 {
      scenario.type("r")
      scenario.answer(FeedPage(videos: sampleVideos(3)))
      scenario.rest()
      #expect(!scenario.awaitedCovers.isEmpty)
      #expect(scenario.awaitedCovers.allSatisfy { $0.request.use == .retried(press: press) })
      scenario.answerAllCovers(gray: nil)
    }
  }

  @Test func `a request names the page of the video and how soon its cover may change`() {
    let now = 1_000_000_000
    func pace(_ change: (inout Video) -> Void) -> CoverPace? {
      var video = sampleVideo(0)
      video.published = nil
      video.pageURL = WebAddress("https://films.example/watch")
      change(&video)
      var scenario = Scenario.showing([], width: 80, height: 24)
      scenario.handle(.coverStyleChanged(halves), at: now * 1_000)
      scenario.type("r")
      scenario.answer(FeedPage(videos: [video]))
      #expect(scenario.awaitedCovers.map(\.request.page) == [video.pageURL])
      return scenario.awaitedCovers.first?.request.pace
    }
    #expect(pace { _ in } == .settled)
    #expect(pace { $0.published = UnixTime(seconds: now - 86_399) } == .new)
    #expect(pace { $0.published = UnixTime(seconds: now - 86_400) } == .settled)
    #expect(pace { $0.published = UnixTime(seconds: now + 86_400) } == .new)
    #expect(pace { $0.live = .live } == .live)
    #expect(pace { $0.live = .upcoming(nil) } == .new)
    #expect(pace { $0.live = .ended } == .settled)
  }

  @Test func `only a failure that a retry can end names its key`() {
    func note(_ kind: FeedFailure.Kind, advice: String? = nil) -> String? {
      Words(keys: .standard).coverNote(FeedFailure(kind, "no picture", advice: advice), beside: nil)
    }
    #expect(note(.temporary) == "Could not load the cover: no picture. Press r to retry.")
    #expect(note(.permanent) == "Could not load the cover: no picture.")
    #expect(note(.permanent, advice: "install it") == "Could not load the cover: no picture. Install it.")
    #expect(note(.wait(seconds: 30))?.hasSuffix("Press r to retry after 30 s.") == true)
  }

  @Test func `a cover that does not exist is no failure`() {
    var scenario = showing(sampleVideos(3))
    scenario.type("<Enter>")
    scenario.rest()
    let before = scenario.screen
    while let cover = scenario.awaitedCovers.first {
      scenario.forgetCover(cover.ticket)
      scenario.handle(.coverFailed(cover.ticket, FeedFailure(.absent, "the file has no picture")))
    }
    #expect(before.contains("···"))
    #expect(!scenario.openWaits.contains { if case .covers = $0 { true } else { false } }, "it is not requested again")
    for sign in ["···", "⚠", "no picture"] { #expect(!scenario.screen.contains(sign)) }
  }

  @Test func `a cover that arrives at another size ends the failure`() {
    let words = "Could not load the cover: the server"
    var scenario = showing(sampleVideos(1), width: 120, height: 40)
    scenario.type("<Enter>")
    scenario.rest()
    #expect(scenario.awaitedCovers.count == 2)
    scenario.answerCover(gray: nil)
    #expect(scenario.screen.contains(words))
    scenario.answerCover()
    #expect(!scenario.screen.contains(words))
  }

  @Test func `the details say why the cover is missing until a retry succeeds`() {
    let words = "Could not load the cover: the server"
    var scenario = showing(sampleVideos(3))
    scenario.type("<Enter>")
    scenario.rest()
    scenario.answerAllCovers(gray: nil)
    let count = scenario.coverRequestCount
    scenario.endWaits()
    #expect(scenario.screen.contains(words))
    scenario.type("lh")
    scenario.rest()
    #expect(scenario.coverRequestCount > count)
    #expect(scenario.screen.contains(words))
    scenario.answerAllCovers()
    #expect(!scenario.screen.contains(words))
  }

  @Test func `the details of a video without a cover show no failure`() {
    var bare = sampleVideo(0)
    bare.covers = []
    var scenario = showing([bare])
    scenario.type("<Enter>")
    scenario.rest()
    #expect(scenario.coverRequestCount == 0)
    #expect(!scenario.screen.contains("Cover:"))
  }

  @Test func `failed covers are requested again after a while, at the next movement`() {
    var scenario = showing(sampleVideos(3))
    scenario.rest()
    scenario.answerAllCovers(gray: nil)
    let waits = scenario.openWaits.filter { if case .covers = $0 { true } else { false } }
    #expect(waits.count == 1)
    let count = scenario.coverRequestCount
    for wait in waits { scenario.handle(.waitElapsed(wait)) }
    #expect(scenario.coverRequestCount == count)
    scenario.type("v")
    scenario.rest()
    #expect(scenario.coverRequestCount > count)
  }

  @Test func `keys without a visible effect send no requests and start no wait`() {
    var scenario = showing(sampleVideos(3), height: 40)
    scenario.rest()
    scenario.answerAllCovers()
    let count = scenario.effects.count
    scenario.type("llhh?q")
    #expect(scenario.effects.count == count)
    #expect(scenario.openWaits.isEmpty)
    #expect(scenario.state.draw().isAtRest)
  }

  /// The lines of the screen without the signs of placeholders and the blanks at their ends.
  private func wordsWithoutSigns(_ scenario: Scenario) -> [[Character]] {
    scenario.screen.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let words = line.map { "·⚠".contains($0) ? " " : $0 }
      return Array(words.prefix((words.lastIndex { $0 != " " } ?? -1) + 1))
    }
  }

  @Test(arguments: [LayoutKind.waterfall, .grid, .carousel])
  func `no card moves when its cover arrives`(layout: LayoutKind) {
    var scenario = showing(layout: layout)
    let before = scenario.state.cards.visibleElements
    let words = wordsWithoutSigns(scenario)
    scenario.answerAllCovers(gray: nil)
    #expect(wordsWithoutSigns(scenario) == words)
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(200)))
    scenario.rest()
    #expect(!scenario.awaitedCovers.isEmpty)
    scenario.answerAllCovers()
    #expect(scenario.state.cards.visibleElements == before)
  }

  @Test func `the address that fits best is first in the request`() throws {
    var video = sampleVideo(0)
    let sizes: [(Int, Int)] = [(160, 90), (320, 180), (1_280, 720)]
    video.covers = try sizes.map { width, height in
      Cover(url: try #require(WebAddress("https://c.example/\(width)")), width: width, height: height)
    }
    let cells = try #require(showing([video]).awaitedCovers.first?.request)
    #expect(
      cells.addresses.map(\.text) == ["https://c.example/160", "https://c.example/320", "https://c.example/1280"])
    let pixels = showing([video], style: .pictures(.halves, wantsPixels: true))
    #expect(pixels.awaitedCovers.first?.request.addresses.first?.text == "https://c.example/1280")
  }

  @Test func `the alternatives to the best address are ordered by fit`() throws {
    var video = sampleVideo(0)
    video.covers = try [120, 320, 480, 640, 1_280].map { width in
      Cover(url: try #require(WebAddress("https://c.example/\(width)")), width: width, height: width * 9 / 16)
    }
    let request = try #require(
      showing([video], style: .pictures(.halves, wantsPixels: true), width: 200, height: 50)
        .awaitedCovers.first?.request)
    #expect(request.addresses.map(\.text) == [480, 640, 1_280, 320].map { "https://c.example/\($0)" })
  }

  @Test func `each picture of pixels is on the screen and has a unique id`() throws {
    var scenario = showing(sampleVideos(2), style: .pictures(.halves, wantsPixels: true))
    scenario.answerAllCovers()
    let pictures = scenario.state.draw().visiblePictures
    #expect(pictures.count == 2)
    #expect(Set(pictures.map(\.id)).count == 2)
    let size = scenario.state.draw().size
    #expect(pictures.allSatisfy { Rect(origin: .zero, size: size).intersection($0.frame) == $0.frame })
    #expect(scenario.typing("?").state.draw().visiblePictures.isEmpty)
  }

  @Test func `the pane and the full-window cover request larger pictures`() {
    var scenario = showing(sampleVideos(1), width: 120, height: 40)
    scenario.answerAllCovers()
    scenario.type("<Enter>")
    scenario.rest()
    let inPane = scenario.awaitedCovers.last?.request.size
    scenario.answerAllCovers()
    scenario.type("i")
    scenario.rest()
    let large = scenario.awaitedCovers.last?.request.size
    #expect(inPane?.width ?? 0 > 20)
    #expect(large?.width ?? 0 > inPane?.width ?? 0)
  }

  @Test func `the neighbors' covers are prefetched at about the size of the shown one`() {
    for keys in ["<Enter>", "<Enter>i"] {
      var scenario = showing(sampleVideos(9), width: 120, height: 40)
      scenario.type("l")
      scenario.rest()
      scenario.answerAllCovers()
      scenario.type(keys)
      scenario.rest()
      var cellCounts: [Int: Int] = [:]
      while let awaited = scenario.awaitedCovers.first {
        let size = awaited.request.size
        for video in scenario.requestedVideos.prefix(1) {
          cellCounts[video] = max(cellCounts[video] ?? 0, size.width * size.height)
        }
        scenario.answerCover()
      }
      let shown = cellCounts[1] ?? 0
      // Their aspect ratios differ.
      for video in [0, 2] { #expect(cellCounts[video] ?? 0 > shown / 2, "\(keys)") }
      #expect(cellCounts[8] ?? 0 < shown / 2, "\(keys)")
    }
  }

  @Test(arguments: [LayoutKind.waterfall, .grid], [40, 80, 120, 200])
  func `no placeholder has the hue of one beside it`(layout: LayoutKind, width: Int) {
    var scenario = Scenario.showing(sampleVideos(200, from: 100), width: width, height: 40, layout: layout)
    #expect(sameHues(in: scenario.state.cards) == [])
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(230, from: 70)))
    #expect(scenario.state.cards.cards.count == 230)
    #expect(sameHues(in: scenario.state.cards) == [])
  }

  /// The pairs of cards of the same hue that touch the same gutter.
  private func sameHues(in screen: CardsScreen) -> [[Int]] {
    let frames = (0..<screen.cards.count).map(screen.frame)
    return frames.indices.flatMap { one in
      (one + 1..<min(frames.count, one + 30)).filter { other in
        let near = frames[one].inset(by: Insets(top: -1, left: -2, bottom: -1, right: -2))
        return screen.cards.hues[one] == screen.cards.hues[other] && !near.intersection(frames[other]).isEmpty
      }.map { [one, $0] }
    }
  }

  @Test func `cards before all others leave their hues and differ from those nearby`() {
    var store = CardStore()
    let slots = store.list(sampleVideos(60), of: SourceID(0))
    var list = CardList()
    _ = list.append(Array(slots[30...]), from: store)
    let hues = list.hues
    _ = list.prepend(Array(slots[..<30]), from: store)
    #expect(list.hues.count == 60 && list.hues.suffix(30) == hues[...])
    for index in 0..<30 {
      #expect(!list.hues[(index + 1)...].prefix(PlaceholderHue.nearbyCount).contains(list.hues[index]))
    }
  }

  @Test func `placeholders show whether a cover is loading, has failed or is missing`() {
    var videos = sampleVideos(3)
    for index in videos.indices { videos[index].pictureSize = PixelSize(width: 640, height: 360) }
    videos[2].covers = []
    var scenario = showing(videos)
    #expect(scenario.awaitedCovers.count == 2)
    #expect(scenario.screen.split(separator: "···").count - 1 == 2 && !scenario.screen.contains("⚠"))
    scenario.answerCover(gray: nil)
    #expect(scenario.screen.split(separator: "···").count - 1 == 1)
    #expect(scenario.screen.count { $0 == "⚠" } == 1)
    scenario.answerCover()
    #expect(!scenario.screen.contains("···") && scenario.screen.count { $0 == "⚠" } == 1)
  }

  @Test func `a placeholder has the first letter of the title in block elements`() {
    var video = sampleVideo(0)
    video.title = "“Hello”"
    #expect(Scenario.showing([video]).screen.contains("█▄▄▄█"))
    video.title = "Éric"
    #expect(Scenario.showing([video]).screen.contains("      É      "))
    video.title = ""
    #expect(!Scenario.showing([video]).screen.contains("█"))
  }

  @Test func `known colors fill the covers that scroll past`() throws {
    let red = RGB(red: 200, green: 0, blue: 0)
    var scenario = showing()
    let awaited = try #require(scenario.awaitedColors.first)
    #expect(!awaited.addresses.contains { $0.text == "https://films.example/0.jpg" }, "it is on the screen")
    scenario.handle(
      .coverColorsArrived(
        awaited.ticket, Dictionary(awaited.addresses.map { ($0, red) }, uniquingKeysWith: { one, _ in one })))
    scenario.answerAllCovers(gray: 255)
    scenario.type("<C-f><C-f><C-f>")
    #expect(Set(scenario.state.draw().cells.compactMap(\.style.background)).subtracting([.white]) == [red])
  }

  @Test func `each color is requested once`() {
    var scenario = showing()
    scenario.type("<C-f><C-f><C-f><C-b><C-b><C-b><C-b>")
    let requested = scenario.awaitedColors.flatMap(\.addresses)
    #expect(requested.count > 10 && Set(requested).count == requested.count)
  }

  @Test func `colors are requested again once the cards have moved by a screen`() {
    var scenario = showing(sampleVideos(200))
    let count = scenario.awaitedColors.count
    scenario.type("<C-d><C-u><C-d>")
    #expect(scenario.awaitedColors.count == count)
    scenario.type("<C-f><C-f>")
    #expect(scenario.awaitedColors.count > count)
  }

  @Test func `a slow server does not hold up the others`() {
    var videos = sampleVideos(40)
    for index in videos.indices where index.isMultiple(of: 2) {
      videos[index].covers = WebAddress("https://slow.example/\(index).jpg").map { [Cover(url: $0)] } ?? []
    }
    var scenario = showing(videos, width: 120, height: 40)
    func place(ofAnother: Bool) -> Int? {
      scenario.awaitedCovers.firstIndex { ($0.request.addresses.first?.web?.host != "slow.example") == ofAnother }
    }
    var count = 0
    while let place = place(ofAnother: true) {
      scenario.answerCover(place)
      count += 1
    }
    #expect(count > 8)
    #expect(scenario.awaitedCovers.count == 8)
  }

  @Test func `a new cell size requests all covers again`() {
    var scenario = showing(sampleVideos(2))
    let old = scenario.awaitedCovers.map(\.ticket)
    scenario.handle(.screenChanged(Size(width: 80, height: 24), cellSize: Size(width: 10, height: 20)))
    #expect(old.allSatisfy { scenario.effects.contains(.cancel($0)) })
    #expect(scenario.awaitedCovers.count == 2)
    #expect(scenario.awaitedCovers.allSatisfy { $0.request.cellSize == Size(width: 10, height: 20) })
  }

  @Test func `the average color is shown until a cover of a new size arrives`() {
    let color = RGB(red: 7, green: 7, blue: 7)
    var scenario = showing(sampleVideos(1))
    scenario.answerCover(gray: 7)
    scenario.handle(.screenChanged(Size(width: 60, height: 24), cellSize: Size(width: 8, height: 16)))
    #expect(scenario.state.draw()[4, 2].style.background == color)
    #expect(scenario.state.draw()[4, 2].glyph == .blank)
  }

  /// The other session scrolls by the same keys without a pause, and all of its covers arrive at the end.
  @Test(arguments: 1...12)
  func `pauses and answers while scrolling do not change the final screen`(seed: Int) {
    var number = UInt64(seed)
    func random(_ count: Int) -> Int {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(number >> 33) % count
    }
    let layout = LayoutKind.allCases[seed % LayoutKind.allCases.count]
    let keys = ["j", "k", "<C-d>", "<C-u>", "<PgDn>", "<PgUp>", "G", "gg", "l", "h", "v"]
    var (mixed, fresh) = (showing(layout: layout), showing(layout: layout))
    for _ in 0..<60 {
      let key = keys[random(keys.count)]
      mixed.type(key)
      fresh.type(key)
      if random(3) == 0 { mixed.rest() }
      while random(3) > 0, !mixed.awaitedCovers.isEmpty { mixed.answerByAddress(random(mixed.awaitedCovers.count)) }
    }
    for _ in 0..<2 {
      mixed.settleCovers()
      fresh.settleCovers()
    }
    let (one, other) = (mixed.state.draw(), fresh.state.draw())
    #expect(one.text == other.text)
    #expect(one.cells == other.cells)
    #expect(
      one.cells.contains { $0.style.background == .white } || [.list, .carousel].contains(mixed.state.cards.kind))
  }
}

extension Scenario {
  /// Fails the covers of some videos and answers the others with white ones.
  fileprivate mutating func answerByAddress(_ number: Int) {
    let video = requestedVideos[number]
    answerCover(number, gray: video % 7 == 3 ? nil : 255)
  }

  fileprivate mutating func settleCovers() {
    rest()
    while !awaitedCovers.isEmpty { answerByAddress(0) }
  }
}
