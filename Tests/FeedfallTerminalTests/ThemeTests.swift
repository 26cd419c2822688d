import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct ThemeTests {
  /// Backgrounds of common color schemes, the darkest and the lightest included.
  private static let grounds: [Shade: [RGB]] = [
    .dark: [
      .black, RGB(red: 30, green: 30, blue: 30), RGB(red: 40, green: 44, blue: 52), RGB(red: 0, green: 43, blue: 54),
      RGB(red: 46, green: 52, blue: 64),
    ],
    .light: [
      .white, RGB(red: 253, green: 246, blue: 227), RGB(red: 250, green: 250, blue: 250),
      RGB(red: 239, green: 241, blue: 245),
    ],
  ]

  /// The contrast of WCAG 2.2, from 1 to 21.
  private func contrast(_ one: RGB, _ other: RGB) -> Double {
    let (light, dark) = (max(one.luminance, other.luminance), min(one.luminance, other.luminance))
    return (light + 0.05) / (dark + 0.05)
  }

  private func fixed(_ color: ThemeColor?) -> RGB? {
    if case .fixed(let index) = color { ColorDepth.indexedColor(Int(index)) } else { nil }
  }

  @Test(arguments: [Shade.dark, .light], [ColorDepth.indexed, .direct])
  func `text has a contrast of 4.5 on its background, dim text of 3`(shade: Shade, depth: ColorDepth) throws {
    let theme = Theme(depth: depth, shade: shade)
    var count = 0
    for role in Role.allCases {
      guard let text = fixed(theme[role].foreground) else { continue }
      let least = role == .dim || role == .frame ? 3 : 4.5
      for ground in fixed(theme[role].background).map({ [$0] }) ?? Self.grounds[shade, default: []] {
        let contrast = contrast(text, ground)
        #expect(contrast >= least, "\(role) on \(ground)")
        count += 1
      }
    }
    #expect(count > 30)
  }

  @Test func `the colors are the same with 256 colors and with all`() {
    for shade in [Shade.dark, .light] {
      #expect(Theme(depth: .direct, shade: shade) == Theme(depth: .indexed, shade: shade))
    }
  }

  @Test func `dim text is gray if there are many colors, else dim`() {
    for shade in [Shade.dark, .light, .unknown] {
      let dim = Theme(depth: .indexed, shade: shade)[.dim]
      #expect(dim.attributes == [] && fixed(dim.foreground).map { $0.red == $0.green && $0.green == $0.blue } == true)
      #expect(Theme(depth: .sixteen, shade: shade)[.dim] == Look(attributes: .dim))
    }
  }

  @Test func `a terminal that does not report its background is dark`() {
    for depth in [ColorDepth.none, .eight, .sixteen, .indexed, .direct] {
      #expect(Theme(depth: depth, shade: .unknown) == Theme(depth: depth, shade: .dark))
    }
    #expect(Theme(depth: .indexed, shade: .dark) != Theme(depth: .indexed, shade: .light))
    #expect(Theme(depth: .indexed, shade: .unknown)[.key].foreground != nil)
  }

  @Test func `the theme has no colors if colors are off`() {
    let theme = Theme(depth: .none, shade: .dark)
    for role in Role.allCases {
      #expect(theme[role].foreground == nil && theme[role].background == nil, "\(role)")
    }
  }

  @Test func `few colors are those of the user's palette`() {
    let theme = Theme(depth: .eight, shade: .dark)
    for role in Role.allCases {
      #expect(fixed(theme[role].foreground) == nil && fixed(theme[role].background) == nil, "\(role)")
    }
    #expect(theme[.alert].background == .palette(.red) && theme[.key].foreground == .palette(.cyan))
  }

  @Test(arguments: [Shade.dark, .light])
  func `errors are red, and warnings and successes differ from them`(shade: Shade) throws {
    let theme = Theme(depth: .indexed, shade: shade)
    let error = try #require(fixed(theme[.error].foreground))
    #expect(error.red > error.green && error.green == error.blue)
    #expect(Set([Role.error, .warning, .success, .dim].map { theme[$0] }).count == 4)
    #expect(Theme(depth: .eight, shade: shade)[.error].foreground == .palette(.red))
  }

  @Test(arguments: [Shade.unknown, .dark, .light], [ColorDepth.none, .eight, .direct])
  func `the selected tab is reversed and the selected title bold`(shade: Shade, depth: ColorDepth) {
    let theme = Theme(depth: depth, shade: shade)
    #expect(theme[.selectedTab].attributes == .reverse)
    #expect(theme[.selected] == Look(attributes: .bold) && theme[.title] == Look(attributes: []))
  }

  @Test func `the shade follows from the background`() {
    #expect(Shade(of: nil) == .unknown)
    #expect(Shade(of: RGB(red: 0, green: 43, blue: 54)) == .dark)
    #expect(Shade(of: RGB(red: 253, green: 246, blue: 227)) == .light)
  }
}
