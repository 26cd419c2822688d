import EngineOracle
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

private func grouped(_ sizes: [Int], from first: Int = 0) -> [Video] {
  sizes.enumerated().flatMap { group, size in
    (0..<size).map { number in
      var video = sampleVideo(first + sizes[..<group].reduce(0, +) + number)
      video.group = "Day \(group)"
      return video
    }
  }
}

private func wheel(_ kind: MouseEvent.Kind, at point: Point = Point(x: 3, y: 3)) -> AppEvent {
  .input(.mouse(MouseEvent(kind, at: point)))
}

@Suite(.hangLimit) struct GroupedScreenTests {
  @Test func `scrolling with the wheel never leaves the selected card under a header`() throws {
    for width in [30, 80, 120] {
      var scenario = Scenario.showing(grouped([30, 30]), width: width, height: 20, layout: .list)
      for kind in [MouseEvent.Kind](repeating: .wheelDown, count: 30)
        + [MouseEvent.Kind](repeating: .wheelUp, count: 25)
      {
        scenario.handle(wheel(kind))
        let waterfall = scenario.state.cards
        let frame = waterfall.frame(of: try #require(waterfall.selection)).offsetBy(x: 0, y: -waterfall.offset)
        let isCovered = waterfall.visibleElements.contains { $0.isPinned && $0.frame.intersects(frame) }
        #expect(!isCovered)
      }
    }
  }

  @Test func `j and k keep the column across a group of fewer cards than columns`() {
    let start = Scenario.showing(grouped([4, 1, 4]), width: 120, height: 60).typing("lll")
    #expect(start.state.cards.selection == 3)
    #expect(start.typing("jk").state.cards.selection == 3)
    #expect(start.typing("jj").state.cards.selection == 8)
  }

  @Test func `a refresh shows the new names of groups of the same videos`() {
    var scenario = Scenario.showing(grouped([9, 9]), width: 120, height: 60)
    scenario.type("r")
    let renamed = grouped([9, 9]).map { video in
      var video = video
      video.group = video.group == "Day 0" ? "Monday" : video.group
      return video
    }
    scenario.answer(FeedPage(videos: renamed, next: .page(9)))
    #expect(scenario.screen.contains("Monday · 9") && !scenario.screen.contains("Day 0"))
  }

  @Test(arguments: [LayoutKind.waterfall, .grid]) func `no text is drawn over the frame of the last card`(
    layout: LayoutKind
  ) {
    let end = Scenario.showing(sampleVideos(9), width: 80, height: 40, layout: layout).typing("G")
    let rows = end.screen.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(rows.contains { $0.contains("End of the list") && !$0.contains("─") })
    #expect(rows.contains { $0.contains("╰") && $0.contains("╯") })
  }

  @Test func `the groups of one source do not divide the videos of several`() {
    func dated(_ videos: [Video], from day: Int) -> [Video] {
      videos.enumerated().map { index, video in
        var video = video
        video.published = UnixTime(seconds: -86_400 * (day + 2 * index))
        return video
      }
    }
    var scenario = Scenario.of("a", "b", width: 120, height: 60)
    scenario.answer(0, dated(grouped([4, 4]), from: 0))
    scenario.answer(1, dated(sampleVideos(6, from: 10), from: 1))
    #expect(!scenario.screen.contains("Day 0") && scenario.state.shownVideos.count == 14)
    #expect(scenario.typing("2").screen.contains("Day 0 · 4"))
  }

  @Test func `a click on a pinned header does nothing`() {
    var scenario = Scenario.showing(grouped([60]), height: 20, layout: .list).typing("<C-f><C-f>")
    scenario.handle(wheel(.wheelUp))
    let before = scenario.state.cards
    let cell = Point(x: 10, y: 0)
    let row = scenario.state.regions.cards.minY
    let under = before.visibleElements.filter { $0.frame.contains(cell) }.map(\.kind)
    #expect(under == [.item, .header])
    scenario.handle(wheel(.press, at: Point(x: cell.x, y: row)))
    #expect(scenario.state.cards.selection == before.selection)
    #expect(scenario.state.cards.offset == before.offset)
  }

  @Test func `a video with only a year is grouped by year`() {
    var old = sampleVideo(0)
    old.year = 1927
    #expect(LayoutOptions.Grouping.day.group(of: old, in: .utc) == "1927")
    old.published = UnixTime(seconds: 0)
    #expect(LayoutOptions.Grouping.day.group(of: old, in: .utc) == "1970-01-01")
    #expect(LayoutOptions.Grouping.day.group(of: sampleVideo(1), in: .utc) == "no date")
  }

  @Test func `a video of tomorrow in UTC has the same day in its group, its details, its age and the filter`() throws {
    // 23:30 on the 30th of April in UTC is the 1st of May in Tokyo.
    var video = sampleVideo(0)
    video.published = UnixTime(rfc3339: "2024-04-30T23:30:00Z")
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.zone = LocalZone([.init(start: 0, offset: 9 * 3_600)])
    settings.layoutOptions.grouping = .day
    var scenario = Scenario(settings, width: 120, height: 30)
    scenario.answer(FeedPage(videos: [video, sampleVideo(1)]))
    #expect(scenario.screen.contains("2024-05-01"))
    #expect(scenario.typing("<Enter>").screen.contains("2024-05-01 · "))
    #expect(scenario.typing("fsince:2024-05-01<Enter>").state.shownVideos.map(\.id) == [video.id])
    #expect(scenario.typing("fbefore:2024-05-01<Enter>").state.shownVideos.isEmpty)
    let age = TextFormat.age(of: try #require(video.published), at: UnixTime(seconds: 1_800_000_000), in: settings.zone)
    #expect(age == "May 2024")
  }

  @Test func `in the carousel, cards of adjacent groups keep their spacing`() {
    let waterfall = Scenario.showing(grouped([2, 2]), layout: .carousel).state.cards
    for card in 0..<3 {
      #expect(waterfall.frame(of: card + 1).minX - waterfall.frame(of: card).maxX == LayoutOptions().spacing.width)
    }
  }
}

@Suite(.hangLimit) struct CarouselScreenTests {
  @Test(arguments: [(80, 24), (200, 10), (300, 12)])
  func `after a refresh the selected card is in the middle`(width: Int, height: Int) throws {
    for keys in ["", "l", "lll"] {
      var scenario = Scenario.showing(width: width, height: height, layout: .carousel).typing(keys + "r")
      scenario.answer(FeedPage(videos: sampleVideos(2, from: 100) + sampleVideos(20)))
      let waterfall = scenario.state.cards
      let frame = waterfall.frame(of: try #require(waterfall.selection))
      #expect(abs(2 * (frame.midX - waterfall.offset) - waterfall.viewport.width) <= 2)
    }
  }

  @Test func `the footer's state is visible as soon as the last card is`() {
    var scenario = Scenario.showing(sampleVideos(6), next: .page(1), width: 200, height: 12, layout: .carousel).typing(
      "lll")
    #expect(scenario.state.cards.visibleCards.contains(5))
    #expect(scenario.state.cards.offset < scenario.state.cards.layout.maximumOffset)
    scenario.type("m")
    #expect(scenario.state.library.sources[0].loader.footerState == .refreshing)
    #expect(scenario.screen.contains("Loading more…"))
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    scenario.type("<Esc>")
    #expect(scenario.state.draw().roles.contains("eee"))
  }

  @Test func `a failed refresh is reported above the cards`() {
    var scenario = Scenario.showing(layout: .carousel).typing("r")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    #expect(scenario.state.draw().roles.hasPrefix(".e.eeeee"))
  }

  @Test func `other layouts opened from the carousel show the selected card in the middle rows`() throws {
    let scenario = Scenario.showing(sampleVideos(100), width: 120, height: 40, layout: .carousel)
      .typing(String(repeating: "l", count: 50) + "v")
    let waterfall = scenario.state.cards
    let frame = waterfall.frame(of: try #require(waterfall.selection))
    #expect(abs(frame.midY - waterfall.offset - waterfall.viewport.height / 2) <= 1)
  }
}

@Suite(.hangLimit) struct FaceTests {
  private let metrics = CardMetrics(
    LayoutKind.waterfall.traits(.modern), columnWidth: 24, cellSize: Size(width: 8, height: 16))

  @Test func `the faces of all visible cards are cached, however many`() {
    var faces = CardFace.Cache()
    let keys = (0..<500).map { CardFace.Cache.Key(card: $0, width: 20) }
    var cut = 0
    for _ in 0..<3 {
      faces.prepare(keys) { key in
        cut += 1
        return CardFace(
          sampleVideo(key.card), CardShape(of: sampleVideo(key.card), TextWidths()), width: key.width, metrics,
          TextWidths())
      }
    }
    #expect(cut == 500)
    #expect(keys.allSatisfy { faces[$0]?.width == 20 })
  }

  @Test func `faces that are no longer visible are removed`() {
    var faces = CardFace.Cache()
    for first in stride(from: 0, to: 5000, by: 50) {
      faces.prepare((first..<first + 50).map { CardFace.Cache.Key(card: $0, width: 20) }) {
        CardFace(
          sampleVideo($0.card), CardShape(of: sampleVideo($0.card), TextWidths()), width: $0.width, metrics,
          TextWidths())
      }
    }
    #expect((0..<5000).count { faces[CardFace.Cache.Key(card: $0, width: 20)] != nil } < 250)
  }
}

/// Videos of three channels in turn.
private func mixed(_ count: Int, from first: Int = 0) -> [Video] {
  sampleVideos(count, from: first).map { video in
    var video = video
    let number = Int(video.id.dropFirst("film-".count)) ?? 0
    video.channel = "Channel \(["A", "B", "C"][number % 3])"
    video.published = UnixTime(seconds: (100 - number % 2) * 86_400)
    return video
  }
}

@Suite(.hangLimit) struct GatheredGroupTests {
  private func groups(_ scenario: Scenario) -> [String?] {
    (0..<scenario.state.cards.layout.engine.sectionCount).map(scenario.state.cards.layout.group)
  }

  @Test func `channels are gathered, each in one section, in the order of their first videos`() {
    let scenario = Scenario.showing(mixed(9), height: 60, grouping: .channel)
    #expect(groups(scenario) == ["Channel A", "Channel B", "Channel C"])
    #expect(scenario.state.shownVideos.map(\.id) == [0, 3, 6, 1, 4, 7, 2, 5, 8].map { "film-\($0)" })
  }

  @Test func `days are gathered too, and runs of the feed's groups are not`() {
    #expect(groups(Scenario.showing(mixed(9), grouping: .day)).count == 2)
    var videos = mixed(4)
    for index in videos.indices { videos[index].group = index.isMultiple(of: 2) ? "Even" : "Odd" }
    #expect(groups(Scenario.showing(videos, layout: .list)) == ["Even", "Odd", "Even", "Odd"])
  }

  @Test(arguments: ["", "j", "jjl", "G", "Gk"])
  func `a new page joins its sections, and the selected card stays where it is`(keys: String) throws {
    var scenario = Scenario.showing(mixed(30), next: .page(1), grouping: .channel).typing(keys)
    let before = scenario.state.cards
    let card = try #require(scenario.state.selectedVideo?.id)
    let row = before.frame(of: try #require(before.selection)).minY - before.offset
    scenario.type("m")
    scenario.answer(FeedPage(videos: mixed(30, from: 30)))
    let after = scenario.state.cards
    #expect(groups(scenario) == ["Channel A", "Channel B", "Channel C"])
    #expect(after.cards.count == 60)
    #expect(scenario.state.selectedVideo?.id == card)
    #expect(after.frame(of: try #require(after.selection)).minY - after.offset == row)
  }

  @Test func `at its end a gathered list loads one page for each movement of the user`() {
    var scenario = Scenario.showing(mixed(30), next: .page(1), grouping: .channel).typing("G")
    scenario.endWaits()
    #expect(scenario.awaitedPage == .page(1))
    var first = mixed(30, from: 30)
    for index in first.indices { first[index].channel = "Channel A" }
    scenario.answer(FeedPage(videos: first, next: .page(2)))
    scenario.endWaits()
    #expect(scenario.awaitedPage == nil)
    scenario.type("k")
    scenario.endWaits()
    #expect(scenario.awaitedPage == .page(2))
  }

  @Test func `a new group above does not change the video of open details`() {
    var scenario = Scenario.showing(mixed(9), next: .page(1), grouping: .channel).typing("<Enter>r")
    var new = sampleVideo(100)
    new.channel = "New"
    scenario.answer(FeedPage(videos: [new] + mixed(9), next: .page(1)))
    #expect(groups(scenario) == [nil, "Channel A", "Channel B", "Channel C"])
    #expect(scenario.state.cards.layout.label(of: 0) == "New")
    #expect(scenario.state.selectedVideo?.id == "film-0")
  }

  @Test func `a search survives a list that is replaced and then gathered`() throws {
    var scenario = Scenario.showing(mixed(60), next: .page(1), height: 40, grouping: .channel).typing("Gr/")
    scenario.answer(FeedPage(videos: mixed(6, from: 100), next: .page(1)))
    #expect(scenario.state.shownVideos.count == 6)
    scenario.type("1")
    scenario.endWaits()
    scenario.answer(FeedPage(videos: mixed(6, from: 200)))
    #expect(scenario.state.shownVideos.count == 12)
    scenario.type("<Esc>")
    #expect(scenario.state.shownVideos.indices.contains(try #require(scenario.state.cards.selection)))
  }

  @Test func `the next video is the next one of the section`() {
    let scenario = Scenario.showing(mixed(9), width: 120, height: 40, grouping: .channel).typing(" n")
    #expect(scenario.loads.last?.title.hasPrefix("3 ") == true)
  }
}

@Suite(.hangLimit) struct CollectionHeaderTests {
  private let summary =
    "Talks about the waterfall, its cards and covers, recorded every week since 2019 in the old mill."

  private func showing(
    _ videos: [Video] = sampleVideos(20), next: FeedCursor? = nil, width: Int = 80, height: Int = 24,
    layout: LayoutKind = .waterfall, grouping: LayoutOptions.Grouping = .feed
  ) -> Scenario {
    var scenario = Scenario(width: width, height: height, layout: layout, grouping: grouping)
    var page = FeedPage(videos: videos, next: next, title: "Mill Talks")
    page.summary = summary
    scenario.answer(page)
    return scenario
  }

  private func rows(_ scenario: Scenario) -> [Substring] {
    scenario.screen.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `the header of a feed that describes itself is above the first cards`() {
    let scenario = showing()
    Golden.expect("collection-header", scenario.state.draw())
    #expect(scenario.state.cards.isAtTop)
    #expect(scenario.state.cards.frame(of: 0).minY == 4)
  }

  private func showingPicture(width: Int, cover: String? = "https://films.example/logo.png") -> Scenario {
    var scenario = Scenario(width: width, height: 24)
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    var page = FeedPage(videos: sampleVideos(2), title: "Mill Talks")
    (page.summary, page.cover) = (summary, cover.flatMap { WebAddress($0) })
    scenario.answer(page)
    return scenario
  }

  private func pictureRequest(_ scenario: Scenario) -> Int? {
    scenario.awaitedCovers.firstIndex { $0.request.addresses.map(\.text) == ["https://films.example/logo.png"] }
  }

  @Test func `the header has the picture of the feed at its left`() throws {
    var scenario = showingPicture(width: 80)
    let request = try #require(pictureRequest(scenario))
    #expect(rows(scenario)[0].hasPrefix("        Mill Talks"))
    #expect(!scenario.state.draw().roles.hasPrefix(".c"))
    scenario.answerCover(request)
    let roles = scenario.state.draw().roles.split(separator: "\n")
    #expect(roles.prefix(4).map { $0.hasPrefix(".cccccc.") } == [true, true, true, false])
    #expect(rows(scenario)[0].hasSuffix("Mill Talks"))
  }

  @Test func `a narrow window, a feed without a picture and a terminal without pictures have no room for it`() {
    #expect(pictureRequest(showingPicture(width: 59)) == nil)
    #expect(rows(showingPicture(width: 59))[0].hasPrefix(" Mill Talks"))
    #expect(rows(showingPicture(width: 80, cover: nil))[0].hasPrefix(" Mill Talks"))
    var scenario = showingPicture(width: 80)
    scenario.handle(.coverStyleChanged(.initials))
    #expect(rows(scenario)[0].hasPrefix(" Mill Talks"))
  }

  @Test(arguments: [LayoutKind.waterfall, .grid, .list])
  func `the header scrolls with the cards, and the way back shows it again`(layout: LayoutKind) {
    let scenario = showing(layout: layout)
    #expect(scenario.screen.contains("Talks about the waterfall"))
    #expect(!scenario.typing("G").screen.contains("Talks about the waterfall"))
    #expect(scenario.typing("Ggg").screen == scenario.screen)
    #expect(scenario.typing("jjjj" + "kkkkk").screen == scenario.screen)
  }

  @Test func `the carousel, the All tab and a low window have no header`() {
    #expect(!showing(layout: .carousel).screen.contains("Talks about"))
    #expect(!showing(height: 7).screen.contains("Talks about"))
    var two = Scenario.of("alpha.example", "beta.example")
    for source in 0..<2 {
      guard let request = two.unanswered.first(where: { $0.source == source }) else { continue }
      var page = FeedPage(videos: sampleVideos(5, from: source * 10))
      page.summary = summary
      two.handle(.pageArrived(request.ticket, page, at: UnixTime(seconds: 0)))
    }
    #expect(!two.screen.contains("Talks about"))
    #expect(two.typing("2").screen.contains("Talks about"))
  }

  @Test func `sections, their cards and clicks follow below the header`() throws {
    var scenario = showing(grouped([3, 2]), height: 60)
    let screen = rows(scenario)
    let header = try #require(screen.firstIndex { $0.contains("Talks about") })
    let section = try #require(screen.firstIndex { $0.contains("Day 0 ·") })
    #expect(header < section)
    for card in 0..<5 {
      let frame = scenario.state.cards.frame(of: card)
      scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: frame.minX + 1, y: frame.minY + 1)))))
      #expect(scenario.state.cards.selection == card)
      scenario.type("<Esc>")
    }
    #expect(scenario.state.cards.layout.group(of: 0) == "Day 0")
    let selection = scenario.state.cards.selection
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: 3, y: header)))))
    #expect(scenario.state.cards.selection == selection)
  }

  @Test func `new cards above a scrolled view go below the header`() throws {
    var scenario = showing(sampleVideos(40), next: .page(1)).typing("jjjjjj")
    let card = try #require(scenario.state.selectedVideo?.id)
    scenario.type("r")
    var page = FeedPage(videos: sampleVideos(3, from: 100) + sampleVideos(17), next: .page(1), title: "Mill Talks")
    page.summary = summary
    scenario.answer(page)
    #expect(scenario.state.cards.cards.count == 43)
    #expect(scenario.state.selectedVideo?.id == card)
    #expect(scenario.state.cards.layout.engine.invariantViolations() == [])
    #expect(scenario.typing("gg").screen.hasPrefix(" Mill Talks"))
    #expect((0..<43).allSatisfy { scenario.state.cards.frame(of: $0).minY >= 4 })
  }

  @Test func `a resized window keeps the header at its start`() {
    var scenario = showing(height: 40)
    for height in [24, 12, 50, 40] {
      scenario.handle(.screenChanged(Size(width: 80, height: height), cellSize: Size(width: 8, height: 16)))
      #expect(scenario.state.cards.isAtTop)
    }
    #expect(scenario.screen == showing(height: 40).screen)
  }
}
