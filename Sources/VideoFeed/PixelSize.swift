/// A width and a height in pixels, both positive.
public struct PixelSize: Equatable, Sendable {
  public var width: Int
  public var height: Int

  public init?(width: Int, height: Int) {
    guard (1...100_000).contains(width), (1...100_000).contains(height) else { return nil }
    self.width = width
    self.height = height
  }
}
