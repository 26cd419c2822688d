/// The user's theme: a built-in one, and the colors that replace some of its colors.
public struct ThemeSettings: Hashable, Sendable {
  public var base: ThemeChoice
  public var colors: [Slot: Color]

  public init(_ base: ThemeChoice = .auto, colors: [Slot: Color] = [:]) { (self.base, self.colors) = (base, colors) }

  /// A color of a theme that the user can set.
  public enum Slot: Hashable, Sendable {
    /// The color of the roles `selection`, `progress`, `key` and `link`.
    case accent
    case text(Role)
    /// Only for roles with a background.
    case background(Role)

    /// All names in the configuration, in the order of the roles.
    public static let names: [String] = all.map(\.name)

    public init?(name: String) {
      guard let slot = Self.all.first(where: { $0.name == name })?.slot else { return nil }
      self = slot
    }

    private static let all: [(name: String, slot: Slot)] =
      [("accent", .accent)]
      + Role.allCases.flatMap { role in
        [(role.name, Slot.text(role))] + (role.hasBackground ? [("\(role.name)-background", .background(role))] : [])
      }
  }

  /// A color that the user has chosen.
  public enum Color: Hashable, Sendable {
    /// The terminal's default text or background.
    case standard
    /// One of the terminal's own colors, from 0 (black) to 15 (bright white).
    case terminal(UInt8)
    case fixed(RGB)

    /// Parses `default`, a name such as `red` or `bright-red`, or six hexadecimal digits such as `#7aa2f7`.
    public init?(_ text: String) {
      let number = Self.names.firstIndex(of: text)
      let own: Color? = text == "default" ? .standard : number.map { .terminal(UInt8($0)) }
      guard let color = own ?? RGB(hexadecimal: text).map(Color.fixed) else { return nil }
      self = color
    }

    private static let names: [String] = {
      let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
      return names + names.map { "bright-\($0)" }
    }()
  }
}

/// The built-in themes.
public enum ThemeChoice: String, CaseIterable, Sendable {
  /// Dark or light, as the terminal's background.
  case auto
  case dark, light
  /// The terminal's own 16 colors only.
  case terminal
  case gruvbox, nord, solarized, catppuccin, dracula
}

extension RGB {
  fileprivate init?(hexadecimal text: String) {
    let digits = text.utf8.dropFirst()
    // `UInt32` would also accept a sign.
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, digits.allSatisfy({ $0 >= UInt8(ascii: "0") }),
      let number = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(number)
  }

  /// The color with this number, such as 0x7AA2F7; bits above 24 are ignored.
  public init(_ number: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }
}
