import FeedfallScreen

/// Character attributes that every terminal supports.
struct Attributes: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let bold = Attributes(rawValue: 1)
  static let dim = Attributes(rawValue: 2)
  static let reverse = Attributes(rawValue: 4)
  static let underline = Attributes(rawValue: 8)
}

/// The brightness of the terminal's background.
enum Shade: Hashable, Sendable {
  case unknown, dark, light

  init(of background: RGB?) {
    guard let background else {
      self = .unknown
      return
    }
    // The luma of ITU-R BT.601, in thousandths.
    let luma = 299 * Int(background.red) + 587 * Int(background.green) + 114 * Int(background.blue)
    self = luma < 127_500 ? .dark : .light
  }
}

/// The attributes and colours of a role; nil is the terminal's default colour.
struct Look: Hashable, Sendable {
  var attributes: Attributes
  var foreground: ANSIColor?
  var background: ANSIColor?
}

/// The first eight colours of the user's palette.
enum ANSIColor: UInt8, Hashable, Sendable {
  case black, red, green, yellow, blue, magenta, cyan, white
}

/// The look of every role.
///
/// Text has the terminal's default colours. A role has a colour on the default background only if the background is
/// known, because none of the eight colours is readable on all backgrounds.
struct Theme: Sendable {
  private struct Row {
    var mono: Attributes
    var colored: Attributes
    var onDark: ANSIColor?
    var onLight: ANSIColor?
    /// Text on a background of its own, readable on every terminal.
    var block: (text: ANSIColor, ground: ANSIColor)?

    init(
      _ mono: Attributes, colored: Attributes? = nil, onDark: ANSIColor? = nil, onLight: ANSIColor? = nil,
      block: (text: ANSIColor, ground: ANSIColor)? = nil
    ) {
      self.mono = mono
      self.colored = colored ?? mono
      self.onDark = onDark
      self.onLight = onLight
      self.block = block
    }
  }

  private static func row(of role: Role) -> Row {
    switch role {
    case .plain: Row([])
    case .dim: Row(.dim)
    case .frame: Row(.dim)
    case .title: Row([])
    case .selected: Row(.reverse)
    case .match: Row([.bold, .underline], colored: [], block: (.black, .yellow))
    case .meta: Row(.dim, onDark: .cyan, onLight: .blue)
    case .cover: Row([.dim, .reverse], colored: [])
    case .badge: Row(.bold, colored: [], block: (.black, .white))
    case .header: Row([], onDark: .green, onLight: .blue)
    case .footer: Row([], onDark: .green, onLight: .blue)
    case .status: Row([])
    case .alert: Row([.bold, .reverse], colored: .bold, block: (.white, .red))
    case .key: Row(.bold, onDark: .cyan, onLight: .blue)
    case .link: Row(.underline, onDark: .cyan, onLight: .blue)
    case .heading: Row([.bold, .underline], colored: .bold, onDark: .yellow, onLight: .magenta)
    }
  }

  private let looks: [Look]

  init(usesColor: Bool, shade: Shade) {
    looks = Role.allCases.map { role in
      let row = Self.row(of: role)
      guard usesColor else { return Look(attributes: row.mono) }
      if let block = row.block {
        return Look(attributes: row.colored, foreground: block.text, background: block.ground)
      }
      switch shade {
      case .unknown: return Look(attributes: row.colored)
      case .dark: return Look(attributes: row.colored, foreground: row.onDark)
      case .light: return Look(attributes: row.colored, foreground: row.onLight)
      }
    }
  }

  subscript(role: Role) -> Look { looks[Int(role.rawValue)] }
}
