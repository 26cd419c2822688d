import WaterfallEngine

struct Regions: Equatable, Sendable {
  /// A smaller screen shows only a message.
  static let minimumSize = Size(width: 20, height: 6)
  /// From this width on, the pane is beside the cards.
  static let widthForBoth = 100
  static let panePercent = 40
  /// From this width on, a list has the details of the selected video beside it.
  static let widthForPreview = 110

  var tabs: Rect?
  /// Between the tabs and the status line.
  var whole: Rect
  var cards: Rect
  var heading: Rect?
  /// The divider is between the cards and a pane beside them.
  var pane: Rect?
  var divider: Rect?
  var miniBar: Rect?
  var status: Rect

  func showsCards(beside details: DetailsScreen?) -> Bool { details.map { divider != nil && !$0.showsCover } ?? true }

  init(size: Size, isPaneOpen: Bool, hasTabs: Bool, hasMiniBar: Bool, failureRows: Int = 0, hasHeading: Bool = false) {
    let height = max(0, size.height - (hasMiniBar ? 2 : 1))
    let top = hasTabs ? min(1, height) : 0
    if hasTabs { tabs = Rect(x: 0, y: 0, width: size.width, height: top) }
    whole = Rect(x: 0, y: top, width: size.width, height: height - top)
    if hasMiniBar { miniBar = Rect(x: 0, y: height, width: size.width, height: 1) }
    status = Rect(x: 0, y: max(0, size.height - 1), width: size.width, height: min(1, size.height))
    cards = whole.inset(by: Insets(top: min(failureRows, whole.height)))
    if isPaneOpen, size.width < Self.widthForBoth {
      pane = whole.inset(by: Insets(left: 1, right: 1))
    } else if isPaneOpen {
      let paneWidth = size.width * Self.panePercent / 100
      cards.size.width = size.width - paneWidth
      divider = Rect(x: cards.maxX, y: top, width: 1, height: whole.height)
      pane = Rect(x: cards.maxX + 2, y: top, width: paneWidth - 3, height: whole.height)
    }
    guard hasHeading else { return }
    heading = Rect(x: cards.minX, y: cards.minY, width: cards.width, height: min(1, cards.height))
    cards = cards.inset(by: Insets(top: min(1, cards.height)))
  }
}
