import FeedfallFeeds
import FeedfallLoading
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The messages of the status line and of empty screens.
enum Messages {
  static let empty = "No videos. \(press(retryKey)) to reload."
  static let noActiveSearch = "No active search. \(press(CardsCommand.keymap.keyName(for: .search))) to search titles."
  static let loading = "Loading…"
  static let refreshFailed = "refresh failed"
  static let noMatch = "No match"
  static let offline = "Offline: covers and films need the network"
  static let searchLabel = "Search"
  static let filterLabel = "Filter"
  static let refreshedJustNow = "Refreshed just now"
  static let noPage =
    "This video has no page. \(press(BrowseCommand.keymap.keyName(for: .copyPlaybackAddress))) to copy its playback address."

  static var retryKey: String { BrowseCommand.keymap.keyName(for: .refreshOrRetry) }

  static func press(_ key: String) -> String { "Press \(key)" }

  static func tooSmall(_ size: Size) -> String { "feedfall needs \(size.width)×\(size.height)" }

  static func noMatch(for needle: String) -> String { "No match for “\(needle)”" }

  static func noMatch(among count: Int) -> String {
    "No match among \(TextFormat.count(count)) videos. "
      + "\(press(CardsCommand.keymap.keyName(for: .filter))) to change the filter."
  }

  static func count(_ count: Int, of total: Int) -> String {
    "\(TextFormat.count(count)) of \(TextFormat.count(total))"
  }

  static func filter(_ text: String) -> String { "\(filterLabel.lowercased()) “\(truncated(text, width: 40))”" }

  static func order(_ name: String) -> String { "Order: \(name)" }

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
  private static let showHelp = GlobalCommand.keymap.hint("help", for: .showHelp)
  private static let play = BrowseCommand.keymap.hint("play", for: .play)

  static let cards =
    CardsCommand.keymap.hint("details", for: .openDetails) + play + CardsCommand.keymap.hint("search", for: .search)
    + showHelp
  static let details =
    BrowseCommand.keymap.hint("copy address", for: .copyPlaybackAddress) + play
    + DetailsCommand.keymap.hint("back", for: .close) + showHelp
  static let player =
    PlayerCommand.keymap.hint("full window", for: .toggleFullWindow)
    + PlayerCommand.keymap.hint("pause", for: .control(.togglePause))
    + PlayerCommand.keymap.hint("stop", for: .stop) + showHelp
  static let retry = FailureCommand.keymap.hint("retry", for: .retry)
  static let failure = retry + FailureCommand.keymap.hint("dismiss", for: .dismiss)
  static let prompt =
    PromptCommand.keymap.hint("keep", for: .accept) + PromptCommand.keymap.hint("cancel", for: .cancel)
  static let help =
    HelpCommand.keymap.hint("page down", for: .pageDown)
    + HelpCommand.keymap.hint("filter", for: .filter) + HelpCommand.keymap.hint("close", for: .close)
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
    "Loading continues in \(TextFormat.wait(time)), as the server asked."
  }

  static func retry(key: String, after time: Duration) -> String {
    "Wait \(TextFormat.wait(time)) for the server, then press \(key)."
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

  /// After a filter has searched many pages.
  static func searched(_ count: Int) -> String { "searched \(TextFormat.count(count)) videos; \(key) continues" }

  static func end(_ reason: EndReason, count: Int) -> String {
    switch reason {
    case .lastPage: count == 1 ? "the only video is shown" : "all \(count) videos are shown"
    case .nothingNew: "no further videos; \(count) are shown"
    }
  }
}

/// The failure of a tab's sources.
enum FailureWords {
  private static let maximumNames = 4
  private static let nameWidth = 30

  /// Several failures at once are reported by the names of their sources. `isNamed`: whether one is as well.
  static func text(for sources: ArraySlice<SourceFeed>, isNamed: Bool) -> FailureText? {
    let failed = sources.filter { $0.loader.shownFailure != nil }
    guard let first = failed.first else { return nil }
    if failed.count == 1 { return text(for: first, isNamed: isNamed) }
    let named = failed.prefix(maximumNames).map { truncated($0.name, width: nameWidth) }.joined(separator: ", ")
    let others = failed.count > maximumNames ? " and \(failed.count - maximumNames) more" : ""
    return FailureText(what: "Could not load \(failed.count) of \(sources.count) sources", why: named + others)
  }

  private static func text(for source: SourceFeed, isNamed: Bool) -> FailureText? {
    guard let failure = source.loader.shownFailure else { return nil }
    let page = name(of: failure.request.cursor)
    let subject = isNamed ? "\(page) of \(truncated(source.name, width: nameWidth))" : page
    return FailureText(
      what: "Could not load \(subject)", why: failure.failure.reason,
      advice: advice(failure.failure, failure.hold?.duration))
  }

  static func text(for failed: FailedAddress, title: String) -> FailureText {
    let hold: Duration? = if case .wait(let seconds) = failed.failure.kind { .seconds(seconds) } else { nil }
    return FailureText(
      what: "Could not load the playback address of “\(truncated(title, width: nameWidth))”",
      why: failed.failure.reason, advice: advice(failed.failure, hold))
  }

  private static func advice(_ failure: FeedFailure, _ hold: Duration?) -> String? {
    hold.map { "The server asked to wait \(TextFormat.wait($0))." }
      ?? failure.advice.map { "\(Messages.sentence($0))." }
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

  static func coverNote(_ failure: FeedFailure) -> String {
    "Could not load the cover: \(text(failure, key: Messages.retryKey))"
  }

  static func pending(spinner: String) -> String { "\(spinner) loading the details…" }

  static func message(_ failed: FailedAddress) -> String {
    let key = BrowseCommand.keymap.keyName(for: failed.sequel == .play ? .play : .copyPlaybackAddress)
    return "Could not load the playback address: \(text(failed.failure, key: key))"
  }

  private static func text(_ failure: FeedFailure, key: String) -> String {
    if case .wait(let seconds) = failure.kind {
      return "\(failure.reason). Press \(key) to retry after \(TextFormat.wait(.seconds(seconds)))."
    }
    let advice = failure.advice.map { " \(Messages.sentence($0))." } ?? ""
    return "\(failure.reason).\(advice) Press \(key) to retry."
  }
}
