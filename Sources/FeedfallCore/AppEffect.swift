import FeedfallFeeds
import FeedfallLoading
import FeedfallPlaying
import FeedfallText

/// An order to the world outside.
public enum AppEffect: Equatable, Sendable {
  /// Get a page of a source; with `.onlyIfCached` only what is known of it from earlier.
  case requestPage(SourceID, FeedCursor, CacheUse, Ticket)
  case requestDetails(SourceID, Video, Ticket)
  case requestCover(CoverRequest, Ticket)
  /// Say which colours are known from earlier of the covers at these addresses; nobody is to be asked for them.
  case requestCoverColors([MediaAddress], Ticket)
  /// Nothing that was asked for with this ticket is wanted any more.
  case cancel(Ticket)
  case wait(Duration, Wait)
  /// Put the text on the terminal's clipboard.
  case copy(String)
  case openInBrowser(WebAddress)
  case player(PlayerOrder)
  /// Keep where videos were left off.
  case keepRecords(ResumeRecords)
  /// Paint every cell anew.
  case repaint
  case suspend
  case quit
}
