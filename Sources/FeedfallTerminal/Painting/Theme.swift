import FeedfallScreen

/// Where the background is unknown, text on it has colors that can be read on black and on white. Dim text is a gray,
/// because some entries, such as kitty's, cannot select the attribute.
struct Theme: Equatable, Sendable {
  private var looks: [Look]
  /// The background of the screen; nil for that of the terminal.
  private(set) var ground: RGB?

  init(depth: ColorDepth, shade: Shade, settings: ThemeSettings = ThemeSettings()) {
    let palette = depth.isFine ? Palette(settings.base) : nil
    let shade =
      switch settings.base {
      case .light: Shade.light
      case .dark: Shade.dark
      default: shade
      }
    looks = Role.allCases.map { role in
      let row = Self.row(of: role)
      if let palette { return palette.look(of: role, attributes: row.colored, depth) }
      return switch depth {
      case .none: Look(attributes: row.mono)
      case .indexed, .direct: settings.base == .terminal ? row.look(few: shade) : row.look(many: shade)
      case .eight, .sixteen: row.look(few: shade)
      }
    }
    ground = (palette?.ground).map { RGB($0) }
    guard depth != .none else { return }
    replace(by: settings.colors, depth)
    let plain = self[.plain]
    for index in looks.indices {
      looks[index].foreground = looks[index].foreground ?? plain.foreground
      looks[index].background = looks[index].background ?? plain.background
    }
  }

  subscript(role: Role) -> Look { looks[Int(role.rawValue)] }

  private mutating func replace(by colors: [ThemeSettings.Slot: ThemeSettings.Color], _ depth: ColorDepth) {
    if let accent = colors[.accent] {
      for role in [Role.selection, .progress, .key, .link] {
        looks[Int(role.rawValue)].foreground = Self.number(accent, depth)
      }
    }
    // The keys stand in the status line.
    if let color = colors[.background(.status)] { setColor(color, \.background, of: .hint, depth) }
    for (slot, color) in colors {
      switch slot {
      case .accent: break
      case .text(let role): setColor(color, \.foreground, of: role, depth)
      case .background(let role): setColor(color, \.background, of: role, depth)
      }
    }
    if let color = colors[.background(.plain)] { ground = if case .fixed(let color) = color { color } else { nil } }
  }

  private mutating func setColor(
    _ color: ThemeSettings.Color, _ part: WritableKeyPath<Look, Int32?>, of role: Role, _ depth: ColorDepth
  ) {
    looks[Int(role.rawValue)][keyPath: part] = Self.number(color, depth)
    // Reversed, the text would have the color of the background.
    looks[Int(role.rawValue)].attributes.remove(.reverse)
  }

  private static func number(_ color: ThemeSettings.Color, _ depth: ColorDepth) -> Int32? {
    switch color {
    case .standard: nil
    // With eight colors, a bright color is its normal one.
    case .terminal(let number): Int32(depth == .eight ? number % 8 : number)
    case .fixed(let color): depth.nearest(to: color)
    }
  }

  /// One of xterm's 240 fixed colors by its index, which is shorter than red, green and blue; `palette` is the nearest
  /// of the eight of the user's palette, nil the default color.
  private typealias Ink = (fixed: Int32, palette: ANSI?)

  /// A color for each background. The one for an unknown background has a contrast of at least 3 on black and on white.
  private struct Inks {
    var dark: Ink
    var light: Ink
    /// Nil for `dark`.
    var unknown: Ink?

    subscript(shade: Shade) -> Ink {
      switch shade {
      case .dark: dark
      case .light: light
      case .unknown: unknown ?? dark
      }
    }
  }

  private struct Row {
    var mono: Attributes
    /// The attributes with many colors; with few, `mono` is used for roles whose color is not among these.
    var colored: Attributes
    var inks: Inks?
    var grounds: Inks?

    init(_ mono: Attributes, colored: Attributes = [], _ inks: Inks? = nil, on grounds: Inks? = nil) {
      (self.mono, self.colored, self.inks, self.grounds) = (mono, colored, inks, grounds)
    }

    /// Text and background that are the same in both themes.
    init(_ mono: Attributes, colored: Attributes = [], block: (text: Ink, ground: Ink)) {
      self.init(
        mono, colored: colored, Inks(dark: block.text, light: block.text),
        on: Inks(dark: block.ground, light: block.ground))
    }

    func look(many shade: Shade) -> Look {
      Look(attributes: colored, foreground: inks?[shade].fixed, background: grounds?[shade].fixed)
    }

    func look(few shade: Shade) -> Look {
      let text = inks?[shade].palette?.rawValue
      return Look(
        attributes: text == nil && inks != nil ? mono : colored, foreground: text,
        background: grounds?[shade].palette?.rawValue)
    }
  }

  private static let accent = Inks(dark: (117, .cyan), light: (25, .blue), unknown: (32, .magenta))
  private static let bar = Inks(dark: (236, nil), light: (253, nil))

  private static func row(of role: Role) -> Row {
    switch role {
    case .plain, .title, .tab: Row([])
    case .status: Row(.reverse, Inks(dark: (252, nil), light: (236, nil)), on: bar)
    case .hint: Row(.reverse, Inks(dark: (248, nil), light: (240, nil)), on: bar)
    case .dim: Row(.dim, Inks(dark: (246, nil), light: (243, nil), unknown: (244, nil)))
    case .frame: Row(.dim, Inks(dark: (245, nil), light: (244, nil), unknown: (244, nil)))
    case .selected: Row(.bold, colored: .bold)
    case .selection: Row(.bold, accent)
    case .selectedRow:
      Row(
        [.bold, .reverse], colored: .bold, Inks(dark: (231, .white), light: (232, .white)),
        on: Inks(dark: (25, .blue), light: (153, .blue)))
    case .selectedTab: Row(.reverse, colored: .reverse)
    case .match: Row([.bold, .underline], block: ((232, .black), (220, .yellow)))
    case .cover: Row([.dim, .reverse])
    case .badge: Row(.bold, block: ((254, .white), (236, .black)))
    case .error: Row(.bold, Inks(dark: (210, .red), light: (124, .red), unknown: (167, .red)))
    case .warning: Row(.bold, Inks(dark: (222, .yellow), light: (94, nil), unknown: (136, nil)))
    case .success, .segment: Row([], Inks(dark: (114, .green), light: (22, .blue), unknown: (28, nil)))
    case .progress: Row([], accent)
    case .alert: Row([.bold, .reverse], colored: .bold, block: ((231, .white), (124, .red)))
    case .key: Row(.bold, colored: .bold, accent)
    case .link: Row(.underline, colored: .underline, accent)
    case .heading:
      Row(
        [.bold, .underline], colored: .bold,
        Inks(dark: (222, .yellow), light: (90, .magenta), unknown: (133, .magenta)))
    }
  }

  struct Attributes: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let bold = Attributes(rawValue: 1)
    static let dim = Attributes(rawValue: 2)
    static let reverse = Attributes(rawValue: 4)
    static let underline = Attributes(rawValue: 8)
  }

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

  struct Look: Hashable, Sendable {
    var attributes: Attributes
    /// A color by its number in the terminal's depth; nil is the terminal's default.
    var foreground: Int32?
    var background: Int32?
  }

  enum ANSI: Int32 {
    case black, red, green, yellow, blue, magenta, cyan, white
  }

  /// Text has a contrast of at least 4.5 on its background, and dim text of at least 3 (WCAG 2.2). Where the published
  /// shade has less, the next stronger one of the same palette replaces it.
  struct Palette: Equatable, Sendable {
    let ground, text, dim, accent, error, warning, success, heading: UInt32
    /// The background of the status line and of badges.
    let raised: UInt32
    /// The text of the status line and of badges.
    let strong: UInt32
    /// The key hints in the status line.
    let hint: UInt32

    func look(of role: Role, attributes: Attributes, _ depth: ColorDepth) -> Look {
      let colors = colors(of: role)
      let least = role == .dim || role == .frame ? 3 : 4.5
      return Look(
        attributes: attributes.subtracting(.reverse),
        foreground: colors.text.flatMap { text in
          depth.nearest(to: RGB(text), on: RGB(colors.ground ?? ground), contrast: least)
        },
        background: colors.ground.flatMap { depth.nearest(to: RGB($0)) })
    }

    private func colors(of role: Role) -> (text: UInt32?, ground: UInt32?) {
      switch role {
      case .plain: (text, ground)
      case .title, .selected, .tab, .cover: (nil, nil)
      case .dim, .frame: (dim, nil)
      case .selection, .progress, .key, .link: (accent, nil)
      case .selectedTab, .selectedRow: (ground, accent)
      case .match: (ground, warning)
      case .alert: (ground, error)
      case .badge, .status: (strong, raised)
      case .hint: (hint, raised)
      case .error: (error, nil)
      case .warning: (warning, nil)
      case .success, .segment: (success, nil)
      case .heading: (heading, nil)
      }
    }
  }
}

extension Theme.Palette {
  init?(_ choice: ThemeChoice) {
    switch choice {
    case .auto, .dark, .light, .terminal: return nil
    // The dark variant, from github.com/morhetz/gruvbox. For errors, bright orange replaces bright red (4.3), and for
    // hints light3 replaces light4 (4.2).
    case .gruvbox:
      self.init(
        ground: 0x282828, text: 0xEBDBB2, dim: 0x928374, accent: 0x83A598, error: 0xFE8019, warning: 0xFABD2F,
        success: 0xB8BB26, heading: 0xFABD2F, raised: 0x3C3836, strong: 0xEBDBB2, hint: 0xBDAE93)
    // From nordtheme.com. For dim text, nord9 replaces nord3 (1.7). For errors, nord13 replaces nord11 (3.1) and
    // nord12 (4.4). For headings, nord7 replaces nord15 (4.4).
    case .nord:
      self.init(
        ground: 0x2E3440, text: 0xD8DEE9, dim: 0x81A1C1, accent: 0x88C0D0, error: 0xEBCB8B, warning: 0xEBCB8B,
        success: 0xA3BE8C, heading: 0x8FBCBB, raised: 0x3B4252, strong: 0xECEFF4, hint: 0xD8DEE9)
    // The dark variant, from ethanschoonover.com/solarized. For dim text, base00 replaces base01 (2.8); for the
    // accent, cyan replaces blue (4.1); for errors, yellow replaces red and orange (3.3). In the status line, base1
    // replaces base0 (4.1).
    case .solarized:
      self.init(
        ground: 0x002B36, text: 0x839496, dim: 0x657B83, accent: 0x2AA198, error: 0xB58900, warning: 0xB58900,
        success: 0x859900, heading: 0xB58900, raised: 0x073642, strong: 0xEEE8D5, hint: 0x93A1A1)
    // The Mocha flavor, from catppuccin.com/palette.
    case .catppuccin:
      self.init(
        ground: 0x1E1E2E, text: 0xCDD6F4, dim: 0x7F849C, accent: 0x89B4FA, error: 0xF38BA8, warning: 0xF9E2AF,
        success: 0xA6E3A1, heading: 0xCBA6F7, raised: 0x313244, strong: 0xCDD6F4, hint: 0xA6ADC8)
    // From draculatheme.com/contribute. In the status line, the foreground replaces the comment color (1.9).
    case .dracula:
      self.init(
        ground: 0x282A36, text: 0xF8F8F2, dim: 0x6272A4, accent: 0xBD93F9, error: 0xFF5555, warning: 0xF1FA8C,
        success: 0x50FA7B, heading: 0xFF79C6, raised: 0x44475A, strong: 0xF8F8F2, hint: 0xF8F8F2)
    }
  }
}
