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

  static let keymap = Keymap(
    title: "Cards", Command.cards,
    rows: [
      .init("cards.move-left", .character("h"), .left, command: .moveLeft, help: "card to the left"),
      .init("cards.move-right", .character("l"), .right, command: .moveRight, help: "card to the right"),
      .init(
        "cards.move-up", .character("k"), .up, command: .moveUp, help: "card above; at the top, pull to refresh"),
      .init("cards.move-down", .character("j"), .down, command: .moveDown, help: "card below"),
      .init("cards.half-page-down", .control("d"), command: .halfPageDown, help: "half a page down"),
      .init("cards.half-page-up", .control("u"), command: .halfPageUp, help: "half a page up"),
      .init("cards.page-down", .control("f"), .pageDown, command: .pageDown, help: "a page down"),
      .init("cards.page-up", .control("b"), .pageUp, command: .pageUp, help: "a page up"),
      .init("cards.first", .go("g"), .home, command: .selectFirst, help: "first card"),
      .init("cards.last", .character("G"), .end, command: .selectLast, help: "last card"),
      .init("cards.open-details", .enter, command: .openDetails, help: "details"),
      .init(
        "cards.toggle-picture-in-picture", .character("P"), command: .togglePictureInPicture,
        help: "toggle picture-in-picture", hint: "in picture"),
      .init("cards.load-more", .character("m"), command: .loadMore, help: "load more"),
      .init("cards.next-layout", .character("v"), command: .nextLayout, help: "next layout", hint: "layout"),
      .init("cards.previous-layout", .character("V"), command: .previousLayout, help: "previous layout"),
      .init("cards.search", .character("/"), command: .search, help: "search titles", hint: "search"),
      .init("cards.next-match", .character("n"), command: .nextMatch, help: "next match"),
      .init("cards.previous-match", .character("N"), command: .previousMatch, help: "previous match"),
      .init("cards.filter", .character("f"), command: .filter, help: "filter the videos", hint: "filter"),
      .init("cards.next-order", .character("S"), command: .nextOrder, help: "next order", hint: "order"),
      .init(
        "cards.toggle-queued", .character("a"), command: .toggleQueued, help: "add to the queue, or remove from it",
        hint: "queue"),
      .init("cards.queue-next", .character("A"), command: .queueNext, help: "play next: put first in the queue"),
      .init("cards.move-later", .character("J"), command: .moveLater, help: "move down in the queue"),
      .init("cards.move-earlier", .character("K"), command: .moveEarlier, help: "move up in the queue"),
      .init("cards.play-sound", .character("e"), command: .playSoundOnly, help: "play audio only"),
      .init("cards.search-server", .character("s"), command: .searchServer, help: "search on the server"),
      .init("cards.clear-search", .escape, command: .clearSearch, help: "clear the search, then the filter"),
    ])
}
