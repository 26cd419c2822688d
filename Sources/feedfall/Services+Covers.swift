import AppCore
import AppRuntime
import FeedSources
import Screen
import Terminal

extension Services {
  /// What gets covers from where feeds come from. Until there is something that loads them, none is to be had.
  static func covers(_ options: SourceOptions) -> @Sendable (CoverRequest) async -> CoverPicture? {
    { _ in nil }
  }
}

extension CoverStyle {
  /// How a terminal shows covers to a person who wants pictures so.
  init(of terminal: CursesTerminal, pictures: PictureChoice) {
    guard terminal.hasColors else {
      self = .initials
      return
    }
    switch pictures {
    case .none: self = .blocks
    case .symbols: self = .pictures(.sextants, wantsPixels: false)
    case .auto, .kitty, .sixel, .cells: self = .pictures(.halves, wantsPixels: terminal.pictureProtocol != .cells)
    }
  }
}
