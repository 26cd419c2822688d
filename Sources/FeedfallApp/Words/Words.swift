import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The visible sentences of this module. Those that name keys need the user's keymaps; the others are static.
struct Words: Equatable, Sendable {
  let keys: Keymaps

  /// A sentence that names the key of a command; empty for a command without a key.
  func advice(_ command: Command, after separator: String = " ", _ sentence: (String) -> String) -> String {
    keys.name(of: command).map { separator + sentence($0) } ?? ""
  }

  /// Such as ` Press r to retry.`; empty for a command without a key.
  func press(_ command: Command, _ purpose: String) -> String { advice(command) { "Press \($0) \(purpose)." } }

  /// Names the keys of several commands, each with its purpose, such as `to retry`; empty if none has a key.
  func choices(_ choices: [(command: Command, purpose: String)]) -> String {
    let texts = choices.compactMap { choice in keys.name(of: choice.command).map { "\($0) \(choice.purpose)" } }
    return texts.isEmpty ? "" : " Press \(texts.joined(separator: ", "))."
  }

  static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
  static func quoted(_ text: String, width: Int = 40) -> String { "“\(excerpt(of: text, width: width))”" }

  var notRefreshed: String { "Not refreshed yet." + press(.browse(.refreshOrRetry), "to refresh") }
  var empty: String { "No videos." + press(.browse(.refreshOrRetry), "to refresh") }
  static let nothingFound = "Nothing found. Use fewer or other words."
  var noActiveSearch: String { "No active search." + press(.cards(.search), "to search titles") }
  static let (allTab, queueTab, historyTab, downloadsTab) = ("All", "Queue", "History", "Downloads")
  static let (help, mostUsefulKeys, commands, filters) = ("Help", "Most useful", "Commands", "Filters")
  static let (noDate, noChannelName) = ("no date", "no channel")
  static let (live, upcoming) = ("live", "upcoming")
  static let (feedOrder, configuredOrder) = ("as in the feed", "as configured")
  static let (loading, refreshFailed, noMatch) = ("Loading…", "refresh failed", "No match")
  static let (searchLabel, filterLabel, linkLabel, commandLabel) = ("Search", "Filter", "Link", "Command")
  static func offline(for seconds: Int?) -> String {
    switch seconds ?? 0 {
    case ..<60: "offline"
    case let seconds where seconds < 7_200: "offline for \(seconds / 60) min"
    case let seconds: "offline for \(seconds / 3_600) h"
    }
  }

  func askToQuit(_ reason: AppState.QuitGuard.Reason) -> String {
    let again = press(.global(.quit), "again to quit")
    return switch reason {
    case .playing: "A video is playing.\(again)"
    case .downloads(1): "1 download is running and resumes at the next start.\(again)"
    case .downloads(let count): "\(count) downloads are running and resume at the next start.\(again)"
    case .closedScreen: String(again.dropFirst())
    }
  }

  var noPage: String {
    "This video has no page." + press(.browse(.copyPlaybackAddress), "to copy its playback address")
  }

  var promptNeedsCards: String { "The details cover the cards." + press(.details(.close), "to close them first") }

  var promptNeedsWindow: String {
    "The full window covers the cards." + press(.player(.toggleFullWindow), "to leave it first")
  }

  func unbound(_ key: Key) -> String {
    "No command has the keys \(key.name). "
      + (keys.name(of: .global(.showHelp)).map { "Press \($0) for all keys." } ?? "Type :help for all keys.")
  }

  static func tooSmall(_ needed: Size, width: Int, _ widths: TextWidths) -> String {
    let text = "needs \(needed.width)×\(needed.height)"
    return widths.width(of: "feedfall \(text)") <= width ? "feedfall \(text)" : text
  }

  static func noMatch(for needle: String) -> String { "No match for “\(needle)”" }

  func noMatch(among count: Int, isTyped: Bool, hint: String?) -> String {
    let hint = hint.map { " \($0)" } ?? ""
    let change = isTyped ? "" : press(.cards(.filter), "to change the filter")
    return "No match among \(Self.videos(count)).\(hint)\(change)"
  }

  static func videos(_ count: Int) -> String { count.asVideoCount }

  static func kind(of list: ListLink) -> String {
    switch list.kind {
    case .channel: "Channel"
    case .playlist: "Playlist"
    case .podcast: "Podcast"
    case .folder: "Folder"
    }
  }

  static func subscribers(_ count: String) -> String { count == "1" ? "1 subscriber" : "\(count) subscribers" }

  var isList: String { "This card is a list, not a video." + press(.cards(.openDetails), "to open it") }

  var noChannelLists: String {
    "Could not open the list: the tab is not a channel, or its site has no such list."
      + press(.browse(.openChannel), "on a video to open its channel")
  }

  static func channel(_ name: String, _ list: ChannelList) -> String { "\(name) · \(list.rawValue)" }

  func noWayBack(isClosed: Bool) -> String {
    "Could not go back: " + (isClosed ? "the tab with the card is closed." : "this tab was not opened from a card.")
      + press(.browse(.nextTab), "for the next tab")
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

  static func filter(_ text: String) -> String { "filter “\(excerpt(of: text, width: 40))”" }

  static func order(_ name: String) -> String { "Order: \(name)" }

  static func sorted(by order: String) -> String { "order: \(order)" }

  static let slowExpression = "Could not compare all videos: the expression is too slow. Shorten it."
  var filterExamples: String {
    let examples = "Examples: unwatched >10m · title:spring · since:2w · \"open movie\" · -trailer · sort:longest."
    guard let cancel = keys.name(of: .prompt(.cancel)) else { return examples }
    return examples + advice(.global(.showHelp)) { "The help (\(cancel), then \($0)) lists all conditions." }
  }

  static func completions(_ words: [String]) -> String { words.joined(separator: " · ") }

  static func position(_ number: Int, of count: Int) -> String { "\(number) of \(count)" }

  static func rows(_ rows: ClosedRange<Int>, of count: Int) -> String {
    "\(rows.lowerBound)–\(rows.upperBound) of \(count)"
  }

  static func matches(_ count: Int) -> String { count == 1 ? "1 match" : "\(count) matches" }

  func keptSearch(_ needle: String, result: String) -> String {
    "\(keys.name(of: .cards(.search)) ?? "/")\(excerpt(of: needle, width: 20)) \(result)"
  }

  static func layout(_ layout: LayoutKind) -> String { "Layout: \(layout.rawValue)" }

  enum AddressKind: String, Sendable {
    case playback, cover, list

    var name: String { self == .list ? "address of the list" : "\(rawValue) address" }
  }

  static func noAddress(_ kind: AddressKind) -> String { "This video has no \(kind.name)" }

  static func copied(_ kind: AddressKind, _ address: MediaAddress) -> String {
    "Copied the \(kind.name): \(address)"
  }

  static func copied(_ kind: AddressKind, count: Int, of total: Int) -> String {
    let addresses = "\(kind.rawValue) address\(total == 1 ? "" : "es")"
    if count == 0 { return "Could not copy: the selected videos have no \(addresses) yet. Open their details first." }
    return "Copied \(count == total ? TextFormat.count(total) : Self.count(count, of: total)) \(addresses)"
  }

  static let noClipboardForSeveral =
    "Could not copy several addresses: this terminal has no clipboard support. Select one video to see its address."

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

  static func requesting(_ purpose: DetailsRequest.Purpose, of title: String) -> String {
    "Looking up \(object(of: purpose)) of “\(title)”…"
  }

  static func object(of purpose: DetailsRequest.Purpose) -> String {
    switch purpose {
    case .show, .prepare, .play, .copy, .download: "the playback address"
    case .links: "the description"
    case .related: "the related videos"
    }
  }

  static func related(to title: String) -> String { "Related to “\(cleanedLine(title, limit: 30))”" }

  func noRelated(hasPage: Bool) -> String {
    "Could not find related videos: the feed names none, and no channel."
      + (hasPage ? press(.browse(.openPage), "to open its page") : "")
  }

  static func noTitles(_ failure: FeedFailure) -> String {
    "Could not load titles from DeArrow: \(failure.reason). The original titles stay."
  }

  static func links(_ count: Int) -> String { count == 1 ? "1 link" : "\(count) links" }

  static func noLinks(hasDescription: Bool) -> String {
    hasDescription ? "The description has no links" : "This video has no description"
  }

  static func newsInTab(_ count: String) -> String { "\(count) new" }

  static func news(_ count: Int) -> String { count == 0 ? "Nothing new" : "\(TextFormat.count(count)) new" }

  var emptySource: String {
    "The source is empty now" + advice(.browse(.refreshOrRetry), after: " · ") { "\($0) to refresh" }
  }

  /// Videos that belong between the shown ones.
  func moreNews(_ count: Int) -> String {
    "\(TextFormat.count(count)) more" + advice(.cards(.move(.first)), after: " · ") { $0 }
  }
}

extension AppSettings {
  /// The help of the option for titles.
  public static let titlesHelp = "Show the titles of DeArrow for YouTube's videos (default: off)."
}

extension CardOrder.Column {
  /// `isSource`: whether the tab has several sources.
  func name(isSource: Bool) -> String {
    switch self {
    case .title: "Title"
    case .channel: isSource ? "Source" : "Channel"
    case .length: "Length"
    case .age: "Age"
    }
  }
}

enum TextFormat {
  /// `1,234,567`.
  static func count(_ number: Int) -> String {
    guard !(-999...999).contains(number) else { return String(number) }
    return "\(count(number / 1000)),\(String(1000 + abs(number % 1000)).dropFirst())"
  }

  /// `999`, `3.4k`, `12k`, `1.2M`, rounded down.
  static func shortCount(_ number: Int) -> String {
    guard number >= 1_000 else { return String(number) }
    let (unit, sign) = number < 1_000_000 ? (1_000, "k") : (1_000_000, "M")
    let tenths = number / (unit / 10)
    return (tenths < 100 && tenths % 10 > 0 ? "\(tenths / 10).\(tenths % 10)" : count(tenths / 10)) + sign
  }

  /// `0.5 s`, `7 s`, `3 min`, `2 h`, rounded up.
  static func wait(_ duration: Duration) -> String {
    let parts = duration.components
    let tenths = (parts.attoseconds + (attosecondsPerTenth - 1)) / attosecondsPerTenth
    if parts.seconds < 10, (1...9).contains(tenths) { return "\(parts.seconds).\(tenths) s" }
    let seconds = parts.attoseconds > 0 ? parts.seconds + 1 : parts.seconds
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7200 { return "\((seconds + 59) / 60) min" }
    return "\((seconds + 3599) / 3600) h"
  }

  /// `now`, `12 min`, `3 h`, `2 d`, `5 wk`, later the month. A time up to a minute ahead is `now`, because clocks
  /// differ; nil for any later time. `saysAgo`: `12 min ago`.
  static func age(of time: UnixTime, at now: UnixTime, in zone: LocalZone, saysAgo: Bool = false) -> String? {
    let (age, hasOverflowed) = now.seconds.subtractingReportingOverflow(time.seconds)
    guard !hasOverflowed, age > -minute else { return nil }
    let text: String
    switch age {
    case ..<minute: return "now"
    case ..<hour: text = "\(age / minute) min"
    case ..<day: text = "\(age / hour) h"
    case ..<week: text = "\(age / day) d"
    case ..<(9 * week): text = "\(age / week) wk"
    default: return month(of: zone.day(of: time))
    }
    return saysAgo ? "\(text) ago" : text
  }

  /// `Mar 2024`; nil for a year that has not four digits.
  private static func month(of date: CivilDate) -> String? {
    (1_000...9_999).contains(date.year) ? "\(months[date.month - 1]) \(date.year)" : nil
  }

  private static let (minute, hour, day, week) = (60, 3_600, 86_400, 604_800)
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static let attosecondsPerTenth: Int64 = 100_000_000_000_000_000

  /// `2026-10-04 07:30 UTC`.
  static func minute(_ time: UnixTime) -> String {
    let text = time.description
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  static func ago(_ seconds: Int) -> String {
    switch seconds {
    case ..<60: "just now"
    case ..<7_200: "\(seconds / 60) min ago"
    case ..<172_800: "\(seconds / 3_600) h ago"
    default: "\(seconds / 86_400) days ago"
    }
  }
}

/// A change has a name, such as `marked “A title” as watched`.
extension Words {
  /// In columns; leaves room for the key in the status line of 80 columns.
  private static let titleWidth = 24

  static func marked(_ mark: Mark, _ isSet: Bool, _ title: String) -> String {
    (isSet ? mark.row.set : mark.row.removed).replacing("%", with: quoted(title, width: titleWidth))
  }

  /// `hides`: whether the change hides a video.
  func done(_ name: String, hides: Bool = false) -> String {
    Self.sentence(name) + advice(.browse(.undo), after: " · ") { "\($0) to undo" }
      + (hides ? advice(.cards(.filter), after: " · ") { "\($0), then hidden, to show it" } : "")
  }

  /// For a change of several videos, once it is written.
  func doneToSeveral(_ name: String) -> String { name + "." + press(.browse(.undo), "to undo") }

  static func nothingToMark(_ marking: Marking, among count: Int) -> String {
    switch count {
    case 0: "There are no videos to mark."
    case 1: "The video is \(marking.name) already"
    default: "All \(videos(count)) are \(marking.name) already"
    }
  }

  static func picked(_ count: Int) -> String { "\(TextFormat.count(count)) selected" }

  static func queuedNext(count: Int) -> String { "\(videos(count)) put first in the queue" }

  static let areFirstOfQueue = "These videos are first in the queue already"
  static let allWatched = "No unwatched videos. Type :where watched to show the watched ones."
  static let noUnwatched = "There is no other unwatched video in any tab"

  static func undone(_ name: String) -> String { "Undone: \(name)" }

  static func queuedNext(_ title: String) -> String { "put \(quoted(title, width: titleWidth)) first in the queue" }

  static func moved(_ title: String) -> String { "moved \(quoted(title, width: titleWidth))" }

  static let isNotQueueOrder = "Only the Queue tab in its own order can be reordered"
  static let isFirstOfQueue = "This is the first video of the queue"
  static let isLastOfQueue = "This is the last video of the queue"

  func none(_ field: UserField) -> String? {
    switch field {
    case .queued: "The queue is empty." + press(.cards(.toggleQueued), "on a card to add its video")
    case .watched: "No watched videos"
    case .played: "No played videos"
    case .flag(let mark): "No \(mark.name) videos"
    case .download: "No downloads." + press(.browse(.download), "on a card to download its video")
    case .position, .duration, .downloaded, .readBefore, .missed, .video: nil
    }
  }

  /// Advice for a mark that the server refused.
  static let setMarkAgain = "set the mark again to retry"
  static let nothingToUndo = "Nothing to undo"

  static func savingFailed(_ reason: String) -> String { "Could not save your marks: \(reason). Check the folder." }

  static func sendingFailed(_ failure: FeedFailure) -> String {
    let advice = failure.kind == .permanent ? failure.advice.map(sentence) : nil
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
  static func recordState(
    _ record: UserRecord, download: String? = nil, position: String?, at now: UnixTime?
  ) -> String? {
    let watched = record.watched.map { time in
      now.map { "watched \(TextFormat.ago(max(0, $0.seconds - time.seconds)))" } ?? "watched"
    }
    let marks = Mark.allCases.filter { $0 != .watched && record.has($0) }.map(\.name)
    let words = ([watched, position] + marks + [download]).compactMap(\.self)
    return words.isEmpty ? nil : sentence(words.joined(separator: " · "))
  }
}

extension Int {
  /// As a number of videos, such as `1,234 videos`.
  public var asVideoCount: String { self == 1 ? "1 video" : "\(TextFormat.count(self)) videos" }
}

extension Marking {
  /// Describes a change of several videos, such as `2 videos starred`.
  public func text(count: Int) -> String {
    let change =
      switch mark {
      case .watched: "marked as \(name)"
      case .queued: isSet ? "queued" : "removed from the queue"
      case .hidden: isSet ? "hidden" : "shown again"
      case .starred, .downloaded: name
      }
    return "\(count.asVideoCount) \(change)"
  }

  /// The message for a text that is not the name of a mark.
  public static func fault(_ text: String) -> String {
    "“\(excerpt(of: text, width: 40))” is not a mark. Write \(all.map(\.name).joined(separator: ", "))."
  }
}
