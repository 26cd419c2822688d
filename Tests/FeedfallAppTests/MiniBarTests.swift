import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct MiniBarTests {
  /// The first video plays behind the cards, at one minute of 1:40.
  private func playing(width: Int = 120) -> Scenario { Scenario.playing(width: width).typing("<Enter>") }

  private func send(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int, to scenario: inout Scenario) {
    scenario.handle(.input(.mouse(MouseEvent(kind, at: Point(x: x, y: y)))))
  }

  private func bar(of scenario: Scenario) throws -> Rect {
    let row = try #require(scenario.state.regions.miniBar)
    return try #require(scenario.state.playerView.miniBarParts(in: row).bar)
  }

  @Test func `a click on the sign pauses and resumes`() {
    var scenario = playing()
    send(.press, 0, 38, to: &scenario)
    #expect(scenario.orders().last == .pause)
    #expect(scenario.screen.contains("‖ 0 Elephants Dream"))
    send(.press, 1, 38, to: &scenario)
    #expect(scenario.orders().last == .resume)
    #expect(scenario.state.details == nil)
  }

  @Test func `a click on the title shows the video`() {
    var scenario = playing()
    send(.press, 2, 38, to: &scenario)
    #expect(scenario.state.showsPlayer)
  }

  @Test func `a click on the bar seeks when it is released`() throws {
    var scenario = playing()
    let bar = try bar(of: scenario)
    let count = scenario.effects.count
    send(.press, bar.minX, bar.minY, to: &scenario)
    #expect(scenario.orders(since: count) == [])
    #expect(scenario.screen.contains(" 0:00 ●"))
    send(.release, bar.minX, bar.minY, to: &scenario)
    #expect(scenario.orders(since: count) == [.seek(to: 0)])
    #expect(scenario.state.details == nil)
  }

  @Test func `a drag goes on beside the row, and beyond the ends of the bar`() throws {
    var scenario = playing()
    let bar = try bar(of: scenario)
    let (count, selection) = (scenario.effects.count, scenario.state.cards.selection)
    send(.press, bar.minX + 3, bar.minY, to: &scenario)
    send(.drag, bar.minX + 9, bar.minY - 20, to: &scenario)
    #expect(scenario.orders(since: count) == [])
    send(.release, bar.minX - 9, bar.minY - 20, to: &scenario)
    #expect(scenario.orders(since: count) == [.seek(to: 0)])
    send(.release, bar.minX + 9, bar.minY, to: &scenario)
    #expect(scenario.orders(since: count) == [.seek(to: 0)])
    #expect(scenario.state.cards.selection == selection)
  }

  @Test(arguments: [20, 21, 38, 39, 40, 41, 79, 80, 120, 200])
  func `the parts fit into any width, and the title has room`(width: Int) throws {
    let scenario = playing(width: width)
    let row = try #require(scenario.state.regions.miniBar)
    let line = try #require(scenario.screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last)
    #expect(line.hasPrefix("▶ 0 Elep") && line.contains("1:00"))
    guard let bar = scenario.state.playerView.miniBarParts(in: row).bar else { return #expect(width < 40) }
    #expect(bar.width >= 10 && bar.maxX <= width && line.contains("1:40"))
  }

  @Test func `after a failure the whole row shows the video`() {
    var scenario = playing()
    scenario.report(.ended(.failed(.timedOut)))
    send(.press, 0, 38, to: &scenario)
    #expect(scenario.state.showsPlayer)
  }

  @Test func `a muted video says so`() {
    var scenario = Scenario.playing().typing("m<Enter>")
    scenario.endWaits()
    #expect(scenario.screen.contains("1:40  muted  p show player"))
  }

  @Test(arguments: ["p", "?<Esc>", "/<Esc>"])
  func `the video, the help and a prompt cancel a drag of the row's bar`(keys: String) throws {
    var scenario = playing()
    let bar = try bar(of: scenario)
    send(.press, bar.minX, bar.minY, to: &scenario)
    #expect(scenario.screen.contains(" 0:00 ●"))
    scenario.type(keys)
    #expect(scenario.screen.contains("1:00 ━"))
    let count = scenario.effects.count
    send(.release, bar.minX, bar.minY, to: &scenario)
    #expect(scenario.orders(since: count) == [])
  }
}
