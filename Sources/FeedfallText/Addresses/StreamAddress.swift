/// An absolute address of a live stream that only the player opens, such as `udp://@239.0.0.1:1234`. It is as safe as a
/// `WebAddress`, which it equals after its scheme; no request is sent to it.
public struct StreamAddress: Hashable, Sendable, CustomStringConvertible {
  /// The protocols that mpv and FFmpeg can open. Others, such as `file`, `concat` and `lavfi`, could read files of this
  /// machine.
  public enum Scheme: String, CaseIterable, Sendable {
    case rtsp, rtsps, rtmp, rtmps, rtmpt, rtmpts, rtmpe, rtmpte, srt, rist, udp, rtp, mms, mmsh, mmst

    /// Some programs write RTSP over TCP or UDP as a scheme of its own, which the player negotiates.
    fileprivate init?(named name: String) {
      self.init(rawValue: ["rtspt", "rtspu"].contains(name) ? "rtsp" : name)
    }
  }

  public let scheme: Scheme
  /// The address: scheme and host are in lower case, everything after the host is ASCII.
  public var text: String { scheme.rawValue + rest }
  /// The address after the scheme, from its colon on.
  private let rest: String

  private static func isInitial(_ letter: UInt8) -> Bool {
    letter == UInt8(ascii: "r") || letter == UInt8(ascii: "s") || letter == UInt8(ascii: "u")
      || letter == UInt8(ascii: "m")
  }

  /// Returns nil for another scheme and where a `WebAddress` would be invalid. Only udp and rtp can do without a host:
  /// they then receive on any address of this machine.
  public init?(_ text: String) {
    // Most addresses are http or https, and are dismissed by their first letter.
    guard let first = text.utf8.first, first <= .space || Self.isInitial(first | 0x20),
      text.utf8.count <= WebAddress.maximumByteCount
    else { return nil }
    let bytes = Array(text.utf8).trimmingBlanks()
    guard let colon = bytes.prefix(Self.longestScheme + 1).firstIndex(of: .colon),
      let scheme = Scheme(named: String(decoding: bytes[..<colon].map(\.lowercased), as: UTF8.self)),
      bytes[colon...].starts(with: "://".utf8)
    else { return nil }
    self.scheme = scheme
    // Players write `udp://@239.0.0.1:1234` with an empty user.
    let hasEmptyUser = bytes[colon...].starts(with: "://@".utf8)
    let start = "://" + String(decoding: bytes[(colon + (hasEmptyUser ? 4 : 3))...], as: UTF8.self)
    if let address = WebAddress("http" + start) {
      rest = String(address.text.dropFirst("http".count))
    } else if [.udp, .rtp].contains(scheme), let rest = Self.withoutHost(start) {
      self.rest = rest
    } else {
      return nil
    }
  }

  /// Returns `://:1234?fifo_size=9` if the text has this form; nil otherwise.
  private static func withoutHost(_ text: String) -> String? {
    let start = "://:"
    guard text.hasPrefix(start), let address = WebAddress("http://any:" + text.dropFirst(start.count)),
      address.port != nil
    else { return nil }
    return start + address.text.dropFirst("http://any:".count)
  }

  private static let longestScheme = 6

  private var web: WebAddress { WebAddress(unchecked: "http" + rest) }

  package var server: String { String(web.origin.dropFirst("http://".count)) }
  package var pathSegments: [String] { web.pathSegments }
  var forStorage: StreamAddress { StreamAddress(scheme, rest: String(web.text.removingSecrets.dropFirst(4))) }
  var hasSecret: Bool { web.hasSecret }

  private init(_ scheme: Scheme, rest: String) { (self.scheme, self.rest) = (scheme, rest) }

  /// The address for the user to see: without its secrets.
  public var description: String { text.hidingPassword }
}
