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
  case toggleHelp, repaint, suspend
  case dismiss
  case quit
}
