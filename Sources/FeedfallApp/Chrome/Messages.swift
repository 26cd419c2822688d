import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

enum Messages {
  static let empty = "No videos. \(press(retryKey)) to refresh."
  static let noActiveSearch = "No active search. \(press(Keymaps.standard.name(of: .cards(.search)))) to search titles."
  static let loading = "Loading…"
  static let refreshFailed = "refresh failed"
  static let noMatch = "No match"
  static func offline(for seconds: Int?) -> String {
    switch seconds ?? 0 {
    case ..<60: "offline"
    case let seconds where seconds < 7_200: "offline for \(seconds / 60) min"
    case let seconds: "offline for \(seconds / 3_600) h"
    }
  }

  static func askToQuit(_ reason: AppState.QuitGuard.Reason) -> String {
    let again = "\(press(Keymaps.standard.name(of: .global(.quit)))) again to quit."
    return switch reason {
    case .playing: "A video is playing. \(again)"
    case .downloads(1): "1 download is running and resumes at the next start. \(again)"
    case .downloads(let count): "\(count) downloads are running and resume at the next start. \(again)"
    case .closedScreen: again
    }
  }
  static let searchLabel = "Search"
  static let filterLabel = "Filter"
  static let refreshedJustNow = "Refreshed just now"
  static let noPage =
    "This video has no page. \(press(Keymaps.standard.name(of: .browse(.copyPlaybackAddress)))) to copy its playback address."

  static var retryKey: String { Keymaps.standard.name(of: .browse(.refreshOrRetry)) }

  static var promptNeedsCards: String {
    "The details cover the cards. \(press(Keymaps.standard.name(of: .details(.close)))) to close them first."
  }

  static var promptNeedsWindow: String {
    "The full window covers the cards. \(press(Keymaps.standard.name(of: .player(.toggleFullWindow)))) to leave it first."
  }

  static func press(_ key: String) -> String { "Press \(key)" }

  static func unbound(_ key: String, help: String) -> String {
    "No command has the keys \(key). \(press(help)) for all keys."
  }

  static func tooSmall(_ needed: Size, width: Int, _ widths: TextWidths) -> String {
    let text = "needs \(needed.width)×\(needed.height)"
    return widths.width(of: "feedfall \(text)") <= width ? "feedfall \(text)" : text
  }

  static func noMatch(for needle: String) -> String { "No match for “\(needle)”" }

  static func noMatch(among count: Int, isTyped: Bool, hint: String?) -> String {
    let hint = hint.map { " \($0)" } ?? ""
    let advice = isTyped ? "" : " \(press(Keymaps.standard.name(of: .cards(.filter)))) to change the filter."
    return "No match among \(TextFormat.count(count)) videos.\(hint)\(advice)"
  }

  static func count(_ count: Int, of total: Int) -> String {
    "\(TextFormat.count(count)) of \(TextFormat.count(total))"
  }

  static func unreadable(_ file: AppSettings.UnreadableFile) -> String {
    switch file.fault {
    case .notRead: "\(file.contents) not read"
    case .notSaved: "\(file.contents) not saved"
    }
  }

  static func unknownLengths(_ count: Int) -> String {
    count == 1 ? "1 length unknown" : "\(TextFormat.count(count)) lengths unknown"
  }

  static func filter(_ text: String) -> String { "\(filterLabel.lowercased()) “\(excerpt(of: text, width: 40))”" }

  static func order(_ name: String) -> String { "Order: \(name)" }

  static func sorted(by order: String) -> String { "order: \(order)" }

  static let slowExpression = "Could not compare all videos: the expression is too slow. Shorten it."
  static let filterExamples =
    "Examples: unwatched >10m · title:spring · since:2w · \"open movie\" · -trailer · sort:longest. "
    + "The help (\(Keymaps.standard.name(of: .prompt(.cancel))), then "
    + "\(Keymaps.standard.name(of: .global(.showHelp)))) lists all conditions."

  static func completions(_ words: [String]) -> String { words.joined(separator: " · ") }

  static func position(_ number: Int, of count: Int) -> String { "\(number) of \(count)" }

  static func matches(_ count: Int) -> String { count == 1 ? "1 match" : "\(count) matches" }

  static func keptSearch(_ needle: String, result: String) -> String {
    "\(Keymaps.standard.name(of: .cards(.search)))\(excerpt(of: needle, width: 20)) \(result)"
  }

  static func layout(_ layout: LayoutKind) -> String { "Layout: \(layout.rawValue)" }

  enum AddressKind: String, Sendable { case playback, cover }

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

  static func opened(_ page: WebAddress) -> String {
    "Opened in the browser\(page.hasSecret ? ", without its secret" : ""): \(page.forStorage)"
  }

  static func requestingAddress(of title: String) -> String { "Looking up the playback address of “\(title)”…" }

  /// Returns the text with its first letter in upper case.
  static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  static func news(_ count: Int) -> String { count == 0 ? "Nothing new" : "\(TextFormat.count(count)) new" }

  static var emptySource: String { "The source is empty now · \(retryKey) to refresh" }

  /// Videos that belong between the shown ones.
  static func moreNews(_ count: Int) -> String {
    "\(TextFormat.count(count)) more · \(Keymaps.standard.name(of: .cards(.selectFirst)))"
  }
}

/// A change has a name, such as `marked “A title” as watched`.
enum RecordWords {
  /// In columns; leaves room for the key in the status line of 80 columns.
  private static let titleWidth = 24

  private static var undoKey: String { Keymaps.standard.name(of: .browse(.undo)) }

  static func marked(_ mark: Mark, _ isSet: Bool, _ title: String) -> String {
    (isSet ? mark.row.set : mark.row.removed).replacing("%", with: quoted(title))
  }

  private static func quoted(_ title: String) -> String { "“\(excerpt(of: title, width: titleWidth))”" }

  static var howToShowHidden: String {
    "\(Keymaps.standard.name(of: .cards(.filter))) hidden shows hidden videos"
  }

  static func done(_ name: String, hint: String? = nil) -> String {
    ([Messages.sentence(name), "\(undoKey) to undo"] + [hint].compactMap(\.self)).joined(separator: " · ")
  }

  static func undone(_ name: String) -> String { "Undone: \(name)" }

  static func queuedNext(_ title: String) -> String { "put \(quoted(title)) first in the queue" }

  static func moved(_ title: String) -> String { "moved \(quoted(title))" }

  static let isNotQueueOrder = "Only the Queue tab in its own order can be reordered"
  static let isFirstOfQueue = "This is the first video of the queue"
  static let isLastOfQueue = "This is the last video of the queue"

  static func none(_ field: UserField) -> String? {
    switch field {
    case .queued:
      "The queue is empty. \(Messages.press(Keymaps.standard.name(of: .cards(.toggleQueued)))) on a card to add its video."
    case .watched: "No watched videos"
    case .played: "No played videos"
    case .flag(let mark): "No \(mark.name) videos"
    case .download:
      "No downloads. \(Messages.press(Keymaps.standard.name(of: .browse(.download)))) on a card to download its video."
    case .position, .duration, .downloaded, .video: nil
    }
  }

  static let nothingToUndo = "Nothing to undo"

  static func savingFailed(_ reason: String) -> String {
    "Could not save your marks: \(reason). Check the folder."
  }

  static func sendingFailed(_ failure: FeedFailure) -> String {
    let advice = failure.kind == .permanent ? failure.advice.map(Messages.sentence) : nil
    return "Could not send your marks: \(failure.reason). \(advice ?? "They are sent later")."
  }

  static let marksIgnored =
    "Could not apply all marks from the server: too many of your changes have not been sent. Check your account on the server."

  static func marksUnreadable(_ reason: String) -> String {
    "Could not exchange marks with the server: \(reason). Check the file, then refresh."
  }

  static func marksDamaged(_ copy: String) -> String {
    "Could not read which marks were sent: the file is damaged. It is now \(copy). Repeat marks that are missing on the server."
  }

  /// `position` is where the video was stopped, `download` the state of an unfinished download.
  static func state(
    _ record: UserRecord, download: String? = nil, position: String?, at now: UnixTime?
  ) -> String? {
    let watched = record.watched.map { time in
      now.map { "watched \(TextFormat.ago(max(0, $0.seconds - time.seconds)))" } ?? "watched"
    }
    let marks = Mark.allCases.filter { $0 != .watched && record.has($0) }.map(\.name)
    let words = ([watched, position] + marks + [download]).compactMap(\.self)
    return words.isEmpty ? nil : Messages.sentence(words.joined(separator: " · "))
  }
}

enum LoadingWords {
  static func hold(for loader: FeedLoader) -> String? {
    switch loader.phase {
    case .holding(_, _, let time): continues(after: time)
    case .failed(_, _, .some(let hold), _): retry(key: Messages.retryKey, after: hold.duration)
    case .resting, .debouncing, .loading, .failed: nil
    }
  }

  static func hold(_ words: String, otherCount: Int) -> String {
    otherCount == 0 ? words : "\(words.dropLast()) (and \(otherCount) more)."
  }

  static func continues(after time: Duration) -> String {
    "Loading continues in \(TextFormat.wait(time)), as the server asked."
  }

  static func lookup(of title: String, after time: Duration) -> String {
    "The address of “\(excerpt(of: title, width: 30))” is looked up in \(TextFormat.wait(time)), as the server asked."
  }

  static func waits(_ name: String, _ time: Duration, otherCount: Int) -> String {
    let verb = otherCount == 0 ? "waits" : "and \(otherCount) more wait"
    return "\(excerpt(of: name, width: 20)) \(verb) \(TextFormat.wait(time))"
  }

  static func retry(key: String, after time: Duration) -> String {
    "Wait \(TextFormat.wait(time)) for the server, then press \(key)."
  }

  /// `age` is in seconds.
  static func header(for state: RefreshState, spinner: String, age: Int?) -> String {
    let updated = age.map { " · updated \(TextFormat.ago($0))" } ?? ""
    return switch state {
    case .idle: "↓ Pull to refresh\(updated)"
    case .pulling: "↑ Stop pulling to refresh\(updated)"
    case .willRefresh: "Refreshing in a moment"
    case .refreshing: "\(spinner) Refreshing…"
    case .holding(let time): continues(after: time)
    case .failed(hold: nil): "Loading failed. \(Messages.press(Messages.retryKey)) to retry."
    case .failed(let time?): retry(key: Messages.retryKey, after: time)
    case .noMoreData, .paused: ""
    }
  }

  private static var moreKey: String { Keymaps.standard.name(of: .cards(.loadMore)) }

  static func footer(for state: RefreshState, spinner: String, count: Int) -> String {
    switch state {
    case .idle, .pulling: "\(Messages.press(moreKey)) to load more"
    case .willRefresh: "Loading more in a moment"
    case .refreshing: "\(spinner) Loading more…"
    case .holding(let time): continues(after: time)
    case .noMoreData: end(count: count)
    case .paused(let pageCount): paused(pageCount)
    case .failed(hold: nil): "Loading failed. \(Messages.press(moreKey)) to retry."
    case .failed(let time?): retry(key: moreKey, after: time)
    }
  }

  static func searched(_ count: Int) -> String {
    "Searched \(TextFormat.count(count)) videos. \(Messages.press(moreKey)) to continue."
  }

  /// Pages without new videos.
  static func paused(_ pageCount: Int) -> String { "Nothing new on \(pageCount) pages · \(moreKey) to continue" }

  static func end(count: Int) -> String {
    "End of the list · " + (count == 1 ? "1 video" : "\(TextFormat.count(count)) videos")
  }
}

extension FailureText {
  private static let maximumNames = 4

  private static func short(_ name: String) -> String { excerpt(of: name, width: 30) }

  private static func list(_ names: [String], of count: Int) -> String {
    names.joined(separator: ", ") + (count > names.count ? " and \(count - names.count) more" : "")
  }

  /// Several failures at once are reported by the names of their sources. `isNamed`: whether one is as well.
  init?(for sources: some Collection<SourceFeed>, isNamed: Bool) {
    let failed = sources.filter { $0.loader.shownFailure != nil }
    guard let first = failed.first else { return nil }
    if failed.count == 1 {
      self.init(of: first, isNamed: isNamed)
      return
    }
    let names = failed.prefix(Self.maximumNames).map { Self.short($0.name) }
    self.init(
      what: "Could not load \(failed.count) of \(sources.count) sources", why: Self.list(names, of: failed.count))
  }

  private init?(of source: SourceFeed, isNamed: Bool) {
    guard let failure = source.loader.shownFailure else { return nil }
    let videos = failure.request.purpose == .replace ? "the videos" : "more videos"
    let subject = isNamed ? "\(videos) of \(Self.short(source.name))" : videos
    self.init(
      what: "Could not load \(subject)", why: failure.failure.reason,
      advice: Self.advice(failure.failure, failure.hold?.duration))
  }

  /// Several failures show the reason of the last one; nil for none.
  init?(for addresses: [DetailsRequest.FailedAddress]) {
    guard let last = addresses.last else { return nil }
    let hold: Duration? = if case .wait(let seconds) = last.failure.kind { .seconds(seconds) } else { nil }
    let titles = addresses.suffix(Self.maximumNames).map { "“\(Self.short($0.card.video.title))”" }
    self.init(
      what: "Could not load the playback address of \(Self.list(titles, of: addresses.count))",
      why: last.failure.reason, advice: Self.advice(last.failure, hold))
  }

  static func line(for failed: DetailsRequest.FailedAddress, inTabOf source: String) -> String {
    var text = FailureText(for: [failed])
    text?.advice = "Open the tab “\(Self.short(source))” to retry."
    return text?.line ?? ""
  }

  private static func advice(_ failure: FeedFailure, _ hold: Duration?) -> String? {
    hold.map { "The server asked to wait \(TextFormat.wait($0))." }
      ?? failure.advice.map { "\(Messages.sentence($0))." }
  }
}

enum DetailsWords {
  /// `purpose` is the awaited one of the failed request, if any.
  static func note(_ failure: FeedFailure, after purpose: DetailsRequest.Purpose?) -> String {
    purpose.map { addressFailed(failure, $0) }
      ?? "Could not load the details: \(text(failure, key: Messages.retryKey))"
  }

  /// Nil if there is no cover to load, or if the details failed for the same reason.
  static func coverNote(_ failure: FeedFailure, beside details: FeedFailure?) -> String? {
    guard failure.kind != .absent, failure.reason != details?.reason else { return nil }
    return "Could not load the cover: \(text(failure, key: failure.kind == .permanent ? nil : Messages.retryKey))"
  }

  static func pending(spinner: String) -> String { "\(spinner) Loading the details…" }

  static func message(_ failed: DetailsRequest.FailedAddress) -> String {
    addressFailed(failed.failure, failed.purpose)
  }

  private static func addressFailed(_ failure: FeedFailure, _ purpose: DetailsRequest.Purpose) -> String {
    let key = Keymaps.standard.name(of: .browse(purpose.command))
    return "Could not load the playback address: \(text(failure, key: key))"
  }

  /// - Parameter key: that of the retry; nil if none can succeed.
  private static func text(_ failure: FeedFailure, key: String?) -> String {
    if case .wait(let seconds) = failure.kind, let key {
      return "\(failure.reason). Press \(key) to retry after \(TextFormat.wait(.seconds(seconds)))."
    }
    let advice = failure.advice.map { " \(Messages.sentence($0))." } ?? ""
    return "\(failure.reason).\(advice)" + (key.map { " Press \($0) to retry." } ?? "")
  }
}
