import FeedfallFeeds
import FeedfallRecords

enum CardsCommand: Equatable, Sendable {
  case move(CardMove)
  case openDetails, togglePictureInPicture, loadMore
  case nextLayout, previousLayout
  case search, nextMatch, previousMatch, clearSearch
  case filter, nextOrder
  case toggleQueued, queueNext, moveLater, moveEarlier, playSoundOnly
  case searchServer
  case pick, pickAll, markAllWatched, nextUnwatched, previousUnwatched
  case showSources

  var opensPrompt: Bool { self == .search || self == .filter }
}

enum CardMove: Equatable, Sendable {
  case left, right, up, down
  case halfPageDown, halfPageUp, pageDown, pageUp
  case first, last
}

enum DetailsCommand: Equatable, Sendable {
  case scrollDown, scrollUp, halfPageDown, halfPageUp, pageDown, pageUp, scrollToTop, scrollToEnd
  case previousVideo, nextVideo
  case toggleCover, close
}

enum PlayerCommand: Equatable, Sendable {
  case control(PlayCommand)
  case playNext, playPrevious
  case toggleFullWindow, pictureInPicture, leave, stop
}

enum GlobalCommand: Equatable, Sendable {
  case typeCommand, showHelp, repaint, suspend
  /// Quits, or asks first if the key may have been pressed by mistake.
  case quit
  case quitAtOnce
  case control(PlayCommand)
}

enum BrowseCommand: Equatable, Sendable {
  case play, showPlaying, refreshOrRetry
  case copyPlaybackAddress, copyCoverAddress, openPage, openChannel, openLinks, openRelated, goBack
  case toggle(Mark)
  case undo
  case download, removeDownload
  case nextTab, previousTab
  /// The tab with this number, from 1.
  case selectTab(Int)
  /// The tab of all videos whose record has a value in this field.
  case selectRecords(UserField)
}

/// The commands for a failure of a tab's sources, which have priority over those of the cards.
enum FailureCommand: Equatable, Sendable {
  case retry, dismiss
}
