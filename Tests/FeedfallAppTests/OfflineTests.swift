import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

/// A start without a network.
@Suite(.hangLimit) struct OfflineTests {
  private let words = " · offline"

  private var failure: FeedFailure {
    var failure = FeedFailure(.temporary, "the name films.example was not found")
    failure.isOffline = true
    return failure
  }

  private func showingCovers(_ count: Int) -> Scenario {
    var scenario = Scenario.showing(sampleVideos(count))
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    return scenario
  }

  private func fail(_ failure: FeedFailure, _ scenario: inout Scenario) {
    guard let ticket = scenario.awaitedCovers.first?.ticket else { return }
    scenario.forgetCover(ticket)
    scenario.handle(.coverFailed(ticket, failure))
  }

  @Test func `the offline indicator lasts until the first cover loads`() {
    var scenario = showingCovers(3)
    #expect(scenario.awaitedCovers.count == 3)
    fail(failure, &scenario)
    fail(failure, &scenario)
    #expect(!scenario.status.contains(words))
    fail(failure, &scenario)
    #expect(scenario.status.contains(words))
    scenario.type("jj?q")
    scenario.endWaits()
    #expect(scenario.status.contains(words) && scenario.status.contains("q quit"))
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(3)))
    scenario.rest()
    while !scenario.awaitedCovers.isEmpty { scenario.answerCover() }
    #expect(!scenario.status.contains(words))
  }

  @Test func `details from a server clear the offline indicator`() {
    var scenario = Scenario.of("tube.example", isLocal: false)
    scenario.answer(0, [sampleVideoWithoutDetails(1)])
    scenario.type("r")
    scenario.fail(0, failure)
    #expect(scenario.status.contains(words))
    scenario.type("<Enter>")
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(!scenario.status.contains(words))
  }

  @Test func `covers show no failure sign while offline`() {
    for isOffline in [true, false] {
      var scenario = showingCovers(3)
      for _ in 0..<3 { fail(isOffline ? failure : FeedFailure(.permanent, "no picture"), &scenario) }
      #expect(scenario.screen.contains("⚠") == !isOffline)
    }
  }

  @Test func `the offline indicator shows its duration`() {
    let start = UnixTime(seconds: 1_000_000)
    for (seconds, text) in [(0, "offline"), (59, "offline"), (60, "offline for 1 min"), (7_300, "offline for 2 h")] {
      var network = AppState.NetworkState()
      network.pageFailed(failure)
      network.update(at: start, lacksServers: true, areCoversLoading: false)
      let now = UnixTime(seconds: start.seconds + seconds)
      #expect(Words.offline(for: network.duration(at: now)) == text)
    }
  }

  @Test(arguments: 1...40) func `the last evidence counts, regardless of the clock`(seed: Int) {
    var (chances, network) = (SeededGenerator(seed: UInt64(seed)), AppState.NetworkState())
    // Whether failed covers are newer evidence than the last page.
    var coversCount = true
    for _ in 0..<200 {
      let now = [nil, .min, .max, 0, 5].randomElement(using: &chances).map { $0.map { UnixTime(seconds: $0) } } ?? nil
      let lacksServers = Bool.random(using: &chances)
      var isOnline = false
      switch Int.random(in: 0..<5, using: &chances) {
      case 0: (isOnline, coversCount, _) = (true, false, network.serverAnswered())
      case 1: (coversCount, _) = (true, network.pageFailed(failure))
      case 2: (isOnline, coversCount, _) = (true, true, network.coverArrived())
      case 3: (isOnline, _) = (true, network.mediaArrived())
      default: (isOnline, _) = (!coversCount, network.coverFailed(failure))
      }
      network.update(at: now, lacksServers: lacksServers, areCoversLoading: Bool.random(using: &chances))
      if isOnline { #expect(network.outage == nil) }
      if network.outage == .servers { #expect(network.duration(at: now) ?? 0 >= 0) }
      #expect(!network.isDue && (network.outage != nil || network.duration(at: now) == nil))
    }
  }

  @Test func `covers that fail after others have arrived are a missing network, also after a page`() {
    for hasCovers in [true, false] {
      var scenario = Scenario.of("films.example", isLocal: false, width: 120)
      scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
      scenario.answer(0, sampleVideos(60))
      scenario.rest()
      if hasCovers { while !scenario.awaitedCovers.isEmpty { scenario.answerCover() } }
      scenario.type("G")
      scenario.rest()
      #expect(!scenario.awaitedCovers.isEmpty)
      while !scenario.awaitedCovers.isEmpty { fail(failure, &scenario) }
      #expect(scenario.status.contains(words) == hasCovers)
      scenario.type("r")
      scenario.answer(0, sampleVideos(60))
      #expect(!scenario.status.contains(words))
    }
  }

  @Test(arguments: [true, false]) func `a film that plays from a server clears the offline indicator`(isWeb: Bool)
    throws
  {
    var video = sampleVideo(0)
    let file = try #require(FileAddress(path: "/videos/a.mp4".utf8))
    if !isWeb { video.playback = .direct([MediaFile(url: .file(file))]) }
    for isPlaying in [true, false] {
      var scenario = Scenario.of("films.example", isLocal: false, width: 120)
      scenario.answerRecall(0, [video])
      if isPlaying {
        scenario.type(" ")
        scenario.report(.ready, .duration(seconds: 100), .time(seconds: 10), .buffered(until: 20))
      }
      scenario.fail(0, failure)
      #expect(scenario.status.contains(words))
      if isPlaying {
        // The buffer lasts for a while.
        scenario.report(.time(seconds: 11), .buffered(until: 20))
        #expect(scenario.status.contains(words))
        scenario.report(.buffered(until: 21))
      } else {
        scenario.type(" ")
        #expect(scenario.status.contains(words))
        scenario.report(.ready)
      }
      #expect(scenario.status.contains(words) == !isWeb)
    }
  }

  @Test func `a server that is missing while others answer is no missing network`() {
    var scenario = showingCovers(3)
    fail(failure, &scenario)
    scenario.answerCover()
    fail(failure, &scenario)
    #expect(scenario.awaitedCovers.isEmpty && !scenario.status.contains(words))
  }

  @Test func `covers of the disk cache are no sign of a network`() {
    var scenario = showingCovers(3)
    fail(failure, &scenario)
    scenario.answerCover(isFromServer: false)
    fail(failure, &scenario)
    #expect(scenario.awaitedCovers.isEmpty && scenario.status.contains(words))
  }

  @Test(arguments: [true, false]) func `a cover from a server takes the sign of missing pages away`(isFromServer: Bool)
  {
    var scenario = Scenario.of("films.example", isLocal: false, width: 120)
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    scenario.answerRecall(0, sampleVideos(3))
    scenario.fail(0, failure)
    scenario.rest()
    #expect(scenario.status.contains(words) && scenario.awaitedCovers.count > 1)
    scenario.answerCover(isFromServer: isFromServer)
    #expect(scenario.status.contains(words) != isFromServer)
  }

  @Test func `only data that arrives of a download takes the sign away`() throws {
    let file = DownloadedFile(
      address: try #require(FileAddress(path: "/videos/a.mp4".utf8)), byteCount: 7, time: UnixTime(seconds: 5))
    let states: [(DownloadState?, Bool)] = [
      (.waiting, false), (.running(DownloadProgress(byteCount: 0)), false), (.stalled(failure), false), (nil, false),
      (.failed(failure), false), (.running(DownloadProgress(byteCount: 9, interruption: "no answer")), false),
      (.running(DownloadProgress(byteCount: 9)), true), (.done(file), true),
    ]
    for (state, ends) in states {
      var scenario = Scenario.of("films.example", isLocal: false, width: 160)
      scenario.answerRecall(0, sampleVideos(3))
      scenario.fail(0, failure)
      #expect(scenario.status.contains(words))
      scenario.handle(.downloadChanged(VideoKey(sampleVideo(0)), state))
      scenario.endWaits()
      #expect(scenario.status.contains(words) != ends, "\(String(describing: state))")
    }
  }

  @Test func `a cover that a server refuses is no missing network`() {
    var scenario = showingCovers(1)
    fail(FeedFailure(.permanent, "the server answered 404 Not Found"), &scenario)
    #expect(!scenario.status.contains(words))
  }

  @Test func `the offline indicator is shown with cached pages in any order`() {
    for isPageFirst in [true, false] {
      var scenario = Scenario.of("films.example", isLocal: false, width: 120)
      if isPageFirst { scenario.answerRecall(0, sampleVideos(5)) }
      scenario.fail(0, failure)
      if !isPageFirst { scenario.answerRecall(0, sampleVideos(5)) }
      #expect(scenario.status.contains(words))
    }
  }

  @Test func `a wrong address among sources that answer is no missing network`() {
    var scenario = Scenario.of("a", "b", isLocal: false)
    scenario.answer(0, sampleVideos(5))
    scenario.fail(1, failure)
    #expect(!scenario.status.contains(words))
  }

  @Test func `a wrong address beside a local folder is no missing network of the folder`() {
    let sources = [
      SourceSettings(name: "folder", isLocal: true), SourceSettings(name: "films.example", isLocal: false),
    ]
    var scenario = Scenario(AppSettings(sources: sources), width: 120)
    scenario.answer(0, sampleVideos(5))
    scenario.type("2")
    scenario.fail(1, failure)
    #expect(!scenario.status.contains(words))
  }

  @Test func `the offline indicator is shown only once all servers are unreachable`() {
    for isOffline in [true, false] {
      var scenario = Scenario.of("a", "b", isLocal: false, width: 120)
      scenario.answerRecall(0, sampleVideos(5))
      scenario.fail(0, failure)
      #expect(!scenario.status.contains(words))
      scenario.fail(1, isOffline ? failure : FeedFailure(.permanent, "the server answered 404 Not Found"))
      #expect(scenario.status.contains(words) == isOffline)
    }
  }
}
