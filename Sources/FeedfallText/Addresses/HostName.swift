import CFeedfallEncoding

/// The two forms of a host name beyond ASCII: the one for the network, and the one for the user (UTS 46).
package enum HostName {
  /// The longest name in ASCII, in bytes. A name in UTF-8 may be longer than its ASCII form.
  private static let maximumByteCount = 253
  private static let maximumWrittenCount = 4 * maximumByteCount

  /// Returns the ASCII form of a written name, in lower case; nil if it is invalid. A percent-encoded name is decoded
  /// (RFC 3986, 3.2.2).
  static func ascii(_ written: ArraySlice<UInt8>) -> [UInt8]? {
    guard written.count <= 3 * maximumWrittenCount else { return nil }
    let name = written.contains(.percent) ? PercentCoding.decodedBytes(written, plusIsBlank: false) : Array(written)
    let ascii = name.contains { $0 >= 0x80 } ? converted(name) : name
    // The ASCII form of some characters contains a slash or another mark.
    return ascii.flatMap { isName($0) ? $0.map(\.lowercased) : nil }
  }

  private static func converted(_ name: [UInt8]) -> [UInt8]? {
    guard name.count <= maximumWrittenCount, !name.contains(0),
      AddressSyntax.contains(only: [.printable, .mark, .joiner], name[...]),
      let text = String(validating: name, as: UTF8.self)
    else { return nil }
    return bytes(of: text, host_to_ascii) ?? PictureLabel.converted(text)
  }

  private static func bytes(
    of name: String, _ convert: (UnsafePointer<CChar>, UnsafeMutablePointer<UInt8>, Int) -> Int
  ) -> [UInt8]? {
    let capacity = maximumWrittenCount
    var count = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initializedCount in
      guard let start = buffer.baseAddress else { return }
      count = convert(name, start, capacity)
      initializedCount = max(count, 0)
    }
    return count < 0 ? nil : bytes
  }

  private static func isName(_ host: [UInt8]) -> Bool {
    guard let first = host.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "."),
      host.count <= maximumByteCount
    else { return false }
    return host.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
  }

  // MARK: - The form for the user

  /// Returns a name for the user to see: beyond ASCII only if each label has one script, and no two labels have scripts
  /// whose letters resemble each other.
  package static func shown(_ host: String) -> String { isEncoded(host) ? decoded(host) ?? host : host }

  /// Returns a text with its first encoded name as `shown`, such as the host of an address.
  package static func showing(in text: String) -> String { replacing(in: text, shown) }

  /// Whether a text contains a label with a code for other characters than ASCII.
  static func isEncoded(_ text: String) -> Bool {
    var rest = text.utf8[...]
    while let hyphen = rest.firstIndex(of: UInt8(ascii: "-")) {
      if text.utf8[..<hyphen].suffix(2).elementsEqual("xn".utf8), text.utf8[hyphen...].starts(with: "--".utf8) {
        return true
      }
      rest = rest[hyphen...].dropFirst()
    }
    return false
  }

  private static func replacing(in text: String, _ replacement: (String) -> String) -> String {
    guard isEncoded(text) else { return text }
    let bytes = Array(text.utf8)
    func isPart(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit || "-._".utf8.contains(byte) }
    for part in bytes.indices.split(whereSeparator: { !isPart(bytes[$0]) }) {
      let name = String(decoding: bytes[part.startIndex..<part.endIndex], as: UTF8.self)
      guard isEncoded(name) else { continue }
      return String(decoding: bytes[..<part.startIndex], as: UTF8.self) + replacement(name)
        + String(decoding: bytes[part.endIndex...], as: UTF8.self)
    }
    return text
  }

  /// Returns nil for a name that is invalid or could be mistaken for another one.
  private static func decoded(_ host: String) -> String? {
    guard host.utf8.count <= maximumByteCount, let bytes = bytes(of: host, host_to_unicode),
      let back = converted(bytes), back == Array(host.utf8)
    else { return nil }
    let name = String(decoding: bytes, as: UTF8.self)
    var scripts: Set<Script> = []
    for label in name.unicodeScalars.split(separator: ".") {
      guard let script = script(of: label) else { return nil }
      if script != .common { scripts.insert(script) }
    }
    let isSafe = scripts.count <= 1 || scripts.allSatisfy { !$0.resemblesLatin || $0 == .latin }
    return isSafe ? name : nil
  }

  // MARK: - Scripts

  private enum Script: Hashable {
    case common, latin, greek, cyrillic, japanese, korean
    /// One with a block of its own, by its number.
    case other(UInt32)

    /// Whether some words consist of letters that look like Latin ones.
    var resemblesLatin: Bool {
      switch self {
      case .latin, .greek, .cyrillic: true
      case .common, .japanese, .korean, .other: false
      }
    }

    /// Chinese is written in a part of the Japanese characters.
    init?(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x2D, 0x30...0x39, 0x5F: self = .common
      // Without those that look like others: dotless i, kra, long s.
      case 0x61...0x7A, 0xDF...0xF6, 0xF8...0x130, 0x132...0x137, 0x139...0x148, 0x14A...0x17E, 0x1A1, 0x1B0, 0x219,
        0x21B, 0x1E00...0x1EF9:
        self = .latin
      case 0x3AC...0x3CE, 0x1F00...0x1FFC: self = .greek
      case 0x430...0x481, 0x48B...0x52F: self = .cyrillic
      case 0x3005, 0x3041...0x3096, 0x30A1...0x30FA, 0x30FC, 0x3400...0x4DBF, 0x4E00...0x9FFF:
        self = .japanese
      case 0xAC00...0xD7A3: self = .korean
      // From Devanagari to Sinhala, then Thai and Lao. Arabic and Hebrew would change the order of the text around them.
      case 0x900...0xEFF: self = .other(scalar.value >> 7)
      default: return nil
      }
    }
  }

  /// Returns the one script of a label; nil for several, and for characters that are not shown.
  private static func script(of label: Substring.UnicodeScalarView) -> Script? {
    var found = Script.common
    for scalar in label {
      guard let script = Script(scalar), script == .common || found == .common || script == found else { return nil }
      if script != .common { found = script }
    }
    return found
  }
}
