import FeedfallFeeds
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// A fact that changes the state.
public enum AppEvent: Equatable, Sendable {
  case started
  case input(InputEvent)
  /// The terminal's size in cells, and a cell's size in pixels.
  case screenChanged(Size, cellSize: Size)
  /// The terminal has reported how wide it shows text.
  case textWidthsChanged(TextWidths)
  /// The terminal has reported how it can show covers.
  case coverStyleChanged(CoverStyle)
  /// The terminal has reported how it can show videos.
  case videoOutputChanged(VideoOutput)
  /// The terminal has reported whether it can show cards that slide.
  case slidingChanged(Bool)
  /// The terminal has reported whether it has a clipboard.
  case clipboardChanged(Bool)
  case waitElapsed(Wait)
  /// The terminal has not processed the last frame when the next one of an animation is due.
  case outputDelayed
  case clockRead(UnixTime)
  /// A page has arrived at this time, from which the age of a cached page is computed.
  case pageArrived(Ticket, FeedPage, at: UnixTime)
  case pageFailed(Ticket, FeedFailure)
  case detailsArrived(Ticket, Video)
  case detailsFailed(Ticket, FeedFailure)
  case segmentsArrived(Ticket, [VideoSegment])
  case segmentsFailed(Ticket, FeedFailure)
  /// The titles of videos on YouTube have arrived, by the IDs of the videos.
  case titlesArrived(Ticket, [String: String])
  case titlesFailed(Ticket, FeedFailure)
  /// The header of a requested cover has arrived with its size, before the cover.
  case coverSize(PixelSize, Ticket)
  case coverArrived(Ticket, CoverPicture)
  /// No address has a picture.
  case coverFailed(Ticket, FeedFailure)
  /// The known average colors have arrived.
  case coverColorsArrived(Ticket, [MediaAddress: RGB])
  case powerRead(Ticket, isLow: Bool)
  case player(PlayerReport)
  /// A report on playback has been sent, or could not be sent.
  case playbackReported(Ticket)
  /// Another program controls playback.
  case remote(RemoteCommand)
  /// Other programs or devices have changed these records of the user.
  case recordsChanged(UserData)
  /// These facts of recorded videos have been read.
  case factsRead(UserData)
  /// Changes of the user's records could not be saved for this reason.
  case savingFailed(String)
  /// All changes of the user's records before the request for this report are written, or have failed for this reason.
  case eventsSaved(Ticket, failure: String?)
  /// The marks that were exchanged last have been read; a damaged file was renamed.
  case agreementsRead(Ticket, MarkSync, damagedCopy: String? = nil)
  /// The file with the marks that were exchanged last cannot be read for this reason.
  case agreementsUnreadable(Ticket, reason: String)
  /// A server has answered a change of marks, or the request has failed.
  case marksSent(Ticket, MarkResult)
  /// A download has this state; nil for one that was removed.
  case downloadChanged(VideoKey, DownloadState?)
  /// A download or its video file was not deleted for this reason.
  case downloadRemovalFailed(VideoKey, FeedFailure)
  /// The video files of these downloads have disappeared while the program did not run.
  case downloadsMissing([VideoKey])
  /// An attempt to change the sources of the configuration has ended.
  case subscriptionChanged(SubscriptionRequest.Outcome, SubscriptionRequest, damagedCopy: String? = nil)
  /// An attempt to save settings has ended, with the reason and the advice if it has failed.
  case settingsSaved(SavedSettings, failure: String?, damagedCopy: String? = nil)
  /// An option has another value, with which all options are these.
  case optionsChanged(LiveOptions, name: String, value: String)
  /// The value of an option is invalid, for this reason.
  case optionRefused(name: String, reason: String)
  /// ^Z or a signal is about to stop the program.
  case suspending
  /// The program runs again.
  case continued
  /// The program is about to exit.
  case ending

  var time: UnixTime? {
    switch self {
    case .clockRead(let time), .pageArrived(_, _, at: let time): time
    default: nil
    }
  }

  var isInput: Bool { if case .input = self { true } else { false } }

  /// Whether it answers a request for a page.
  public var isPage: Bool {
    switch self {
    case .pageArrived, .pageFailed: true
    default: false
    }
  }

  /// The message about a change of the configuration or of an option that has failed; nil for other events.
  public var failureMessage: String? {
    switch self {
    case .subscriptionChanged(let outcome, let request, _): Words.failure(outcome, request)
    case .settingsSaved(let settings, let failure?, _): Words.notSaved(settings, failure)
    case .optionRefused(let name, let reason): Words.refused(name, reason)
    default: nil
    }
  }
}

/// A timer, identified by its ticket.
public enum Wait: Hashable, Sendable {
  /// A loader's debounce or hold.
  case loader(Ticket)
  /// The pause in the keys that releases a pulled header, or allows a pull after the view has come to the top.
  case pull(Ticket)
  /// The time that a server of details asked to wait.
  case details(Ticket)
  /// The next frame of an animation.
  case glide(Ticket)
  case spinner(Ticket)
  /// The pause that ends scrolling.
  case rest(Ticket)
  /// The pause that ends scrolling, before lengths are read.
  case lengths(Ticket)
  /// The pause that ends scrolling, before titles are requested, or the pause after a failure.
  case titles(Ticket)
  /// The pause before a preview of the selected video.
  case preview(Ticket)
  /// The time before failed covers are requested again.
  case covers(Ticket)
  /// The time before the player's controls disappear in the full window.
  case controls(Ticket)
  /// The time before the player's changed level disappears.
  case level(Ticket)
  /// The time before the film in the corner may change its proportions again.
  case filmShape(Ticket)
  /// The time limit for the second click of a double click.
  case secondClick(Ticket)
  /// The pause after a refresh before the next one.
  case refresh(Ticket)
  /// The time before a message disappears.
  case toast(Ticket)
  /// The pause before the next batch of facts for a filter.
  case facts(Ticket)
  /// The pause before marks are sent again.
  case marks(Ticket)
  /// The time before a source is refreshed again.
  case schedule(Ticket)
  /// The pause before the videos of further sources are counted.
  case counts(Ticket)

  /// Whether the program counts as busy until the wait elapses.
  public var delaysIdle: Bool {
    switch self {
    case .refresh, .toast, .level, .filmShape, .marks, .titles, .schedule: false
    case .loader, .pull, .details, .glide, .spinner, .rest, .lengths, .preview, .covers, .controls, .secondClick,
      .facts, .counts:
      true
    }
  }

  public var ticket: Ticket {
    switch self {
    case .loader(let ticket), .pull(let ticket), .details(let ticket), .glide(let ticket), .spinner(let ticket),
      .rest(let ticket), .lengths(let ticket), .titles(let ticket), .preview(let ticket), .covers(let ticket),
      .controls(let ticket), .level(let ticket), .filmShape(let ticket), .secondClick(let ticket), .refresh(let ticket),
      .toast(let ticket), .facts(let ticket), .marks(let ticket), .counts(let ticket), .schedule(let ticket):
      ticket
    }
  }
}
