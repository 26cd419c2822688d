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
  /// May report a learned size before the cover is ready for painting.
  var cover:
    @Sendable (CoverRequest, _ reportSize: @escaping @Sendable (PixelSize) -> Void) async -> Result<
      CoverPicture, FeedFailure
    > = { _, _ in .failure(FeedFailure(.permanent, "covers are disabled")) }
  /// By the video's ID on YouTube.
  var segments: @Sendable (String) async -> Result<[VideoSegment], FeedFailure> = { _ in .success([]) }
  /// By the start of the hashes of videos on YouTube.
  var titles: @Sendable (String) async -> Result<[String: String], FeedFailure> = { _ in .success([:]) }
  /// From the cache.
  var coverColors: @Sendable ([MediaAddress]) async -> [MediaAddress: RGB] = { _ in [:] }
  var openInBrowser: @Sendable (WebAddress) -> Void
  /// Never blocks. Events of the player arrive in the runtime's inbox.
  var player: @Sendable (PlayerOrder) -> Void = { _ in }
  var reportPlayback: @Sendable (PlaybackReport) async -> Void = { _ in }
  /// Blocks until all orders have been sent, with a short time limit.
  var flushPlayer: @Sendable () -> Void = {}
  /// Runs on the worker, because the kernel may ask the battery.
  var isPowerLow: @Sendable () -> Bool = { false }
  /// Never blocks.
  var publish: @Sendable (NowPlaying) -> Void = { _ in }
  /// The next `writeEvents` saves them.
  var addEvents: @Sendable ([UserEvent]) -> Void = { _ in }
  /// Returns the reason of a new failure. Runs on the worker.
  var writeEvents: @Sendable () async -> String? = { nil }
  /// The reason why the last `writeEvents` has failed; nil if it has not. Runs on the worker.
  var savingFailure: @Sendable () -> String? = { nil }
  /// Returns `agreementsRead` or `agreementsUnreadable`. Runs on the worker.
  var readAgreements: @Sendable (FeedScope, UserData, Ticket) -> AppEvent = {
    .agreementsUnreadable($2, reason: "no file")
  }
  /// Saves the added changes before. Returns the reason of a new failure. Runs on the worker.
  var saveAgreements: @Sendable (MarkSync) -> String? = { _ in nil }
  var sendMarks: @Sendable (FeedScope, MarkChange) async -> MarkResult = { _, _ in .sent }
  /// Those that memory does not hold. Runs on the worker.
  var readFacts: @Sendable ([VideoKey]) -> UserData = { _ in UserData() }
  /// Downloads a video. Never blocks, like the two below; events about downloads arrive in the runtime's inbox.
  var download: @Sendable (DownloadRequest) -> Void = { _ in }
  var removeDownload: @Sendable (VideoKey) -> Void = { _ in }
  var checkDownload: @Sendable (VideoKey) -> Void = { _ in }
  /// Starts what need not be ready for the first paint, after it. Never blocks.
  var painted: @Sendable () -> Void = {}
  /// Reads nothing.
  var openSource: @Sendable (SourceID, SourceRequest) -> Void = { _, _ in }
  var closeSource: @Sendable (SourceID) -> Void = { _ in }
  /// Opens and closes sources of a live list, and reads nothing.
  var changeList: @Sendable (LiveListChange) -> Void = { _ in }
  /// Saves the feeds of a live list for the next start. Runs on the worker.
  var saveList: @Sendable (LiveListChange) -> Void = { _ in }
  /// Runs on the worker.
  var saveCommand: @Sendable (String) -> Void = { _ in }
  /// Runs on the worker.
  var saveUndo: @Sendable ([UndoHistory.Line]) -> Void = { _ in }
  /// Runs on the worker.
  var savePlace: @Sendable (ShownPlace) -> Void = { _ in }
  /// Returns `subscriptionChanged`. Runs on the worker, and may wait for another program until the deadline.
  var changeSubscription: @Sendable (SubscriptionRequest, _ deadline: ContinuousClock.Instant) -> AppEvent = {
    request, _ in
    .subscriptionChanged(.failed("the configuration cannot be changed here. Edit config.toml."), request)
  }
  /// Returns `settingsSaved`. Runs on the worker, and may wait for another program until the deadline.
  var saveSettings: @Sendable (SavedSettings, _ deadline: ContinuousClock.Instant) -> AppEvent = { settings, _ in
    .settingsSaved(settings, failure: "the configuration cannot be changed here. Edit config.toml.")
  }
  /// Returns `optionsChanged` or `optionRefused`. Runs on the worker.
  var setOption: @Sendable (_ name: String, _ value: String) -> AppEvent = { name, _ in
    .optionRefused(name: name, reason: "the options cannot change.")
  }
}

/// By default, there is no input and no output. The closures are called only on the thread of the main loop.
struct TerminalPort {
  var inputDescriptor: Int32?
  var read: () -> TerminalInput = { TerminalInput() }
  /// In milliseconds, after which to read again without new input; nil if no sequence is incomplete.
  var pendingInputTimeout: () -> Int? = { nil }
  var size: () -> Size
  var cellSize: () -> Size = { Size(width: 8, height: 16) }
  /// May improve when the terminal answers queries.
  var coverStyle: () -> CoverStyle = { .blocks }
  /// May improve when the terminal answers queries.
  var videoCapability: () -> VideoOutput = { .cells }
  /// As far as the terminal has answered.
  var textWidths: () -> TextWidths = { TextWidths() }
  /// Whether cards that slide are known to cost little.
  var canSlide: () -> Bool = { false }
  /// As far as the terminal has answered.
  var hasClipboard: () -> Bool = { true }
  var paint: (Canvas) -> Void = { _ in }
  /// Never blocks.
  var paintVideo: (PixelBuffer) -> Void = { _ in }
  /// Drops the last video frame, so that it is not shown before the next video.
  var dropVideoFrame: () -> Void = {}
  /// To poll for room while part of a frame is unwritten. Then call `continueVideo`.
  var videoOutput: () -> Int32? = { nil }
  /// Because the terminal has not processed the last frame.
  var isOutputPending: () -> Bool = { false }
  var continueVideo: () -> Void = {}
  /// In milliseconds until the next video frame may be sent; nil for at once.
  var videoDelay: () -> Int? = { nil }
  var repaintAll: () -> Void = {}
  var updateSize: () -> Void = {}
  var suspend: () -> Void = {}
  var copy: (String) -> Void = { _ in }
  var setTheme: (ThemeSettings) -> Void = { _ in }
  /// Answered after all output is processed. Returns false if it cannot be sent.
  var requestStatus: () -> Bool = { true }
  /// In milliseconds until the answer is overdue; 0 if it is, nil if it has arrived or was not requested.
  var statusTimeout: () -> Int? = { nil }

  init(size: Size) { self.size = { size } }
}
