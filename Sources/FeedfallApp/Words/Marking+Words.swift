import FeedfallRecords
import FeedfallScreen
import FeedfallText

extension Int {
  /// As a number of videos, such as `1,234 videos`.
  public var asVideoCount: String { self == 1 ? "1 video" : "\(TextFormat.count(self)) videos" }
}

extension Marking {
  /// What was done to several videos, such as `2 videos starred`.
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

  /// Why a text is not the name of a mark, and what to write.
  public static func fault(_ text: String) -> String {
    "“\(excerpt(of: text, width: 40))” is not a mark. Write \(all.map(\.name).joined(separator: ", "))."
  }
}
