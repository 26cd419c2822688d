import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText

/// A change has a name, such as `marked “A title” as watched`.
extension Words {
  /// In columns; leaves room for the key in the status line of 80 columns.
  private static let titleWidth = 24

  static func marked(_ mark: Mark, _ isSet: Bool, _ title: String) -> String {
    (isSet ? mark.row.set : mark.row.removed).replacing("%", with: quoted(title))
  }

  private static func quoted(_ title: String) -> String { "“\(excerpt(of: title, width: titleWidth))”" }

  /// `hides`: whether the change hides a video.
  func done(_ name: String, hides: Bool = false) -> String {
    Self.sentence(name) + advice(.browse(.undo), after: " · ") { "\($0) to undo" }
      + (hides ? advice(.cards(.filter), after: " · ") { "\($0), then hidden, to show it" } : "")
  }

  /// For a change of several videos, once it is written.
  func doneToSeveral(_ name: String) -> String { name + "." + advice(.browse(.undo)) { "Press \($0) to undo." } }

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

  static func queuedNext(_ title: String) -> String { "put \(quoted(title)) first in the queue" }

  static func moved(_ title: String) -> String { "moved \(quoted(title))" }

  static let isNotQueueOrder = "Only the Queue tab in its own order can be reordered"
  static let isFirstOfQueue = "This is the first video of the queue"
  static let isLastOfQueue = "This is the last video of the queue"

  func none(_ field: UserField) -> String? {
    switch field {
    case .queued:
      "The queue is empty." + advice(.cards(.toggleQueued)) { "Press \($0) on a card to add its video." }
    case .watched: "No watched videos"
    case .played: "No played videos"
    case .flag(let mark): "No \(mark.name) videos"
    case .download:
      "No downloads." + advice(.browse(.download)) { "Press \($0) on a card to download its video." }
    case .position, .duration, .downloaded, .readBefore, .video: nil
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
