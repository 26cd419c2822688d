import FeedfallApp
import FeedfallFeeds
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct PlayerScreenTests {
  private static let size = Size(width: 640, height: 360)

  private func playing(width: Int = 80, height: Int = 24) -> Scenario {
    var scenario = Scenario.showing(width: width, height: height).typing(" ")
    scenario.report(
      .ready, .pictureSize(Self.size), .duration(seconds: 5_000), .time(seconds: 1_207), .buffered(until: 3_000))
    return scenario
  }

  @Test func `while loading`() {
    Golden.expect("player-loading", Scenario.showing(width: 120, height: 40).typing(" ").state.draw())
  }

  @Test func `paused, with changed settings`() {
    var scenario = playing(width: 160, height: 40).typing("mN]z bb")
    scenario.report(.sound(hasDevice: false))
    Golden.expect("player-paused", scenario.state.draw())
  }

  @Test func `while buffering`() {
    var scenario = playing()
    scenario.report(.stalled(true))
    Golden.expect("player-stalled", scenario.state.draw())
  }

  @Test func `after a failure`() {
    var scenario = playing()
    scenario.report(.ended(.failed(.http(status: 404))))
    Golden.expect("player-failed", scenario.state.draw())
  }

  @Test func `in the full window`() {
    var scenario = playing().typing("f")
    scenario.report(.subtitle("What is said, and said at such a length that it takes a second line of the window"))
    Golden.expect("player-subtitle", scenario.state.draw())
    scenario.report(.subtitle(nil))
    scenario.endWaits()
    Golden.expect("player-full-bare", scenario.state.draw())
  }

  @Test func `as one line below the cards`() {
    var scenario = playing().typing("<Enter>jj")
    scenario.report(.ended(.failed(.timedOut)))
    Golden.expect("player-line-failed", scenario.state.draw())
  }

  @Test func `picture-in-picture over the cards`() {
    Golden.expect("player-corner", playing(width: 120, height: 40).typing("P").state.draw())
  }

  private static let chapterList = chapters(
    (0, "Opening"), (600, "The cave"), (1_200, "A walk through the old town"),
    (2_400, "The end"), (4_000, "Credits"))

  @Test(arguments: [(40, 15), (120, 36)])
  func `the player draws the chapters`(size: (Int, Int)) {
    var scenario = playing(width: size.0, height: size.1)
    scenario.report(.chapters(Self.chapterList))
    Golden.expect("player-chapters-\(size.0)x\(size.1)", scenario.state.draw())
  }

  @Test func `braces go to the previous and the next chapter`() {
    var scenario = playing()
    scenario.type("}")
    #expect(scenario.status.contains("This video has no chapters"))
    scenario.report(.chapters(Self.chapterList))
    let count = scenario.effects.count
    scenario.type("}")
    scenario.report(.seekCompleted)
    scenario.type("{")
    #expect(scenario.orders(since: count) == [.seek(to: 2_400), .seek(to: 1_200)])
  }

  @Test func `the player draws the loop and shuffle`() {
    var scenario = playing(width: 120, height: 40).typing("t")
    #expect(scenario.status.contains("Loop from 20:07. Press t at its end."))
    scenario.report(.time(seconds: 2_000))
    scenario.type("tSL")
    scenario.report(.time(seconds: 1_500))
    Golden.expect("player-loop", scenario.state.draw())
    Golden.expect("player-line-loop", scenario.typing("<Enter>").state.draw())
  }

  @Test func `the help for its keys`() {
    Golden.expect("player-help", playing(width: 120, height: 30).typing("?").state.draw())
  }
}
