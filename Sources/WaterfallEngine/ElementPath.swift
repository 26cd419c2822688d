/// The place of an item in the data: a section and the item's number within it.
public struct ElementPath: Hashable, Comparable, Sendable {
  /// The section's number, from 0.
  public var section: Int
  /// The item's number within its section, from 0.
  public var item: Int

  /// The path of an item, in the first section if none is given. O(1).
  public init(section: Int = 0, item: Int) {
    self.section = section
    self.item = item
  }

  /// Whether an item comes before another in the data. O(1).
  public static func < (left: ElementPath, right: ElementPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}
