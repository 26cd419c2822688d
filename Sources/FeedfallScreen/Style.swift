/// How a cell looks: its role and, for the cells of a cover, colours of its own.
public struct Style: Hashable, Sendable, BitwiseCopyable {
  public var role: Role
  // An optional colour would leave a byte open, and cells with the same look could differ as memory.
  private var flags: UInt8 = 0
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
    get { flags & 1 != 0 ? foregroundColour : nil }
    set {
      foregroundColour = newValue ?? .black
      flags = newValue == nil ? flags & ~1 : flags | 1
    }
  }

  /// The colour that a cover's cell gives its ground; nil leaves it to the role.
  public var background: RGB? {
    get { flags & 2 != 0 ? backgroundColour : nil }
    set {
      backgroundColour = newValue ?? .black
      flags = newValue == nil ? flags & ~2 : flags | 2
    }
  }

  /// Whether somebody else paints the cell (see `Canvas.reserve`); what is drawn later is not painted over.
  var isReserved: Bool {
    get { flags & 8 != 0 }
    set { flags = newValue ? flags | 8 : flags & ~8 }
  }

  /// Whether a picture may lie over the cell (see `Canvas.place`); what is drawn later has no picture over it.
  var isUnderPicture: Bool {
    get { flags & 4 != 0 }
    set { flags = newValue ? flags | 4 : flags & ~4 }
  }
}
