import FeedfallApp
import FeedfallFeeds
import FeedfallMedia
import FeedfallScreen
import FeedfallSources
import FeedfallTerminal
import FeedfallText
import WaterfallEngine

extension Services {
  /// Adds covers to these services, and to videos the sizes of covers that were learned before.
  func withCovers(_ options: SourceOptions) -> Services {
    let frames = VideoFrames.installed
    let loader = CoverLoader(
      cache: options.cache, userAgent: options.userAgent, timeoutSeconds: options.timeoutSeconds,
      proxies: options.proxies,
      makeFrame: frames?.picture ?? PictureRequests.noFrames,
      frameLength: { await frames?.seconds(of: $0) })
    var services = self
    services.cover = { request, reportSize in
      let report: @Sendable (Size) -> Void = { PixelSize($0).map(reportSize) }
      do throws(CoverFailure) {
        let picture = try await loader.cover(
          request.addresses, on: CoverLoader.Terms(use: request.use, pace: request.pace, page: request.page),
          size: request.size, cellSize: request.cellSize, glyphs: request.glyphs,
          wantsPixels: request.wantsPixels, sizeForPicture: request.freeHeight == nil ? nil : request.size(for:),
          reportSize: request.learnsSize ? report : nil)
        return .success(picture)
      } catch {
        var failure = FeedFailure(error.kind, error.reason, advice: error.advice)
        failure.isOffline = error.isOffline
        return .failure(failure)
      }
    }
    services.coverColors = { await loader.averages(of: $0) }
    services.page = { [page] source, cursor, use in
      await page(source, cursor, use).map { page in
        var page = page
        page.videos.learnSizes(from: loader)
        return page
      }
    }
    services.details = { [details] source, video in
      await details(source, video).map { video in
        var videos = [video]
        videos.learnSizes(from: loader)
        return videos[0]
      }
    }
    return services
  }
}

extension [Video] {
  /// The number of covers of a video whose sizes are looked up: as many as `CoverRequest` tries.
  private static let coverCount = 4

  fileprivate mutating func learnSizes(from loader: CoverLoader) {
    var places: [(video: Int, cover: Int)] = []
    for video in indices where self[video].namedAspect == nil {
      let covers = self[video].covers.best.indices
      places += (covers.prefix(1) + covers.dropFirst().suffix(Self.coverCount - 1)).map { (video, $0) }
    }
    guard !places.isEmpty else { return }
    let sizes = loader.sizes(of: places.map { self[$0.video].covers[$0.cover].url })
    for (place, size) in zip(places, sizes) {
      guard let size = size.flatMap(PixelSize.init) else { continue }
      self[place.video].covers[place.cover].learn(size)
    }
  }
}

extension CoverStyle {
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
