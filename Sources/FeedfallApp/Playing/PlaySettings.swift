import WaterfallEngine

public struct PlaySettings: Equatable, Sendable {
  /// 0 to 100.
  public private(set) var volume = 100
  public internal(set) var isMuted = false
  /// One of `rates`.
  public private(set) var rate = 1.0
  /// 0 to 100; 50 leaves the picture unchanged.
  public private(set) var brightness = 50
  public internal(set) var fit = Presentation.Fit.whole
  /// The presentation of the option `player`.
  public var usualPresentation = Presentation.Kind.cells { didSet { presentation = usualPresentation } }
  /// The presentation that the user selected.
  public internal(set) var presentation = Presentation.Kind.cells
  /// The cells available for the picture; nil if there are none.
  var cells: Size?
  /// The width of half a cell divided by its height.
  var pixelAspect = 1.0
  /// The size of frames in square pixels; nil if cells show the picture.
  var frameSize: Size?
  /// Why libmpv delivers no frames; nil while it does.
  public internal(set) var libraryFault: PlayerReport.LibraryFault?
  /// In pixels; nil if the user has not selected a height.
  public var maximumHeight: Int?
  /// Whether the next video plays when one has ended.
  public var autoplays = false
  public internal(set) var loop = LoopMode.off
  /// Whether the next video is found in a shuffled order.
  public internal(set) var shuffles = false
  /// Whether segments are skipped; they are marked in any case.
  public var skipsSegments = false
  /// The share of its duration from which on a video counts as watched.
  public var watchedShare = 0.9

  /// The limit for the data of a preview in bytes; nil for a video.
  private(set) var byteLimit: Int?

  public init() {}

  /// Whether another video plays when one has ended.
  public var continues: Bool { autoplays || loop == .list }

  private static let rates = [0.5, 0.75, 1, 1.25, 1.5, 2]

  /// The settings for the player; without libmpv or cells for the picture, it plays sound only.
  var playerConfiguration: PlayerConfiguration {
    let available: Presentation =
      switch presentation {
      case .cells: terminalPresentation
      case .window: .window
      case .soundOnly: .soundOnly
      }
    var configuration = PlayerConfiguration(volume: volume, isMuted: isMuted, rate: rate, presentation: available)
    configuration.loopsFile = loop == .video
    return configuration
  }

  private var terminalPresentation: Presentation {
    guard libraryFault == nil, let cells else { return .soundOnly }
    return frameSize.map { .pixels($0, fit) } ?? .cells(cells, fit, pixelAspect: pixelAspect)
  }

  func request(_ id: PlayID, for candidate: PlayItem.Candidate, title: String) -> PlayRequest {
    var request = PlayRequest(id: id, address: candidate.address, title: title)
    (request.isPage, request.headers) = (candidate.isPage, candidate.headers)
    (request.maximumHeight, request.byteLimit) = (maximumHeight, byteLimit)
    return request
  }

  func forPreview(of item: PlayItem, frameSize: Size, fit: Presentation.Fit, byteLimit: Int) -> PlaySettings {
    var settings = self
    (settings.isMuted, settings.rate, settings.presentation, settings.fit) = (true, 1, .cells, fit)
    (settings.cells, settings.frameSize) = (frameSize, frameSize)
    settings.maximumHeight = item.heights.last ?? PlayPreview.usualHeight
    (settings.byteLimit, settings.loop) = (byteLimit, .off)
    return settings
  }

  mutating func changeRate(faster: Bool) {
    let next = faster ? Self.rates.first { $0 > rate } : Self.rates.last { $0 < rate }
    rate = next ?? rate
  }

  mutating func setRate(_ value: Double) { rate = Self.rates.min { abs($0 - value) < abs($1 - value) } ?? rate }

  /// The slowest and the fastest rate.
  public static var rateRange: ClosedRange<Double> { (rates.first ?? 1)...(rates.last ?? 1) }

  mutating func changeVolume(by step: Int) { volume = Self.changed(volume, by: step) }

  mutating func changeBrightness(by step: Int) { brightness = Self.changed(brightness, by: step) }

  private static func changed(_ percent: Int, by step: Int) -> Int {
    min(max(0, percent + min(max(-100, step), 100)), 100)
  }
}

/// A muted preview of a video: a session that stores nothing and shows neither failures nor notices. It uses the player
/// of another session, in which no video is under way.
public struct PlayPreview: Equatable, Sendable {
  public private(set) var session: PlaySession
  /// The position at which it has started to play, in seconds; nil before that.
  private var start: Double?
  /// The size of the first picture in pixels. Later ones, of an adaptive stream, are shown in its proportions.
  public private(set) var filmSize: Size?

  /// In seconds of the video.
  private static let length = 20.0
  /// The largest height in pixels if the feed states none.
  static let usualHeight = 240

  public init(of session: PlaySession) { self.session = session }

  /// Whether there are frames to paint.
  public var hasPicture: Bool { session.loadState.isReady && session.file.pictureSize != nil }

  /// Starts at the resume position, so that the video can be continued, in the lowest resolution of the feed.
  /// `frameSize` is in pixels, `byteLimit` in bytes.
  public mutating func start(_ item: PlayItem, frameSize: Size, fit: Presentation.Fit, byteLimit: Int) -> [PlayerOrder]
  {
    session.settings = session.settings.forPreview(of: item, frameSize: frameSize, fit: fit, byteLimit: byteLimit)
    return session.perform(.play(item)).orders
  }

  /// Handles a report of the player. Without libmpv and without a picture there is nothing to show.
  public mutating func handle(_ report: PlayerReport) -> [PlayerOrder] {
    let orders = session.handle(report).orders
    filmSize = filmSize ?? session.file.pictureSize
    let isUseless =
      switch report {
      case .libraryUnusable: true
      case .event(_, .tracks(let tracks)): !tracks.isEmpty && !tracks.contains { $0.kind == .picture }
      default: false
      }
    return isUseless || hasPlayedEnough(after: report) ? orders + stop() : orders
  }

  /// A server that does not support seeking plays from the beginning, not from the resume position.
  private mutating func hasPlayedEnough(after report: PlayerReport) -> Bool {
    guard case .event(_, .time) = report, session.loadState.isReady else { return false }
    let start = min(start ?? session.shownTime, session.shownTime)
    self.start = start
    return session.shownTime - start >= Self.length
  }

  /// Handles a change of the size of the frames, in pixels.
  public mutating func resize(to frameSize: Size) -> [PlayerOrder] {
    session.resizeVideo(to: frameSize, pixelAspect: session.settings.pixelAspect, frameSize: frameSize).orders
  }

  public mutating func stop() -> [PlayerOrder] { session.perform(.stop).orders }
}

extension [PlaySession.Effect] {
  fileprivate var orders: [PlayerOrder] { compactMap { if case .order(let order) = $0 { order } else { nil } } }
}
