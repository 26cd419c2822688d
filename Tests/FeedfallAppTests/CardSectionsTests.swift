import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// Videos in groups of these sizes; a group without a name has none.
private func grouped(_ groups: [(name: String?, size: Int)]) -> [Video] {
  let names = groups.flatMap { Array(repeating: $0.name, count: $0.size) }
  return zip(sampleVideos(names.count), names).map { video, name in
    var video = video
    video.group = name
    return video
  }
}

private func folders(_ sizes: [Int]) -> [Video] {
  grouped(sizes.enumerated().map { ("Folder \($0.offset)", $0.element) })
}

/// Runs of random groups and lengths, split at random places as pages would split them.
private func randomRuns(_ chances: inout SeededGenerator) -> [CardSections.Run] {
  var runs: [CardSections.Run] = []
  var (next, name) = (0, String?.none)
  for _ in 0..<Int.random(in: 1...40, using: &chances) {
    if Int.random(in: 0..<3, using: &chances) > 0 {
      name = Int.random(in: 0..<5, using: &chances) == 0 ? nil : "\(Int.random(in: 0..<9, using: &chances))"
    }
    let count = Int.random(in: 1...6, using: &chances)
    runs.append(CardSections.Run(group: name, cards: next..<next + count))
    next += count
  }
  return runs
}

private func merged(_ runs: [CardSections.Run]) -> [CardSections.Run] {
  runs.reduce(into: []) { runs, run in
    if runs.last?.group == run.group, let first = runs.popLast()?.cards.lowerBound {
      runs.append(CardSections.Run(group: run.group, cards: first..<run.cards.upperBound))
    } else {
      runs.append(run)
    }
  }
}

@Suite(.hangLimit) struct CardSectionsTests {
  @Test func `pages that split groups anywhere make the same sections as all cards at once`() {
    var chances = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let (columns, runs) = (Int.random(in: 1...6, using: &chances), randomRuns(&chances))
      var (paged, whole) = (CardSections(), CardSections())
      for run in runs { _ = paged.append(run, columns: columns) }
      for run in merged(runs) {
        let change = whole.append(run, columns: columns)
        #expect(change.withdrawnCount == 0 && change.cards == run.cards)
      }
      #expect(paged == whole)
    }
  }

  @Test func `a group has a header if it fills a row, else its first card has a label`() {
    var chances = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let (columns, runs) = (Int.random(in: 1...6, using: &chances), randomRuns(&chances))
      var sections = CardSections()
      for run in runs { _ = sections.append(run, columns: columns) }
      for run in merged(runs) {
        let section = sections.path(ofCard: run.cards.lowerBound).section
        let isLarge = run.cards.count >= columns
        #expect(sections.header(of: section) == (isLarge ? run.group : nil) || run.group == nil)
        #expect(sections.label(ofCard: run.cards.lowerBound) == (isLarge ? nil : run.group))
        #expect(run.cards.dropFirst().allSatisfy { sections.label(ofCard: $0) == nil })
        // Cards without a group are never behind a label.
        if run.group == nil { #expect(sections.path(ofCard: run.cards.lowerBound).item == 0) }
        for card in run.cards { #expect(sections.card(at: sections.path(ofCard: card)) == card) }
      }
    }
  }

  @Test(arguments: [LayoutKind.waterfall, .grid, .justified, .list, .carousel])
  func `only the cards of a group that a page makes large move`(kind: LayoutKind) {
    var chances = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      let viewport = Size(width: Int.random(in: 40...240, using: &chances), height: 30)
      let runs = randomRuns(&chances)
      let videos = grouped(runs.map { ($0.group, $0.cards.count) })
      var (store, cards) = (CardStore(), CardList())
      let slots = store.list(videos, of: SourceID(0))
      _ = cards.append(slots, from: store)
      var layout = CardLayout(
        kind, options: LayoutOptions(), viewport: viewport, cellSize: Size(width: 8, height: 16), medianAspect: 1.5)
      for run in runs {
        let before = (0..<run.cards.lowerBound).map(layout.frame)
        layout.append(cards, run.cards, store)
        let group = merged(runs.filter { $0.cards.upperBound <= run.cards.upperBound }).last?.cards.lowerBound ?? 0
        // The last row of justified cards is not full.
        let last = kind != .justified ? .max : group > 0 && group <= before.count ? before[group - 1].minY : 0
        for card in before.indices where card < group && before[card].minY < last {
          #expect(layout.frame(of: card) == before[card])
        }
      }
      var whole = layout.emptied(kind, viewport: viewport, cellSize: layout.cellSize)
      whole.append(cards, 0..<cards.count, store)
      #expect((0..<cards.count).map(layout.frame) == (0..<cards.count).map(whole.frame))
      #expect(layout.engine.sectionCount == whole.engine.sectionCount)
    }
  }
}

@Suite(.hangLimit) struct SmallGroupTests {
  @Test(arguments: [LayoutKind.waterfall, .grid, .justified])
  func `folders with one film each share the rows, each with its name on its card`(layout: LayoutKind) {
    let scenario = Scenario.showing(folders(Array(repeating: 1, count: 7)), width: 120, height: 40, layout: layout)
    for folder in 0..<7 { #expect(scenario.screen.contains("Folder \(folder)")) }
    #expect(!scenario.screen.contains("Folder 0 · 1"))
    #expect(Set((0..<4).map { scenario.state.cards.frame(of: $0).minY }).count == 1)
    Golden.expect("states/small-groups-\(layout.rawValue)", scenario.state.draw())
  }

  @Test func `each row of the list keeps its header`() {
    let scenario = Scenario.showing(folders([1, 1, 1]), width: 80, height: 24, layout: .list)
    for folder in 0..<3 { #expect(scenario.screen.contains("Folder \(folder) · 1")) }
  }

  @Test func `a long label with wide characters ends within its cover`() {
    let name = "映画/ドキュメンタリー/とても長いフォルダの名前/二千二十六年"
    for width in [40, 80, 120] {
      let scenario = Scenario.showing(grouped([(name, 1), ("Short", 1)]), width: width, height: 30, columns: .count(3))
      let card = scenario.state.cards.frame(of: 0)
      let roles = scenario.state.draw().roles.split(separator: "\n")[scenario.state.regions.cards.minY + card.minY]
      let labels = roles.prefix(card.maxX).lastIndex(of: "b").map { roles.distance(from: roles.startIndex, to: $0) }
      #expect(labels.map { $0 < card.maxX && $0 > card.minX } == true)
      #expect(scenario.screen.contains("映") && scenario.screen.contains("…"))
    }
  }

  @Test func `a terminal without colors shows the label in the frame of the cover`() {
    var scenario = Scenario.showing(folders([1, 1, 2, 1]), width: 80, height: 24)
    scenario.handle(.coverStyleChanged(.initials))
    Golden.expect("states/small-groups-no-color", scenario.state.draw())
  }

  @Test func `a page that fills up the last group gives it a header, and the selected card keeps its row`() throws {
    var scenario = Scenario.showing(
      Array(folders([40, 1, 1, 6]).prefix(43)), next: .page(1), width: 120, height: 30
    ).typing("G")
    let before = scenario.state.cards
    let selection = try #require(before.selection)
    let row = before.frame(of: selection).minY - before.offset
    let frames = (0..<42).map(before.frame)
    #expect(before.layout.label(of: 42) == "Folder 3")
    scenario.type("m")
    scenario.answer(FeedPage(videos: Array(folders([40, 1, 1, 6]).dropFirst(43))))
    let after = scenario.state.cards
    #expect(after.layout.label(of: 42) == nil && after.layout.label(of: 41) == "Folder 2")
    #expect((0..<42).map(after.frame) == frames)
    #expect(after.selection == selection && after.frame(of: selection).minY - after.offset == row)
    #expect(scenario.screen.contains("Folder 3 · 6"))
  }

  @Test(arguments: [(40, 12), (240, 70)])
  func `any number of folders of any size is laid out validly`(width: Int, height: Int) {
    var chances = SeededGenerator(seed: 4)
    for count in [1, 2, 7, 150] {
      let sizes = (0..<count).map { _ in Bool.random(using: &chances) ? 1 : Int.random(in: 1...30, using: &chances) }
      for layout in LayoutKind.allCases {
        let scenario = Scenario.showing(folders(sizes), width: width, height: height, layout: layout)
        #expect(scenario.state.cards.layout.engine.invariantViolations() == [])
        #expect(scenario.state.cards.cards.count == sizes.reduce(0, +))
      }
    }
  }
}
