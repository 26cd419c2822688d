import Loading
import VideoFeed

/// What the header says in each of its states.
enum HeaderWords {
  static func text(for state: RefreshState, spinner: String) -> String {
    switch state {
    case .idle: "↓ pull to refresh"
    case .pulling: "↑ release to refresh"
    case .willRefresh: "refreshing in a moment"
    case .refreshing: "\(spinner) refreshing…"
    case .holding(let time): "\(spinner) the server asks to wait \(TextFormat.wait(time))"
    case .noMoreData, .failed: ""
    }
  }
}

/// What the footer says in each of its states.
enum FooterWords {
  static func text(for state: RefreshState, spinner: String, count: Int) -> String {
    switch state {
    case .idle, .pulling: "m loads more"
    case .willRefresh: "loading more in a moment"
    case .refreshing: "\(spinner) loading more…"
    case .holding(let time): "\(spinner) the server asks to wait \(TextFormat.wait(time))"
    case .noMoreData(let reason): end(reason, count: count)
    case .failed: "loading more failed; m tries again"
    }
  }

  static func end(_ reason: EndReason, count: Int) -> String {
    switch reason {
    case .lastPage: count == 1 ? "the only video is shown" : "all \(count) videos are shown"
    case .nothingNew: "no new videos came; \(count) are shown"
    }
  }
}

/// What an alert says: what could not be done, why, and what to do.
enum AlertWords {
  static func text(for loader: AppState.FeedLoader) -> String? {
    guard let failure = loader.shownFailure else { return nil }
    let what = TextFormat.page(at: failure.request.cursor)
    switch failure.failure {
    case .timedOut(let time):
      return "\(what): no answer in \(TextFormat.wait(time)); r tries again, Esc dismisses"
    case .failed(let why):
      let advice = why.advice.map { "\($0); " } ?? ""
      if let hold = failure.hold {
        return "\(what): \(why.reason), which asks to wait \(TextFormat.wait(hold.duration)); r asks again after that"
      }
      return "\(what): \(why.reason); \(advice)r tries again, Esc dismisses"
    }
  }
}

/// What is said after a player has gone.
enum PlayerWords {
  static func message(for outcome: PlayerOutcome) -> String? {
    switch outcome {
    case .played: nil
    case .missing: "mpv is needed to play and is not installed: apt install mpv; y copies the address"
    case .failed(let status): "mpv could not play it (status \(status)); y copies the address, o opens the page"
    }
  }
}
