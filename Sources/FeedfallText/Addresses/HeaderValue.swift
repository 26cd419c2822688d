/// The value of a request's header. It has no control characters, so it cannot end its line and begin another header
/// (RFC 9110, 5.5).
public struct HeaderValue: Hashable, Sendable {
  public let text: String

  /// In bytes.
  static let maximumByteCount = 8_192

  /// Returns nil for a text that cannot be sent unchanged: an empty or very long one, or one with control characters or
  /// replacement characters.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount,
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "\u{FFFD}" })
    else { return nil }
    self.text = text
  }
}
