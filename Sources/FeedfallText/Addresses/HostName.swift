import CFeedfallEncoding

/// The two forms of a host name beyond ASCII: the one for the network, and the one for the user (UTS 46).
package enum HostName {
  /// The longest name in ASCII, in bytes. A name in UTF-8 may be longer than its ASCII form.
  private static let maximumByteCount = 253
  private static let maximumWrittenCount = 4 * maximumByteCount

  /// In lower case; nil for an invalid name. Percent-encoding is decoded (RFC 3986, 3.2.2).
  static func ascii(_ written: ArraySlice<UInt8>) -> [UInt8]? {
    guard written.count <= 3 * maximumWrittenCount else { return nil }
    let name = written.contains(.percent) ? PercentCoding.decodedBytes(written, plusIsBlank: false) : Array(written)
    let ascii = name.contains { $0 >= 0x80 } ? converted(name) : name
    // The ASCII form of some characters contains a slash or another mark.
    return ascii.flatMap { isName($0) ? $0.map(\.lowercased) : nil }
  }

  private static func converted(_ name: [UInt8]) -> [UInt8]? {
    guard name.count <= maximumWrittenCount, !name.contains(0),
      WebAddress.Syntax.contains(only: [.printable, .mark, .joiner], name[...]),
      let text = String(validating: name, as: UTF8.self)
    else { return nil }
    return bytes(of: text, host_to_ascii) ?? withPictures(text)
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

  package static func showing(in text: String) -> String {
    guard isEncoded(text) else { return text }
    let bytes = Array(text.utf8)
    func isPart(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit || "-._".utf8.contains(byte) }
    for part in bytes.indices.split(whereSeparator: { !isPart(bytes[$0]) }) {
      let name = String(decoding: bytes[part.startIndex..<part.endIndex], as: UTF8.self)
      guard isEncoded(name) else { continue }
      return String(decoding: bytes[..<part.startIndex], as: UTF8.self) + shown(name)
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
    // Their letters resemble those of other scripts.
    return scripts.count <= 1 || scripts.isDisjoint(with: [.greek, .cyrillic]) ? name : nil
  }

  // MARK: - Scripts

  private enum Script: Hashable {
    case common, latin, greek, cyrillic, japanese, korean
    /// One with a block of its own, by its number.
    case other(UInt32)

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
      // From Devanagari to Sinhala, then Thai and Lao. Arabic and Hebrew would change the order of the text around
      // them.
      case 0x900...0xEFF: self = .other(scalar.value >> 7)
      default: return nil
      }
    }
  }

  private static func script(of label: Substring.UnicodeScalarView) -> Script? {
    var found = Script.common
    for scalar in label {
      guard let script = Script(scalar), script == .common || found == .common || script == found else { return nil }
      if script != .common { found = script }
    }
    return found
  }
}

/// Labels of emoji, which some registries and all browsers allow, but IDNA 2008 and thus libidn2 do not.
extension HostName {
  /// In scalars, and in bytes of the ASCII form. Bounds the encoder, which is quadratic.
  private static let maximumLabelCount = 63

  private static func withPictures(_ name: String) -> [UInt8]? {
    let labels = name.unicodeScalars.split(omittingEmptySubsequences: false) {
      ".\u{3002}\u{FF0E}\u{FF61}".unicodeScalars.contains($0)
    }
    guard labels.count <= 2 * maximumLabelCount else { return nil }
    var ascii: [[UInt8]] = []
    for label in labels {
      guard let bytes = label.allSatisfy(\.isASCII) ? Array(String(label).utf8) : encoded(label) else { return nil }
      ascii.append(bytes)
    }
    return Array(ascii.joined(separator: [UInt8(ascii: ".")]))
  }

  private static func encoded(_ label: Substring.UnicodeScalarView) -> [UInt8]? {
    guard label.count <= maximumLabelCount else { return nil }
    // The variation selector only asks for the colored form.
    let scalars = label.filter { $0 != "\u{FE0F}" }.map {
      $0.value < 0x80 ? UInt32(UInt8($0.value).lowercased) : $0.value
    }
    let arePictures = label.allSatisfy { scalar in
      scalar.value < 0x80 || scalar == "\u{FE0F}"
        || scalar.properties.isEmoji && [.otherSymbol, .modifierSymbol].contains(scalar.properties.generalCategory)
    }
    guard arePictures, scalars.contains(where: { $0 >= 0x80 }) else { return nil }
    let bytes = Array("xn--".utf8) + punycode(scalars)
    return bytes.count <= maximumLabelCount ? bytes : nil
  }

  /// Encodes a label (RFC 3492, 6.3).
  private static func punycode(_ scalars: [UInt32]) -> [UInt8] {
    var result = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    let basicCount = result.count
    if basicCount > 0 { result.append(UInt8(ascii: "-")) }
    var (next, delta, bias, count) = (0x80, 0, 72, basicCount)
    while let scalar = scalars.lazy.map({ Int($0) }).filter({ $0 >= next }).min() {
      delta += (scalar - next) * (count + 1)
      next = scalar
      for other in scalars {
        if other < next { delta += 1 }
        guard other == next else { continue }
        append(delta, bias, to: &result)
        bias = adapted(delta, count: count + 1, isFirst: count == basicCount)
        delta = 0
        count += 1
      }
      delta += 1
      next += 1
    }
    return result
  }

  private static func append(_ number: Int, _ bias: Int, to result: inout [UInt8]) {
    let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var (rest, position) = (number, 36)
    while true {
      let threshold = min(max(position - bias, 1), 26)
      guard rest >= threshold else { break }
      result.append(digits[threshold + (rest - threshold) % (36 - threshold)])
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
    result.append(digits[rest])
  }

  private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > 35 * 26 / 2 {
      delta /= 35
      bias += 36
    }
    return bias + 36 * delta / (delta + 38)
  }
}
