import FeedfallRecords
import FeedfallScreen
import FeedfallText

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
