import FeedfallFeeds
import FeedfallLoading
import FeedfallText

/// What is said while a server wants to be left alone.
enum HoldWords {
  /// The start of a line; a message begins with a capital letter.
  static func text(for loader: AppState.FeedLoader) -> String? {
    switch loader.phase {
    case .holding(_, _, let time): "The " + goesOn(after: time)
    case .failed(_, _, .some(let hold), _): "The " + asksAgain(key: "r", after: hold.duration)
    case .resting, .debouncing, .loading, .failed: nil
    }
  }

  static func goesOn(after time: Duration) -> String {
    "server asks to wait \(TextFormat.wait(time)); then it goes on by itself"
  }

  static func asksAgain(key: String, after time: Duration) -> String {
    "server asks to wait \(TextFormat.wait(time)); \(key) asks again after that"
  }
}

/// What the header says in each of its states.
enum HeaderWords {
  static func text(for state: RefreshState, spinner: String) -> String {
    switch state {
    case .idle: "↓ pull to refresh"
    case .pulling: "↑ release to refresh"
    case .willRefresh: "refreshing in a moment"
    case .refreshing: "\(spinner) refreshing…"
    case .holding(let time): "the " + HoldWords.goesOn(after: time)
    case .failed(hold: nil): "loading failed; r tries again"
    case .failed(let time?): "the " + HoldWords.asksAgain(key: "r", after: time)
    case .noMoreData: ""
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
    case .holding(let time): "the " + HoldWords.goesOn(after: time)
    case .noMoreData(let reason): end(reason, count: count)
    case .failed(hold: nil): "loading failed; m tries again"
    case .failed(let time?): "the " + HoldWords.asksAgain(key: "m", after: time)
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
  /// With several failures at once only whose they are.
  static func text(for sources: ArraySlice<SourceFeed>, isNamed: Bool) -> String? {
    let failed = sources.filter { $0.loader.shownFailure != nil }
    guard let first = failed.first else { return nil }
    if failed.count == 1 { return text(for: first.loader).map { isNamed ? "\(first.name): \($0)" : $0 } }
    let named = failed.prefix(maximumNames).map(\.name).joined(separator: ", ")
    let others = failed.count > maximumNames ? " and \(failed.count - maximumNames) more" : ""
    return "\(named)\(others): loading failed; r tries these again, Esc dismisses"
  }

  private static let maximumNames = 4

  private static func text(for loader: AppState.FeedLoader) -> String? {
    guard let failure = loader.shownFailure else { return nil }
    let what = failure.request.cursor.name
    switch failure.failure {
    case .timedOut(let time):
      return "\(what): no answer in \(TextFormat.wait(time)); r tries again, Esc dismisses"
    case .failed(let why):
      let advice = why.advice.map { "\($0); " } ?? ""
      if let hold = failure.hold {
        let wait = TextFormat.wait(hold.duration)
        return "\(what): \(why.reason); it asks to wait \(wait); r asks again after that, Esc dismisses"
      }
      return "\(what): \(why.reason); \(advice)r tries again, Esc dismisses"
    }
  }
}

/// What is said of videos that came with a refresh.
enum NewsWords {
  static func text(_ count: Int) -> String { count == 0 ? "Nothing new" : "\(TextFormat.count(count)) new" }
}

/// How old is what is shown.
enum AgeWords {
  static func text(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: "from a moment ago"
    case ..<7_200: "\(seconds / 60) min old"
    case ..<172_800: "\(seconds / 3_600) h old"
    default: "\(seconds / 86_400) days old"
    }
  }
}

/// What is said of the request that completes a video.
enum DetailsWords {
  /// In the pane, in the place of what is missing.
  static func note(_ failure: FeedFailure) -> String {
    "The rest could not be had: \(why(failure)); r tries again"
  }

  static func note(whileHeld time: Duration) -> String { "The rest is not there: the " + HoldWords.goesOn(after: time) }

  /// In the status line, in the place of what was to be done.
  static func message(_ failure: FeedFailure, for sequel: DetailsRequest.Sequel) -> String? {
    switch sequel {
    case .show: nil
    case .play: "Playback address: \(why(failure)); space tries again"
    case .copy: "Playback address: \(why(failure)); y tries again"
    }
  }

  private static func why(_ failure: FeedFailure) -> String {
    if case .wait(let seconds) = failure.kind {
      return "\(failure.reason); it asks to wait \(TextFormat.wait(.seconds(seconds)))"
    }
    return failure.advice.map { "\(failure.reason); \($0)" } ?? failure.reason
  }
}
