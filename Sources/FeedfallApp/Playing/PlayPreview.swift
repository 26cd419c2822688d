import WaterfallEngine

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

  public var isUnderWay: Bool { session.isUnderWay }

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

  public var fit: Presentation.Fit { session.settings.fit }

  public mutating func stop() -> [PlayerOrder] { session.perform(.stop).orders }
}

extension [PlaySession.Effect] {
  fileprivate var orders: [PlayerOrder] { compactMap { if case .order(let order) = $0 { order } else { nil } } }
}
