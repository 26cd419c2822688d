/// How a cell looks: its role and, for the cells of a cover, colours of its own.
public struct Style: Hashable, Sendable, BitwiseCopyable {
  public var role: Role
  // An optional colour would leave a byte open, and cells with the same look could differ as memory.
  private var colours: UInt8 = 0
  private var foregroundColour: RGB = .black
  private var backgroundColour: RGB = .black

  public init(_ role: Role, foreground: RGB? = nil, background: RGB? = nil) {
    self.role = role
    self.foreground = foreground
    self.background = background
  }

  public static let plain = Style(.plain)

  /// The colour that a cover's cell gives its character; nil leaves it to the role.
  public var foreground: RGB? {
    get { colours & 1 != 0 ? foregroundColour : nil }
    set {
      foregroundColour = newValue ?? .black
      colours = newValue == nil ? colours & ~1 : colours | 1
    }
  }

  /// The colour that a cover's cell gives its ground; nil leaves it to the role.
  public var background: RGB? {
    get { colours & 2 != 0 ? backgroundColour : nil }
    set {
      backgroundColour = newValue ?? .black
      colours = newValue == nil ? colours & ~2 : colours | 2
    }
  }
}
