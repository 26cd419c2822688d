import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct ShownPlaceTests {
  private func program(_ place: ShownPlace? = nil, isLocal: Bool = true) -> Scenario {
    var settings = AppSettings(
      sources: ["a", "b"].map { name in
        var source = SourceSettings(name: name, isLocal: isLocal)
        source.givenName = name
        return source
      })
    (settings.place, settings.storesPlace) = (place, true)
    return Scenario(settings)
  }

  /// The place that a session stores at its end.
  private func stored(_ scenario: Scenario) -> ShownPlace? {
    var scenario = scenario
    scenario.handle(.ending)
    return scenario.effects.lazy.compactMap { if case .savePlace(let place) = $0 { place } else { nil } }.last
  }

  private func loaded(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.answer(0, sampleVideos(5))
    scenario.answer(1, sampleVideos(5, from: 10))
    return scenario
  }

  @Test func `a session starts with the tab and the card of the last one`() throws {
    let end = loaded(program()).typing("3ll")
    let place = try #require(stored(end))
    let selected = try #require(end.state.selectedVideo)
    #expect(place == ShownPlace(tab: .source(name: "b"), card: VideoKey(selected)) && selected.id != "film-10")
    let next = loaded(program(place))
    #expect(next.state.content == .source(SourceID(1)) && next.state.selectedVideo?.id == selected.id)
    #expect(stored(next) == place)
  }

  @Test func `the first card is not stored, because newer ones may precede it`() throws {
    let place = try #require(stored(loaded(program()).typing("2")))
    #expect(place == ShownPlace(tab: .source(name: "a")))
    #expect(stored(loaded(program())) == ShownPlace(tab: .first))
  }

  @Test func `a view and the queue are restored, also without videos`() throws {
    let place = try #require(stored(loaded(program()).typing("gq")))
    #expect(place.tab == .view(name: "Queue"))
    #expect(loaded(program(place)).screen.contains("The queue is empty"))
  }

  @Test func `the card waits for cached pages, but not for servers`() throws {
    let place = ShownPlace(tab: .source(name: "b"), card: VideoKey(sampleVideo(12)))
    var scenario = program(place, isLocal: false)
    scenario.answerRecall(1, sampleVideos(5, from: 10))
    #expect(scenario.state.selectedVideo?.id == "film-12")
    var first = program(ShownPlace(tab: .first, card: VideoKey(sampleVideo(12))), isLocal: false)
    first.answerRecall(0, sampleVideos(5))
    #expect(first.state.awaitedCard != nil)
    first.answerRecall(1, sampleVideos(5, from: 10))
    #expect(first.state.selectedVideo?.id == "film-12")
  }

  @Test func `the card is selected if its cached page waits for others`() {
    var settings = AppSettings(sources: (0..<40).map { SourceSettings(name: "s\($0)", isLocal: false) })
    settings.place = ShownPlace(tab: .first, card: VideoKey(sampleVideo(1_560)))
    var scenario = Scenario(settings)
    for source in 0..<39 { scenario.answerRecall(source, sampleVideos(40, from: 40 * source)) }
    #expect(scenario.state.awaitedCard != nil)
    scenario.answerRecall(39, [sampleVideo(1_560)])
    #expect(scenario.state.selectedVideo?.id == "film-1560")
  }

  @Test func `a key of the user comes first`() {
    let place = ShownPlace(tab: .source(name: "b"), card: VideoKey(sampleVideo(12)))
    #expect(loaded(program(place).typing("l")).state.cards.selection == 0)
  }

  @Test func `a source and a card that are gone are ignored`() {
    let gone = ShownPlace(tab: .source(name: "c"), card: VideoKey(sampleVideo(12)))
    #expect(loaded(program(gone)).screen == loaded(program()).screen)
    let card = ShownPlace(tab: .source(name: "b"), card: VideoKey(sampleVideo(99)))
    let scenario = loaded(program(card))
    #expect(scenario.state.content == .source(SourceID(1)) && scenario.state.cards.selection == 0)
    #expect(scenario.state.awaitedCard == nil)
  }

  @Test func `other sessions store nothing`() {
    #expect(stored(Scenario.ofTwoSources()) == nil)
  }

  @Test(arguments: [
    "", "first", "first\n", "first\n\n\n", "tab\n\n", "source \n\n", "source a\u{1B}b\n\n", "view  x\n\n",
    "first\na\u{7}\n", "source \(String(repeating: "x", count: 5_000))\n\n",
  ])
  func `a damaged text is ignored`(text: String) { #expect(ShownPlace(text: text) == nil) }

  @Test(arguments: [
    ShownPlace(tab: .first), ShownPlace(tab: .source(name: "A b"), card: VideoKey(text: "a.example 1")),
    ShownPlace(tab: .view(name: "View"), card: nil),
  ])
  func `a place is read as it was written`(place: ShownPlace) { #expect(ShownPlace(text: place.text) == place) }
}
