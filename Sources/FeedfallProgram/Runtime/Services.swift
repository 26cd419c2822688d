import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The side effects of the program, as closures that tests can replace.
public struct Services: Sendable {
  public var page: @Sendable (SourceID, FeedCursor, CacheUse) async -> Result<FeedPage, FeedFailure>
  public var details: @Sendable (SourceID, Video) async -> Result<Video, FeedFailure>
  /// Returns a cover ready for painting. If the request learns the size, it may be reported before, as soon as it is known.
  public var cover:
    @Sendable (CoverRequest, _ reportSize: @escaping @Sendable (PixelSize) -> Void) async -> Result<
      CoverPicture, FeedFailure
    > = { _, _ in .failure(FeedFailure(.permanent, "covers are disabled")) }
  /// Returns the segments of the video with this ID on YouTube.
  public var segments: @Sendable (String) async -> Result<[VideoSegment], FeedFailure> = { _ in .success([]) }
  /// Returns the cached average colors of covers.
  public var coverColors: @Sendable ([MediaAddress]) async -> [MediaAddress: RGB] = { _ in [:] }
  public var openInBrowser: @Sendable (WebAddress) -> Void
  /// Sends an order to the player without blocking. Events of the player arrive in the runtime's inbox.
  public var player: @Sendable (PlayerOrder) -> Void = { _ in }
  /// Blocks until all orders have been sent to the player, with a short time limit.
  public var flushPlayer: @Sendable () -> Void = {}
  /// Returns whether the battery is nearly empty. Runs on the worker, because the kernel may ask the battery.
  public var isPowerLow: @Sendable () -> Bool = { false }
  /// Publishes the video that plays, its state and its position to other programs. Never blocks.
  public var publish: @Sendable (NowPlaying) -> Void = { _ in }
  /// Adds changes of the user's records to those that the next `writeEvents` saves.
  public var addEvents: @Sendable ([UserEvent]) -> Void = { _ in }
  /// Saves the added changes, and returns the reason of a new failure. Runs on the worker.
  public var writeEvents: @Sendable () async -> String? = { nil }
  /// Reads the facts of recorded videos that memory does not hold. Runs on the worker.
  public var readFacts: @Sendable ([VideoKey]) -> UserData = { _ in UserData() }
  /// Downloads a video. Never blocks, like the two below; events about downloads arrive in the runtime's inbox.
  public var download: @Sendable (DownloadRequest) -> Void = { _ in }
  /// Cancels a download and deletes its files.
  public var removeDownload: @Sendable (VideoKey) -> Void = { _ in }
  /// Reports a download whose file has disappeared.
  public var checkDownload: @Sendable (VideoKey) -> Void = { _ in }
  /// Starts what need not be ready for the first paint, after it. Never blocks.
  public var painted: @Sendable () -> Void = {}

  /// Opens a source under an ID. Reads nothing.
  public var openSource: @Sendable (SourceID, SourceRequest) -> Void = { _, _ in }
  public var closeSource: @Sendable (SourceID) -> Void = { _ in }
  /// Saves a command that the user has typed. Runs on the worker.
  public var saveCommand: @Sendable (String) -> Void = { _ in }
  /// Changes the sources of the configuration. Runs on the worker, and may wait for another program until the deadline.
  public var changeSubscription:
    @Sendable (SubscriptionRequest, _ deadline: ContinuousClock.Instant) -> SubscriptionOutcome = { _, _ in
      .failed("the configuration cannot be changed here. Edit config.toml.")
    }
  /// Checks and applies the value of an option. Runs on the worker.
  public var setOption: @Sendable (_ name: String, _ value: String) -> Result<LiveOptions, OptionRefusal> = { _, _ in
    .failure(OptionRefusal("the options cannot change."))
  }

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

/// The reason why an option cannot have a value, and what to do, as the end of a message.
public struct OptionRefusal: Error, Equatable, Sendable {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }
}

/// The runtime's interface to the terminal. Its closures are called only on the thread of the main loop.
public struct TerminalPort {
  /// The descriptor to poll for input; nil if there is no input.
  public var inputDescriptor: Int32?
  /// Returns all pending input.
  public var read: () -> TerminalInput
  /// The time in milliseconds after which to read again without new input; nil if no sequence is incomplete.
  public var pendingInputTimeout: () -> Int?
  public var size: () -> Size
  public var cellSize: () -> Size
  /// Returns the best known way to show covers. It may improve when the terminal answers queries.
  public var coverStyle: () -> CoverStyle
  /// Returns the best known way to show videos. It may improve when the terminal answers queries.
  public var videoCapability: () -> VideoOutput
  /// Returns the widths of text, as far as the terminal has answered.
  public var textWidths: () -> TextWidths = { TextWidths() }
  /// Returns whether the terminal is known to show cards that slide at little cost.
  public var canSlide: () -> Bool
  public var paint: (Canvas) -> Void
  /// Shows a video frame in the canvas's video region. Never blocks.
  public var paintVideo: (PixelBuffer) -> Void
  /// Drops the last video frame, so that it is not shown before the next video.
  public var dropVideoFrame: () -> Void
  /// Returns the descriptor to poll for room while part of a frame is unwritten. Then call `continueVideo`.
  public var videoOutput: () -> Int32?
  /// Returns whether the terminal has no room for output because it has not processed the last frame.
  public var isOutputPending: () -> Bool
  public var continueVideo: () -> Void
  /// Returns the time in milliseconds after which to send the next video frame; nil for at once.
  public var videoDelay: () -> Int?
  public var repaintAll: () -> Void
  public var updateSize: () -> Void
  public var suspend: () -> Void
  public var copy: (String) -> Void
  /// Uses other colors from the next frame on.
  public var setTheme: (ThemeSettings) -> Void
  /// Queries the terminal status, which is answered after all output is processed. Returns false if it cannot be sent.
  public var requestStatus: () -> Bool
  /// Returns how long the answer to `requestStatus` may still take, in milliseconds. It arrives as input. Returns 0 if it
  /// has not arrived in time, nil if it has or if there was no request.
  public var statusTimeout: () -> Int?

  /// Creates a port that has a size, but no input and no output.
  public init(size: Size, cellSize: Size = Size(width: 8, height: 16)) {
    read = { TerminalInput() }
    pendingInputTimeout = { nil }
    self.size = { size }
    self.cellSize = { cellSize }
    coverStyle = { .blocks }
    videoCapability = { .cells }
    canSlide = { false }
    paint = { _ in }
    paintVideo = { _ in }
    dropVideoFrame = {}
    videoOutput = { nil }
    isOutputPending = { false }
    continueVideo = {}
    videoDelay = { nil }
    repaintAll = {}
    updateSize = {}
    suspend = {}
    copy = { _ in }
    setTheme = { _ in }
    requestStatus = { true }
    statusTimeout = { nil }
  }
}

/// A source that the main loop polls: of video frames, signals, or commands.
public struct PolledSource<Element> {
  /// Readable while an element is available.
  public var descriptor: Int32?
  /// Removes and returns the next element, if any.
  public var next: () -> Element?

  public init(descriptor: Int32?, next: @escaping () -> Element?) {
    self.descriptor = descriptor
    self.next = next
  }

  /// A source without elements.
  public static var none: PolledSource { PolledSource(descriptor: nil, next: { nil }) }
}
