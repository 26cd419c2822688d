import FeedfallCore
import FeedfallFeeds
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// What the program asks of the world, each wish a closure that a test can replace.
public struct Services: Sendable {
  public var page: @Sendable (SourceID, FeedCursor, CacheUse) async -> Result<FeedPage, FeedFailure>
  public var details: @Sendable (SourceID, Video) async -> Result<Video, FeedFailure>
  /// A cover, ready to be shown; nil where there is none to be had.
  public var cover: @Sendable (CoverRequest) async -> CoverPicture? = { _ in nil }
  /// The average colours of covers that are known from earlier.
  public var coverColors: @Sendable ([MediaAddress]) async -> [MediaAddress: RGB] = { _ in [:] }
  public var openInBrowser: @Sendable (WebAddress) -> Void
  /// Carries out an order without waiting; what comes of it is posted to the runtime's inbox.
  public var player: @Sendable (PlayerOrder) -> Void = { _ in }
  /// Waits, not long, until the player has passed on the orders that it was given.
  public var awaitPlayer: @Sendable () -> Void = {}
  /// Keeps where videos were left off for the next time; `writeRecords` runs after it.
  public var keepRecords: @Sendable (ResumeRecords) -> Void = { _ in }
  /// Writes the records to disk, on the worker.
  public var writeRecords: @Sendable () async -> Void = {}

  public init(
    page: @escaping @Sendable (SourceID, FeedCursor, CacheUse) async -> Result<FeedPage, FeedFailure>,
    details: @escaping @Sendable (SourceID, Video) async -> Result<Video, FeedFailure>,
    openInBrowser: @escaping @Sendable (WebAddress) -> Void
  ) {
    self.page = page
    self.details = details
    self.openInBrowser = openInBrowser
  }
}

/// The terminal as the runtime needs it; only the thread that runs the loop calls these closures.
public struct TerminalPort {
  /// What is readable when a person types; nil where nobody does.
  public var inputDescriptor: Int32?
  /// Takes everything that was typed so far.
  public var read: () -> TerminalReading
  /// Milliseconds after which to read again although nothing new came; nil when nothing is half read.
  public var pendingInputTimeout: () -> Int?
  public var size: () -> Size
  public var cellSize: () -> Size
  /// How it shows covers, as far as it has told yet.
  public var coverStyle: () -> CoverStyle
  public var paint: (Canvas) -> Void
  /// Shows a frame of a video where the canvas leaves room for it; never waits.
  public var paintVideo: (PixelBuffer) -> Void
  /// The frame that was shown last is not to come back: another video begins.
  public var forgetVideo: () -> Void
  /// What is to be polled for room while a frame waits for it; then `continueVideo` goes on.
  public var videoOutput: () -> Int32?
  public var continueVideo: () -> Void
  /// In how many milliseconds it is worth while to take the next frame; nil for at once.
  public var videoDelay: () -> Int?
  public var repaintAll: () -> Void
  public var updateSize: () -> Void
  public var suspend: () -> Void
  public var copy: (String) -> Void
  /// Asks the terminal for its status, which it answers after processing all output; false if it cannot be asked.
  public var requestStatus: () -> Bool
  /// Whether the answer to `requestStatus` is outstanding. It arrives as input.
  public var isAwaitingStatus: () -> Bool

  /// A port with a size and nobody in front of it.
  public init(size: Size, cellSize: Size = Size(width: 8, height: 16)) {
    read = { TerminalReading() }
    pendingInputTimeout = { nil }
    self.size = { size }
    self.cellSize = { cellSize }
    coverStyle = { .blocks }
    paint = { _ in }
    paintVideo = { _ in }
    forgetVideo = {}
    videoOutput = { nil }
    continueVideo = {}
    videoDelay = { nil }
    repaintAll = {}
    updateSize = {}
    suspend = {}
    copy = { _ in }
    requestStatus = { true }
    isAwaitingStatus = { false }
  }
}

/// What came from the terminal at one reading.
public struct TerminalReading: Sendable {
  public var events: [InputEvent]
  /// Whether the terminal is gone.
  public var isClosed: Bool
  /// Whether the terminal told something of itself that changes how the screen is to look.
  public var changesAppearance: Bool

  public init(events: [InputEvent] = [], isClosed: Bool = false, changesAppearance: Bool = false) {
    self.events = events
    self.isClosed = isClosed
    self.changesAppearance = changesAppearance
  }
}

/// Where the frames of a video come from.
public struct VideoPort {
  /// Readable while there is a frame that was not taken.
  public var descriptor: Int32?
  /// The newest frame.
  public var takeFrame: () -> PixelBuffer?

  public init(descriptor: Int32?, takeFrame: @escaping () -> PixelBuffer?) {
    self.descriptor = descriptor
    self.takeFrame = takeFrame
  }

  /// No video at all.
  public static var none: VideoPort { VideoPort(descriptor: nil, takeFrame: { nil }) }
}

/// The signals that the runtime is told of, read from a descriptor.
public struct SignalPort {
  public var descriptor: Int32?
  public var next: () -> Int32?

  public init(descriptor: Int32?, next: @escaping () -> Int32?) {
    self.descriptor = descriptor
    self.next = next
  }

  /// No signals at all.
  public static var none: SignalPort { SignalPort(descriptor: nil, next: { nil }) }
}
