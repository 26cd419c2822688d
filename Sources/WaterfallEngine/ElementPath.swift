/// The place of an item in the data: a section and the item's number within it.
public struct ElementPath: Hashable, Comparable, Sendable {
  public var section: Int
  public var item: Int

  public init(section: Int = 0, item: Int) {
    self.section = section
    self.item = item
  }

  public static func < (left: ElementPath, right: ElementPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}
