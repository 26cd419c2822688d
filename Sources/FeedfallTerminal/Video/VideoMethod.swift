import FeedfallScreen

enum VideoMethod: Equatable {
  case none(VideoObstacle)
  case cells
  case kitty(KittyVideoForm)
  case sixel(colorCount: Int)

  var output: VideoOutput {
    switch self {
    case .none(let obstacle): .none(obstacle)
    case .cells: .cells
    case .kitty(let form): form.isShared ? .pixels : .encodedPixels
    case .sixel: .encodedPixels
    }
  }
}

/// The form of kitty's protocol that a terminal has confirmed.
struct KittyVideoForm: Equatable {
  /// Whether frames are passed in shared memory; otherwise they are encoded as text.
  var isShared: Bool
  /// Whether a frame can replace the pixels of the last one; otherwise it is a new image.
  var replacesPixels: Bool
}

/// The terminal's confirmed features for videos.
struct VideoFeatures {
  var hasManyColors: Bool
  var kitty: KittyVideoForm?
  /// Whether the terminal has lost images of kitty's protocol too often.
  var hasKittyFailed: Bool
  /// The number of colors of a sixel picture; nil without sixels.
  var sixelColorCount: Int?

  /// With fewer colors in a sixel picture, cells look better.
  private static let fewestSixelColors = 64

  /// Returns the method for the user's choice, which is not replaced by another one.
  func method(for choice: VideoChoice) -> VideoMethod {
    guard hasManyColors || choice == .off else { return .none(.fewColors) }
    let kitty = kitty.map { hasKittyFailed ? .cells : VideoMethod.kitty($0) }
    let sixel = sixelColorCount.map(VideoMethod.sixel)
    return switch choice {
    case .auto: kitty ?? (sixelColorCount ?? 0 >= Self.fewestSixelColors ? sixel : nil) ?? .cells
    case .kitty: kitty ?? .none(.unconfirmed(choice))
    case .sixel: sixel ?? .none(.unconfirmed(choice))
    case .cells: .cells
    case .off: .none(.off)
    }
  }
}
