import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

/// The program's state in its first hour: the user types, and the player reports.
struct Hour {
  private(set) var state: AppState
  private(set) var effects: [AppEffect] = []
  /// In milliseconds since 1970.
  var now = 1_700_000_000_000

  /// Films that are loaded at once. Those whose numbers are in `unresolved` have no address before their details
  /// arrive.
  init(films: Int = 6, unresolved: Set<Int> = [], width: Int = 100, height: Int = 30, isCatalogue: Bool = false) throws
  {
    var source = SourceSettings(name: "films.example", isLocal: isCatalogue)
    source.isCatalogue = isCatalogue
    state = AppState(settings: AppSettings(sources: [source]))
    handle(.screenChanged(Size(width: width, height: height), cellSize: Size(width: 8, height: 16)))
    handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    handle(.started)
    try answer(FeedPage(videos: (0..<films).map { Self.film($0, isResolved: !unresolved.contains($0)) }))
  }

  static func film(_ number: Int, isResolved: Bool = true) -> Video {
    let file = WebAddress("http://127.0.0.1/\(number).mp4").map { Playback.direct([MediaFile(url: $0)]) }
    let details = WebAddress("http://127.0.0.1/\(number).json").map { Playback.details($0, page: nil) }
    var video = Video(id: "\(number)", title: "Film \(number)", playback: (isResolved ? file : details) ?? .unknown)
    video.covers = WebAddress("http://127.0.0.1/\(number).jpg").map { [Cover(url: $0)] } ?? []
    return video
  }

  mutating func handle(_ event: AppEvent) { effects += state.handle(event, at: now) }

  mutating func type(_ script: String) throws {
    for key in try keys(typed: script) { handle(.input(.key(key))) }
  }

  func typing(_ script: String) throws -> Hour {
    var copy = self
    try copy.type(script)
    return copy
  }

  /// Answers the last request for a page.
  mutating func answer(_ page: FeedPage) throws {
    guard case .requestPage(_, _, _, let ticket)? = effects.last(where: Self.requestsPage) else {
      throw TestFailure("no page was requested")
    }
    handle(.pageArrived(ticket, page, at: UnixTime(seconds: now / 1_000)))
  }

  /// Fails the last request for a page.
  mutating func fail(_ failure: FeedFailure) throws {
    guard case .requestPage(_, _, _, let ticket)? = effects.last(where: Self.requestsPage) else {
      throw TestFailure("no page was requested")
    }
    handle(.pageFailed(ticket, failure))
  }

  private static func requestsPage(_ effect: AppEffect) -> Bool {
    if case .requestPage(_, _, let use, _) = effect { use != .onlyIfCached } else { false }
  }

  mutating func failCovers(_ failure: FeedFailure) {
    for case .requestCover(_, let ticket) in effects { handle(.coverFailed(ticket, failure)) }
  }

  mutating func report(_ events: PlayEvent...) {
    let ids = effects.compactMap { if case .player(.load(let request)) = $0 { request.id } else { nil } }
    for event in events { if let id = ids.last { handle(.player(.event(id, event))) } }
  }

  mutating func playToEnd() {
    report(.ready, .length(.stated(100)), .time(seconds: 99.9), .ended(.reachedEnd))
  }

  /// The titles of the films that were played.
  var played: [String] {
    effects.compactMap { if case .player(.load(let request)) = $0 { request.title } else { nil } }
  }

  var hasQuit: Bool { effects.contains(.quit) }
  var screen: String { state.draw().text }
  var settings: PlaySettings { state.playback.screen.session.settings }

  func shows(_ text: String) -> Bool { screen.contains(text) }

  static var offline: FeedFailure {
    var failure = FeedFailure(.temporary, "the name films.example was not found")
    failure.isOffline = true
    return failure
  }
}

/// Runs the program with a typed script in a window and returns the screen.
func render(_ script: String, size: String = "80x24", environment: [String: String] = [:]) async throws -> String {
  let outcome = try await run(
    Feedfall.path, ["render", "--size", size, "--keys", script],
    environment: ["http_proxy": "http://127.0.0.1:1", "https_proxy": "http://127.0.0.1:1"].merging(environment) { $1 })
  #expect(outcome.status == 0, "\(outcome.errors)")
  return outcome.output
}
