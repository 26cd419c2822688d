import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText

/// An order to the runtime.
public enum AppEffect: Equatable, Sendable {
  /// Request a page of a source; with `.onlyIfCached` only from the cache.
  case requestPage(SourceID, FeedCursor, CacheUse, Ticket)
  /// Open a source under this ID, before its first page is requested. Nothing is read yet.
  case openSource(SourceID, SourceRequest)
  case closeSource(SourceID)
  /// Open and close sources of a live list, and save its feeds if they have changed. Nothing is read yet.
  case changeList(LiveListChange)
  /// Save a command that the user has typed.
  case saveCommand(String)
  /// Change the sources of the configuration, and report the outcome as `subscriptionChanged`.
  case changeSubscription(SubscriptionRequest)
  /// Save settings in the program's own file, and report the outcome as `settingsSaved`.
  case saveSettings(SavedSettings)
  /// Check and apply the value of an option, and report it as `optionsChanged` or `optionRefused`.
  case setOption(name: String, value: String)
  case setTheme(ThemeSettings)
  case requestDetails(SourceID, Video, Ticket)
  /// Request the segments of the video with this ID on YouTube.
  case requestSegments(String, Ticket)
  /// Request the titles of the videos on YouTube whose hashes start with these digits.
  case requestTitles(hashPrefix: String, Ticket)
  case requestCover(CoverRequest, Ticket)
  /// Look up the known average colors of the covers at these addresses, without a request to a server.
  case requestCoverColors([MediaAddress], Ticket)
  /// Cancel the requests and waits with this ticket.
  case cancel(Ticket)
  case wait(Duration, Wait)
  /// Report the time at once, as `clockRead`.
  case readClock
  /// Copy the text to the terminal's clipboard.
  case copy(String)
  case openInBrowser(WebAddress)
  case player(PlayerOrder)
  /// Report playback to the source of the video after all earlier reports, and report the end as `playbackReported`.
  case reportPlayback(PlaybackReport, Ticket)
  /// Read the marks that were exchanged last with an account, and report them as `agreementsRead`. At the first contact,
  /// the marks of the records count as older.
  case readAgreements(FeedScope, UserData, Ticket)
  /// Save the marks that were exchanged last, after all changes of the user's records.
  case saveAgreements(MarkSync)
  /// Send a change to the server of an account, and report the result as `marksSent`.
  case sendMarks(FeedScope, MarkChange, Ticket)
  /// Report whether the battery is nearly empty, as `powerRead`.
  case readPower(Ticket)
  /// Save changes of the user's records.
  case saveEvents([UserEvent])
  /// Report as `eventsSaved` once all changes of the user's records so far are written, or have failed.
  case reportSaving(Ticket)
  /// Append lines to the file with the changes that can be undone.
  case saveUndo([UndoHistory.Line])
  /// Read the facts of recorded videos that memory does not hold, and report them as `factsRead`.
  case readFacts([VideoKey])
  /// Download a video, and report each change as `downloadChanged`, also of the two orders below.
  case download(DownloadRequest)
  /// Cancel a download and delete its files.
  case removeDownload(VideoKey)
  /// Report a download whose file has disappeared.
  case checkDownload(VideoKey)
  /// Store the tab and the card for the next session on this device.
  case savePlace(ShownPlace)
  /// Paint every cell again.
  case repaint
  case suspend
  case quit
  /// End the program with this message, and with the status of a failure.
  case fail(String)
}

/// The source that a tab opens while the program runs.
public enum SourceRequest: Equatable, Sendable {
  /// An address or a path.
  case address(String)
  /// The source of the configuration with this name.
  case configured(name: String)
  /// The videos ever loaded that have all words of a text.
  case find(String)
}

/// What the user saves besides sources.
public enum SavedSettings: Equatable, Sendable {
  /// The values of options by their names.
  case options([String: String])
  /// Replaces the view of this name.
  case view(ViewSettings)

  /// Options that exclude each other.
  public static let alternatives = ["columns": "min-column-width", "min-column-width": "columns"]
}

/// A change of the sources of the configuration.
public struct SubscriptionRequest: Equatable, Sendable {
  public enum Change: Equatable, Sendable {
    /// A source that was removed before is restored with all its keys.
    case add
    /// If several sources have the address, the name decides.
    case remove
    /// Gives the source with this address and the name of the request another name.
    case rename(String)
    /// Replaces its tags.
    case tag([String])

    public static let maximumTagCount = 20
  }

  public var change: Change
  public var name: String
  /// Whether the configuration has named the tab. Then no source of another name is removed.
  public var isNameConfigured = false
  /// The name that the user has typed for an added source.
  public var typedName: String?
  public var address: String
  /// Whether the request undoes an earlier change.
  public var isUndo = false
  /// The change of several sources that the request belongs to.
  var batch: Batch?

  struct Batch: Equatable, Sendable {
    var number: Int
    var sourceCount: Int
  }

  public init(_ change: Change, name: String, address: String) {
    (self.change, self.name, self.address) = (change, name, address)
  }

  /// The outcome of an attempt to add a source to the configuration, or to remove it.
  public enum Outcome: Equatable, Sendable {
    /// The source as it was written, which may have another name.
    case added(Subscription)
    /// The configuration has a source at the address, under this name.
    case alreadyConfigured(name: String)
    /// A source of `config.toml` is hidden, because that file is never written.
    case removed(name: String, isHidden: Bool = false)
    case changed(before: Subscription, after: Subscription)
    /// Another source has the new name.
    case nameInUse
    case notConfigured
    /// With the reason and the advice, as the end of a message.
    case failed(String)
  }
}
