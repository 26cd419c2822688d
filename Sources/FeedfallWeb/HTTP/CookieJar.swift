import FeedfallText

/// The cookies that the servers of one chain of redirects have set (RFC 6265). Some servers answer a request without
/// the cookie of their redirect with 403, or with another redirect.
///
/// Stricter than a browser: cookies from https are never sent to http.
struct CookieJar: Hashable, Sendable {
  static let maximumCount = 20
  /// The longest `Set-Cookie` header, and the longest `Cookie` header, in bytes.
  static let maximumByteCount = 4_096

  /// The oldest first.
  private var cookies: [Cookie] = []

  private struct Cookie: Hashable {
    let name: String
    let value: String
    let scope: Scope
    let path: String
    let isEncrypted: Bool

    var pair: String { name + "=" + value }

    func replaces(_ other: Cookie) -> Bool { name == other.name && scope == other.scope && path == other.path }
  }

  private struct Scope: Hashable {
    let host: String
    var includesSubdomains = false

    func includes(_ other: String) -> Bool { other == host || includesSubdomains && other.hasSuffix("." + host) }
  }

  var count: Int { cookies.count }

  /// The oldest cookies give way to those of the `Set-Cookie` headers.
  mutating func store(_ lines: [String], from address: WebAddress, at now: UnixTime) {
    for line in lines where line.utf8.count <= Self.maximumByteCount {
      guard let (cookie, isExpired) = Self.parse(line, from: address, at: now) else { continue }
      cookies.removeAll(where: cookie.replaces)
      guard !isExpired else { continue }
      if cookies.count == Self.maximumCount { cookies.removeFirst() }
      cookies.append(cookie)
    }
  }

  /// Those of the longest paths first; nil for none. The oldest cookies are left out if it would be too long.
  func header(for address: WebAddress) -> String? {
    let (host, path, isEncrypted) = (address.host, address.path, address.scheme == "https")
    var room = Self.maximumByteCount
    let sent = cookies.reversed().filter { cookie in
      guard cookie.scope.includes(host), isEncrypted || !cookie.isEncrypted, Self.path(cookie.path, includes: path),
        cookie.pair.utf8.count + 2 <= room
      else { return false }
      room -= cookie.pair.utf8.count + 2
      return true
    }
    let ordered = sent.reversed().sorted { $0.path.utf8.count > $1.path.utf8.count }
    return ordered.isEmpty ? nil : ordered.map(\.pair).joined(separator: "; ")
  }

  /// RFC 6265, 5.2. Nil for a cookie that the server must not set.
  private static func parse(
    _ line: String, from address: WebAddress, at now: UnixTime
  ) -> (cookie: Cookie, isExpired: Bool)? {
    let parts = line.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Self.pair)
    guard let (name, value) = parts.first, let value, !name.isEmpty,
      (name + value).utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
    else { return nil }
    var attributes: [String: String] = [:]
    for (name, value) in parts.dropFirst() { attributes[name.lowercased()] = value ?? "" }
    let isFromHTTPS = address.scheme == "https"
    guard isFromHTTPS || attributes["secure"] == nil, let scope = scope(attributes["domain"] ?? "", of: address.host)
    else { return nil }
    let path = attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? defaultPath(of: address)
    return (
      Cookie(name: name, value: value, scope: scope, path: path, isEncrypted: isFromHTTPS),
      isExpired(attributes, at: now)
    )
  }

  private static func pair(_ part: Substring.UTF8View) -> (name: String, value: String?) {
    func text(_ bytes: Substring.UTF8View) -> String { String(decoding: Array(bytes).trimmingBlanks(), as: UTF8.self) }
    guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return (text(part), nil) }
    return (text(part[..<equals]), text(part[equals...].dropFirst()))
  }

  /// Nil if the domain is not the host's own. One of many owners, such as `com` or `co.uk`, means the host alone.
  private static func scope(_ domain: String, of host: String) -> Scope? {
    let name = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
    guard !name.isEmpty else { return Scope(host: host) }
    // The host's name has its ASCII form.
    guard let domain = WebAddress("http://\(name)/").flatMap({ $0.port == nil ? $0.host : nil }),
      Scope(host: domain, includesSubdomains: true).includes(host)
    else { return nil }
    let labels = domain.split(separator: ".")
    let isNumber = labels.last?.utf8.allSatisfy(\.isASCIIDigit) ?? true
    let isShared = labels.count < 2 || labels.count == 2 && labels[0].count <= 3 && labels[1].count == 2
    let isAlone = isNumber || isShared || domain.hasPrefix("[")
    return Scope(host: isAlone ? host : domain, includesSubdomains: !isAlone)
  }

  private static func isExpired(_ attributes: [String: String], at now: UnixTime) -> Bool {
    if let age = attributes["max-age"], let first = age.utf8.first {
      if first == UInt8(ascii: "-") { return true }
      if age.utf8.allSatisfy(\.isASCIIDigit) { return age.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }
    }
    return attributes["expires"].flatMap { UnixTime(feedDate: $0) }.map { $0 <= now } ?? false
  }

  /// The folder of an address (RFC 6265, 5.1.4).
  private static func defaultPath(of address: WebAddress) -> String {
    guard let slash = address.path.lastIndex(of: "/"), slash > address.path.startIndex else { return "/" }
    return String(address.path[..<slash])
  }

  private static func path(_ folder: String, includes path: String) -> Bool {
    let path = path.isEmpty ? "/" : path
    guard path.hasPrefix(folder) else { return false }
    return path.utf8.count == folder.utf8.count || folder.hasSuffix("/")
      || path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
  }
}
