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
    for role in Role.allCases where role != .plain { inheritColors(role) }
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

  private mutating func inheritColors(_ role: Role) {
    let plain = self[.plain]
    let index = Int(role.rawValue)
    looks[index].foreground = looks[index].foreground ?? plain.foreground
    looks[index].background = looks[index].background ?? plain.background
  }

  /// One of xterm's 240 fixed colors by its index, which is shorter than red, green and blue; `palette` is the nearest
  /// of the eight of the user's palette, nil the default color.
  private struct Ink {
    var fixed: Int32
    var palette: ANSI?

    init(_ fixed: Int32, _ palette: ANSI?) { (self.fixed, self.palette) = (fixed, palette) }
  }

  /// A color for each background. The one for an unknown background has a contrast of at least 3 on black and on white.
  private struct Inks {
    var dark: Ink
    var light: Ink
    var unknown: Ink

    init(dark: Ink, light: Ink, unknown: Ink? = nil) {
      (self.dark, self.light, self.unknown) = (dark, light, unknown ?? dark)
    }

    subscript(shade: Shade) -> Ink {
      switch shade {
      case .dark: dark
      case .light: light
      case .unknown: unknown
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

  private static let accent = Inks(dark: Ink(117, .cyan), light: Ink(25, .blue), unknown: Ink(32, .magenta))
  private static let bar = Inks(dark: Ink(236, nil), light: Ink(253, nil))

  private static func row(of role: Role) -> Row {
    switch role {
    case .plain, .title, .tab: Row([])
    case .status: Row(.reverse, Inks(dark: Ink(252, nil), light: Ink(236, nil)), on: bar)
    case .hint: Row(.reverse, Inks(dark: Ink(248, nil), light: Ink(240, nil)), on: bar)
    case .dim: Row(.dim, Inks(dark: Ink(246, nil), light: Ink(243, nil), unknown: Ink(244, nil)))
    case .frame: Row(.dim, Inks(dark: Ink(245, nil), light: Ink(244, nil), unknown: Ink(244, nil)))
    case .selected: Row(.bold, colored: .bold)
    case .selection: Row(.bold, accent)
    case .selectedRow:
      Row(
        [.bold, .reverse], colored: .bold, Inks(dark: Ink(231, .white), light: Ink(232, .white)),
        on: Inks(dark: Ink(25, .blue), light: Ink(153, .blue)))
    case .selectedTab: Row(.reverse, colored: .reverse)
    case .match: Row([.bold, .underline], block: (Ink(232, .black), Ink(220, .yellow)))
    case .cover: Row([.dim, .reverse])
    case .badge: Row(.bold, block: (Ink(254, .white), Ink(236, .black)))
    case .error: Row(.bold, Inks(dark: Ink(210, .red), light: Ink(124, .red), unknown: Ink(167, .red)))
    case .warning: Row(.bold, Inks(dark: Ink(222, .yellow), light: Ink(94, nil), unknown: Ink(136, nil)))
    case .success, .segment: Row([], Inks(dark: Ink(114, .green), light: Ink(22, .blue), unknown: Ink(28, nil)))
    case .progress: Row([], accent)
    case .alert: Row([.bold, .reverse], colored: .bold, block: (Ink(231, .white), Ink(124, .red)))
    case .key: Row(.bold, colored: .bold, accent)
    case .link: Row(.underline, colored: .underline, accent)
    case .heading:
      Row(
        [.bold, .underline], colored: .bold,
        Inks(dark: Ink(222, .yellow), light: Ink(90, .magenta), unknown: Ink(133, .magenta)))
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
}
