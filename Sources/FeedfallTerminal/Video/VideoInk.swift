import WaterfallEngine

/// Writes cells of two pixels each, with no more bytes than it takes, where all attributes are off.
struct VideoInk {
  private(set) var bytes: [UInt8] = []
  private let screenWidth: Int
  private let tolerance: Int
  private var foreground = VideoColor.unknown
  private var background = VideoColor.unknown
  /// Where the cursor is; nil where that is not sure.
  private var cursor: Point?

  /// - Parameter tolerance: by how much a channel may differ from what is wanted, if that saves bytes.
  init(screenWidth: Int, tolerance: Int) {
    self.screenWidth = screenWidth
    self.tolerance = tolerance
  }

  /// Writes a cell and answers what it looks like then.
  mutating func put(_ wanted: VideoCell, at place: Point) -> VideoCell {
    move(to: place)
    // After the last column terminals differ in where the cursor is.
    cursor = place.x + 1 < screenWidth ? Point(x: place.x + 1, y: place.y) : nil
    if wanted.upper == wanted.lower { return putPlain(wanted.upper) }
    let costWithUpperGround = cost(foreground: wanted.lower, background: wanted.upper)
    if cost(foreground: wanted.upper, background: wanted.lower) < costWithUpperGround {
      select(foreground: wanted.upper, background: wanted.lower)
      bytes.append(contentsOf: Self.upperHalf)
      return VideoCell(upper: foreground, lower: background)
    }
    select(foreground: wanted.lower, background: wanted.upper)
    bytes.append(contentsOf: Self.lowerHalf)
    return VideoCell(upper: background, lower: foreground)
  }

  private static let upperHalf = Array("\u{2580}".utf8)
  private static let lowerHalf = Array("\u{2584}".utf8)
  private static let whole = Array("\u{2588}".utf8)

  private mutating func putPlain(_ color: VideoColor) -> VideoCell {
    if !background.passes(for: color, tolerance: tolerance), foreground.passes(for: color, tolerance: tolerance) {
      bytes.append(contentsOf: Self.whole)
      return VideoCell(upper: foreground, lower: foreground)
    }
    select(foreground: nil, background: color)
    bytes.append(UInt8(ascii: " "))
    return VideoCell(upper: background, lower: background)
  }

  /// How many colours would have to be selected.
  private func cost(foreground newForeground: VideoColor, background newBackground: VideoColor) -> Int {
    (foreground.passes(for: newForeground, tolerance: tolerance) ? 0 : 1)
      + (background.passes(for: newBackground, tolerance: tolerance) ? 0 : 1)
  }

  private mutating func select(foreground newForeground: VideoColor?, background newBackground: VideoColor) {
    let changed = newForeground.flatMap { foreground.passes(for: $0, tolerance: tolerance) ? nil : $0 }
    let changesBackground = !background.passes(for: newBackground, tolerance: tolerance)
    guard changed != nil || changesBackground else { return }
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    if let changed {
      foreground = changed
      bytes.append(UInt8(ascii: "3"))
      bytes.append(UInt8(ascii: "8"))
      changed.appendParameters(to: &bytes)
      if changesBackground { bytes.append(UInt8(ascii: ";")) }
    }
    if changesBackground {
      background = newBackground
      bytes.append(UInt8(ascii: "4"))
      bytes.append(UInt8(ascii: "8"))
      newBackground.appendParameters(to: &bytes)
    }
    bytes.append(UInt8(ascii: "m"))
  }

  private mutating func move(to place: Point) {
    guard cursor != place else { return }
    if let cursor, cursor.y == place.y, place.x > cursor.x {
      let distance = place.x - cursor.x
      bytes += Array("\u{1B}[\(distance == 1 ? "" : "\(distance)")C".utf8)
    } else {
      bytes += Array("\u{1B}[\(place.y + 1);\(place.x + 1)H".utf8)
    }
  }
}
