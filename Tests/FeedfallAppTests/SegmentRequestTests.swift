import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct SegmentRequestTests {
  /// Two videos on YouTube, and one that is not.
  private static let videos: [Video] = (0..<3).map { number in
    var video = sampleVideo(number)
    video.pageURL = number == 2 ? nil : WebAddress("https://www.youtube.com/watch?v=video-\(number)-abc")
    return video
  }

  /// The first video plays at one minute of 1:40.
  private func playing(isOn: Bool = true) -> Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    settings.requestsSegments = isOn
    settings.playing.skipsSegments = true
    var scenario = Scenario(settings, width: 120, height: 40)
    scenario.answer(FeedPage(videos: Self.videos))
    scenario.type(" ")
    scenario.report(
      .ready, .pictureSize(Size(width: 640, height: 360)), .duration(seconds: 100), .time(seconds: 60))
    return scenario
  }

  private func requests(_ scenario: Scenario) -> [(video: String, ticket: Ticket)] {
    scenario.effects.compactMap {
      if case .requestSegments(let video, let ticket) = $0 { (video, ticket) } else { nil }
    }
  }

  @Test func `nothing is requested unless the user wants segments`() {
    #expect(requests(playing(isOn: false)).isEmpty)
  }

  @Test func `the segments of each video on YouTube are requested when it plays`() throws {
    var scenario = playing()
    #expect(requests(scenario).map(\.video) == ["video-0-abc"])
    let first = try #require(requests(scenario).last?.ticket)
    scenario.type("n")
    #expect(requests(scenario).map(\.video) == ["video-0-abc", "video-1-abc"])
    #expect(scenario.effects.contains(.cancel(first)))
    scenario.handle(.segmentsArrived(first, Self.segments))
    #expect(scenario.state.player.session.segments.all.isEmpty)
    scenario.type("n")
    #expect(requests(scenario).count == 2)
  }

  private static let segments = [
    VideoSegment(.sponsor, from: 20, to: 50), VideoSegment(.selfPromotion, from: 70, to: 102),
  ].compactMap(\.self)

  @Test func `the bar marks segments, and a skip is reported`() throws {
    var scenario = playing()
    scenario.handle(.segmentsArrived(try #require(requests(scenario).last?.ticket), Self.segments))
    #expect(scenario.screen.contains("═══"))
    #expect(scenario.state.draw().roles.contains("ooo"))
    scenario.report(.time(seconds: 70))
    #expect(scenario.orders().last == .seek(to: 99))
    #expect(scenario.status.contains("Skipped self-promotion, 0:32. Press U in the player to play it."))
    scenario.report(.time(seconds: 99), .seekCompleted)
    scenario.type("U")
    #expect(scenario.orders().last == .seek(to: 70))
    scenario.report(.time(seconds: 70), .seekCompleted)
    scenario.type("U")
    #expect(scenario.status.contains("No part of this video was skipped"))
  }

  @Test func `a failed request is repeated when the video is played again`() throws {
    var scenario = playing()
    let ticket = try #require(requests(scenario).last?.ticket)
    scenario.handle(.segmentsFailed(ticket, FeedFailure(.temporary, "the network is down")))
    scenario.report(.ended(.failed(.unreachable)))
    #expect(requests(scenario).count == 1)
    scenario.type(" ")
    #expect(requests(scenario).map(\.video) == ["video-0-abc", "video-0-abc"])
    scenario.handle(.segmentsArrived(try #require(requests(scenario).last?.ticket), Self.segments))
    #expect(scenario.state.player.session.segments.all == Self.segments)
    scenario.report(.ended(.failed(.unreachable)))
    scenario.type(" ")
    #expect(requests(scenario).count == 2)
  }

  @Test func `a failed request is reported, and the video plays on`() throws {
    var scenario = playing()
    let ticket = try #require(requests(scenario).last?.ticket)
    scenario.handle(.segmentsFailed(ticket, FeedFailure(.temporary, "the network is down")))
    #expect(
      scenario.status.contains(
        "Could not load the parts to skip: the network is down. The whole video plays."))
    #expect(scenario.state.player.session.playState == .playing)
  }
}
