import FeedfallScreen

enum DetailsCommand: Equatable, Sendable {
  case scrollDown, scrollUp, halfPageDown, halfPageUp, pageDown, pageUp, scrollToTop, scrollToEnd
  case previousVideo, nextVideo
  case toggleCover
  case close

  static let keymap = Keymap(
    title: "Details", Command.details,
    rows: [
      .init("details.scroll-down", .character("j"), .down, command: .scrollDown, help: "scroll down"),
      .init("details.scroll-up", .character("k"), .up, command: .scrollUp, help: "scroll up"),
      .init("details.half-page-down", .control("d"), command: .halfPageDown, help: "half a page down"),
      .init("details.half-page-up", .control("u"), command: .halfPageUp, help: "half a page up"),
      .init("details.page-down", .control("f"), .pageDown, command: .pageDown, help: "a page down"),
      .init("details.page-up", .control("b"), .pageUp, command: .pageUp, help: "a page up"),
      .init("details.top", .go("g"), .home, command: .scrollToTop, help: "top of the text"),
      .init("details.end", .character("G"), .end, command: .scrollToEnd, help: "end of the text"),
      .init("details.previous-video", .character("h"), .left, command: .previousVideo, help: "previous video"),
      .init("details.next-video", .character("l"), .right, command: .nextVideo, help: "next video", hint: "next"),
      .init("details.toggle-cover", .character("i"), command: .toggleCover, help: "toggle the full-window cover"),
      .init("details.close", .character("q"), .escape, command: .close, help: "back to the cards", hint: "back"),
    ])
}
