import WaterfallEngine

struct PlayerPanel: Equatable, Sendable {
  var picture: Rect
  /// Only in the full window.
  var title: Rect?
  var bar: Rect
  var facts: Rect

  /// A video in a smaller picture is unrecognizable.
  static let smallestPicture = Size(width: 20, height: 6)
  private static let aspect = 16.0 / 9.0
  /// Rows of the pane's text below the picture, if there is room.
  private static let textRows = 6
  private static let controlRows = 2

  init(inPane pane: Rect, cellSize: Size) {
    let text = pane.height >= 2 * Self.smallestPicture.height + Self.textRows ? Self.textRows : 0
    let room = Size(width: pane.width, height: max(1, pane.height - Self.controlRows - text))
    let size = coverSize(aspect: Self.aspect, within: room, cellSize: cellSize)
    picture = Rect(x: pane.minX + (pane.width - size.width) / 2, y: pane.minY, width: size.width, height: size.height)
    bar = Rect(x: pane.minX, y: picture.maxY, width: pane.width, height: 1)
    facts = bar.offsetBy(x: 0, y: 1)
  }

  init(inWindow window: Rect) {
    picture = window
    facts = Rect(x: window.minX, y: window.maxY - 1, width: window.width, height: 1)
    bar = facts.offsetBy(x: 0, y: -1)
    title = facts.offsetBy(x: 0, y: -2)
  }

  var controls: Rect { (title ?? bar).union(facts) }

  /// The rest of the pane, below an empty row.
  func text(inPane pane: Rect) -> Rect {
    let top = min(facts.maxY + 1, pane.maxY)
    return Rect(x: pane.minX, y: top, width: pane.width, height: pane.maxY - top)
  }

  /// In the lower right corner, within the place of a film of the usual proportions; nil if that would be too small.
  static func corner(of cards: Rect, aspect: Double, cellSize: Size) -> Rect? {
    let room = Size(width: min(48, cards.width * 2 / 5), height: cards.height / 2)
    let usual = coverSize(aspect: Self.aspect, within: room, cellSize: cellSize)
    guard holdsVideo(usual) else { return nil }
    // Rounded twice, a usual film would lose a row.
    let isUsual = abs(aspect / Self.aspect - 1) < 0.02
    let size = isUsual ? usual : coverSize(aspect: aspect, within: usual, cellSize: cellSize)
    return Rect(origin: Point(x: cards.maxX - size.width, y: cards.maxY - size.height), size: size)
  }

  static func holdsVideo(_ size: Size) -> Bool {
    size.width >= smallestPicture.width && size.height >= smallestPicture.height
  }
}
