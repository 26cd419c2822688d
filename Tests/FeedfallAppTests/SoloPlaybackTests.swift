import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// A run of the program for one video.
@Suite(.hangLimit) struct SoloPlaybackTests {
  private func starting(_ sources: Int = 1, isLocal: Bool = true) -> Scenario {
    var settings = AppSettings(
      sources: (0..<sources).map { SourceSettings(name: "\($0).example", isLocal: isLocal) })
    settings.playsFirst = true
    return Scenario(settings, width: 100)
  }

  private func failure(_ scenario: Scenario) -> String? {
    scenario.effects.firstNonNil { if case .fail(let message) = $0 { message } else { nil } }
  }

  private func hasEnded(_ scenario: Scenario) -> Bool {
    scenario.effects.contains(.quit) || failure(scenario) != nil
  }

  /// A program whose first video plays, at one minute of 1:40.
  private var playing: Scenario {
    var scenario = starting()
    scenario.answer(0, sampleVideos(3))
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 60))
    return scenario
  }

  @Test func `the first video plays in the full window as soon as it is listed`() {
    #expect(!hasEnded(starting()) && starting().loads.isEmpty)
    #expect(playing.loads.map(\.title) == ["0 Elephants Dream"] && playing.state.isFullWindow)
    #expect(!hasEnded(playing))
  }

  @Test func `the program ends with the film, without a failure, and saves that it was watched`() {
    var scenario = playing
    scenario.report(.time(seconds: 100), .ended(.reachedEnd))
    #expect(scenario.effects.contains(.quit) && failure(scenario) == nil)
    #expect(scenario.effects.contains { if case .saveEvents = $0 { true } else { false } })
    #expect(scenario.loads.count == 1)
  }

  @Test func `q ends the program and saves the position`() {
    let scenario = playing.typing("q")
    #expect(scenario.effects.contains(.quit) && failure(scenario) == nil)
    #expect(scenario.effects.contains { if case .saveEvents = $0 { true } else { false } })
  }

  @Test func `the keys of the player work, and the next video does not end the program`() {
    var scenario = playing.typing(" ").typing("n")
    #expect(scenario.loads.count == 2 && !hasEnded(scenario))
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 100), .ended(.reachedEnd))
    #expect(scenario.effects.contains(.quit))
  }

  @Test func `a video without an address is skipped`() {
    var videos = sampleVideos(2)
    videos[0].playback = .unknown
    var scenario = starting()
    scenario.answer(0, videos)
    #expect(played(scenario) == [1])
  }

  @Test func `a film that cannot be played ends the program with the reason`() {
    var scenario = starting()
    scenario.answer(0, sampleVideos(1))
    scenario.report(.ended(.failed(.http(status: 404))))
    #expect(failure(scenario) == "Could not play “0 Elephants Dream”: the server answered 404, not found.")
  }

  @Test func `a missing mpv ends the program with the advice`() {
    var scenario = starting()
    scenario.answer(0, sampleVideos(1))
    scenario.handle(.player(.unavailable(.notInstalled)))
    #expect(failure(scenario)?.hasSuffix("libmpv is not installed. Install it: apt install libmpv2.") == true)
  }

  @Test func `an address that cannot be loaded ends the program with the reason`() {
    var scenario = starting()
    scenario.answer(0, [sampleVideoWithoutDetails(0)])
    #expect(!hasEnded(scenario) && scenario.unansweredDetails.count == 1)
    scenario.answerDetails(.failure(FeedFailure(.temporary, "the server answered 500")))
    #expect(failure(scenario) == "Could not play “0 Elephants Dream”: the server answered 500.")
  }

  @Test func `a source without videos, and one that fails, end the program with a sentence`() {
    var empty = starting()
    empty.answer(0, [])
    #expect(failure(empty) == "Found no video to play. Try other words or another address.")
    var failed = starting()
    failed.fail(0, FeedFailure(.permanent, "it is a picture", advice: "open a video"))
    #expect(failure(failed) == "Could not load the videos: it is a picture. Open a video.")
  }

  @Test func `a cached video waits until its source has answered or failed`() {
    var scenario = starting(isLocal: false)
    scenario.answerRecall(0, sampleVideos(2))
    #expect(scenario.loads.isEmpty)
    var fresh = scenario
    fresh.answer(0, sampleVideos(1, from: 9))
    #expect(played(fresh) == [9])
    scenario.fail(0)
    #expect(played(scenario) == [0])
  }

  @Test func `of several sources, the first to answer plays, and all must fail to end the program`() {
    var scenario = starting(2)
    scenario.fail(1)
    #expect(!hasEnded(scenario))
    var answered = scenario
    answered.answer(0, sampleVideos(1))
    #expect(played(answered) == [0] && !hasEnded(answered))
    scenario.fail(0)
    #expect(failure(scenario)?.hasPrefix("Could not load 2 of 2 sources") == true)
  }

  @Test func `the question about leaving https is asked, and yes plays in the full window`() throws {
    let redirect = UnencryptedRedirect(
      from: try #require(WebAddress("https://films.example/film")), to: try #require(WebAddress("http://cdn.example/")))
    var scenario = starting()
    scenario.answer(0, sampleVideos(1))
    scenario.report(.ended(.failed(.leavesHTTPS(redirect))))
    #expect(!hasEnded(scenario))
    let allowed = scenario.typing("y")
    #expect(allowed.loads.count == 2 && allowed.state.isFullWindow && !hasEnded(allowed))
    #expect(scenario.typing("n").effects.contains(.quit))
  }

  @Test func `a missing JavaScript runtime is reported while the film plays`() {
    var scenario = playing
    scenario.handle(.player(.lacksRuntime(advice: "install a JavaScript runtime: pipx install it")))
    #expect(!hasEnded(scenario) && scenario.state.isFullWindow)
    let words = "yt-dlp found no JavaScript runtime; some formats may be missing. Install a JavaScript runtime: "
    #expect(scenario.state.toast.text == words + "pipx install it.")
  }

  @Test func `quitting before a video is listed is no failure`() {
    let scenario = starting().typing("q")
    #expect(scenario.effects.contains(.quit) && failure(scenario) == nil)
  }
}
