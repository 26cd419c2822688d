import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// A fact for the program to react to.
public enum AppEvent: Equatable, Sendable {
  /// The program starts.
  case started
  case input(InputEvent)
  /// The terminal's size in cells, and a cell's size in pixels.
  case screenChanged(Size, cellSize: Size)
  /// The terminal told that it shows covers in another way.
  case coverStyleChanged(CoverStyle)
  case waitElapsed(Wait)
  /// A page came; the time tells how old one is that was kept from earlier.
  case pageArrived(Ticket, FeedPage, at: UnixTime)
  case pageFailed(Ticket, FeedFailure)
  case detailsArrived(Ticket, Video)
  case detailsFailed(Ticket, FeedFailure)
  case coverArrived(Ticket, CoverPicture)
  /// None of the addresses gave a picture.
  case coverFailed(Ticket)
  /// The average colours that are known.
  case coverColorsArrived(Ticket, [MediaAddress: RGB])
  case player(PlayerReport)
  /// The program is about to be stopped by ^Z or a signal.
  case suspending
  /// It goes on after that.
  case continued
  /// It comes to its end.
  case ending
}

/// What the program waits for; each wait is told from every other by its ticket.
public enum Wait: Hashable, Sendable {
  /// The loader's debounce, time-out or hold.
  case loader(Ticket)
  /// The keys that pull the header come to rest.
  case pull(Ticket)
  /// The server that tells details has been left alone for as long as it asked.
  case details(Ticket)
  /// The spinner's next picture.
  case spinner(Ticket)
  /// What is seen comes to rest.
  case rest(Ticket)
  /// Covers that could not be had may be asked for again.
  case covers(Ticket)
  /// The player's controls go away over the whole window.
  case controls(Ticket)
  /// After this a click is no part of a double one.
  case secondClick(Ticket)

  public var ticket: Ticket {
    switch self {
    case .loader(let ticket), .pull(let ticket), .details(let ticket), .spinner(let ticket), .rest(let ticket),
      .covers(let ticket), .controls(let ticket), .secondClick(let ticket):
      ticket
    }
  }
}
