/// An absolute http or https address with a host, safe to show, to request and to pass to a player.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address in ASCII, with the scheme and the host in lower case.
  public let text: String

  /// The length of the longest accepted address, in bytes.
  public static let maximumByteCount = 8_192

  /// Parses an absolute http or https address. Surrounding blanks are removed. A host beyond ASCII is converted to its
  /// ASCII form (UTS 46). After the host, blanks and other characters that an address may not contain (RFC 3986, 2) are
  /// percent-encoded. Returns nil for another scheme, an invalid host or port, control characters, white space other
  /// than the blank, bidirectional controls, invisible characters, and for more than `maximumByteCount` bytes.
  public init?(_ text: String) {
    var text = text
    guard text.utf8.count <= Self.maximumByteCount else { return nil }
    if !text.withUTF8({ Syntax.isPlain(UnsafeRawBufferPointer($0)) }) {
      guard let bytes = Syntax.normalized(Array(text.utf8)), bytes.count <= Self.maximumByteCount else { return nil }
      text = String(decoding: bytes, as: UTF8.self)
    }
    self.text = text
  }

  package init(unchecked text: String) { self.text = text }

  /// The address for the user to see: without its secrets, and with the host as `shownHost`.
  public var description: String {
    let text = text.hidingPassword
    return HostName.isEncoded(text) && HostName.isEncoded(host) ? HostName.showing(in: text) : text
  }

  /// The address without a user name and a password.
  public var withoutUser: WebAddress { WebAddress(unchecked: text.removingUser) }

  /// The user name in the address, decoded; nil if there is none.
  public var userName: String? { text.userName }

  /// `http` or `https`.
  public var scheme: String { text.utf8.dropFirst(4).first == .colon ? "http" : "https" }

  /// The host in ASCII and lower case, including the brackets of an IPv6 address.
  public var host: String {
    let parts = Parts(self)
    return parts.text(parts.host)
  }

  /// The host for the user to see, beyond ASCII unless its letters could be mistaken for those of another name.
  public var shownHost: String { HostName.shown(host) }

  /// Whether the address contains a user name.
  public var namesUser: Bool {
    let parts = Parts(self)
    return parts.hostAndPort.lowerBound > parts.authorityStart
  }

  /// The explicit port.
  public var port: Int? {
    let parts = Parts(self)
    return Int(parts.text(parts.host.upperBound..<parts.authorityEnd).dropFirst())
  }

  /// Scheme, host and port, such as `https://host:8080`.
  public var origin: String {
    let parts = Parts(self)
    return "\(scheme)://\(parts.text(parts.hostAndPort))"
  }

  /// The path, percent-encoded; may be empty.
  public var path: String {
    let parts = Parts(self)
    return parts.text(parts.authorityEnd..<parts.pathEnd)
  }

  /// The path's segments, percent-decoded, without empty ones.
  public var pathSegments: [String] {
    path.utf8.split(separator: .slash).map { PercentCoding.decode($0, plusIsBlank: false) }
  }

  /// The query, percent-encoded, without its question mark.
  public var query: String? {
    let parts = Parts(self)
    return parts.pathEnd < parts.queryEnd ? parts.text((parts.pathEnd + 1)..<parts.queryEnd) : nil
  }

  /// The fragment, percent-encoded, without its `#`.
  public var fragment: String? {
    let parts = Parts(self)
    return parts.queryEnd < parts.bytes.count ? parts.text((parts.queryEnd + 1)..<parts.bytes.count) : nil
  }

  /// The query's names and values in order, percent-decoded; a name without `=` has an empty value.
  public var queryItems: [(name: String, value: String)] {
    (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { item in
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      return (
        PercentCoding.decode(name, plusIsBlank: true),
        PercentCoding.decode(item.dropFirst(name.count + 1), plusIsBlank: true)
      )
    }
  }

  /// The first value of this name in the query.
  public func queryValue(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

  package func appending(_ items: [(name: String, value: String)]) -> WebAddress {
    let parts = Parts(self)
    let new = items.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    let start = parts.text(0..<parts.queryEnd) + (parts.pathEnd == parts.queryEnd ? "?" : "&")
    return WebAddress(unchecked: start + new + parts.text(parts.queryEnd..<parts.bytes.count))
  }

  /// Returns the address with the value of this name replaced, or appended to the query if there is none; other values
  /// keep their order and spelling.
  public func setting(query name: String, to value: String) -> WebAddress {
    let parts = Parts(self)
    let new = "\(PercentCoding.encode(name))=\(PercentCoding.encode(value))"
    var items: [String] = []
    var isSet = false
    for item in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
      if PercentCoding.decode(item.prefix { $0 != UInt8(ascii: "=") }, plusIsBlank: true) != name {
        items.append(String(decoding: item, as: UTF8.self))
      } else if !isSet {
        items.append(new)
        isSet = true
      }
    }
    if !isSet { items.append(new) }
    let fragment = parts.text(parts.queryEnd..<parts.bytes.count)
    return WebAddress(unchecked: "\(parts.text(0..<parts.pathEnd))?\(items.joined(separator: "&"))\(fragment)")
  }

  /// The parts of a valid address as ranges of its bytes: `scheme://authority/path?query#fragment`.
  struct Parts {
    let bytes: [UInt8]
    let schemeEnd: Int
    let authorityStart: Int
    let authorityEnd: Int
    let pathEnd: Int
    /// The end of the query; `pathEnd` if there is no query.
    let queryEnd: Int

    init(_ address: WebAddress) {
      let bytes = Array(address.text.utf8)
      func end(from start: Int, before isMark: (UInt8) -> Bool) -> Int {
        bytes[start...].firstIndex(where: isMark) ?? bytes.count
      }
      let (question, hash) = (UInt8(ascii: "?"), UInt8(ascii: "#"))
      schemeEnd = end(from: 0) { $0 == .colon }
      authorityStart = min(schemeEnd + 3, bytes.count)
      authorityEnd = end(from: authorityStart) { $0 == .slash || $0 == question || $0 == hash }
      pathEnd = end(from: authorityEnd) { $0 == question || $0 == hash }
      queryEnd = end(from: pathEnd) { $0 == hash }
      self.bytes = bytes
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    var hostAndPort: Range<Int> {
      let at = bytes[authorityStart..<authorityEnd].lastIndex(of: UInt8(ascii: "@"))
      return (at.map { $0 + 1 } ?? authorityStart)..<authorityEnd
    }

    /// The host, including the brackets of an IPv6 address.
    var host: Range<Int> {
      let range = hostAndPort
      let start = bytes[range].lastIndex(of: .closeBracket) ?? range.lowerBound
      let colon = bytes[start..<range.upperBound].firstIndex(of: .colon)
      return range.lowerBound..<(colon ?? range.upperBound)
    }

    /// The path to which a reference beginning with this byte is appended (RFC 3986, 5.2.3).
    func directory(for first: UInt8) -> ArraySlice<UInt8> {
      if first == .slash { return [] }
      let path = bytes[authorityEnd..<pathEnd]
      guard let slash = path.lastIndex(of: .slash) else { return [.slash] }
      return path[...slash]
    }
  }

  enum Syntax {
    static func normalized(_ text: [UInt8]) -> [UInt8]? {
      let bytes = text.trimmingBlanks()
      guard let scheme = schemeEnd(bytes) else { return nil }
      let end = bytes[scheme...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
      guard contains(only: [.printable, .mark, .joiner], bytes[scheme..<end]),
        contains(only: [.printable, .mark, .joiner, .blank], bytes[end...]),
        let authority = normalizedAuthority(bytes[scheme..<end])
      else { return nil }
      let rest = PercentCoding.encode(bytes[end...]) { !isAllowedAfterHost($0) }
      return bytes[..<scheme].map(\.lowercased) + authority + rest
    }

    /// Whether the address needs no change, which is the usual case: `https://host/…` in plain ASCII.
    static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
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

    /// One bit for each ASCII character that is allowed after the host: unreserved, reserved and `%`, which is
    /// ``!#$%&'()*+,-./0123456789:;=?`` in the first word, letters and `@[]_~` in the second.
    private static let allowedLow: UInt64 = 0xAFFF_FFFA_0000_0000
    private static let allowedHigh: UInt64 = 0x47FF_FFFE_AFFF_FFFF

    @inline(__always)
    static func isAllowedAfterHost(_ byte: UInt8) -> Bool {
      if byte < 64 { return allowedLow >> UInt64(byte) & 1 == 1 }
      return byte < 128 && allowedHigh >> UInt64(byte - 64) & 1 == 1
    }

    static func schemeEnd(_ bytes: [UInt8]) -> Int? {
      let start = bytes.prefix(8).map(\.lowercased)
      if start == Array("https://".utf8) { return 8 }
      return start.starts(with: "http://".utf8) ? 7 : nil
    }

    static func hasScheme(_ bytes: [UInt8]) -> Bool {
      guard let first = bytes.first, first.isASCIILetter,
        let end = bytes.firstIndex(where: { !($0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0)) })
      else { return false }
      return bytes[end] == .colon
    }

    /// After the host all but ASCII is percent-encoded, so that marks and joiners are harmless there.
    static func contains(only classes: [TextCleaner.CharacterClass], _ part: ArraySlice<UInt8>) -> Bool {
      String(decoding: part, as: UTF8.self).unicodeScalars.allSatisfy {
        let characterClass = TextCleaner.CharacterClass($0)
        return classes.contains(characterClass) && (characterClass != .blank || $0 == " ")
      }
    }

    private static func normalizedAuthority(_ authority: ArraySlice<UInt8>) -> [UInt8]? {
      let hostStart = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
      let user = authority[..<hostStart].dropLast()
      guard user.allSatisfy({ isAllowedAfterHost($0) && !"@[]".utf8.contains($0) }) else { return nil }
      let hostAndPort = authority[hostStart...]
      let bracket = hostAndPort.lastIndex(of: .closeBracket)
      let hostEnd = hostAndPort[(bracket ?? hostStart)...].firstIndex(of: .colon) ?? hostAndPort.endIndex
      let (written, port) = (hostAndPort[..<hostEnd], hostAndPort[hostEnd...])
      guard isPort(port) else { return nil }
      guard bracket == nil else {
        return isIPv6(written) ? authority[..<hostStart] + hostAndPort.map(\.lowercased) : nil
      }
      return HostName.ascii(written).map { authority[..<hostStart] + $0 + port }
    }

    private static func isIPv6(_ host: ArraySlice<UInt8>) -> Bool {
      guard host.first == .openBracket, host.last == .closeBracket, (4...47).contains(host.count) else {
        return false
      }
      let digits = host.dropFirst().dropLast()
      return digits.contains(.colon)
        && digits.allSatisfy { $0.hexDigitValue != nil || $0 == .colon || $0 == UInt8(ascii: ".") }
    }

    /// Whether the text is empty, or a colon with a number up to 65,535 or with nothing, which is the default port.
    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
      let digits = text.dropFirst()
      guard digits.count <= 5, digits.allSatisfy(\.isASCIIDigit) else { return false }
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
    }

    /// Resolves `.` and `..` in a path (RFC 3986, 5.2.4).
    static func removingDots(_ path: some Collection<UInt8>) -> [UInt8] {
      let bytes = Array(path)
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var start = 0
      while start <= bytes.count {
        let end = bytes[start...].firstIndex(of: .slash) ?? bytes.count
        let hasSlash = end < bytes.count
        switch bytes[start..<end] {
        case let segment where segment.elementsEqual(".".utf8): break
        case let segment where segment.elementsEqual("..".utf8): removeLastSegment(&result)
        case let segment:
          result += segment
          if hasSlash { result.append(.slash) }
        }
        start = end + 1
      }
      return result
    }

    private static func removeLastSegment(_ path: inout [UInt8]) {
      guard path.count > 1 else { return }
      path.removeLast()
      while let last = path.last, last != .slash { path.removeLast() }
    }
  }

  /// Parses an address typed by the user: `peertube.example`, `host:8080/feed.json`, `https://…`. The default scheme is
  /// https, and http for this machine (`localhost`, `127.…`, `[::1]`). A name without a dot needs a port or a scheme:
  /// `videos` is more likely a file than a host.
  public init?(typed text: String) {
    let bytes = Array(text.utf8).trimmingBlanks()
    if Syntax.schemeEnd(bytes) != nil || bytes.contains(sequence: "://".utf8) {
      self.init(text)
      return
    }
    let authority = bytes.prefix { $0 != .slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let host = authority.prefix { $0 != .colon }.map(\.lowercased)
    let isThisMachine =
      host == Array("localhost".utf8) || host.starts(with: "127.".utf8)
      || authority.starts(with: "[::1]".utf8)
    let looksLikeHost = host.dropLast().contains(UInt8(ascii: ".")) || host.count < authority.count
    // In `magnet:?xt=…`, `magnet` is a scheme, not a host with an empty port.
    guard isThisMachine || looksLikeHost, isThisMachine || authority.last != .colon else { return nil }
    self.init((isThisMachine ? "http://" : "https://") + String(decoding: bytes, as: UTF8.self))
  }

  /// Resolves a reference against the address of its document (RFC 3986, 5.2): absolute, `//host/x`, `/x`, `x`,
  /// `../x`, `?x` or `#x`; nil if it is empty or the result is not an http or https address.
  public init?(resolving text: String, against base: WebAddress) {
    let reference = Array(text.utf8).trimmingBlanks()
    guard let first = reference.first else { return nil }
    if Syntax.hasScheme(reference) {
      self.init(text)
      return
    }
    let parts = Parts(base)
    let bytes: [UInt8]
    if reference.starts(with: "//".utf8) {
      bytes = parts.bytes[..<parts.schemeEnd] + [.colon] + reference
    } else if first == UInt8(ascii: "#") {
      bytes = parts.bytes[..<parts.queryEnd] + reference
    } else if first == UInt8(ascii: "?") {
      bytes = parts.bytes[..<parts.pathEnd] + reference
    } else {
      let pathEnd =
        reference.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? reference.endIndex
      let path = Syntax.removingDots(parts.directory(for: first) + reference[..<pathEnd])
      bytes = parts.bytes[..<parts.authorityEnd] + path + reference[pathEnd...]
    }
    self.init(String(decoding: bytes, as: UTF8.self))
  }
}

extension String {
  /// With `•••` for the password, as in `https://user:•••@host/`, and for the parameters that are secrets.
  package var hidingPassword: String {
    guard let (user, end) = user, let colon = self[user].firstIndex(of: ":") else { return hidingSecretParameters }
    return String(self[...colon]) + "•••" + String(self[end...]).hidingSecretParameters
  }

  fileprivate var userName: String? {
    let name = user.map { self[$0.0].utf8.prefix { $0 != .colon } } ?? ""[...].utf8
    return name.isEmpty ? nil : PercentCoding.decode(name, plusIsBlank: false)
  }

  package var removingUser: String {
    guard let (user, end) = user, hasSuffix(of: "://", before: user.lowerBound) else { return self }
    return String(self[..<user.lowerBound]) + self[end...].dropFirst()
  }

  /// The user name and the password in an address with or without a scheme, and the place of the `@` behind them.
  private var user: (Range<Index>, end: Index)? {
    guard utf8.contains(UInt8(ascii: "@")) else { return nil }
    let scheme = utf8.firstIndex { "/?#".utf8.contains($0) }.flatMap { slash in
      hasSuffix(of: ":", before: slash) && self[slash...].hasPrefix("//") ? slash : nil
    }
    let start = scheme.map { utf8.index($0, offsetBy: 2) } ?? startIndex
    let authority = self[start...].utf8.prefix { !"/?#".utf8.contains($0) }
    if let end = authority.lastIndex(of: UInt8(ascii: "@")) { return (start..<end, end) }
    // After a colon that no port follows, a password with an unencoded `/`, `?` or `#` reaches to the last `@`.
    guard authority.first != .openBracket, let colon = authority.firstIndex(of: .colon),
      !authority[colon...].dropFirst().allSatisfy(\.isASCIIDigit),
      let end = self[colon...].utf8.lastIndex(of: UInt8(ascii: "@"))
    else { return nil }
    return (start..<end, end)
  }

  private func hasSuffix(of text: String, before end: Index) -> Bool { self[..<end].hasSuffix(text) }
}
