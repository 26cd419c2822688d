enum CardsCommand: Equatable, Sendable {
  case move(CardMove)
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

enum CardMove: Equatable, Sendable {
  case left, right, up, down
  case halfPageDown, halfPageUp, pageDown, pageUp
  case first, last
}
