/// A cell of the screen: 20 bytes without padding, so that rows can be compared as memory.
public struct Cell: Hashable, Sendable, BitwiseCopyable {
  public var glyph: Glyph
  public var style: Style

  public init(_ glyph: Glyph = .blank, _ style: Style = .plain) { (self.glyph, self.style) = (glyph, style) }
}

/// The style of a cell: its role and, for cells of covers, its own colors.
public struct Style: Hashable, Sendable, BitwiseCopyable {
  public var role: Role
  // Optional colors would have padding, and equal cells could differ as memory.
  private var flags: UInt8 = 0
  private var foregroundColor: RGB = .black
  private var backgroundColor: RGB = .black

  public init(_ role: Role, foreground: RGB? = nil, background: RGB? = nil) {
    (self.role, self.foreground, self.background) = (role, foreground, background)
  }

  public static let plain = Style(.plain)

  /// The character's color; nil for the role's color.
  public var foreground: RGB? {
    get { flags & 1 != 0 ? foregroundColor : nil }
    set {
      foregroundColor = newValue ?? .black
      flags = newValue == nil ? flags & ~1 : flags | 1
    }
  }

  /// The background's color; nil for the role's color.
  public var background: RGB? {
    get { flags & 2 != 0 ? backgroundColor : nil }
    set {
      backgroundColor = newValue ?? .black
      flags = newValue == nil ? flags & ~2 : flags | 2
    }
  }

  mutating func fade() {
    foreground = foreground?.faded
    background = background?.faded
    if flags & 3 == 0, role != .badge { role = .dim }
  }

  /// Whether the cell belongs to the video (see `Canvas.reserve`). Drawing clears it.
  public internal(set) var isReserved: Bool {
    get { flags & 8 != 0 }
    set { flags = newValue ? flags | 8 : flags & ~8 }
  }

  /// See `Canvas.link`. Drawing clears it.
  var isLinked: Bool {
    get { flags & 16 != 0 }
    set { flags = newValue ? flags | 16 : flags & ~16 }
  }

  /// A picture may cover the cell (see `Canvas.place`). Drawing clears it.
  var isUnderPicture: Bool {
    get { flags & 4 != 0 }
    set { flags = newValue ? flags | 4 : flags & ~4 }
  }
}

/// The meaning of a part of the screen. Only the terminal's theme maps roles to colors.
public enum Role: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case plain, dim, frame, title, selected, selection, selectedRow, match, cover, badge, error, warning, success
  case progress, tab, selectedTab, status, hint, alert, key, link, heading
  /// A part of a video that may be skipped.
  case segment

  /// The role's name in the configuration.
  public var name: String {
    switch self {
    case .plain: "text"
    case .selectedTab: "selected-tab"
    case .selectedRow: "selected-row"
    default: "\(self)"
    }
  }

  /// Whether themes have a background for the role's text.
  public var hasBackground: Bool {
    switch self {
    case .plain, .selectedRow, .match, .badge, .selectedTab, .status, .hint, .alert: true
    default: false
    }
  }

  /// The role's unique letter in golden files.
  public var letter: Character { Self.letters[Int(rawValue)] }
  private static let letters = Array("pdftsxzmcbewyrnvuqaklgo")
}
