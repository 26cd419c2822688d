import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// The requests of each key. A cached page costs none.
@Suite(.hangLimit) struct RequestEffectTests {
  /// A video of PeerTube without details, one of YouTube, a channel, and a video with a channel come first.
  private static let videos: [Video] = {
    var videos = [sampleVideoWithoutDetails(0)] + sampleVideos(199, from: 1)
    // No program looks for known lengths.
    for index in videos.indices { videos[index].duration = .seconds(60) }
    videos[0].pageURL = WebAddress("https://tube.example/w/9c9de5e8-0a1e-484a-b099-e80766180a6d")
    videos[1].pageURL = WebAddress("https://www.youtube.com/watch?v=video-1-abc")
    let channel = WebAddress("https://video.example/c/talks")
    videos[2].playback = channel.map { .list(ListLink(.channel, .web($0))) } ?? .unknown
    videos[3].channelURL = channel
    return videos
  }()

  /// One below the other, with a further page, and with the user's wish for segments and titles.
  private var showing: Scenario {
    var settings = AppSettings(sources: [SourceSettings(name: "films.example", isLocal: true)])
    (settings.requestsSegments, settings.requestsTitles, settings.layout) = (true, true, .list)
    var scenario = Scenario(settings, width: 100, height: 24)
    scenario.answer(FeedPage(videos: Self.videos, next: .page(1)))
    return scenario
  }

  private func requests(_ scenario: Scenario, since count: Int) -> [String] {
    scenario.effects.dropFirst(count).compactMap {
      switch $0 {
      case .requestPage(_, _, .onlyIfCached, _): nil
      case .requestPage(let source, let cursor, _, _): "\(cursor == .start ? "first" : "next") page of \(source.number)"
      case .requestDetails(_, let video, _): "details of \(video.id)"
      case .requestSegments(let video, _): "segments of \(video)"
      case .requestTitles(let prefix, _): "titles of \(prefix)"
      case .requestCover(let request, _): "cover \(request.addresses.first?.text ?? "")"
      default: nil
      }
    }
  }

  /// Types keys and returns their requests.
  private func cost(_ keys: String, _ scenario: Scenario) -> [String] {
    requests(scenario.typing(keys), since: scenario.effects.count)
  }

  @Test(arguments: ["<Enter>", "<Enter><Esc>", "<Enter>l", "<Enter>gl", "gl", "gr", "y", "yy", "y<Enter>", " ", "d"])
  func `the details of a video are requested once, whatever needs them`(keys: String) {
    #expect(cost(keys, showing) == ["details of film-0"])
  }

  @Test(arguments: ["q<Enter>", "lh", "gl", "gr", "y", " ", "d", "c"])
  func `known details are not requested again`(keys: String) {
    var scenario = showing.typing("<Enter>")
    scenario.answerDetails(.success(sampleVideo(0)))
    #expect(cost(keys, scenario) == [])
  }

  @Test(arguments: ["j<Enter>", "jgl", "jgr", "jy", "j", "w", "J", "K", "x", "*", "a", "t", "v", "?", "gg", "2"])
  func `keys that need nothing from a server send no request`(keys: String) {
    #expect(cost(keys, showing) == [])
  }

  @Test(arguments: ["j ", "j  ", "j ,"]) func `playing requests the segments of a video once`(keys: String) {
    #expect(cost(keys, showing) == ["segments of video-1-abc"])
  }

  @Test(arguments: [
    "jj<Enter>", "jj ", "jj<Enter><BS>", "jj<Enter><BS><Enter>", "jj<Enter>1", "jjjc", "jjjgc", "jjjgr", "jjjc<BS>c",
    "scats<Enter>", "scats<Enter><BS>", "scats<Enter>1scats<Enter>", ":films.example/feed<Enter>",
  ])
  func `a list, a channel and a search cost one page, once`(keys: String) {
    #expect(cost(keys, showing) == ["first page of 1"])
  }

  @Test func `a search everywhere costs one page of each service, once`() {
    let pages = (1...6).map { "first page of \($0)" }
    #expect(cost(":search everywhere cats<Enter>", showing) == pages)
    #expect(cost(":search everywhere cats<Enter><BS>:search everywhere cats<Enter>", showing) == pages)
  }

  @Test(arguments: [("r", "first"), ("rr", "first"), ("m", "next"), ("mm", "next")])
  func `refreshing and loading more cost one page, however often the key is pressed`(keys: String, page: String) {
    #expect(cost(keys, showing) == ["\(page) page of 0"])
  }

  @Test func `the titles of the visible videos cost one request for each start of a hash`() {
    var scenario = showing
    let count = scenario.effects.count
    for case .titles(let ticket) in scenario.openWaits { scenario.end(.titles(ticket)) }
    #expect(requests(scenario, since: count) == ["titles of \(SponsorBlock.hashPrefix(of: "video-1-abc"))"])
    #expect(cost("j<Enter>q", scenario) == [])
  }

  @Test func `details that are opened again request no cover`() {
    var scenario = Scenario.showing([], width: 120, height: 40)
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    scenario.type("r")
    scenario.answer(FeedPage(videos: sampleVideos(3)))
    func settle(_ keys: String) -> [String] {
      let count = scenario.effects.count
      scenario.type(keys)
      scenario.rest()
      while !scenario.awaitedCovers.isEmpty { scenario.answerCover() }
      return requests(scenario, since: count)
    }
    _ = settle("")
    #expect(settle("<Enter>").contains("cover https://films.example/0.jpg"))
    _ = settle("q")
    #expect(settle("<Enter>") == [])
    #expect(settle("q") == [])
  }
}
