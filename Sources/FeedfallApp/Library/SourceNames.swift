import FeedfallText

/// Distinguishes sources of the same name by their addresses.
enum SourceNames {
  /// Returns for each source the part of its address that no other source of its name has: the host, or else the last
  /// such component of the path, or else a number. Nil where no other source has the name. O(n) without equal names.
  static func distinctions(of sources: [(name: String, address: String)]) -> [String?] {
    var result: [String?] = Array(repeating: nil, count: sources.count)
    for group in Dictionary(grouping: sources.indices, by: { sources[$0].name }).values where group.count > 1 {
      let texts = distinctParts(group.map { parts(of: sources[$0].address) }) ?? (1...group.count).map { String($0) }
      for (source, text) in zip(group, texts) { result[source] = text }
    }
    return result
  }

  private static let maximumLength = 40

  /// The first position at which all sources have different parts.
  private static func distinctParts(_ parts: [[String]]) -> [String]? {
    let count = parts.map(\.count).min() ?? 0
    return (0..<count).lazy.map { position in parts.map { $0[position] } }.first { texts in
      Set(texts).count == texts.count && !texts.contains("")
    }
  }

  /// The host, which is empty for a path, and the components of the path from its end.
  private static func parts(of address: String) -> [String] {
    let isPath = address.hasPrefix("/") || address.hasPrefix("~") || address.hasPrefix(".")
    let web = isPath ? nil : WebAddress(typed: address)
    let path = web.map { $0.pathSegments.map { String($0) } } ?? address.split(separator: "/").map { String($0) }
    return [web?.shownHost ?? ""] + path.reversed().map { cleanedLine($0, limit: maximumLength) }
  }
}
