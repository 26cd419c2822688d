import Geometry
import Loading
import Screen
import VideoFeed

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
  /// The player has given the terminal back.
  case playerEnded(PlayerOutcome)
}

/// What became of playing a video.
public enum PlayerOutcome: Equatable, Sendable {
  case played
  /// There is no player on this machine.
  case missing
  /// It ended with this exit status.
  case failed(status: Int)
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

  public var ticket: Ticket {
    switch self {
    case .loader(let ticket), .pull(let ticket), .details(let ticket), .spinner(let ticket),
      .rest(let ticket), .covers(let ticket):
      ticket
    }
  }
}
