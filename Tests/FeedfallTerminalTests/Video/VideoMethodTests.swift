import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct VideoMethodTests {
  private let kitty = KittyVideo.Form(isShared: true, replacesPixels: true)

  @Test func `the best confirmed method is chosen`() {
    var features = VideoMethod.Features(hasManyColors: true, hasKittyFailed: false)
    #expect(features.method(for: .auto) == .cells)
    features.kitty = kitty
    #expect(features.method(for: .auto) == .kitty(kitty))
    #expect(features.method(for: .cells) == .cells)
    features.hasKittyFailed = true
    for choice in [VideoChoice.auto, .kitty] { #expect(features.method(for: choice) == .cells) }
  }

  @Test(arguments: [VideoChoice.kitty, .sixel])
  func `graphics that are not confirmed are refused`(choice: VideoChoice) {
    let features = VideoMethod.Features(hasManyColors: true, hasKittyFailed: false)
    #expect(features.method(for: choice).output == .none(.unconfirmed(choice)))
  }

  @Test func `without a picture the user's choice is the reason, then the colors`() {
    var features = VideoMethod.Features(hasManyColors: false, kitty: kitty, hasKittyFailed: false)
    #expect(features.method(for: .off).output == .none(.off))
    #expect(features.method(for: .kitty).output == .none(.fewColors))
    features.hasManyColors = true
    #expect(features.method(for: .off).output == .none(.off))
    #expect(features.method(for: .kitty).output == .pixels)
    features.kitty?.isShared = false
    #expect(features.method(for: .kitty).output == .encodedPixels)
  }
}
