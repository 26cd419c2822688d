import FeedfallScreen
import WaterfallEngine

enum TerminalReport: Hashable, Sendable {
  /// Primary device attributes (DA1): every terminal answers, so this query ends each batch.
  case attributes(hasSixel: Bool)
  /// Secondary device attributes (DA2): a number for the kind of terminal, and its version.
  case kind(Int, version: Int)
  /// The terminal's name and version (XTVERSION).
  case name(String)
  /// The column of the cursor (DSR 6), from 1.
  case cursor(column: Int)
  /// The current rendition (DECRPSS of SGR), with or without the direct color set by the query.
  case rendition(hasQueriedColor: Bool)
  /// The number of colors of a sixel picture (XTSMGRAPHICS).
  case colorRegisters(Int)
  /// The answer to DSR 5: all bytes before it are processed.
  case status
  /// The background color (OSC 11).
  case background(RGB)
  /// A private mode (DECRPM): 1 is set, 2 is reset, 0 is unknown.
  case mode(Int, setting: Int)
  /// The size of a cell in pixels (CSI 6 t).
  case cell(Size)
  /// The answer to a command of kitty's graphics protocol about the image with this number.
  case graphics(number: Int, isOK: Bool)
  case keyboardProtocol
  case other

  static func operatingSystem(_ bytes: [UInt8]) -> TerminalReport {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("11;"), let color = color(text.dropFirst(3)) else { return .other }
    return .background(color)
  }

  /// `rgb:RRRR/GGGG/BBBB` (one to four digits each, also `rgba:` with a fourth part) or `#RRGGBB`.
  private static func color(_ text: Substring) -> RGB? {
    let parts: [Substring]
    if text.hasPrefix("#") {
      let digits = text.dropFirst()
      guard digits.utf8.count == 6 || digits.utf8.count == 12 else { return nil }
      let length = digits.utf8.count / 3
      parts = (0..<3).map { digits.dropFirst($0 * length).prefix(length) }
    } else if let count = text.hasPrefix("rgb:") ? 3 : text.hasPrefix("rgba:") ? 4 : nil {
      parts = text.dropFirst(count + 1).split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == count else { return nil }
    } else {
      return nil
    }
    let channels = parts.prefix(3).compactMap(channel)
    guard channels.count == 3 else { return nil }
    return RGB(red: channels[0], green: channels[1], blue: channels[2])
  }

  private static func channel(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
      let value = Int(digits, radix: 16)
    else { return nil }
    let largest = (1 << (4 * digits.utf8.count)) - 1
    return UInt8((value * 255 + largest / 2) / largest)
  }

  /// Decodes the contents of an `ESC _` string (APC): `Gi=31;OK`, or an error in place of `OK`.
  static func application(_ bytes: [UInt8]) -> TerminalReport {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: ";", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("G") else { return .other }
    let key = parts[0].dropFirst().split(separator: ",").first { $0.hasPrefix("i=") }
    guard let number = key.flatMap({ Int($0.dropFirst(2)) }) else { return .other }
    return .graphics(number: number, isOK: parts[1] == "OK")
  }

  static func deviceControl(_ bytes: [UInt8]) -> TerminalReport {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix(">|") { return .name(String(text.dropFirst(2))) }
    if text.hasPrefix("1$r"), text.hasSuffix("m") {
      return .rendition(hasQueriedColor: hasQueriedColor(text.dropFirst(3).dropLast()))
    }
    return .other
  }

  /// Sets a direct color and queries the rendition (DECRQSS); a terminal with direct colors reports it back.
  static let colorQuery = Array("\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[m".utf8)

  /// Terminals separate the parts by semicolons, by colons, or by colons with an empty color space.
  private static func hasQueriedColor(_ rendition: Substring) -> Bool {
    let parts = rendition.split { $0 == ";" || $0 == ":" }
    return parts.indices.contains { parts[$0...].prefix(5) == ["48", "2", "1", "2", "3"] }
  }
}
