/// The rules that an address must keep (RFC 3986), on its bytes.
enum AddressSyntax {
  enum Verdict {
    case asItStands
    case rewritten([UInt8])
  }

  /// Nil where it is no http or https address.
  static func check(_ text: UnsafeRawBufferPointer) -> Verdict? {
    if isPlain(text) { return .asItStands }
    let bytes = Array(text).trimmingBlanks()
    guard let scheme = schemeEnd(bytes) else { return nil }
    let end = bytes[scheme...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    guard has([.keep, .mark], bytes[scheme..<end]), has([.keep, .mark, .joiner, .blank], bytes[end...]),
      let authority = checkedAuthority(bytes[scheme..<end])
    else { return nil }
    var result = bytes[..<scheme].map(\.lowercased) + authority
    result.reserveCapacity(bytes.count + 16)
    for byte in bytes[end...] {
      if isAllowedAfterHost(byte) { result.append(byte) } else { PercentCoding.append(byte, to: &result) }
    }
    return .rewritten(result)
  }

  /// Whether this is the usual case, in which nothing needs to be changed: `https://host/…` in plain ASCII.
  private static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count > 8, text.starts(with: "http".utf8) else { return false }
    var index = text[4] == UInt8(ascii: "s") ? 5 : 4
    guard text[index] == .colon, text[index + 1] == .slash, text[index + 2] == .slash else { return false }
    index += 3
    let hostStart = index
    while index < text.count, text[index] != .slash {
      let byte = text[index]
      guard
        (byte.isASCIILetter && !byte.isASCIIUpper) || byte.isASCIIDigit || byte == UInt8(ascii: ".")
          || (byte == UInt8(ascii: "-") && index > hostStart)
      else { return false }
      index += 1
    }
    guard index > hostStart, text[hostStart] != UInt8(ascii: ".") else { return false }
    while index < text.count {
      guard isAllowedAfterHost(text[index]) else { return false }
      index += 1
    }
    return true
  }

  /// One bit for each ASCII character that may stand after the host as it is: unreserved, reserved and `%`,
  /// that is ``!#$%&'()*+,-./0123456789:;=?`` in the first, letters and `@[]_~` in the second.
  private static let allowedLow: UInt64 = 0xAFFF_FFFA_0000_0000
  private static let allowedHigh: UInt64 = 0x47FF_FFFE_AFFF_FFFF

  @inline(__always)
  static func isAllowedAfterHost(_ byte: UInt8) -> Bool {
    if byte < 64 { return allowedLow >> UInt64(byte) & 1 == 1 }
    return byte < 128 && allowedHigh >> UInt64(byte - 64) & 1 == 1
  }

  /// Where the authority begins after `http://` or `https://` in any case.
  static func schemeEnd(_ bytes: [UInt8]) -> Int? {
    let start = bytes.prefix(8).map(\.lowercased)
    if start == Array("https://".utf8) { return 8 }
    return start.starts(with: "http://".utf8) ? 7 : nil
  }

  /// Whether a reference begins with a scheme and a colon (RFC 3986, 3.1).
  static func hasScheme(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, first.isASCIILetter,
      let end = bytes.firstIndex(where: { !($0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0)) })
    else { return false }
    return bytes[end] == .colon
  }

  /// Whether a part holds such characters alone, so no control and none that turns the text round; of white
  /// space only the blank. After the host all but ASCII is encoded, so that marks and joiners do no harm there.
  private static func has(_ fates: [TextRules.Fate], _ part: ArraySlice<UInt8>) -> Bool {
    String(decoding: part, as: UTF8.self).unicodeScalars.allSatisfy {
      let fate = TextRules.fate(of: $0)
      return fates.contains(fate) && (fate != .blank || $0 == " ")
    }
  }

  /// The authority with its host in lower case, where user, host and port are what they may be.
  private static func checkedAuthority(_ authority: ArraySlice<UInt8>) -> [UInt8]? {
    let hostStart = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
    let user = authority[..<hostStart].dropLast()
    guard user.allSatisfy({ isAllowedAfterHost($0) && !"@[]".utf8.contains($0) }) else { return nil }
    let hostAndPort = authority[hostStart...]
    let bracket = hostAndPort.lastIndex(of: .closeBracket)
    let hostEnd = hostAndPort[(bracket ?? hostStart)...].firstIndex(of: .colon) ?? hostAndPort.endIndex
    let host = hostAndPort[..<hostEnd]
    guard bracket == nil ? isName(host) : isIPv6(host), isPort(hostAndPort[hostEnd...]) else { return nil }
    return authority[..<hostStart] + hostAndPort.map(\.lowercased)
  }

  private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
    guard let first = host.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "."), host.count <= 253
    else {
      return false
    }
    return host.allSatisfy { $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
      && host.split(separator: UInt8(ascii: ".")).allSatisfy { !beginsWithMark($0) }
  }

  /// Whether a label begins with what would stand on the character before it (RFC 5891, 4.2.3.2).
  private static func beginsWithMark(_ label: ArraySlice<UInt8>) -> Bool {
    guard let first = label.first, first >= 0x80 else { return false }
    return String(decoding: label.prefix(4), as: UTF8.self).unicodeScalars.first.map(TextRules.fate) == .mark
  }

  private static func isIPv6(_ host: ArraySlice<UInt8>) -> Bool {
    guard host.first == .openBracket, host.last == .closeBracket, (4...47).contains(host.count) else {
      return false
    }
    let digits = host.dropFirst().dropLast()
    return digits.contains(.colon)
      && digits.allSatisfy { $0.hexDigitValue != nil || $0 == .colon || $0 == UInt8(ascii: ".") }
  }

  /// Empty, or a colon and a number up to 65,535, or nothing, which is the usual port.
  private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
    let digits = text.dropFirst()
    guard digits.count <= 5, digits.allSatisfy(\.isASCIIDigit) else { return false }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
  }

  /// Resolves `.` and `..` in a path (RFC 3986, 5.2.4).
  static func removingDots(_ path: some Collection<UInt8>) -> [UInt8] {
    let segments = path.split(separator: .slash, omittingEmptySubsequences: false)
    var kept: [[UInt8]] = []
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      if segment.elementsEqual("..".utf8) {
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append([]) }
      } else if segment.elementsEqual(".".utf8) {
        if isLast { kept.append([]) }
      } else {
        kept.append(Array(segment))
      }
    }
    return Array(kept.joined(separator: [.slash]))
  }
}
