// Facts of a video in the address of its page or file.

extension WebAddress {
  /// The position at which playback starts, in whole seconds, as sites and players write it: `t=90`, `start=1m30s` or
  /// `time_continue=1:30` in the query, or `#t=90` (Media Fragments, 4.2.1). Nil without one, for 0, and for more than
  /// a week, which is a time of day rather than a position.
  /// - Complexity: O(n).
  public var startSeconds: Int? {
    let inQuery = queryItems.filter { Self.startNames.contains($0.name) }
    let inFragment = (fragment ?? "").utf8.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") }.compactMap {
      item in
      item.starts(with: "t=".utf8) ? PercentCoding.decode(item.dropFirst(2), plusIsBlank: false) : nil
    }
    return (inQuery.map(\.value) + inFragment).firstNonNil(Self.seconds)
  }

  private static let startNames: Set<String> = ["t", "start", "time_continue"]
  private static let longestStart = 7 * 86_400
  private static let longestStartText = 24

  /// Parses a duration, also after `npt:` and before a comma with an end.
  private static func seconds(_ text: String) -> Int? {
    let text = text.prefix(longestStartText).lowercased()
    let start = (text.hasPrefix("npt:") ? text.dropFirst(4) : text[...]).prefix { $0 != "," }
    return TimeScanner.duration(of: String(start)).flatMap { (1...longestStart).contains($0) ? $0 : nil }
  }

  /// Without `start`, by which some servers cut the beginning of a file off; unchanged if a secret may sign it.
  package var withoutStart: WebAddress {
    guard !hasSecret, let query, queryItems.contains(where: { $0.name == "start" }) else { return self }
    let items = query.utf8.split(separator: UInt8(ascii: "&")).filter { !$0.starts(with: "start=".utf8) }
    let text = self.text.prefix { $0 != "?" && $0 != "#" }
    let rest = items.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "&")
    return WebAddress(
      unchecked: text + (rest.isEmpty ? "" : "?" + rest) + (fragment.map { "#" + $0 } ?? ""))
  }

  private static let itemName = "playlist-item="
  private static let maximumItem = 9_999

  /// The address of one of several videos on a page, by its number from 1 on. Its page is the same for browsers,
  /// because the number is at the end of the fragment. Returns the page itself for a number that is too large.
  package func naming(pageItem number: Int) -> WebAddress {
    guard (1...Self.maximumItem).contains(number) else { return self }
    let page = item?.page ?? self
    return WebAddress(unchecked: page.text + (page.fragment == nil ? "#" : "&") + Self.itemName + "\(number)")
  }

  package var item: (page: WebAddress, number: Int)? {
    guard let fragment, let start = fragment.utf8.split(separator: UInt8(ascii: "&")).last,
      start.starts(with: Self.itemName.utf8)
    else { return nil }
    let digits = start.dropFirst(Self.itemName.utf8.count)
    guard (1...4).contains(digits.count), digits.allSatisfy(\.isASCIIDigit), let number = Int(String(digits) ?? ""),
      number > 0
    else { return nil }
    return (WebAddress(unchecked: String(text.dropLast(start.count + 1))), number)
  }
}
