import FeedfallApp
import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import struct FeedfallApp.AppState

/// Messages and requests while a server asks to wait.
@Suite(.hangLimit) struct WaitingTests {
  private func waiting(seconds: Int, after keys: String) -> Scenario {
    var scenario = Scenario.showing(sampleVideos(20), next: .page(1)).typing(keys)
    scenario.fail(FeedFailure(.wait(seconds: seconds), "the server is busy"))
    return scenario
  }

  @Test(arguments: ["m", "r"])
  func `a short wait shows in the status line, and then the request is repeated`(key: String) {
    var scenario = waiting(seconds: 7, after: "jjj" + key)
    #expect(scenario.status.contains("waiting 7 s for the server"))
    scenario.endWaits()
    #expect(scenario.awaitedPage == (key == "m" ? .page(1) : .start))
  }

  @Test(arguments: ["m", "r", "<Esc>m", "<Esc>r", "<Esc>kkk"])
  func `during a long wait no request is sent and the status line says so`(keys: String) {
    var scenario = waiting(seconds: 600, after: "m").typing(keys)
    for wait in scenario.openWaits where wait.isPull { scenario.handle(.waitElapsed(wait)) }
    #expect(scenario.awaitedPage == nil)
    #expect(scenario.status.contains("Wait 10 min for the server, then press r."))
  }

  @Test func `after a long wait r requests the same page`() {
    var scenario = waiting(seconds: 600, after: "m")
    scenario.endWaits()
    #expect(scenario.awaitedPage == nil)
    scenario.type("r")
    #expect(scenario.awaitedPage == .page(1))
  }

  @Test func `m after the last page says that all videos are shown`() {
    #expect(Scenario.showing().typing("m").status.contains("End of the list · 20 videos"))
  }
}

@Suite(.hangLimit) struct StatusTests {
  @Test func `skipped items are counted over all pages`() {
    var scenario = Scenario()
    scenario.answer(FeedPage(videos: [], next: .page(1), skippedCount: 3))
    #expect(scenario.status.contains("films.example · 3 skipped"))
    scenario.answer(FeedPage(videos: sampleVideos(5), next: .page(2), skippedCount: 2))
    #expect(scenario.status.contains("films.example · 5 skipped"))
    scenario.type("m")
    scenario.answer(FeedPage(videos: sampleVideos(5, from: 5), skippedCount: 1))
    #expect(scenario.status.contains("films.example · 6 skipped"))
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(5)))
    #expect(!scenario.status.contains("skipped"))
  }

  @Test func `a later page without a name or a total keeps both`() {
    var scenario = Scenario()
    scenario.answer(FeedPage(videos: sampleVideos(20), next: .page(1), total: 90, title: "Films"))
    scenario.type("m")
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 20), next: .page(2)))
    #expect(scenario.status.contains(" 1 of 90 · Films  "))
  }

  @Test func `the spinner turns while a request is pending`() {
    var scenario = Scenario()
    let before = scenario.status
    scenario.endWaits()
    #expect(scenario.status != before)
    #expect(scenario.openWaits.contains { if case .spinner = $0 { true } else { false } })
    scenario.answer(FeedPage(videos: sampleVideos(20)))
    #expect(scenario.openWaits.isEmpty)
  }

  @Test func `a canceled spinner wait changes nothing`() throws {
    var scenario = Scenario()
    let old = try #require(scenario.openWaits.first { if case .spinner = $0 { true } else { false } })
    scenario.endWaits()
    let before = scenario.status
    scenario.handle(.waitElapsed(old))
    #expect(scenario.status == before)
  }

  @Test func `the program is not settled while anything is pending`() {
    #expect(!Scenario().state.isSettled)
    #expect(Scenario.showing().state.isSettled)
    #expect(!Scenario.showing().typing("k").state.isSettled)
    #expect(!Scenario.showing([sampleVideoWithoutDetails(0)]).typing("<Enter>").state.isSettled)
  }

  @Test func `a message stays until the next key or click`() {
    var scenario = Scenario.showing().typing("v")
    #expect(scenario.status.contains("Layout: grid"))
    #expect(!scenario.typing("j").status.contains("Layout"))
    scenario.handle(.input(.mouse(.init(.wheelDown, at: .init(x: 1, y: 1)))))
    #expect(!scenario.status.contains("Layout"))
  }

  @Test func `a failure below the cards names the key that retries`() {
    var scenario = Scenario.showing(sampleVideos(2), next: .page(1), height: 40).typing("m")
    scenario.fail(FeedFailure(.temporary, "the connection was reset"))
    #expect(scenario.screen.contains("Loading failed. Press m to retry."))
    #expect(scenario.typing("r").awaitedPage == .page(1))
    scenario.type("<Esc>")
    #expect(scenario.screen.contains("Loading failed. Press m to retry."))
    #expect(scenario.typing("m").awaitedPage == .page(1))
  }
}
