import FeedfallApp
import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import struct FeedfallApp.AppState

@Suite(.hangLimit) struct CardQueryTests {
  private func sampleVideos(_ name: String, _ days: some Sequence<Int>) -> [Video] {
    days.map { sampleVideo("\(name)\($0)", day: $0) }
  }

  @Test func `All lists videos by date, those without a date at the end`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, [sampleVideo("a9", day: 9), sampleVideo("a-", day: nil), sampleVideo("a3", day: 3)])
    scenario.answer(1, [sampleVideo("b7", day: 7), sampleVideo("b1", day: 1), sampleVideo("b-", day: nil)])
    #expect(ids(scenario) == ["a9", "b7", "a3", "b1", "a-", "b-"])
  }

  @Test func `the first card is selected until the user moves`() {
    var scenario = Scenario.of("a", "b", "c")
    scenario.answer(0, sampleVideos("a", [3, 1]))
    scenario.answer(1, sampleVideos("b", [9, 8]))
    scenario.answer(2, sampleVideos("c", [20]))
    #expect(scenario.state.selectedVideo?.id == "c20")
    var moved = Scenario.of("a", "b")
    moved.answer(0, sampleVideos("a", [3, 1]))
    moved.type("l")
    moved.answer(1, sampleVideos("b", [9, 8]))
    #expect(moved.state.selectedVideo?.id == "a1")
  }

  @Test func `two sources may use the same ids`() {
    var scenario = Scenario.of("a", "b")
    var other = sampleVideo("1", day: 7)
    other.scope = WebAddress("https://b.example/feed").map { FeedScope($0) }
    scenario.answer(0, [sampleVideo("1", day: 9), sampleVideo("1", day: 8)])
    scenario.answer(1, [other])
    #expect(ids(scenario) == ["1", "1"])
  }

  @Test func `each card and the details pane name the source`() {
    var scenario = Scenario.of("alpha.example", "beta.example", width: 120)
    scenario.answer(0, [sampleVideo("1", day: 9)])
    scenario.answer(1, [sampleVideo("2", day: 7)])
    #expect(scenario.screen.contains("beta.example\n") || scenario.screen.contains(" beta.example "))
    #expect(!scenario.screen.contains("Channel"))
    #expect(scenario.typing("<Enter>").screen.contains("alpha.example · Channel"))
    #expect(scenario.typing("2").screen.contains("Channel"))
  }

  @Test func `near the end the source that holds back videos is requested, and new cards are appended`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos("a", [20, 19, 18]), next: .page(1))
    scenario.answer(1, sampleVideos("b", [19, 9, 8]), next: .page(1))
    let before = ids(scenario)
    // The second source could deliver a newer one than its last.
    #expect(before == ["a20", "a19", "b19", "a18"])
    scenario.endWaits()
    #expect(scenario.unanswered.map(\.source) == [0])
    scenario.answer(0, sampleVideos("a", [17, 10, 2]), next: .page(2))
    #expect(ids(scenario) == before + ["a17", "a10", "b9", "b8"])
    scenario.endWaits()
    #expect(scenario.unanswered.map(\.source) == [1])
    scenario.answer(1, sampleVideos("b", [5]))
    #expect(ids(scenario).suffix(2) == ["b5", "a2"])
  }

  @Test func `a failed source holds back no videos`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos("a", [20, 19, 18]), next: .page(1))
    scenario.answer(1, sampleVideos("b", [19, 9, 8]))
    scenario.endWaits()
    scenario.fail(0)
    #expect(ids(scenario).suffix(2) == ["b9", "b8"])
  }

  @Test func `videos without dates are listed in the order of their arrival`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, [sampleVideo("a1", day: nil)], next: .page(1))
    scenario.answer(1, [sampleVideo("b1", day: nil)])
    scenario.endWaits()
    scenario.answer(0, [sampleVideo("a2", day: nil)])
    #expect(ids(scenario) == ["a1", "b1", "a2"])
  }

  @Test func `a page without dates does not hold back other sources`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos("a", [20]), next: .page(1))
    scenario.answer(1, sampleVideos("b", [5]))
    scenario.endWaits()
    scenario.answer(0, [sampleVideo("a-", day: nil)], next: .page(2))
    #expect(ids(scenario) == ["a20", "b5", "a-"])
  }

  @Test func `a page without new cards keeps the horizon`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos("a", [20, 19, 18]), next: .page(1))
    scenario.answer(1, sampleVideos("b", [9, 8]))
    scenario.endWaits()
    scenario.answer(0, sampleVideos("a", [19, 18]), next: .page(2))
    #expect(ids(scenario) == ["a20", "a19", "a18"])
    #expect(scenario.unanswered.map(\.cursor) == [.page(2)])
    scenario.answer(0, sampleVideos("a", [17]))
    #expect(ids(scenario) == ["a20", "a19", "a18", "a17", "b9", "b8"])
  }

  @Test func `the video in the details pane stays when another source's page arrives`() {
    var scenario = Scenario.of("a", "b", width: 120)
    scenario.answer(0, sampleVideos("a", [20, 18]))
    scenario.type("l<Enter>")
    scenario.answer(1, sampleVideos("b", 100..<160))
    #expect(scenario.state.selectedVideo?.id == "a18")
    #expect(scenario.state.cards.cards.count == 62)
  }

  @Test func `cancelling a search selects the previous card, even if another source's page arrived`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos("a", [20, 18, 16]))
    scenario.type("l/a16")
    scenario.answer(1, sampleVideos("b", 100..<160))
    #expect(scenario.state.selectedVideo?.id == "a16")
    #expect(scenario.typing("<Esc>").state.selectedVideo?.id == "a18")
  }

  /// A long list of two sources, scrolled to its end, with a refresh pending.
  private func scrolledToEnd() -> Scenario {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos("a", stride(from: 100, to: 60, by: -2)))
    scenario.answer(1, sampleVideos("b", stride(from: 99, to: 59, by: -2)))
    scenario.type("Gr")
    return scenario
  }

  private func cardRows(_ scenario: Scenario) -> [String] {
    scenario.screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map(String.init)
      .filter { !$0.contains("End of the list") }
  }

  @Test func `a refresh reports new videos without moving the view`() {
    var scenario = scrolledToEnd()
    let before = cardRows(scenario)
    scenario.answer(0, sampleVideos("a", [103, 102, 101]) + sampleVideos("a", stride(from: 100, to: 60, by: -2)))
    scenario.answer(1, sampleVideos("b", [104]) + sampleVideos("b", stride(from: 99, to: 59, by: -2)))
    #expect(scenario.status.contains("4 new"))
    #expect(cardRows(scenario) == before)
    #expect(ids(scenario).count == 44)
    #expect(scenario.typing("gg").state.selectedVideo?.id == "b104")
  }

  @Test func `a view at the top shows all cards in order`() {
    var scenario = Scenario.of("a", "b")
    scenario.answer(0, sampleVideos("a", [20, 18]))
    scenario.answer(1, sampleVideos("b", [19, 17]))
    scenario.type("r")
    scenario.answer(0, sampleVideos("a", [22, 20, 18]))
    scenario.answer(1, sampleVideos("b", [21, 19, 17]))
    #expect(ids(scenario) == ["a22", "b21", "a20", "b19", "a18", "b17"])
    #expect(scenario.status.contains("2 new"))
  }

  @Test func `cards that arrive while another tab is selected are shown on return`() {
    var scenario = Scenario.of("a", "b").typing("2")
    scenario.answer(0, sampleVideos("a", [20, 18]), next: .page(1))
    scenario.answer(1, sampleVideos("b", [19]))
    scenario.endWaits()
    scenario.answer(0, sampleVideos("a", [16]))
    #expect(ids(scenario.typing("1")) == ["a20", "b19", "a18", "a16"])
  }

  @Test func `details are requested from the card's source, and shown in both tabs`() {
    var scenario = Scenario.of("a", "b", width: 120)
    scenario.answer(0, sampleVideos("a", [3]))
    scenario.answer(1, [sampleVideoWithoutDetails(5)])
    scenario.type("l<Enter>")
    #expect(scenario.effects.contains { if case .requestDetails(SourceID(1), _, _) = $0 { true } else { false } })
    var complete = sampleVideo(5)
    complete.summary = "Told later."
    scenario.answerDetails(.success(complete))
    #expect(scenario.screen.contains("Told later."))
    #expect(scenario.typing("q3<Enter>").screen.contains("Told later."))
  }

  @Test func `a date that details state moves the card once a page of another source arrives`() throws {
    var scenario = Scenario.of("a", "b", width: 120)
    var partial = sampleVideoWithoutDetails(5)
    partial.published = nil
    scenario.answer(0, sampleVideos("a", [3, 1]) + [partial])
    scenario.answer(1, sampleVideos("b", [2]))
    #expect(ids(scenario).last == partial.id)
    scenario.type("G<Enter>")
    var complete = partial
    complete.published = UnixTime(seconds: 9 * 86_400)
    scenario.answerDetails(.success(complete))
    scenario.type("qggr")
    scenario.answer(1, sampleVideos("b", [4, 2]))
    #expect(ids(scenario).first == partial.id)
  }

  @Test func `a page that arrives while All lacks a hidden video is not lost`() {
    var scenario = Scenario.of("a", "b", isLocal: false, width: 120)
    scenario.answer(0, sampleVideos("a", [9, 8]), next: .page(1))
    scenario.answer(1, sampleVideos("b", [7]))
    scenario.type("2X")
    if !scenario.unanswered.contains(where: { $0.source == 0 }) { scenario.type("m") }
    scenario.answer(0, sampleVideos("a", [6, 5]))
    #expect(ids(scenario.typing("1")) == ["a8", "b7", "a6", "a5"])
  }

  @Test func `videos leave a filter by age once a page of any source arrives`() {
    var scenario = Scenario.of("a", "b", isLocal: false, width: 120)
    let day = 86_400
    func answer(_ source: Int, _ videos: [Video], at time: Int) {
      guard let ticket = scenario.unanswered.last(where: { $0.source == source })?.ticket else { return }
      scenario.handle(.pageArrived(ticket, FeedPage(videos: videos), at: UnixTime(seconds: time)), at: time * 1_000)
    }
    answer(0, sampleVideos("a", [9]), at: 10 * day)
    answer(1, sampleVideos("b", [10]), at: 10 * day)
    scenario.type("fsince:2d<Enter>")
    #expect(ids(scenario) == ["b10", "a9"])
    scenario.type("r")
    answer(1, sampleVideos("b", [11, 10]), at: 12 * day)
    #expect(ids(scenario) == ["b11", "b10"])
  }

  /// Sources share some videos; many have the date of others or none, but a new one has a date.
  private func randomPage(_ step: Int, of source: Int, _ chances: inout SeededGenerator) -> [Video] {
    let others = (0..<12).shuffled(using: &chances).prefix(Int.random(in: 0...8, using: &chances)).map { number in
      let day = Int.random(in: 0..<20, using: &chances) == 0 ? 9 : number % 4
      return sampleVideo(number < 4 ? "shared\(number)" : "\(source)-\(number)", day: number % 5 == 0 ? nil : day)
    }
    return others + [sampleVideo("\(source)-step\(step)", day: Int.random(in: 0..<4, using: &chances))]
  }

  @Test(arguments: 1...60)
  func `the pages of some sources lead to the same cards as those of all`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    var scenario = Scenario.of("a", "b", "c", "d", isLocal: seed % 2 == 0, width: 120)
    let scripts = [
      "r", "gg", "jjj", "<PgDn>", "G", "fshared<Enter>", "funwatched<Enter>", "<Enter>l", "<Esc>", "X", "x", "u", "2",
      "1", "<Enter>", "q",
    ]
    var incrementalCount = 0
    for step in 0..<40 {
      if let request = scenario.unanswered.randomElement(using: &chances), Int.random(in: 0..<3, using: &chances) > 0 {
        let next: FeedCursor? = Bool.random(using: &chances) ? .page(step) : nil
        let source = request.source
        if Int.random(in: 0..<6, using: &chances) == 0 {
          scenario.fail(source)
        } else {
          scenario.answer(source, randomPage(step, of: source, &chances), next: next)
        }
      } else {
        scenario.type(scripts.randomElement(using: &chances) ?? "r")
        scenario.endWaits()
      }
      var (some, all) = (scenario.state.tabs[0].query, scenario.state.tabs[0].query)
      all.invalidate(isRecordChange: some.isStale)
      guard case .replace(let collected) = some.collect(from: scenario.state.library),
        case .replace(let expected) = all.collect(from: scenario.state.library)
      else { continue }
      #expect(collected == expected && Set(some.pending) == Set(all.pending), "step \(step)")
      let query = scenario.state.tabs[0].query
      if !expected.isEmpty, query.changedSources(in: scenario.state.library) != nil { incrementalCount += 1 }
    }
    #expect(incrementalCount > 0)
  }
}
