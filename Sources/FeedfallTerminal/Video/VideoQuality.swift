/// How well a video is shown: from all that the terminal can show to what a slow one can take.
enum VideoQuality: Int, Comparable, CaseIterable, Sendable {
  case full
  /// Cells whose colours have hardly changed stay.
  case tolerant
  /// The nearest of 256 colours.
  case indexed
  /// The same, and no more than 15 frames a second.
  case seldom
  /// The same, and no more than 6 frames a second.
  case rare

  static func < (one: VideoQuality, other: VideoQuality) -> Bool { one.rawValue > other.rawValue }

  /// The best that there is with so many colours; nil where there are too few for a video.
  static func best(for depth: ColorDepth) -> VideoQuality? {
    switch depth {
    case .none, .eight, .sixteen: nil
    case .indexed: .indexed
    case .direct: .full
    }
  }

  var usesPalette: Bool { self <= .indexed }

  /// By how much a channel of a colour may differ from what it should be.
  var tolerance: Int { self == .tolerant ? 6 : 0 }

  /// The shortest time from a frame to the next, in milliseconds.
  var interval: Int {
    switch self {
    case .full, .tolerant, .indexed: 0
    case .seldom: 66
    case .rare: 160
    }
  }

  /// The next worse one; nil for the worst.
  var lower: VideoQuality? { VideoQuality(rawValue: rawValue + 1) }
  /// The next better one; nil for the best.
  var higher: VideoQuality? { VideoQuality(rawValue: rawValue - 1) }
}
