import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct GlideTests {
  private func carousel(animates: Bool = true, sources: Int = 1) -> Scenario {
    let names = (0..<sources).map { SourceSettings(name: "source \($0)", isLocal: true) }
    var settings = AppSettings(sources: names)
    settings.layout = .carousel
    settings.layoutOptions.animates = animates
    var scenario = Scenario(settings, width: 120, height: 36)
    for source in 0..<sources { scenario.answer(source, sampleVideos(20)) }
    return scenario
  }

  private func glides(_ scenario: Scenario) -> [Wait] {
    scenario.openWaits.filter { if case .glide = $0 { true } else { false } }
  }

  /// Ends the wait for the next frame; returns false if there is none.
  private func advance(_ scenario: inout Scenario) -> Bool {
    guard let wait = glides(scenario).last else { return false }
    scenario.handle(.waitElapsed(wait))
    return glides(scenario).last != wait
  }

  private func left(_ scenario: Scenario) -> Int? {
    scenario.state.cards.shownElements.first { $0.path.item == scenario.state.cards.selection }?.frame.midX
  }

  @Test func `a move is drawn in six frames that end in the middle`() throws {
    var scenario = carousel()
    scenario.type("l")
    var places = [try #require(left(scenario))]
    #expect(glides(scenario).count == 1)
    while advance(&scenario) { places.append(try #require(left(scenario))) }
    places.append(try #require(left(scenario)))
    #expect(places.count == Glide.frameCount)
    #expect(places == places.sorted(by: >))
    #expect(places.last.map { abs($0 - 60) <= 1 } == true)
    #expect(scenario.state.draw() == carousel(animates: false).typing("l").state.draw())
  }

  @Test func `a key during a move goes on from the new card`() {
    var scenario = carousel()
    scenario.type("l")
    _ = advance(&scenario)
    scenario.type("l")
    #expect(scenario.state.cards.selection == 2)
    while advance(&scenario) {}
    #expect(scenario.state.draw() == carousel(animates: false).typing("ll").state.draw())
  }

  @Test func `without animations a move is drawn at once`() {
    let scenario = carousel(animates: false).typing("l")
    #expect(glides(scenario).isEmpty)
    #expect(scenario.state.cards.shownElements == scenario.state.cards.visibleElements)
  }

  @Test func `delayed output ends a move`() {
    var scenario = carousel().typing("l")
    #expect(scenario.state.cards.shownElements != scenario.state.cards.visibleElements)
    scenario.handle(.outputDelayed)
    #expect(scenario.state.cards.shownElements == scenario.state.cards.visibleElements)
  }

  @Test func `another size, another layout and another tab end a move`() {
    var resized = carousel().typing("l")
    resized.handle(.screenChanged(Size(width: 100, height: 30), cellSize: Size(width: 8, height: 16)))
    #expect(resized.state.cards.shownElements == resized.state.cards.visibleElements)
    let list = carousel().typing("lV")
    #expect(list.state.cards.shownElements == list.state.cards.visibleElements)
    let tabs = carousel(sources: 2).typing("2l12")
    #expect(tabs.state.cards.shownElements == tabs.state.cards.visibleElements)
    #expect(tabs.state.cards.selection == 1)
  }

  @Test func `other layouts do not wait for frames`() {
    let scenario = carousel().typing("Vjjj")
    #expect(glides(scenario).isEmpty)
  }
}
