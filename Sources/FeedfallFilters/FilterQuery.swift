/// A filter and an order as the user writes them: `blender -trailer >10m sort:newest`.
public struct FilterQuery: Equatable, Sendable {
  /// The text without blanks around it.
  public let text: String
  public let filter: Filter
  /// Nil if the text has no `sort:`.
  public let order: VideoOrder?
  /// An operator of other query languages, to explain why a filter includes nothing.
  public let foreignOperator: ForeignOperator?

  /// The longest text in bytes.
  public static let maximumLength = 10_000

  /// Excludes only hidden videos.
  public static let empty = FilterQuery(text: "", filter: .everything, order: nil)

  /// The queue in its order.
  public static let queue = FilterQuery(
    text: "queued sort:queue", filter: Filter([.test(.state(.queued))]), order: .queue)

  /// The watched videos, the last one first.
  public static let history = FilterQuery(
    text: "watched sort:watched", filter: Filter([.test(.state(.watched))]), order: .watched)

  /// The downloads, complete or not, also those of hidden videos, the last one first.
  public static let downloads = FilterQuery(
    text: "downloads sort:downloaded",
    filter: Filter([
      .test(.state(.download)), .any([.test(.state(.hidden)), .not(.test(.state(.hidden)))]),
    ]), order: .downloaded)

  private init(text: String, filter: Filter, order: VideoOrder?, _ foreignOperator: ForeignOperator? = nil) {
    (self.text, self.filter, self.order, self.foreignOperator) = (text, filter, order, foreignOperator)
  }

  /// Parses a text; throws its first fault.
  ///
  /// - Complexity: O(n).
  public init(_ text: String) throws(FilterError) {
    guard text.utf8.count <= Self.maximumLength else {
      throw FilterError(
        at: 1, "the filter has more than \(Self.maximumLength) bytes", advice: "Write a shorter one.")
    }
    var parser = FilterParser(text)
    let conditions = try parser.parsed()
    self.init(text: parser.trimmedText, filter: Filter(conditions), order: parser.order, parser.foreignOperator)
  }

  /// Returns the query with another order in place of its own, also in the text; nil if it has none.
  ///
  /// - Complexity: O(n).
  public func ordered(by order: VideoOrder) -> FilterQuery? {
    var parser = FilterParser(text)
    guard (try? parser.parsed()) != nil else { return nil }
    return parser.text(orderedBy: order).flatMap { try? FilterQuery($0) }
  }
}
