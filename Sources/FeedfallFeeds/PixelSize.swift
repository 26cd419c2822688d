/// A width and a height in pixels, both positive.
public struct PixelSize: Equatable, Sendable {
  // Thousands of these are kept, so they are as small as what they hold.
  private let storedWidth: Int32
  private let storedHeight: Int32

  public var width: Int { Int(storedWidth) }
  public var height: Int { Int(storedHeight) }

  /// Nil unless both are in 1...100,000.
  public init?(width: Int, height: Int) {
    guard (1...100_000).contains(width), (1...100_000).contains(height) else { return nil }
    storedWidth = Int32(width)
    storedHeight = Int32(height)
  }
}
