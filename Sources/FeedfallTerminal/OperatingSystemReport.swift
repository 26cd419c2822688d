import FeedfallScreen

/// The strings between `ESC ]` and their end.
enum OperatingSystemReport {
  static func meaning(of bytes: [UInt8]) -> TerminalReport {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("11;"), let color = color(text.dropFirst(3)) else { return .other }
    return .background(color)
  }

  /// `rgb:RRRR/GGGG/BBBB` (one to four digits each, also `rgba:` with a fourth part) or `#RRGGBB`.
  static func color(_ text: Substring) -> RGB? {
    let parts: [Substring]
    if text.hasPrefix("#") {
      let digits = text.dropFirst()
      guard digits.utf8.count == 6 || digits.utf8.count == 12 else { return nil }
      let length = digits.utf8.count / 3
      parts = (0..<3).map { digits.dropFirst($0 * length).prefix(length) }
    } else if text.hasPrefix("rgb:") {
      parts = text.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 3 else { return nil }
    } else if text.hasPrefix("rgba:") {
      parts = text.dropFirst(5).split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 4 else { return nil }
    } else {
      return nil
    }
    let channels = parts.prefix(3).compactMap(channel)
    guard channels.count == 3 else { return nil }
    return RGB(red: channels[0], green: channels[1], blue: channels[2])
  }

  /// A channel of one to four hexadecimal digits, as eight bits.
  private static func channel(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy(isHexadecimal),
      let value = Int(digits, radix: 16)
    else { return nil }
    let largest = (1 << (4 * digits.utf8.count)) - 1
    return UInt8((value * 255 + largest / 2) / largest)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }
}
