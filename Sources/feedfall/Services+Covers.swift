import FeedfallCore
import FeedfallCovers
import FeedfallRuntime
import FeedfallScreen
import FeedfallSources
import FeedfallTerminal
import FeedfallText

extension Services {
  /// Returns these services with covers from the on-disk cache, the network or local videos.
  func withCovers(_ options: SourceOptions) -> Services {
    let frames = VideoFrames.installed
    let loader = CoverLoader(
      cache: options.cache, userAgent: options.userAgent, proxies: options.proxies,
      makeFrame: frames?.picture ?? PictureRequests.noFrames,
      frameLength: { await frames?.seconds(of: $0) })
    var services = self
    services.cover = { request in
      do throws(CoverFailure) {
        let picture = try await loader.cover(
          request.addresses, size: request.size, cellSize: request.cellSize, glyphs: request.glyphs,
          wantsPixels: request.wantsPixels)
        return .success(picture)
      } catch {
        var failure = FeedFailure(error.isMissing ? .permanent : .temporary, error.reason, advice: error.advice)
        failure.isOffline = error.isOffline
        return .failure(failure)
      }
    }
    services.coverColors = { await loader.averages(of: $0) }
    return services
  }
}

extension CoverStyle {
  /// Selects how to show covers, by the terminal's features and the user's choice.
  init(of terminal: CursesTerminal, pictures: PictureChoice) {
    guard terminal.hasColors else {
      self = .initials
      return
    }
    switch pictures {
    case .none: self = .blocks
    // The cells under pixels are visible only while these are on their way.
    case _ where terminal.pictureProtocol != .cells: self = .pictures(.halves, wantsPixels: true)
    case .symbols: self = .pictures(max(.sextants, terminal.glyphs), wantsPixels: false)
    case .cells: self = .pictures(min(.eighths, terminal.glyphs), wantsPixels: false)
    case .auto, .kitty, .sixel: self = .pictures(terminal.glyphs, wantsPixels: false)
    }
  }
}
