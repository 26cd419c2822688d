import FeedfallScreen

enum DetailsCommand: Equatable, Sendable {
  case scrollDown, scrollUp, halfPageDown, halfPageUp, pageDown, pageUp, scrollToTop, scrollToEnd
  case previousVideo, nextVideo
  case toggleCover
  case close
}
