import FeedfallScreen

enum CardsCommand: Equatable, Sendable {
  case moveLeft, moveRight, moveUp, moveDown
  case halfPageDown, halfPageUp, pageDown, pageUp
  case selectFirst, selectLast
  case openDetails, togglePictureInPicture, loadMore
  case nextLayout, previousLayout
  case search, nextMatch, previousMatch, clearSearch
  case filter, nextOrder
  case toggleQueued, queueNext, moveLater, moveEarlier, playSoundOnly
  case searchServer

  var opensPrompt: Bool {
    switch self {
    case .search, .filter: true
    default: false
    }
  }
}
