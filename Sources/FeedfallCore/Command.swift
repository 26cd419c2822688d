import FeedfallPlaying

/// What a person wants, whatever key says so.
enum Command: Equatable, Sendable {
  case moveLeft, moveRight, moveUp, moveDown
  case halfPageDown, halfPageUp, pageDown, pageUp
  case first, last
  case openPane, closePane, toggleCover
  case previousVideo, nextVideo
  case refreshOrRetry, loadMore
  case nextLayout, previousLayout
  case nextTab, previousTab
  /// The tab with this number, from 1 on.
  case tab(Int)
  case search, nextMatch, previousMatch
  case copyPlayback, copyCover, openPage
  case play
  /// Something of what plays.
  case player(PlayCommand)
  case playNext, playPrevious
  case toggleFullWindow
  /// Back to the cards, while it goes on; with the picture in their corner, or without.
  case toggleCorner, leavePlayer
  /// To the video that plays.
  case showPlayer
  /// From the whole window to the pane, from there to an end.
  case stopPlayer
  case toggleHelp, repaint, suspend
  case dismiss
  case quit
}
