import FeedfallScreen
import FeedfallSystem
import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct ThemeTests {
  /// Backgrounds of common color schemes, the darkest and the lightest included.
  private static let grounds: [Theme.Shade: [RGB]] = [
    .dark: [
      .black, RGB(red: 30, green: 30, blue: 30), RGB(red: 40, green: 44, blue: 52), RGB(red: 0, green: 43, blue: 54),
      RGB(red: 46, green: 52, blue: 64),
    ],
    .light: [
      .white, RGB(red: 253, green: 246, blue: 227), RGB(red: 250, green: 250, blue: 250),
      RGB(red: 239, green: 241, blue: 245),
    ],
  ]

  private func fixed(_ color: Int32?) -> RGB? {
    guard let number = color, number >= 16 else { return nil }
    return number < 256 ? ColorDepth.indexedColor(Int(number)) : RGB(UInt32(number))
  }

  @Test(arguments: [Theme.Shade.dark, .light], [ColorDepth.indexed, .direct])
  func `text has a contrast of 4.5 on its background, dim text of 3`(shade: Theme.Shade, depth: ColorDepth) throws {
    let theme = Theme(depth: depth, shade: shade)
    var count = 0
    for role in Role.allCases {
      guard let text = fixed(theme[role].foreground) else { continue }
      let least = role == .dim || role == .frame ? 3 : 4.5
      for ground in fixed(theme[role].background).map({ [$0] }) ?? Self.grounds[shade, default: []] {
        #expect(text.contrast(with: ground) >= least, "\(role) on \(ground)")
        count += 1
      }
    }
    #expect(count > 30)
  }

  @Test(arguments: ThemeChoice.allCases, [ColorDepth.indexed, .direct])
  func `text of a palette has a contrast of 4.5 on its background, dim text of 3`(
    choice: ThemeChoice, depth: ColorDepth
  ) throws {
    guard Theme.Palette(choice) != nil else { return }
    let theme = Theme(depth: depth, shade: .light, settings: ThemeSettings(choice))
    for role in Role.allCases {
      let text = try #require(fixed(theme[role].foreground))
      let ground = try #require(fixed(theme[role].background))
      let least = role == .dim || role == .frame ? 3 : 4.5
      #expect(text.contrast(with: ground) >= least, "\(role): \(text) on \(ground)")
    }
  }

  @Test func `a palette is written in direct colors, or in the nearest of 256`() {
    let settings = ThemeSettings(.gruvbox)
    let direct = Theme(depth: .direct, shade: .light, settings: settings)
    #expect(direct[.plain].foreground == 0xEBDBB2 && direct[.dim].background == 0x282828)
    #expect(direct.ground == RGB(0x282828))
    let indexed = Theme(depth: .indexed, shade: .light, settings: settings)
    #expect(indexed[.plain].background == 235)
    // Too few colors for a palette: those of the user's terminal.
    #expect(Theme(depth: .sixteen, shade: .dark, settings: settings) == Theme(depth: .sixteen, shade: .dark))
  }

  @Test func `dark and light win over the background`() {
    for depth in [ColorDepth.eight, .indexed] {
      for (choice, shade, other) in [(ThemeChoice.dark, Theme.Shade.dark, Theme.Shade.light), (.light, .light, .dark)] {
        let theme = Theme(depth: depth, shade: other, settings: ThemeSettings(choice))
        #expect(theme == Theme(depth: depth, shade: shade))
      }
    }
  }

  @Test func `the terminal's theme has only its own sixteen colors`() {
    for shade in [Theme.Shade.unknown, .dark, .light] {
      let theme = Theme(depth: .direct, shade: shade, settings: ThemeSettings(.terminal))
      #expect(Role.allCases.allSatisfy { theme[$0].foreground ?? 0 < 16 })
      #expect(Role.allCases.allSatisfy { theme[$0].background ?? 0 < 16 })
      #expect(theme[.key].foreground != nil)
    }
  }

  @Test func `colors of the user replace those of the theme`() {
    let settings = ThemeSettings(
      colors: [
        .accent: .fixed(RGB(0x7AA2F7)), .text(.link): .terminal(9), .background(.badge): .fixed(RGB(0x101010)),
        .background(.selectedTab): .terminal(4), .background(.plain): .fixed(RGB(0x1A1B26)),
        .background(.status): .fixed(RGB(0x24283B)),
      ])
    let theme = Theme(depth: .direct, shade: .dark, settings: settings)
    #expect(theme[.key].foreground == 0x7AA2F7 && theme[.link].foreground == 9)
    #expect(theme[.badge].background == 0x101010)
    #expect(theme[.badge].foreground == Theme(depth: .direct, shade: .dark)[.badge].foreground)
    #expect(theme[.selectedTab].attributes == [] && theme[.selectedTab].background == 4)
    #expect(theme[.hint].background == 0x24283B)
    #expect(theme.ground == RGB(0x1A1B26) && theme[.title].background == 0x1A1B26)
    #expect(Theme(depth: .none, shade: .dark, settings: settings) == Theme(depth: .none, shade: .dark))
    let few = Theme(depth: .eight, shade: .dark, settings: settings)
    #expect(few[.link].foreground == 1)
    #expect(few[.key].foreground == ColorDepth.eight.nearest(to: RGB(0x7AA2F7)))
  }

  @Test func `the colors are the same with 256 colors and with all`() {
    for shade in [Theme.Shade.dark, .light] {
      #expect(Theme(depth: .direct, shade: shade) == Theme(depth: .indexed, shade: shade))
    }
  }

  @Test(arguments: [ColorDepth.eight, .sixteen, .indexed, .direct], [ThemeChoice.auto, .terminal])
  func `on an unknown background text has a contrast of 3 on black and on white`(
    depth: ColorDepth, choice: ThemeChoice
  ) throws {
    let theme = Theme(depth: depth, shade: .unknown, settings: ThemeSettings(choice))
    func color(_ color: Int32?) -> RGB? {
      color.map { $0 < 16 ? ColorDepth.palette[Int($0)] : ColorDepth.indexedColor(Int($0)) }
    }
    var count = 0
    for role in Role.allCases {
      guard let text = color(theme[role].foreground) else { continue }
      for ground in color(theme[role].background).map({ [$0] }) ?? [.black, .white] {
        #expect(text.contrast(with: ground) >= 3, "\(role): \(text) on \(ground)")
        count += 1
      }
    }
    #expect(count > 12)
    #expect(Theme(depth: .none, shade: .unknown) == Theme(depth: .none, shade: .dark))
    #expect(Theme(depth: .indexed, shade: .dark) != Theme(depth: .indexed, shade: .light))
  }

  @Test(
    arguments: [
      ("15;0", nil, Theme.Shade.dark), ("0;15", nil, .light), ("0;default;15", nil, .light),
      ("7;default", nil, .unknown),
      ("12;8", nil, .dark), ("0;7", nil, .light), ("0;99", nil, .unknown), (nil, nil, .unknown), (nil, "linux", .dark),
      ("0;15", "linux", .light), (";", nil, .unknown),
    ] as [(String?, String?, Theme.Shade)])
  func `COLORFGBG is the background until the terminal reports it`(colors: String?, term: String?, shade: Theme.Shade) {
    let environment = Environment(["COLORFGBG": colors, "TERM": term].compactMapValues(\.self))
    #expect(environment.shade == shade)
  }

  @Test func `the shade follows from the background`() {
    #expect(Theme.Shade(of: nil) == .unknown)
    #expect(Theme.Shade(of: RGB(red: 0, green: 43, blue: 54)) == .dark)
    #expect(Theme.Shade(of: RGB(red: 253, green: 246, blue: 227)) == .light)
  }
}
