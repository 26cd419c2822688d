import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// Cards take the proportions of their covers, and nothing that the user looks at jumps.
@Suite(.hangLimit) struct SizingTests {
  private static let shapes = [
    Size(width: 1600, height: 900), Size(width: 400, height: 300), Size(width: 500, height: 500),
    Size(width: 720, height: 1280),
  ]

  /// Videos whose feed states no sizes.
  private func videos(_ count: Int, from first: Int = 0) -> [Video] {
    sampleVideos(count, from: first).map { video in
      var video = video
      (video.pictureSize, video.aspectRatio) = (nil, nil)
      video.covers = video.covers.map { Cover(url: $0.url) }
      return video
    }
  }

  private func showing(
    _ videos: [Video], next: FeedCursor? = nil, width: Int = 100, height: Int = 30, layout: LayoutKind = .waterfall,
    order: ItemOrder = .shortest, columns: ColumnRule = .minimumWidth(24), grouping: LayoutOptions.Grouping = .feed
  ) -> Scenario {
    var scenario = Scenario.showing(
      videos, next: next, width: width, height: height, layout: layout, columns: columns, grouping: grouping,
      order: order)
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    scenario.rest()
    return scenario
  }

  /// The size of the picture at the address of a cover.
  private func size(of request: CoverRequest) -> Size {
    Self.shapes[abs(number(of: request)) % Self.shapes.count]
  }

  private func number(of request: CoverRequest) -> Int {
    request.addresses.first.flatMap { Int($0.text.split(separator: "/").last?.dropLast(4) ?? "") } ?? 0
  }

  private func answer(_ scenario: inout Scenario, _ index: Int = 0, with size: Size? = nil) {
    scenario.answerCover(index, size: size ?? self.size(of: scenario.awaitedCovers[index].request))
  }

  private func answerAll(_ scenario: inout Scenario) {
    scenario.rest()
    while !scenario.awaitedCovers.isEmpty { answer(&scenario) }
  }

  /// The places of the cards that begin in the selected card's row or above it.
  private func fixedRows(_ cards: CardsScreen) -> [CardSlot: Int] {
    guard let selection = cards.selection else { return [:] }
    let row = cards.frame(of: selection).minY
    var rows: [CardSlot: Int] = [:]
    for card in cards.cards.slots.indices where cards.frame(of: card).minY <= row {
      rows[cards.cards[card]] = cards.frame(of: card).minY - cards.offset
    }
    return rows
  }

  private func aspect(of card: Int, in cards: CardsScreen) -> Double? {
    cards.metrics.coverFrame(in: cards.frame(of: card), of: cards.cards.shapes[card])
      .map { Double($0.width) / Double(2 * $0.height) }
  }

  @Test func `all visible cards take the proportions of their covers`() throws {
    var scenario = showing(videos(60))
    answerAll(&scenario)
    let cards = scenario.state.cards
    for card in cards.visibleCards {
      let request = try #require(
        CoverRequest(
          for: scenario.state.library.store[cards.cards[card]].video, size: Size(width: 1, height: 1),
          cellSize: Size(width: 8, height: 16), glyphs: .halves, wantsPixels: false))
      let wanted = size(of: request)
      let shown = try #require(aspect(of: card, in: cards))
      #expect(abs(shown / (Double(wanted.width) / Double(wanted.height)) - 1) < 0.15)
    }
    #expect(Set(cards.visibleCards.map { cards.frame(of: $0).height }).count > 2)
  }

  @Test func `a cover whose card takes its proportions is requested once`() {
    var scenario = showing(videos(12), width: 96, columns: .count(3))
    #expect(Set((0..<12).map { scenario.state.cards.frame(of: $0).width }).count == 1)
    answerAll(&scenario)
    let requests = scenario.effects.compactMap { effect in
      if case .requestCover(let request, _) = effect { number(of: request) } else { nil }
    }
    #expect(Set(requests).count == requests.count && requests.count == 12)
  }

  @Test func `the first start, its covers and the second start`() {
    var scenario = showing(videos(60), width: 120, height: 40)
    Golden.expect("sizing-first-start", scenario.state.draw())
    answerAll(&scenario)
    Golden.expect("sizing-covers", scenario.state.draw())
    let learned = videos(60).map { video in
      var video = video
      for index in video.covers.indices {
        let size = Self.shapes[(Int(video.id.split(separator: "-")[1]) ?? 0) % Self.shapes.count]
        PixelSize(size).map { video.covers[index].learn($0) }
      }
      return video
    }
    Golden.expect("sizing-second-start", showing(learned, width: 120, height: 40).state.draw())
  }

  @Test func `visible cards slide to the places that a cover gives them`() throws {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.layoutOptions.animates = true
    var scenario = Scenario(settings, width: 100, height: 30)
    scenario.handle(.slidingChanged(true))
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    scenario.answer(FeedPage(videos: videos(30)))
    scenario.rest()
    let ticket = try #require(scenario.awaitedCovers.first).ticket
    scenario.handle(.coverSize(try #require(PixelSize(width: 500, height: 500)), ticket))
    #expect(scenario.state.cards.isSliding)
  }

  @Test func `a header that arrives first moves the cards below, and the cover fits then`() throws {
    var scenario = showing(videos(30))
    let (request, ticket) = try #require(scenario.awaitedCovers.first)
    let before = scenario.state.cards.frame(of: 0)
    scenario.handle(.coverSize(try #require(PixelSize(width: 500, height: 500)), ticket))
    let frame = scenario.state.cards.frame(of: 0)
    #expect(frame.height > before.height && frame.origin == before.origin)
    #expect(scenario.awaitedCovers.contains { $0.ticket == ticket })
    scenario.rest()
    #expect(scenario.awaitedCovers.filter { number(of: $0.request) == number(of: request) }.count == 1)
    answer(&scenario, 0, with: Size(width: 500, height: 500))
    scenario.rest()
    #expect(!scenario.awaitedCovers.contains { number(of: $0.request) == number(of: request) })
  }

  @Test func `a feed that states sizes keeps them`() {
    let stated = videos(20).map { video in
      var video = video
      video.pictureSize = PixelSize(width: 400, height: 300)
      return video
    }
    var scenario = showing(stated)
    let before = (0..<20).map(scenario.state.cards.frame)
    answerAll(&scenario)
    #expect((0..<20).map(scenario.state.cards.frame) == before)
  }

  @Test(arguments: [LayoutKind.grid, .justified, .list, .carousel])
  func `other layouts adopt proportions only when they are laid out again`(kind: LayoutKind) {
    var scenario = showing(videos(40), layout: kind)
    let before = (0..<40).map(scenario.state.cards.frame)
    answerAll(&scenario)
    #expect((0..<40).map(scenario.state.cards.frame) == before)
    scenario.handle(.screenChanged(Size(width: 99, height: 30), cellSize: Size(width: 8, height: 16)))
    scenario.handle(.screenChanged(Size(width: 100, height: 30), cellSize: Size(width: 8, height: 16)))
    let changes = (0..<40).map(scenario.state.cards.frame) != before
    #expect(changes == (kind == .grid || kind == .justified))
  }

  @Test func `a new page of the same videos keeps the learned proportions`() {
    var scenario = showing(videos(8))
    answerAll(&scenario)
    let before = (0..<8).map { scenario.state.cards.frame(of: $0).height }
    scenario.type("r")
    scenario.answer(FeedPage(videos: videos(8)))
    #expect((0..<8).map { scenario.state.cards.frame(of: $0).height } == before)
  }

  @Test func `a cover under another address is measured anew`() {
    var scenario = showing(videos(8))
    answerAll(&scenario)
    let before = scenario.state.cards.frame(of: 1)
    scenario.type("r")
    let moved = videos(8).map { video in
      var video = video
      video.covers = video.covers.compactMap { cover in WebAddress(cover.url.text + "?2").map { Cover(url: $0) } }
      return video
    }
    scenario.answer(FeedPage(videos: moved))
    #expect(scenario.state.cards.frame(of: 1) != before)
  }

  @Test(arguments: [
    Size(width: 1, height: 65_535), Size(width: 65_535, height: 1), Size(width: 1, height: 1),
    Size(width: 0, height: 9),
    Size(width: 2_000_000, height: 5),
  ])
  func `covers of absurd sizes leave usable cards`(size: Size) {
    var scenario = showing(videos(20))
    answer(&scenario, 0, with: size)
    let frame = scenario.state.cards.frame(of: 0)
    #expect((4...60).contains(frame.height))
    #expect(scenario.state.draw().size == Size(width: 100, height: 30))
  }

  /// `FEEDFALL_SESSIONS=10000` takes more sessions than usual.
  private static let sessionCount = getenv("FEEDFALL_SESSIONS").flatMap { Int(String(cString: $0)) } ?? 40

  @Test(arguments: 1...sessionCount)
  func `no card at or above the selection moves because of a cover`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    var scenario = showing(
      videos(Int.random(in: 1...60, using: &chances)), next: .page(1), width: Int.random(in: 20...240, using: &chances),
      height: Int.random(in: 8...70, using: &chances),
      order: [.shortest, .leftToRight, .tolerance(4)].randomElement(using: &chances) ?? .shortest)
    for step in 0..<100 {
      if Int.random(in: 0..<3, using: &chances) > 0, !scenario.awaitedCovers.isEmpty {
        let index = Int.random(in: 0..<scenario.awaitedCovers.count, using: &chances)
        let before = fixedRows(scenario.state.cards)
        arrive(&scenario, index, &chances)
        let after = scenario.state.cards
        for (slot, row) in before {
          let card = after.cards.index(of: slot)
          #expect(card.map { after.frame(of: $0).minY - after.offset } == row, "step \(step)")
        }
        #expect((0...after.layout.maximumOffset).contains(after.offset))
      } else {
        let scripts = ["j", "j", "k", "l", "h", "<PgDn>", "<PgUp>", "G", "gg", "X", "v", "V", "r", "m"]
        scenario.type(scripts.randomElement(using: &chances) ?? "j")
        if scenario.awaitedPage != nil {
          scenario.answer(FeedPage(videos: videos(20, from: step * 20), next: .page(step)))
        }
        if Bool.random(using: &chances) { scenario.endWaits() }
        scenario.rest()
      }
    }
  }

  private func arrive(_ scenario: inout Scenario, _ index: Int, _ chances: inout SeededGenerator) {
    let (request, ticket) = scenario.awaitedCovers[index]
    let size = size(of: request)
    switch Int.random(in: 0..<4, using: &chances) {
    case 0: scenario.answerCover(index, gray: nil)
    case 1: PixelSize(width: size.width, height: size.height).map { scenario.handle(.coverSize($0, ticket)) }
    default: scenario.answerCover(index, size: size)
    }
  }

  // MARK: - Changes of the list

  /// The visible cards and their columns.
  private func columns(_ cards: CardsScreen) -> [CardSlot: Int] {
    Dictionary(uniqueKeysWithValues: cards.visibleCards.map { (cards.cards[$0], cards.frame(of: $0).minX) })
  }

  @Test(arguments: 3...8)
  func `hiding a visible card leaves the others in their columns`(count: Int) {
    expectStableColumns(
      showing(sampleVideos(120), width: count * 20 + 2, height: 50, columns: .count(count)), steps: 12)
  }

  /// Expects that most cards visible before and after hiding the selected one stay in their columns.
  private func expectStableColumns(_ scenario: Scenario, steps: Int = 8) {
    var (moved, left) = (0, 0)
    for step in 0..<steps {
      var scenario = scenario
      for _ in 0..<step { scenario.type("jl") }
      let (before, count) = (columns(scenario.state.cards), scenario.state.cards.cards.count)
      scenario.type("X")
      #expect(scenario.state.cards.cards.count == count - 1)
      for (slot, column) in columns(scenario.state.cards) {
        guard let old = before[slot] else { continue }
        (moved, left) = (moved + (old == column ? 0 : 1), left + 1)
      }
    }
    #expect(left > 50 && moved * 5 <= left)
  }

  @Test func `hiding in groups of channels leaves the others in their columns`() {
    expectStableColumns(Scenario.showing(sampleVideos(120), width: 122, height: 50, grouping: .channel))
  }

  @Test(arguments: [3, 9]) func `hiding below videos that came above leaves the others in their columns`(count: Int) {
    var scenario = showing(sampleVideos(60), width: 122, height: 50)
    scenario.type("jjjjjjr")
    scenario.answer(FeedPage(videos: sampleVideos(count, from: 100) + sampleVideos(20)))
    #expect(scenario.state.cards.layout.card(at: ElementPath(section: 1, item: 0)) == count)
    expectStableColumns(scenario)
  }

  @Test func `hiding all videos that came above leaves the first row at the top`() {
    var scenario = showing(sampleVideos(60), width: 122, height: 50)
    let top = scenario.state.cards.frame(of: 0).minY
    scenario.type("jjjjjjr")
    scenario.answer(FeedPage(videos: sampleVideos(2, from: 100) + sampleVideos(20)))
    scenario.type("ggXX")
    #expect(scenario.state.cards.cards.count == 60 && scenario.state.cards.frame(of: 0).minY == top)
    scenario.type("uu")
    #expect(scenario.state.cards.cards.count == 62 && scenario.state.cards.frame(of: 0).minY == top)
  }

  @Test func `a cover above the selection is adopted on the way up, past videos that came above`() throws {
    var scenario = showing(videos(60), height: 60)
    scenario.type("jjjj")
    answer(&scenario, 0, with: Size(width: 500, height: 500))
    let slot = scenario.state.cards.cards[0]
    let height = scenario.state.cards.frame(of: 0).height
    scenario.type("r")
    scenario.answer(FeedPage(videos: videos(40, from: 100) + videos(20), next: .page(9)))
    let index = try #require(scenario.state.cards.cards.index(of: slot))
    #expect(index == 40 && scenario.state.cards.frame(of: index).height == height)
    scenario.type("kkkk")
    #expect(scenario.state.cards.selectedSlot == slot && scenario.state.cards.frame(of: index).height > height)
  }

  @Test func `a cover that arrives in another layout is requested in its size`() throws {
    var scenario = showing(videos(12))
    scenario.rest()
    while scenario.awaitedCovers.count > 1 { answer(&scenario, 1, with: Size(width: 400, height: 300)) }
    scenario.type("v")
    scenario.rest()
    let cards = scenario.state.cards
    let size = try #require(cards.metrics.coverFrame(in: cards.frame(of: 0), of: cards.cards.shapes[0])?.size)
    while !scenario.awaitedCovers.isEmpty {
      answer(&scenario, 0, with: Size(width: 1600, height: 900))
      scenario.rest()
    }
    let key = CoverKey(card: CardID(videos(1)[0], of: SourceID(0)), size: size)
    #expect(scenario.state.cards.kind == .grid && scenario.state.covers.picture(key) != nil)
  }

  @Test(arguments: ["X", "f-watched<Enter>x", "f-starred<Enter>*"])
  func `a changed record removes its card alone, and undo returns it to its place`(script: String) {
    for place in [0, 1, 7, 29] {
      var scenario = showing(videos(30))
      if script != "X" { scenario.type(String(script.dropLast())) }
      scenario.type(String(repeating: "l", count: place))
      let before = scenario.state.cards.cards.slots
      guard let selected = scenario.state.cards.selectedSlot else { return }
      scenario.type(String(script.suffix(1)))
      #expect(before.count == 30 && scenario.state.cards.cards.slots == before.filter { $0 != selected })
      #expect(scenario.state.cards.selectedSlot != selected)
      scenario.type("u")
      #expect(scenario.state.cards.cards.slots == before)
    }
  }

  @Test func `a refresh of a list leaves the videos that stay in their columns`() {
    var scenario = showing(videos(30), width: 120, height: 50)
    answerAll(&scenario)
    let before = columns(scenario.state.cards)
    scenario.type("r")
    scenario.answer(FeedPage(videos: videos(1, from: 100) + videos(28)))
    let after = columns(scenario.state.cards)
    #expect(after.count > 10 && scenario.state.cards.cards.count == 29)
    for (slot, column) in after where before[slot] != nil { #expect(before[slot] == column) }
  }

  @Test(arguments: 1...20)
  func `a list after random changes shows each card once and overlaps none`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    var scenario = showing(
      videos(60), next: .page(1), width: Int.random(in: 30...200, using: &chances),
      layout: LayoutKind.allCases.randomElement(using: &chances) ?? .waterfall,
      grouping: [.feed, .channel].randomElement(using: &chances) ?? .feed)
    for step in 0..<30 {
      switch Int.random(in: 0..<8, using: &chances) {
      case 0: scenario.type("ggr")
      case 1: scenario.type("u")
      case 2, 3: scenario.type("X")
      case 4: scenario.type("f2<Enter>")
      case 5: scenario.type("jj<Esc>")
      case 6: scenario.type("<PgDn>")
      default: scenario.type("G")
      }
      if scenario.awaitedPage != nil {
        var page = videos(30, from: Int.random(in: 0..<40, using: &chances))
        // The feed has groups from some page on, and later other ones.
        if seed % 3 == 0 { for index in page.indices where step > 5 { page[index].group = "\((index + step) / 4)" } }
        scenario.answer(FeedPage(videos: page, next: .page(step)))
      }
      if Bool.random(using: &chances) { answerAll(&scenario) }
      let cards = scenario.state.cards
      let frames = cards.cards.slots.indices.map(cards.frame)
      #expect(Set(frames.map { Rect(x: $0.minX, y: $0.minY, width: 1, height: 1) }).count == frames.count)
      for slot in cards.cards.slots { #expect(cards.cards.index(of: slot).map { cards.cards[$0] } == slot) }
      #expect(cards.cards.shapes.count == cards.cards.count && cards.cards.hues.count == cards.cards.count)
    }
  }
}

@Suite(.hangLimit) struct CardListDifferenceTests {
  @Test(arguments: 1...300)
  func `a list becomes the other one`(seed: Int) throws {
    var chances = SeededGenerator(seed: UInt64(seed))
    let store = Scenario.showing(sampleVideos(80)).state.library.store
    let all = (0..<80).compactMap { store.slot(of: CardID(sampleVideo($0), of: SourceID(0))) }
    var old = CardList()
    let first = all.filter { _ in Int.random(in: 0..<10, using: &chances) > 0 }
    _ = old.append(first, from: store)
    let new = all.filter { _ in Int.random(in: 0..<12, using: &chances) > 0 }
    guard let difference = CardList.Difference(from: old, to: new) else { return }
    var list = old
    list.apply(difference, to: new, from: store)
    #expect(list.slots == new)
    for (index, slot) in new.enumerated() {
      #expect(list.index(of: slot) == index && list.shapes[index] == store.shape(of: slot))
    }
    #expect(first.allSatisfy { new.contains($0) || !list.contains($0) })
    for index in difference.insertions.joined() where index + 1 < new.count {
      #expect(list.hues[index] != list.hues[index + 1])
    }
  }

  @Test func `channels that have become known are noticed without another card`() throws {
    var videos = sampleVideos(2)
    for index in videos.indices { videos[index].channel = nil }
    var store = Scenario.showing(videos).state.library.store
    let slots = videos.compactMap { store.slot(of: CardID($0, of: SourceID(0))) }
    var list = CardList()
    _ = list.append(slots, from: store)
    for (index, var video) in videos.enumerated() {
      video.channel = "Channel \(index)"
      store.complete(CardID(video, of: SourceID(0)), with: video)
    }
    #expect(!list.channels.isVaried)
    list.apply(try #require(CardList.Difference(from: list, to: slots)), to: slots, from: store)
    #expect(list.channels.isVaried && list.isCurrent(in: store))
  }

  @Test func `another order has no difference`() {
    let store = Scenario.showing(sampleVideos(9)).state.library.store
    let all = (0..<9).compactMap { store.slot(of: CardID(sampleVideo($0), of: SourceID(0))) }
    var list = CardList()
    _ = list.append(all, from: store)
    #expect(CardList.Difference(from: list, to: all.reversed()) == nil)
    #expect(CardList.Difference(from: list, to: [all[0], all[2], all[1]] + all[3...]) == nil)
    #expect(CardList.Difference(from: list, to: all)?.isEmpty == true)
    #expect(CardList.Difference(from: list, to: [])?.removals == [0..<9])
    var short = CardList()
    _ = short.append(Array(all[..<5]), from: store)
    #expect(CardList.Difference(from: short, to: all + [all[7]]) == nil)
  }
}
