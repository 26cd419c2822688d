import AppCore
import AppRuntime
import Covers
import FeedSources
import Screen
import Terminal

extension Services {
  /// What gets covers from the disk, else from where they are; nil where there are none.
  static func covers(_ options: SourceOptions) -> @Sendable (CoverRequest) async -> CoverPicture? {
    let loader = CoverLoader(options: options)
    return { request in
      let cover = await loader.cover(
        request.addresses, size: request.size, cellSize: request.cellSize, glyphs: request.glyphs,
        wantsPixels: request.wantsPixels)
      return try? cover.get()
    }
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
