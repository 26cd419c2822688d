import FeedfallScreen

extension Theme {
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

    /// The dark variant, from github.com/morhetz/gruvbox. For errors, bright orange replaces bright red (4.3), and for
    /// hints light3 replaces light4 (4.2).
    private static let gruvbox = Palette(
      ground: 0x282828, text: 0xEBDBB2, dim: 0x928374, accent: 0x83A598, error: 0xFE8019, warning: 0xFABD2F,
      success: 0xB8BB26, heading: 0xFABD2F, raised: 0x3C3836, strong: 0xEBDBB2, hint: 0xBDAE93)

    /// From nordtheme.com. For dim text, nord9 replaces nord3 (1.7). For errors, nord13 replaces nord11 (3.1) and
    /// nord12 (4.4). For headings, nord7 replaces nord15 (4.4).
    private static let nord = Palette(
      ground: 0x2E3440, text: 0xD8DEE9, dim: 0x81A1C1, accent: 0x88C0D0, error: 0xEBCB8B, warning: 0xEBCB8B,
      success: 0xA3BE8C, heading: 0x8FBCBB, raised: 0x3B4252, strong: 0xECEFF4, hint: 0xD8DEE9)

    /// The dark variant, from ethanschoonover.com/solarized. For dim text, base00 replaces base01 (2.8); for the
    /// accent, cyan replaces blue (4.1); for errors, yellow replaces red and orange (3.3). In the status line, base1
    /// replaces base0 (4.1).
    private static let solarized = Palette(
      ground: 0x002B36, text: 0x839496, dim: 0x657B83, accent: 0x2AA198, error: 0xB58900, warning: 0xB58900,
      success: 0x859900, heading: 0xB58900, raised: 0x073642, strong: 0xEEE8D5, hint: 0x93A1A1)

    /// The Mocha flavor, from catppuccin.com/palette.
    private static let catppuccin = Palette(
      ground: 0x1E1E2E, text: 0xCDD6F4, dim: 0x7F849C, accent: 0x89B4FA, error: 0xF38BA8, warning: 0xF9E2AF,
      success: 0xA6E3A1, heading: 0xCBA6F7, raised: 0x313244, strong: 0xCDD6F4, hint: 0xA6ADC8)

    /// From draculatheme.com/contribute. In the status line, the foreground replaces the comment color (1.9).
    private static let dracula = Palette(
      ground: 0x282A36, text: 0xF8F8F2, dim: 0x6272A4, accent: 0xBD93F9, error: 0xFF5555, warning: 0xF1FA8C,
      success: 0x50FA7B, heading: 0xFF79C6, raised: 0x44475A, strong: 0xF8F8F2, hint: 0xF8F8F2)
  }
}

extension Theme.Palette {
  init?(_ choice: ThemeChoice) {
    switch choice {
    case .auto, .dark, .light, .terminal: return nil
    case .gruvbox: self = .gruvbox
    case .nord: self = .nord
    case .solarized: self = .solarized
    case .catppuccin: self = .catppuccin
    case .dracula: self = .dracula
    }
  }
}
