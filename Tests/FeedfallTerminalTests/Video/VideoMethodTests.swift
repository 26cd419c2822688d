import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct VideoMethodTests {
  private static let kitty = KittyVideo.Form(isShared: true, replacesPixels: true)
  private static let encoded = KittyVideo.Form(isShared: false, replacesPixels: true)

  private func method(
    _ choice: VideoChoice, hasManyColors: Bool = true, kitty: KittyVideo.Form? = nil, hasKittyFailed: Bool = false
  ) -> VideoMethod {
    VideoMethod(
      for: choice, hasManyColors: hasManyColors, kitty: kitty, hasKittyFailed: hasKittyFailed, sixelColorCount: nil)
  }

  @Test func `the best confirmed method is chosen`() {
    #expect(method(.auto) == .cells)
    #expect(method(.auto, kitty: Self.kitty) == .kitty(Self.kitty) && method(.cells, kitty: Self.kitty) == .cells)
    for choice in [VideoChoice.auto, .kitty] {
      #expect(method(choice, kitty: Self.kitty, hasKittyFailed: true) == .cells)
    }
    #expect(method(.kitty, kitty: Self.kitty).output == .pixels)
    #expect(method(.kitty, kitty: Self.encoded).output == .encodedPixels)
  }

  @Test func `without a picture the user's choice is the reason, then the colors`() {
    for choice in [VideoChoice.kitty, .sixel] { #expect(method(choice).output == .none(.unconfirmed(choice))) }
    for hasManyColors in [true, false] {
      #expect(method(.off, hasManyColors: hasManyColors, kitty: Self.kitty).output == .none(.off))
    }
    #expect(method(.kitty, hasManyColors: false, kitty: Self.kitty).output == .none(.fewColors))
  }
}
