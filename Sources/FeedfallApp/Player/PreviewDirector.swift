import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

/// When the selected video plays muted in its cover.
public struct PreviewSettings: Equatable, Sendable {
  public enum Policy: Equatable, Sendable {
    case off
    /// If the terminal takes pixels from shared memory, and the battery is not nearly empty.
    case ifCheap
    /// If the terminal shows pixels.
    case always
  }

  public var policy = Policy.off
  /// The limit for the data of a preview in bytes.
  public var byteLimit = 10_000_000

  public init() {}

  func arePossible(with output: VideoOutput) -> Bool {
    switch policy {
    case .off: false
    case .ifCheap: output == .pixels
    case .always: output.hasPixels
    }
  }
}

/// Plays the selected video in its cover after 800 ms at rest, until the cover moves or other playback begins.
struct PreviewDirector: Equatable, Sendable {
  struct Place: Equatable, Sendable {
    var tab: Int
    var card: CardID
    /// In cells of the screen.
    var cover: Rect
    var output: VideoOutput
    /// In pixels.
    var cellSize: Size

    /// The size in cells of a film in the cover. One that is cropped fills it if little of it is lost.
    fileprivate func pictureSize(of film: Size?, fit: Presentation.Fit) -> Size {
      guard let film else { return cover.size }
      let aspect = FilmShape.aspect(of: film)
      let coverAspect = FilmShape.aspect(
        of: Size(width: cover.width * cellSize.width, height: cover.height * cellSize.height))
      let isAlike = max(aspect / coverAspect, coverAspect / aspect) <= PreviewDirector.greatestCrop
      return fit == .filling && isAlike ? cover.size : coverSize(aspect: aspect, within: cover.size, cellSize: cellSize)
    }
  }

  private enum Phase: Equatable, Sendable {
    /// Nothing plays at this place, or not any longer.
    case idle
    case waiting(Ticket)
    case checkingPower(Ticket)
    case due
    case playing(PlayPreview)
  }

  private static let restTime = Duration.milliseconds(800)
  /// A video nearly as narrow as a poster is not cropped.
  private static let leastCroppedAspect = 1.2
  /// The largest ratio of the proportions of a video and a cover that it fills.
  fileprivate static let greatestCrop = 1.2

  private(set) var place: Place?
  private var phase = Phase.idle
  private var failureCount = 0

  /// After this many failures the player is not started for previews again.
  private static let maximumFailures = 2

  /// Whether the player can show previews; without libmpv there are no frames.
  func hasPlayer(_ session: PlaySession) -> Bool {
    session.settings.libraryFault == nil && failureCount < Self.maximumFailures
  }

  /// The size in cells of the preview's picture; nil if there are no frames to paint.
  var pictureSize: Size? {
    guard case .playing(let preview) = phase, preview.hasPicture, let place else { return nil }
    return place.pictureSize(of: preview.filmSize, fit: preview.session.settings.fit)
  }

  var arrivedUntil: Double? { if case .playing(let preview) = phase { preview.session.arrivedUntil } else { nil } }

  // MARK: - Place

  /// `video` is called only for a preview that starts.
  mutating func update(
    _ new: Place?, _ screen: inout PlayerScreen, byteLimit: Int, _ tickets: inout TicketOffice,
    video: () -> (item: PlayItem, aspect: Double)?
  ) -> [AppEffect] {
    guard new == place else {
      let effects = end(&screen)
      place = new
      guard new != nil else { return effects }
      let ticket = tickets.next()
      phase = .waiting(ticket)
      return effects + [.wait(Self.restTime, .preview(ticket))]
    }
    guard let place else { return [] }
    if case .playing(let preview) = phase { return resize(preview, in: place).map(AppEffect.player) }
    guard phase == .due, let frameSize = place.output.frameSize(forCells: place.cover.size, cellSize: place.cellSize),
      let video = video()
    else { return [] }
    var preview = PlayPreview(of: screen.session)
    let orders = preview.start(
      video.item, frameSize: frameSize, fit: video.aspect < Self.leastCroppedAspect ? .whole : .filling,
      byteLimit: byteLimit)
    phase = .playing(preview)
    return orders.map(AppEffect.player)
  }

  private mutating func resize(_ preview: PlayPreview, in place: Place) -> [PlayerOrder] {
    let size = place.pictureSize(of: preview.filmSize, fit: preview.session.settings.fit)
    guard let frameSize = place.output.frameSize(forCells: size, cellSize: place.cellSize) else { return [] }
    var preview = preview
    let orders = preview.resize(to: frameSize)
    phase = .playing(preview)
    return orders
  }

  mutating func end(_ screen: inout PlayerScreen) -> [AppEffect] {
    defer { phase = .idle }
    switch phase {
    case .idle, .due: return []
    case .waiting(let ticket), .checkingPower(let ticket): return [.cancel(ticket)]
    case .playing(var preview):
      let orders = preview.stop()
      screen.session.follow(preview)
      return orders.map(AppEffect.player)
    }
  }

  // MARK: - Events

  mutating func waitElapsed(
    _ ticket: Ticket, _ policy: PreviewSettings.Policy, _ tickets: inout TicketOffice
  ) -> [AppEffect] {
    guard phase == .waiting(ticket) else { return [] }
    guard policy == .ifCheap else {
      phase = .due
      return []
    }
    let ticket = tickets.next()
    phase = .checkingPower(ticket)
    return [.readPower(ticket)]
  }

  mutating func powerRead(_ ticket: Ticket, isLow: Bool) {
    if phase == .checkingPower(ticket) { phase = isLow ? .idle : .due }
  }

  /// Handles a report about the preview; returns nil for one about other playback.
  mutating func handle(_ report: PlayerReport, _ screen: inout PlayerScreen) -> [AppEffect]? {
    // Also after the preview, because a player that hangs is recognized only after a while.
    if case .unavailable = report, !screen.isActive { failureCount += 1 }
    guard case .playing(var preview) = phase else { return nil }
    // The fault also applies to videos.
    if case .libraryUnusable = report { _ = screen.session.handle(report) }
    let orders = preview.handle(report)
    phase = .playing(preview)
    if !preview.session.isUnderWay {
      screen.session.follow(preview)
      phase = .idle
    }
    return orders.map(AppEffect.player)
  }

  /// Ends the preview of a video that is about to play; returns nil if it has no picture that could play on.
  mutating func promote(_ item: PlayItem) -> PlayPreview? {
    guard case .playing(let preview) = phase, preview.hasPicture, preview.session.item?.isSamePlayback(as: item) == true
    else { return nil }
    phase = .idle
    return preview
  }
}

extension Browsing {
  /// Whether a video's file can be played without a request for its address.
  func canPreview(_ card: Card) -> Bool {
    if isDownloaded(card) { return true }
    guard case .direct = card.video.playback, !isAddressMissing(in: card) else { return false }
    if case .upcoming? = card.video.live { return false }
    return true
  }

  func isQueue(_ tab: Int) -> Bool { tabs[tab].query.order == .other(.queue) }

  func playItem(of card: Card, isContinued: Bool) -> PlayItem {
    var item = PlayItem(
      playable(card), key: card.key, startSeconds: library.store.resumeSeconds(of: card), isContinued: isContinued)
    item.allowsHTTP =
      keysAllowingHTTP.contains(card.key)
      || library[card.source].settings.storedName.map(settings.sourcesAllowingHTTP.contains) == true
    return item
  }

  var previewedVideo: (item: PlayItem, aspect: Double)? {
    guard let card = selectedCard else { return nil }
    return (playItem(of: card, isContinued: isQueue(tabs.selection)), CardMetrics.aspect(of: card.video))
  }
}
