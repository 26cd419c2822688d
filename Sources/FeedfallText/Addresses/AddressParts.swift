/// Where the parts of a checked address lie in its bytes: `scheme://authority/path?query#fragment`.
struct AddressParts {
  let bytes: [UInt8]
  let schemeEnd: Int
  let authorityStart: Int
  let authorityEnd: Int
  let pathEnd: Int
  /// Where the query ends; where there is none the same as `pathEnd`.
  let queryEnd: Int

  init(_ address: WebAddress) {
    let bytes = Array(address.text.utf8)
    func end(from start: Int, before marks: String.UTF8View) -> Int {
      bytes[start...].firstIndex { marks.contains($0) } ?? bytes.count
    }
    schemeEnd = end(from: 0, before: ":".utf8)
    authorityStart = min(schemeEnd + 3, bytes.count)
    authorityEnd = end(from: authorityStart, before: "/?#".utf8)
    pathEnd = end(from: authorityEnd, before: "?#".utf8)
    queryEnd = end(from: pathEnd, before: "#".utf8)
    self.bytes = bytes
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Host and port without the name and password that may stand before them.
  var hostAndPort: Range<Int> {
    let at = bytes[authorityStart..<authorityEnd].lastIndex(of: UInt8(ascii: "@"))
    return (at.map { $0 + 1 } ?? authorityStart)..<authorityEnd
  }

  /// The host; the brackets of an IPv6 address are part of it.
  var host: Range<Int> {
    let range = hostAndPort
    let start = bytes[range].lastIndex(of: .closeBracket) ?? range.lowerBound
    let colon = bytes[start..<range.upperBound].firstIndex(of: .colon)
    return range.lowerBound..<(colon ?? range.upperBound)
  }

  /// The path that a reference beginning with this byte continues (RFC 3986, 5.2.3).
  func directory(for first: UInt8) -> ArraySlice<UInt8> {
    if first == .slash { return [] }
    let path = bytes[authorityEnd..<pathEnd]
    guard let slash = path.lastIndex(of: .slash) else { return [.slash] }
    return path[...slash]
  }
}

extension WebAddress {
  /// `http` or `https`.
  public var scheme: String { text.utf8.dropFirst(4).first == .colon ? "http" : "https" }

  /// The host in lower case; the brackets of an IPv6 address are part of it.
  public var host: String {
    let parts = AddressParts(self)
    return parts.text(parts.host)
  }

  /// Whether a name, and perhaps a password, stands before the host.
  public var namesUser: Bool {
    let parts = AddressParts(self)
    return parts.hostAndPort.lowerBound > parts.authorityStart
  }

  /// The port where one is written.
  public var port: Int? {
    let parts = AddressParts(self)
    return Int(parts.text(parts.host.upperBound..<parts.authorityEnd).dropFirst())
  }

  /// Scheme, host and port, as in `https://host:8080`.
  public var origin: String {
    let parts = AddressParts(self)
    return "\(scheme)://\(parts.text(parts.hostAndPort))"
  }

  /// The path as it is written, percent-encoded; empty where there is none.
  public var path: String {
    let parts = AddressParts(self)
    return parts.text(parts.authorityEnd..<parts.pathEnd)
  }

  /// The path's parts between the slashes, percent-decoded, without empty ones.
  public var pathSegments: [String] {
    path.utf8.split(separator: .slash).map { PercentCoding.decode($0, plusIsBlank: false) }
  }

  /// The query as it is written, without its question mark.
  public var query: String? {
    let parts = AddressParts(self)
    return parts.pathEnd < parts.queryEnd ? parts.text((parts.pathEnd + 1)..<parts.queryEnd) : nil
  }

  /// What follows the first `#`, as it is written.
  public var fragment: String? {
    let parts = AddressParts(self)
    return parts.queryEnd < parts.bytes.count ? parts.text((parts.queryEnd + 1)..<parts.bytes.count) : nil
  }

  /// The query's names and values in their order, percent-decoded; a name without `=` has an empty value.
  public var queryItems: [(name: String, value: String)] {
    (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { item in
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      return (
        PercentCoding.decode(name, plusIsBlank: true),
        PercentCoding.decode(item.dropFirst(name.count + 1), plusIsBlank: true)
      )
    }
  }

  /// The first value with this name in the query.
  public func queryValue(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

  /// The same address with these values at the end of its query.
  package func appending(_ items: [(name: String, value: String)]) -> WebAddress {
    let parts = AddressParts(self)
    let new = items.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    let start = parts.text(0..<parts.queryEnd) + (parts.pathEnd == parts.queryEnd ? "?" : "&")
    return WebAddress(unchecked: start + new + parts.text(parts.queryEnd..<parts.bytes.count))
  }

  /// The same address with this query value in place of the present one, else at the end of the query; the
  /// other values keep their order and spelling.
  public func setting(query name: String, to value: String) -> WebAddress {
    let parts = AddressParts(self)
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
    return WebAddress(
      unchecked: "\(parts.text(0..<parts.pathEnd))?\(items.joined(separator: "&"))\(fragment)")
  }
}
