import FeedfallScreen
import WaterfallEngine

extension PlacedPicture {
  /// Whether it is of a size that every protocol can show.
  var isForPixels: Bool {
    let (columns, rows) = (frame.width, frame.height)
    return (1...KittyPlaceholder.most).contains(columns) && (1...KittyPlaceholder.most).contains(rows)
      && pixels.bytes.count <= KittyImages.capacity / 4
  }

  /// The pixels that lie over a part of its cells; at least one.
  func pixels(under part: Rect) -> Rect {
    let across = Self.stretch(part.minX - frame.minX, part.width, of: frame.width, pixels: pixels.size.width)
    let down = Self.stretch(part.minY - frame.minY, part.height, of: frame.height, pixels: pixels.size.height)
    return Rect(x: across.start, y: down.start, width: across.length, height: down.length)
  }

  private static func stretch(
    _ start: Int, _ length: Int, of cells: Int, pixels: Int
  ) -> (start: Int, length: Int) {
    let first = min(start * pixels / cells, pixels - 1)
    return (first, max(1, min(pixels, (start + length) * pixels / cells) - first))
  }
}

extension VisiblePicture {
  /// A picture of which more pieces than this are seen is left to its cells.
  static let mostParts = 8
}

/// What a frame does to cells besides writing into them.
enum CellMovement {
  /// Whether rows are moved: by a scrolling region, or by taking rows out and putting others in.
  static func scrolls(_ frame: [UInt8]) -> Bool { contains(moving, escapes: Array("MD".utf8), frame) }

  /// Whether the screen, or all below a place, is cleared.
  static func clears(_ frame: [UInt8]) -> Bool { contains(Array("J".utf8), escapes: Array("c".utf8), frame) }

  /// Whether the rest of a row is cleared or moved to a side.
  static func changesRests(ofRowsBy frame: [UInt8]) -> Bool { contains(Array("K@P".utf8), escapes: [], frame) }

  /// Whether one of these letters ends a control sequence, or follows ESC alone.
  private static func contains(_ letters: [UInt8], escapes: [UInt8], _ frame: [UInt8]) -> Bool {
    var rest = frame[...]
    while let escape = rest.firstIndex(of: 0x1B) {
      rest = rest[(escape + 1)...]
      guard let kind = rest.popFirst() else { return false }
      if escapes.contains(kind) { return true }
      guard kind == UInt8(ascii: "["), let end = rest.firstIndex(where: { $0 >= 0x40 }) else { continue }
      if letters.contains(rest[end]) { return true }
      rest = rest[(end + 1)...]
    }
    return false
  }

  private static let moving = Array("rSTLM".utf8)
}
