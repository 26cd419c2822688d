/// A proxy, such as `http://name:password@host:3128` or `socks5://host`.
public struct ProxyAddress: Equatable, Sendable, CustomStringConvertible {
  /// With a scheme and a port; may contain a password.
  public let text: String
  /// The setting that names it, such as `https_proxy`.
  public let setting: String
  /// The host and the port.
  public let description: String

  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Parses the value of a setting; nil if it is no proxy. The default scheme is http, and the default port that of
  /// curl.
  public init?(_ text: String, setting: String) {
    let written = String(decoding: Array(text.utf8).trimmingBlanks(), as: UTF8.self)
    let mark = written.firstRange(of: "://")
    let scheme = mark.map { written[..<$0.lowerBound].lowercased() } ?? "http"
    let rest = mark.map { written[$0.upperBound...] } ?? written[...]
    guard Self.schemes.contains(scheme), let address = WebAddress("http://" + rest), ["", "/"].contains(address.path),
      address.query == nil, address.fragment == nil
    else { return nil }
    let port = address.port ?? (scheme == "https" ? 443 : 1080)
    let parsed = WebAddress.Parts(address)
    let user = parsed.text(parsed.authorityStart..<parsed.hostAndPort.lowerBound)
    description = "\(address.host):\(port)"
    self.text = "\(scheme)://\(user)\(description)"
    self.setting = setting
  }

  /// Wraps an invalid value, with which each request fails: requests must not bypass the proxy that the user wants.
  package init(invalid setting: String) {
    (text, description, self.setting) = ("http://invalid.invalid:1", "in \(setting)", setting)
  }

  /// Whether it is an HTTP proxy without encryption, the only kind that FFmpeg supports.
  public var isPlainHTTP: Bool { text.hasPrefix("http://") }
}

/// The rules that decide by which proxy an address is requested.
public struct Proxies: Equatable, Sendable {
  private var http: ProxyAddress?
  private var https: ProxyAddress?
  /// Whether these rules differ from those of a program without any.
  private var decides = false
  /// Whether the user has chosen the proxy, rather than the environment.
  private var isChosen = false
  private var exceptions: [Exception] = []
  private var writtenExceptions = ""

  /// No proxy for any address.
  public init() {}

  /// Reads the variables that curl reads, with the same precedence.
  public init(environment value: (String) -> String?) {
    func proxy(_ names: String...) -> ProxyAddress? {
      names.firstNonNil { name in
        value(name).map { ProxyAddress($0, setting: name) ?? ProxyAddress(invalid: name) }
      }
    }
    let all = proxy("all_proxy", "ALL_PROXY")
    // A server sets HTTP_PROXY to a header of its client.
    http = proxy("http_proxy") ?? all
    https = proxy("https_proxy", "HTTPS_PROXY") ?? all
    decides = http != nil || https != nil
    writtenExceptions = value("no_proxy") ?? value("NO_PROXY") ?? ""
    exceptions = writtenExceptions.utf8.split { $0 == .comma || $0 == .space }.prefix(Self.maximumExceptionCount)
      .compactMap { Exception(Array($0)) }
  }

  private static let maximumExceptionCount = 1_000

  /// Returns the rules with another proxy for all addresses; nil for none. The exceptions stay.
  public func replacing(_ proxy: ProxyAddress?) -> Proxies {
    var proxies = self
    (proxies.http, proxies.https, proxies.decides, proxies.isChosen) = (proxy, proxy, true, true)
    return proxies
  }

  /// Returns rules that fail each request that may need the proxy of a faulty setting.
  public func refusing(setting: String) -> Proxies { replacing(ProxyAddress(invalid: setting)) }

  /// Returns the proxy for an address; nil for a direct request. This machine is never requested by a proxy.
  public func proxy(for address: WebAddress) -> ProxyAddress? {
    guard let proxy = address.scheme == "https" ? https : http, !address.isThisMachine else { return nil }
    let host = Host(address)
    return exceptions.contains { $0.matches(host) } ? nil : proxy
  }

  /// Returns mpv's and FFmpeg's option for an address, whose value is no proxy for a direct request; nil for the usual
  /// one.
  public func option(for address: WebAddress) -> String? { decides ? proxy(for: address)?.text ?? "none" : nil }

  /// Returns the proxy that the user has chosen in place of that of the environment, empty for a direct request; nil
  /// without a choice.
  public func chosen(for address: WebAddress) -> String? { isChosen ? proxy(for: address)?.text ?? "" : nil }

  /// Returns the environment variables with which another program requests an address by these rules; none if the usual
  /// ones are right.
  public func variables(for address: WebAddress) -> [String: String] {
    guard decides else { return [:] }
    var names = ["localhost", "127.0.0.1", "::1"]
    if proxy(for: address) == nil { names.append(address.host) }
    if !writtenExceptions.isEmpty { names.append(writtenExceptions) }
    let exceptions = names.joined(separator: ",")
    return [
      "http_proxy": http?.text ?? "", "https_proxy": https?.text ?? "", "HTTPS_PROXY": https?.text ?? "",
      "HTTP_PROXY": http?.text ?? "", "all_proxy": "", "ALL_PROXY": "", "no_proxy": exceptions,
      "NO_PROXY": exceptions,
    ]
  }

  /// Returns the same for FFmpeg, which has one proxy for http and https.
  public func variablesForFFmpeg(for address: WebAddress) -> [String: String] {
    var variables = variables(for: address)
    if decides { variables["http_proxy"] = proxy(for: address)?.text ?? "" }
    return variables
  }

  fileprivate struct Host {
    /// In lower case, without brackets and without a dot at its end.
    let name: String
    /// The bytes of an IP address; an IPv4 address in IPv6 is one of IPv4.
    let number: [UInt8]?
    let port: Int

    init(_ address: WebAddress) {
      name = Self.plain(Array(address.host.utf8))
      number = Self.number(name)
      port = address.port ?? (address.scheme == "https" ? 443 : 80)
    }

    static func plain(_ host: [UInt8]) -> String {
      var host = host[...]
      if host.first == .openBracket, host.last == .closeBracket { host = host.dropFirst().dropLast() }
      if host.last == UInt8(ascii: ".") { host = host.dropLast() }
      return String(decoding: host.map(\.lowercased), as: UTF8.self)
    }

    static func number(_ text: String) -> [UInt8]? {
      guard text.contains(":") else { return fourBytes(text) }
      let halves = text.ranges(of: "::").first.map { [text[..<$0.lowerBound], text[$0.upperBound...]] } ?? [text[...]]
      let parts = halves.map(Self.sixteenBits)
      guard let first = parts[0] else { return nil }
      guard parts.count == 2 else { return first.count == 16 ? unmapped(first) : nil }
      guard let last = parts[1], first.count + last.count <= 14 else { return nil }
      return unmapped(first + [UInt8](repeating: 0, count: 16 - first.count - last.count) + last)
    }

    private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
      bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) ? Array(bytes.suffix(4)) : bytes
    }

    private static func fourBytes(_ text: String) -> [UInt8]? {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      let bytes = parts.compactMap { $0.utf8.allSatisfy(\.isASCIIDigit) ? UInt8($0) : nil }
      return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func sixteenBits(_ text: Substring) -> [UInt8]? {
      guard !text.isEmpty else { return [] }
      var bytes: [UInt8] = []
      for part in text.split(separator: ":", omittingEmptySubsequences: false) {
        if let four = fourBytes(String(part)) {
          bytes += four
        } else if (1...4).contains(part.utf8.count), let value = UInt16(part, radix: 16) {
          bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
        } else {
          return nil
        }
      }
      return bytes.count <= 16 ? bytes : nil
    }
  }

  /// An entry of `no_proxy`: a domain with its subdomains, an address, a network such as `10.0.0.0/8`, or `*` for all.
  private enum Exception: Equatable, Sendable {
    case all
    case domain(String, port: Int?)
    case network([UInt8], bitCount: Int, port: Int?)

    init?(_ bytes: [UInt8]) {
      if bytes == [UInt8(ascii: "*")] {
        self = .all
        return
      }
      let (host, port) = Self.split(bytes)
      let parts = host.split(separator: .slash, omittingEmptySubsequences: false)
      guard let first = parts.first, parts.count <= 2 else { return nil }
      let name = Host.plain(Array(first))
      if let number = Host.number(name) {
        let bitCount = parts.count == 2 ? Int(String(decoding: parts[1], as: UTF8.self)) : number.count * 8
        guard let bitCount, (0...number.count * 8).contains(bitCount) else { return nil }
        self = .network(number, bitCount: bitCount, port: port)
      } else {
        let domain = name.drop { $0 == "*" || $0 == "." }
        guard parts.count == 1, !domain.isEmpty else { return nil }
        let ascii = HostName.ascii(Array(domain.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
        self = .domain(ascii ?? String(domain), port: port)
      }
    }

    /// Separates a port, which follows a name, an IPv4 address or brackets.
    private static func split(_ bytes: [UInt8]) -> (host: [UInt8], port: Int?) {
      guard let colon = bytes.lastIndex(of: .colon),
        let port = Int(String(decoding: bytes[(colon + 1)...], as: UTF8.self)),
        bytes[..<colon].last == .closeBracket || !bytes[..<colon].contains(.colon)
      else { return (bytes, nil) }
      return (Array(bytes[..<colon]), port)
    }

    func matches(_ host: Host) -> Bool {
      switch self {
      case .all: true
      case .domain(let domain, let port):
        (port ?? host.port) == host.port && (host.name == domain || host.name.hasSuffix("." + domain))
      case .network(let network, let bitCount, let port):
        (port ?? host.port) == host.port && host.number.map { Self.isEqual($0, network, bitCount) } == true
      }
    }

    private static func isEqual(_ number: [UInt8], _ network: [UInt8], _ bitCount: Int) -> Bool {
      number.count == network.count
        && number.indices.allSatisfy { index in
          let bits = min(max(bitCount - index * 8, 0), 8)
          let mask = UInt8(truncatingIfNeeded: 0xFF << (8 - bits))
          return number[index] & mask == network[index] & mask
        }
    }
  }
}

extension WebAddress {
  package var isThisMachine: Bool {
    let host = Proxies.Host(self)
    switch host.number {
    case let number? where number.count == 4: return number[0] == 127 || number == [0, 0, 0, 0]
    case let number?: return number.dropLast().allSatisfy { $0 == 0 } && number[15] <= 1
    case nil: return host.name == "localhost" || host.name.hasSuffix(".localhost")
    }
  }
}
