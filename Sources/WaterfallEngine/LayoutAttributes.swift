import Geometry

/// Where an element lies, and what it is.
public struct LayoutAttributes: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case item, header, footer }

  public var kind: Kind
  /// The item's path; for a header or footer only the section counts.
  public var path: ElementPath
  public var frame: Rect

  public init(kind: Kind, path: ElementPath, frame: Rect) {
    self.kind = kind
    self.path = path
    self.frame = frame
  }
}
