import FeedfallScreen
import FeedfallText

extension SourceListView.Column {
  var title: String {
    switch self {
    case .name: "Name"
    case .tags: "Tags"
    case .unwatched: "Unwatched"
    case .new: "New"
    case .state: "Updated"
    }
  }
}

extension Words {
  static let sources = "Sources"
  /// Such as `Refreshing 120 of 3,079 · 4 failed`.
  static func refreshing(_ progress: RefreshProgress) -> String {
    let failed = progress.failedCount == 0 ? "" : " · \(TextFormat.count(progress.failedCount)) failed"
    return "Refreshing \(count(progress.doneCount, of: progress.total))\(failed)"
  }

  var chooseSource: String {
    "This row is not a source." + advice(.sources(.pick)) { "Select one, or several with \($0)." }
  }

  var needsCards: String {
    "This command works only in the cards." + press(.sources(.close), "to close the list of sources")
  }

  static let renameNeedsOne = "Could not rename: several sources are selected. Select only one."

  static func tooManySources(_ count: Int) -> String {
    "Could not change \(TextFormat.count(count)) sources: at most \(Browsing.maximumChangeCount) at once. Select fewer."
  }

  static let noRefresh = "Nothing to stop: no source is waiting for its refresh."

  func stopped(_ count: Int) -> String {
    let sources = count == 1 ? "1 source was" : "\(TextFormat.count(count)) sources were"
    return "Stopped: \(sources) not refreshed." + press(.browse(.refreshOrRetry), "to refresh")
  }

  static let waitsForOthers = "waiting"

  static func loading(spinner: String) -> String { "\(spinner) loading" }

  static func failed(_ failure: FeedFailure) -> String { "failed: \(failure.reason)" }

  static func missed(_ count: Int) -> String { "\(TextFormat.count(count)) missed" }

  static func leftUnwatched(_ count: Int) -> String { "\(videos(count)) left this feed unwatched." }

  static let missedCleared = "Missed videos cleared"

  static func listFailed(_ failure: FeedFailure, of name: String) -> String {
    "Could not load the list \(quoted(name)): \(failure.reason).\(advice(of: failure))"
  }

  static let (dropThem, keepThem) = ("drop them", "keep them")

  /// Such as `Lab drops 120 of 200 sources`.
  private static func drops(_ question: LiveList.Question, of name: String) -> String {
    "\(excerpt(of: name, width: 40)) drops \(TextFormat.count(question.droppedCount)) of \(number(question.count))"
  }

  private static func number(_ count: Int) -> String { count == 1 ? "1 source" : "\(TextFormat.count(count)) sources" }

  func question(_ question: LiveList.Question, of name: String) -> String {
    Self.drops(question, of: name) + advice(.sources(.open), after: " · ") { "\($0) \(Self.dropThem)" }
      + advice(.sources(.keepDropped), after: " · ") { "\($0) \(Self.keepThem)" }
  }

  func announced(_ question: LiveList.Question, of name: String) -> String {
    Self.drops(question, of: name) + "." + press(.cards(.showSources), "to decide")
  }

  static func list(_ name: String, count: Int) -> String { "\(quoted(name)) is a live list of \(number(count))." }

  /// Of a tag, or of the sources without one.
  static func section(_ tag: String?, count: Int, isFolded: Bool) -> String {
    "\(isFolded ? "▸" : "▾") \(tag ?? "no tag") · \(TextFormat.count(count))"
  }

  static func sourceOrder(_ order: SourceListScreen.Order) -> String {
    switch order {
    case .name: "by name"
    case .unwatched: "by unwatched videos"
    case .age: "by age"
    }
  }

  /// At the end of the tab bar.
  static func otherTabs(_ count: Int) -> String { "+\(TextFormat.count(count))" }
}

/// The contents of the tabs in the bar.
public enum TabChoice: String, CaseIterable, Sendable {
  case sources, tags

  public static let help = "Show a tab for each source (default), or for each tag of the sources."
}

extension RefreshRule {
  public static let help =
    "When to refresh sources: at the start (default), also at an interval such as 30m, 2h or 1d, or only manually."
  public static let meaning =
    "when it is refreshed: `start`, an interval such as `30m`, or `manual` (default: the option `refresh`)"
  public static let fault = "this is not a valid interval"
  public static let advice = "Write start, manual, or an interval from 5m to 30d, such as 30m, 2h or 1d."
}
