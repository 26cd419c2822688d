import FeedfallFeeds
import FeedfallLoading
import FeedfallText
import WaterfallEngine

/// The messages of the status line and of empty screens.
enum Messages {
  private static let scrollKeys =
    "\(HelpCommand.keymap.keyName(for: .scrollDown)) \(HelpCommand.keymap.keyName(for: .scrollUp))"
  static let helpFoot =
    "\(scrollKeys) scroll · \(HelpCommand.keymap.keyName(for: .filter)) filter · \(HelpCommand.keymap.keyName(for: .close)) close"
  static let empty = "No videos. \(press(retryKey)) to reload."
  static let noActiveSearch = "No active search. \(press(CardsCommand.keymap.keyName(for: .search))) to search titles."
  static let refreshedJustNow = "Refreshed just now"
  static let noPage =
    "This video has no page. \(press(BrowseCommand.keymap.keyName(for: .copyPlaybackAddress))) to copy its playback address."
  static let dismissalKey = "\(AlertCommand.keymap.keyName(for: .dismiss)) dismisses."
  static let alertKeys = "\(press(AlertCommand.keymap.keyName(for: .retry))) to retry. \(dismissalKey)"

  static var retryKey: String { BrowseCommand.keymap.keyName(for: .refreshOrRetry) }

  static func press(_ key: String) -> String { "Press \(key)" }

  static func tooSmall(_ size: Size) -> String { "feedfall needs \(size.width)×\(size.height)" }

  static func noMatch(for needle: String) -> String { "No match for “\(needle)”" }

  static func position(_ number: Int, of count: Int) -> String { "\(number) of \(count)" }

  static func layout(_ layout: LayoutKind) -> String { "Layout: \(layout.rawValue)" }

  static func noAddress(_ kind: AddressKind) -> String { "This video has no \(kind.rawValue) address" }

  static func copied(_ kind: AddressKind, _ address: MediaAddress) -> String {
    "Copied the \(kind.rawValue) address: \(address)"
  }

  static func noClipboard(_ kind: AddressKind, _ address: MediaAddress) -> String {
    "This terminal has no clipboard support. \(sentence(kind.rawValue)): \(address)"
  }

  static func noBrowser(_ page: WebAddress, isCopied: Bool) -> String {
    isCopied
      ? "Could not start a browser. Copied the page address: \(page)" : "Could not start a browser. Page: \(page)"
  }

  static func opened(_ page: WebAddress) -> String { "Opened in the browser: \(page)" }

  static func requestingAddress(of title: String) -> String { "Looking up the playback address of “\(title)”…" }

  /// Returns the text with its first letter in upper case.
  static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

/// The keys in the status line, the most useful last.
enum HintWords {
  private static let help = "\(GlobalCommand.keymap.keyName(for: .showHelp)) help"
  private static let play = "\(BrowseCommand.keymap.keyName(for: .play)) play"

  static let cards = [
    "\(CardsCommand.keymap.keyName(for: .openDetails)) details", play,
    "\(CardsCommand.keymap.keyName(for: .search)) search", help,
  ]
  static let details = [
    "\(BrowseCommand.keymap.keyName(for: .copyPlaybackAddress)) copy address", play,
    "\(DetailsCommand.keymap.keyName(for: .close)) back", help,
  ]
  static let player = [
    "\(PlayerCommand.keymap.keyName(for: .toggleFullWindow)) full window",
    "\(PlayerCommand.keymap.keyName(for: .control(.togglePause))) pause",
    "\(PlayerCommand.keymap.keyName(for: .stop)) stop", help,
  ]
}

/// An address of a video that can be copied.
enum AddressKind: String, Sendable { case playback, cover }

/// The messages while a server asks to wait.
enum HoldWords {
  static func text(for loader: FeedLoader) -> String? {
    switch loader.phase {
    case .holding(_, _, let time): continues(after: time)
    case .failed(_, _, .some(let hold), _): retry(key: Messages.retryKey, after: hold.duration)
    case .resting, .debouncing, .loading, .failed: nil
    }
  }

  static func continues(after time: Duration) -> String {
    "The server asked to wait \(TextFormat.wait(time)). Loading continues by itself."
  }

  static func retry(key: String, after time: Duration) -> String {
    "The server asked to wait \(TextFormat.wait(time)). Then press \(key) to retry."
  }
}

enum HeaderWords {
  /// `age` is the number of seconds since the last update, if it is known.
  static func text(for state: RefreshState, spinner: String, age: Int?) -> String {
    let updated = age.map { " · updated \(AgeWords.ago($0))" } ?? ""
    return switch state {
    case .idle: "↓ pull to refresh\(updated)"
    case .pulling: "↑ release to refresh\(updated)"
    case .willRefresh: "refreshing in a moment"
    case .refreshing: "\(spinner) refreshing…"
    case .holding(let time): HoldWords.continues(after: time)
    case .failed(hold: nil): "Loading failed. \(Messages.press(Messages.retryKey)) to retry."
    case .failed(let time?): HoldWords.retry(key: Messages.retryKey, after: time)
    case .noMoreData: ""
    }
  }
}

enum FooterWords {
  private static var key: String { CardsCommand.keymap.keyName(for: .loadMore) }

  static func text(for state: RefreshState, spinner: String, count: Int) -> String {
    switch state {
    case .idle, .pulling: "press \(key) to load more"
    case .willRefresh: "loading more in a moment"
    case .refreshing: "\(spinner) loading more…"
    case .holding(let time): HoldWords.continues(after: time)
    case .noMoreData(let reason): end(reason, count: count)
    case .failed(hold: nil): "Loading failed. Press \(key) to retry."
    case .failed(let time?): HoldWords.retry(key: key, after: time)
    }
  }

  static func end(_ reason: EndReason, count: Int) -> String {
    switch reason {
    case .lastPage: count == 1 ? "the only video is shown" : "all \(count) videos are shown"
    case .nothingNew: "no further videos; \(count) are shown"
    }
  }
}

/// The alert: what failed, why, and what to do.
enum AlertWords {
  private static let maximumNames = 4

  /// Several failures at once are reported by the names of their sources.
  static func text(for sources: ArraySlice<SourceFeed>, isNamed: Bool) -> String? {
    let failed = sources.filter { $0.loader.shownFailure != nil }
    guard let first = failed.first else { return nil }
    if failed.count == 1 { return text(for: first.loader).map { isNamed ? "\(first.name): \($0)" : $0 } }
    let named = failed.prefix(maximumNames).map(\.name).joined(separator: ", ")
    let others = failed.count > maximumNames ? " and \(failed.count - maximumNames) more" : ""
    return "\(named)\(others): loading failed. \(Messages.alertKeys)"
  }

  private static func text(for loader: FeedLoader) -> String? {
    guard let failure = loader.shownFailure else { return nil }
    let (subject, why) = (name(of: failure.request.cursor), failure.failure)
    let hold = failure.hold.map { "The server asked to wait \(TextFormat.wait($0.duration)). " } ?? ""
    let advice = failure.hold == nil ? why.advice.map { "\(Messages.sentence($0)). " } ?? "" : ""
    return "Could not load \(subject): \(why.reason). \(hold)\(advice)\(Messages.alertKeys)"
  }

  private static func name(of cursor: FeedCursor) -> String {
    switch cursor {
    case .start: "the first page"
    case .page, .offset, .item: cursor.name
    case .address: "the next page"
    }
  }
}

enum NewsWords {
  static func text(_ count: Int) -> String { count == 0 ? "Nothing new" : "\(TextFormat.count(count)) new" }
}

enum AgeWords {
  static func ago(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: "a moment ago"
    case ..<7_200: "\(seconds / 60) min ago"
    case ..<172_800: "\(seconds / 3_600) h ago"
    default: "\(seconds / 86_400) days ago"
    }
  }
}

/// The messages about requests for details and covers.
enum DetailsWords {
  static func note(_ failure: FeedFailure) -> String {
    "Could not load the details: \(text(failure, key: Messages.retryKey))"
  }

  static func coverNote(_ failure: FeedFailure) -> String { "Cover: \(failure.reason)" }

  static func pending(spinner: String) -> String { "\(spinner) loading the details…" }

  static func message(_ failure: FeedFailure, for sequel: DetailsRequest.Sequel) -> String? {
    guard let command: BrowseCommand = sequel == .show ? nil : sequel == .play ? .play : .copyPlaybackAddress else {
      return nil
    }
    let key = BrowseCommand.keymap.keyName(for: command)
    return "Could not load the playback address: \(text(failure, key: key))"
  }

  private static func text(_ failure: FeedFailure, key: String) -> String {
    if case .wait(let seconds) = failure.kind {
      return "\(failure.reason). Press \(key) to retry after \(TextFormat.wait(.seconds(seconds)))."
    }
    let advice = failure.advice.map { " \(Messages.sentence($0))." } ?? ""
    return "\(failure.reason).\(advice) Press \(key) to retry."
  }
}
