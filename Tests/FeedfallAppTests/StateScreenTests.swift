import FeedfallApp
import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

/// Every state of the program at three sizes without colors, and at one size with colors.
@Suite(.hangLimit) struct StateScreenTests {
  enum State: String, CaseIterable {
    case firstStart = "first-start"
    case firstLoad = "first-load"
    case offline
    case waterfall, grid, list, carousel
    case details, help, search
    case oneFailed = "one-failed-of-five"
    case playerInPane = "player-pane"
    case playerInWindow = "player-window"
    case miniBar = "mini-bar"
  }

  @Test(arguments: State.allCases)
  func `each state with colors matches its golden file`(state: State) {
    Golden.expect("states/\(state.rawValue)-80x24", scenario(state, 80, 24).state.draw())
  }

  @Test(arguments: State.allCases, [(40, 15), (80, 24), (200, 50)])
  func `each state without colors matches its golden file at each size`(state: State, size: (Int, Int)) {
    var scenario = scenario(state, size.0, size.1)
    scenario.handle(.coverStyleChanged(.initials))
    Golden.expect("states/\(state.rawValue)-\(size.0)x\(size.1)-no-color", scenario.state.draw())
  }

  private func scenario(_ state: State, _ width: Int, _ height: Int) -> Scenario {
    switch state {
    case .firstStart: showing(width, height)
    case .firstLoad: Scenario(width: width, height: height)
    case .offline: offline(width, height)
    case .waterfall: showing(width, height).typing("jl")
    case .grid: showing(width, height, .grid).typing("jl")
    case .list: showing(width, height, .list).typing("jj")
    case .carousel: showing(width, height, .carousel).typing("ll")
    case .details: showing(width, height).typing("j<Enter>")
    case .help: showing(width, height).typing("?")
    case .search: showing(width, height).typing("/the")
    case .oneFailed: oneFailed(width, height)
    case .playerInPane: playing(width, height)
    case .playerInWindow: playing(width, height).typing("f")
    case .miniBar: playing(width, height).typing("<Enter>j")
    }
  }

  private func showing(_ width: Int, _ height: Int, _ layout: LayoutKind = .waterfall) -> Scenario {
    .showing(next: .page(1), total: 340, width: width, height: height, layout: layout)
  }

  private func offline(_ width: Int, _ height: Int) -> Scenario {
    var scenario = Scenario(width: width, height: height)
    scenario.fail(FeedFailure(.temporary, "the address of films.example could not be resolved"))
    return scenario
  }

  private func oneFailed(_ width: Int, _ height: Int) -> Scenario {
    var scenario = Scenario.of(
      "Field Notes", "Slow Makers", "North Light", "Open Lectures", "Talks", width: width, height: height)
    for source in 0..<4 {
      // Other videos that look the same.
      scenario.answer(
        source,
        sampleVideos(5).map { video in
          var video = video
          if source > 0 { video.id += " \(source)" }
          return video
        })
    }
    scenario.fail(4)
    return scenario
  }

  private func playing(_ width: Int, _ height: Int) -> Scenario {
    var scenario = showing(width, height).typing(" ")
    scenario.report(
      .ready, .pictureSize(Size(width: 640, height: 360)), .duration(seconds: 5_000), .time(seconds: 1_207),
      .buffered(until: 3_000))
    return scenario
  }
}
