/// An http or https address that is safe to show, to ask and to hand to a player: absolute, with a host,
/// printable.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address; scheme and host in lower case, everything after the host ASCII.
  public let text: String

  /// The longest address taken, in bytes.
  public static let maximumByteCount = 8_192

  /// Takes an absolute http or https address.
  ///
  /// Blanks around it are cut off; blanks and other characters that no address may hold (RFC 3986, 2) are
  /// percent-encoded in what follows the host. Nil for another scheme, a missing or bad host, a bad port,
  /// control characters, white space other than the blank, bidirectional controls and invisible characters,
  /// and for more than `maximumByteCount` bytes.
  public init?(_ text: String) {
    var text = text
    guard text.utf8.count <= Self.maximumByteCount,
      let verdict = text.withUTF8({ AddressSyntax.check(UnsafeRawBufferPointer($0)) })
    else { return nil }
    switch verdict {
    case .asItStands: self.text = text
    case .rewritten(let better):
      guard better.count <= Self.maximumByteCount else { return nil }
      self.text = String(decoding: better, as: UTF8.self)
    }
  }

  /// Takes what is known to be an address.
  package init(unchecked text: String) {
    self.text = text
  }

  public var description: String { text }
}

extension WebAddress {
  /// Reads an address as a person types it: `peertube.example`, `host:8080/feed.json`, `https://…`.
  ///
  /// Where no scheme is written it is https, for this very machine (`localhost`, `127.…`, `[::1]`) http. A
  /// name without a dot needs a port or a scheme: `films` is rather a file than a host.
  public init?(typed text: String) {
    let bytes = Array(text.utf8).trimmingBlanks()
    if AddressSyntax.schemeEnd(bytes) != nil || bytes.contains(sequence: "://".utf8) {
      self.init(text)
      return
    }
    let authority = bytes.prefix { $0 != .slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let host = authority.prefix { $0 != .colon }.map(\.lowercased)
    let isThisMachine =
      host == Array("localhost".utf8) || host.starts(with: "127.".utf8)
      || authority.starts(with: "[::1]".utf8)
    let looksLikeHost = host.dropLast().contains(UInt8(ascii: ".")) || host.count < authority.count
    guard isThisMachine || looksLikeHost else { return nil }
    self.init((isThisMachine ? "http://" : "https://") + String(decoding: bytes, as: UTF8.self))
  }

  /// Resolves a reference found in the document at `base` (RFC 3986, 5.2): absolute, `//host/x`, `/x`, `x`,
  /// `../x`, `?x` or `#x`; nil for an empty one and for what is no http or https address in the end.
  public init?(resolving text: String, against base: WebAddress) {
    let reference = Array(text.utf8).trimmingBlanks()
    guard let first = reference.first else { return nil }
    if AddressSyntax.hasScheme(reference) {
      self.init(text)
      return
    }
    let parts = AddressParts(base)
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
      let path = AddressSyntax.removingDots(parts.directory(for: first) + reference[..<pathEnd])
      bytes = parts.bytes[..<parts.authorityEnd] + path + reference[pathEnd...]
    }
    self.init(String(decoding: bytes, as: UTF8.self))
  }
}

extension WebAddress {
  /// An address as it stands in a document, resolved against its base; nil for what is none in the end.
  package init?(reference text: String, base: WebAddress?) {
    if let absolute = WebAddress(text) {
      self = absolute
    } else if let base, let resolved = WebAddress(resolving: text, against: base) {
      self = resolved
    } else {
      return nil
    }
  }
}
