import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The side effects of the program, as closures that tests can replace.
struct Services: Sendable {
  var page: @Sendable (SourceID, FeedCursor, CacheUse) async -> Result<FeedPage, FeedFailure>
  var details: @Sendable (SourceID, Video) async -> Result<Video, FeedFailure>
  /// Returns a cover ready for painting. If the request learns the size, it may be reported before, as soon as it is
  /// known.
  var cover:
    @Sendable (CoverRequest, _ reportSize: @escaping @Sendable (PixelSize) -> Void) async -> Result<
      CoverPicture, FeedFailure
    > = { _, _ in .failure(FeedFailure(.permanent, "covers are disabled")) }
  /// Returns the segments of the video with this ID on YouTube.
  var segments: @Sendable (String) async -> Result<[VideoSegment], FeedFailure> = { _ in .success([]) }
  /// Returns the cached average colors of covers.
  var coverColors: @Sendable ([MediaAddress]) async -> [MediaAddress: RGB] = { _ in [:] }
  var openInBrowser: @Sendable (WebAddress) -> Void
  /// Sends an order to the player without blocking. Events of the player arrive in the runtime's inbox.
  var player: @Sendable (PlayerOrder) -> Void = { _ in }
  /// Reports playback to the source of the video.
  var reportPlayback: @Sendable (PlaybackReport) async -> Void = { _ in }
  /// Blocks until all orders have been sent to the player, with a short time limit.
  var flushPlayer: @Sendable () -> Void = {}
  /// Returns whether the battery is nearly empty. Runs on the worker, because the kernel may ask the battery.
  var isPowerLow: @Sendable () -> Bool = { false }
  /// Publishes the video that plays, its state and its position to other programs. Never blocks.
  var publish: @Sendable (NowPlaying) -> Void = { _ in }
  /// Adds changes of the user's records to those that the next `writeEvents` saves.
  var addEvents: @Sendable ([UserEvent]) -> Void = { _ in }
  /// Saves the added changes, and returns the reason of a new failure. Runs on the worker.
  var writeEvents: @Sendable () async -> String? = { nil }
  /// Reads the marks that were exchanged last with an account, and returns `agreementsRead` or `agreementsUnreadable`.
  /// Runs on the worker.
  var readAgreements: @Sendable (FeedScope, Ticket) -> AppEvent = { .agreementsUnreadable($1, reason: "no file") }
  /// Saves the added changes, then the marks that were exchanged last, and returns the reason of a new failure. Runs on
  /// the worker.
  var saveAgreements: @Sendable (MarkSync) -> String? = { _ in nil }
  /// Sends a change to the server of an account.
  var sendMarks: @Sendable (FeedScope, MarkChange) async -> MarkResult = { _, _ in .sent }
  /// Reads the facts of recorded videos that memory does not hold. Runs on the worker.
  var readFacts: @Sendable ([VideoKey]) -> UserData = { _ in UserData() }
  /// Downloads a video. Never blocks, like the two below; events about downloads arrive in the runtime's inbox.
  var download: @Sendable (DownloadRequest) -> Void = { _ in }
  /// Cancels a download and deletes its files.
  var removeDownload: @Sendable (VideoKey) -> Void = { _ in }
  /// Reports a download whose file has disappeared.
  var checkDownload: @Sendable (VideoKey) -> Void = { _ in }
  /// Starts what need not be ready for the first paint, after it. Never blocks.
  var painted: @Sendable () -> Void = {}

  /// Opens a source under an ID. Reads nothing.
  var openSource: @Sendable (SourceID, SourceRequest) -> Void = { _, _ in }
  var closeSource: @Sendable (SourceID) -> Void = { _ in }
  /// Saves a command that the user has typed. Runs on the worker.
  var saveCommand: @Sendable (String) -> Void = { _ in }
  /// Appends to the file with the changes that can be undone. Runs on the worker.
  var saveUndo: @Sendable ([UndoHistory.Line]) -> Void = { _ in }
  /// Changes the sources of the configuration. Runs on the worker, and may wait for another program until the deadline.
  var changeSubscription:
    @Sendable (SubscriptionRequest, _ deadline: ContinuousClock.Instant) -> SubscriptionRequest.Report =
      { _, _ in
        .init(.failed("the configuration cannot be changed here. Edit config.toml."))
      }
  /// Saves settings, and returns `settingsSaved`. Runs on the worker, and may wait for another program until the deadline.
  var saveSettings: @Sendable (SavedSettings, _ deadline: ContinuousClock.Instant) -> AppEvent = { settings, _ in
    .settingsSaved(settings, failure: "the configuration cannot be changed here. Edit config.toml.")
  }
  /// Checks and applies the value of an option, and returns `optionsChanged` or `optionRefused`. Runs on the worker.
  var setOption: @Sendable (_ name: String, _ value: String) -> AppEvent = { name, _ in
    .optionRefused(name: name, reason: "the options cannot change.")
  }
}

/// The runtime's interface to the terminal; by default, there is no input and no output. Its closures are called only
/// on the thread of the main loop.
struct TerminalPort {
  /// The descriptor to poll for input; nil if there is no input.
  var inputDescriptor: Int32?
  /// Returns all pending input.
  var read: () -> TerminalInput = { TerminalInput() }
  /// The time in milliseconds after which to read again without new input; nil if no sequence is incomplete.
  var pendingInputTimeout: () -> Int? = { nil }
  var size: () -> Size
  var cellSize: () -> Size = { Size(width: 8, height: 16) }
  /// Returns the best known way to show covers. It may improve when the terminal answers queries.
  var coverStyle: () -> CoverStyle = { .blocks }
  /// Returns the best known way to show videos. It may improve when the terminal answers queries.
  var videoCapability: () -> VideoOutput = { .cells }
  /// Returns the widths of text, as far as the terminal has answered.
  var textWidths: () -> TextWidths = { TextWidths() }
  /// Returns whether the terminal is known to show cards that slide at little cost.
  var canSlide: () -> Bool = { false }
  var paint: (Canvas) -> Void = { _ in }
  /// Shows a video frame in the canvas's video region. Never blocks.
  var paintVideo: (PixelBuffer) -> Void = { _ in }
  /// Drops the last video frame, so that it is not shown before the next video.
  var dropVideoFrame: () -> Void = {}
  /// Returns the descriptor to poll for room while part of a frame is unwritten. Then call `continueVideo`.
  var videoOutput: () -> Int32? = { nil }
  /// Returns whether the terminal has no room for output because it has not processed the last frame.
  var isOutputPending: () -> Bool = { false }
  var continueVideo: () -> Void = {}
  /// Returns the time in milliseconds after which to send the next video frame; nil for at once.
  var videoDelay: () -> Int? = { nil }
  var repaintAll: () -> Void = {}
  var updateSize: () -> Void = {}
  var suspend: () -> Void = {}
  var copy: (String) -> Void = { _ in }
  /// Uses other colors from the next frame on.
  var setTheme: (ThemeSettings) -> Void = { _ in }
  /// Queries the terminal status, which is answered after all output is processed. Returns false if it cannot be sent.
  var requestStatus: () -> Bool = { true }
  /// Returns how long the answer to `requestStatus` may still take, in milliseconds. It arrives as input. Returns 0 if
  /// it has not arrived in time, nil if it has or if there was no request.
  var statusTimeout: () -> Int? = { nil }

  init(size: Size) { self.size = { size } }
}
