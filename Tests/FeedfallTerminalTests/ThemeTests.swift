import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct ThemeTests {
  @Test func `the theme has no colours if colours are off`() {
    let theme = Theme(usesColor: false, shade: .dark)
    for role in Role.allCases {
      #expect(theme[role].foreground == nil && theme[role].background == nil, "\(role)")
    }
  }

  @Test func `the theme has no colour on an unknown background`() {
    let theme = Theme(usesColor: true, shade: .unknown)
    for role in Role.allCases where theme[role].background == nil {
      #expect(theme[role].foreground == nil, "\(role)")
    }
  }

  @Test(arguments: [Shade.unknown, .dark, .light], [true, false])
  func `the selected title is reversed`(shade: Shade, usesColor: Bool) {
    let theme = Theme(usesColor: usesColor, shade: shade)
    #expect(theme[.selected].attributes.contains(.reverse))
    #expect(theme[.selected] != theme[.title])
  }

  @Test func `the shade follows from the background`() {
    #expect(Shade(of: nil) == .unknown)
    #expect(Shade(of: RGB(red: 0, green: 43, blue: 54)) == .dark)
    #expect(Shade(of: RGB(red: 253, green: 246, blue: 227)) == .light)
  }
}
