import FeedfallScreen
import WaterfallEngine

/// Writes the text of links again with their addresses (OSC 8), because curses knows no links. Terminals without links
/// ignore the addresses.
struct LinkPainter {
  private(set) var shown: [Canvas.Link] = []
  private var new: [Canvas.Link] = []

  /// Ends a link that was cut off.
  static let end = Array("\u{1B}]8;;\u{1B}\\".utf8)

  private static let maximumLength = 2048
  private static let schemes = ["https://", "http://", "file://"]

  /// Sets the links. Returns the cells of links that have gone: they would remain links if curses considered them
  /// unchanged.
  mutating func setLinks(_ links: [Canvas.Link]) -> [Rect] {
    let links = links.filter { Self.isSafe($0.address) }
    new = links.filter { !shown.contains($0) }
    defer { shown = links }
    return shown.filter { !links.contains($0) }.map(\.frame)
  }

  /// Whether the address cannot end its sequence, and a terminal may open it.
  private static func isSafe(_ address: String) -> Bool {
    address.utf8.count <= maximumLength && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && schemes.contains { address.hasPrefix($0) }
  }

  /// Returns the bytes that write the links, which have one role, if they are new or damaged. The cursor and the
  /// attributes are unchanged afterwards.
  func paint(_ canvas: Canvas, in damage: CellDamage, selection: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for link in shown {
      for y in link.frame.minY..<link.frame.maxY {
        let columns = link.frame.minX..<link.frame.maxX
        let row = Rect(x: link.frame.minX, y: y, width: link.frame.width, height: 1)
        guard new.contains(link) || damage.overlaps(row) else { continue }
        guard let text = Self.text(canvas, columns, y) else { continue }
        bytes += Array("\u{1B}[\(y + 1);\(columns.lowerBound + 1)H".utf8) + Self.start(link.address) + text
      }
    }
    return bytes.isEmpty
      ? [] : TerminalProfile.saveCursor + selection + bytes + Self.end + TerminalProfile.restoreCursor
  }

  /// Parts with the same number are one link.
  private static func start(_ address: String) -> [UInt8] {
    let number = address.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Array("\u{1B}]8;id=\(number);\(address)\u{1B}\\".utf8)
  }

  /// Returns the text of cells; nil if it has characters of which terminals may differ in the width.
  private static func text(_ canvas: Canvas, _ columns: Range<Int>, _ y: Int) -> [UInt8]? {
    var text: [UInt8] = []
    for x in columns {
      let glyph = canvas[x, y].glyph
      switch glyph.base {
      case 0x20...0x7E where glyph.marks == 0: text.append(UInt8(glyph.base))
      case 0x2026 where glyph.marks == 0: text += Array("…".utf8)
      default: return nil
      }
    }
    return text
  }
}
