import FeedfallText

/// A folder that a user of Nextcloud or ownCloud shares by a link: `https://host/s/TOKEN`.
public struct CloudShare: Equatable, Sendable {
  /// The user name of requests; the password is empty unless the owner of the folder has set one.
  public let token: String
  /// The addresses of the folder in newer and in older versions (docs.nextcloud.com, "WebDAV", "Public shares").
  public let folders: [WebAddress]

  /// Returns nil for another address. `path=` in the query names a folder in the shared one.
  public init?(_ address: WebAddress) {
    var segments = address.pathSegments
    guard let token = segments.popLast(), Self.tokenLengths.contains(token.utf8.count),
      token.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }), segments.popLast() == "s"
    else { return nil }
    if segments.last == "index.php" { segments.removeLast() }
    self.token = token
    let base = [address.origin] + segments.map(PercentCoding.encodeSegment)
    let inner = (address.queryValue("path") ?? address.queryValue("dir") ?? "").split(separator: "/").map {
      PercentCoding.encodeSegment(String($0))
    }
    folders = [["public.php", "dav", "files", token], ["public.php", "webdav"]].compactMap { place in
      WebAddress((base + place + inner).joined(separator: "/") + "/")
    }
  }

  /// Distinguishes the IDs of its videos where the addresses of all shares of a server are the same; a hash, because
  /// the token is a secret.
  public var idSuffix: String { "#share=" + (FNV1a.hash(token) & 0xFFFF_FFFF).hexadecimal(digitCount: 8) }

  /// Nextcloud makes tokens of 15 characters; users of newer versions can choose longer ones.
  private static let tokenLengths = 15...32
}
