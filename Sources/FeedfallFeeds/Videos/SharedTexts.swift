import FeedfallText

/// Lets equal texts of consecutive videos, such as the name of the channel, share their storage.
struct SharedTexts {
  private var recent: [String] = []
  private var next = 0

  private static let count = 24

  mutating func shared(_ text: String?) -> String? {
    // Up to 15 bytes are stored in the value itself.
    guard let text, text.utf8.count > 15 else { return text }
    if let known = recent.first(where: { $0 == text }) { return known }
    if recent.count < Self.count {
      recent.append(text)
    } else {
      recent[next] = text
      next = (next + 1) % Self.count
    }
    return text
  }

  mutating func shared(_ address: WebAddress?) -> WebAddress? {
    shared(address?.text).map { WebAddress(unchecked: $0) }
  }
}
