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
  case progress, tab, selectedTab, status, hint, alert, key, link, heading, segment

  /// The role's name in the configuration.
  public var name: String {
    switch self {
    case .plain: "text"
    case .selectedTab: "selected-tab"
    case .selectedRow: "selected-row"
    default: "\(self)"
    }
  }

  /// For the manual.
  public var meaning: String {
    switch self {
    case .plain: "text; its background is that of the screen"
    case .dim: "text of less importance, and watched videos"
    case .frame: "lines between and around parts of the screen"
    case .title: "titles of cards"
    case .selected: "the title of the selected card"
    case .selection: "the frame of the selected card"
    case .selectedRow: "the selected row of a list"
    case .match: "text that a search has found"
    case .cover: "placeholders of covers"
    case .badge: "the length on a cover"
    case .error: "failures"
    case .warning: "warnings"
    case .success: "reports of success"
    case .progress: "progress bars"
    case .tab: "tabs"
    case .selectedTab: "the tab that is shown"
    case .status: "the status line; its background is also that of `hint`"
    case .hint: "the keys in the status line"
    case .alert: "messages about failures and questions"
    case .key: "names of keys, and the played part of a video"
    case .link: "addresses"
    case .heading: "headings"
    case .segment: "a part of a video to skip"
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
