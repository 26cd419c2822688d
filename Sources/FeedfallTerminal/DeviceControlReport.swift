/// The strings between `ESC P` and their end.
enum DeviceControlReport {
  static func meaning(of bytes: [UInt8]) -> TerminalReport {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix(">|") { return .name(String(text.dropFirst(2))) }
    if text.hasPrefix("1$r"), text.hasSuffix("m") {
      return .rendition(hasAskedColor: hasAskedColor(text.dropFirst(3).dropLast()))
    }
    return .other
  }

  /// Asks what has become of a colour that is none of 256 (DECRQSS); a terminal that knows it repeats it.
  static let colorQuery = Array("\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[m".utf8)

  /// Terminals put semicolons, colons, or colons and an empty place for a colour space between the parts.
  private static func hasAskedColor(_ rendition: Substring) -> Bool {
    let parts = rendition.split { $0 == ";" || $0 == ":" }
    return parts.indices.contains { parts[$0...].prefix(5) == ["48", "2", "1", "2", "3"] }
  }
}
