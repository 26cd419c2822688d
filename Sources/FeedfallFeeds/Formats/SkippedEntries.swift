import FeedfallText

/// The entries of a playlist whose addresses cannot be played.
struct SkippedEntries: Equatable, Sendable {
  private(set) var count = 0
  /// The schemes of the addresses, in the order of their first occurrence.
  private var schemes: [String] = []

  private static let maximumSchemeCount = 6
  private static let longestScheme = 12

  /// Counts an entry by its address as written.
  mutating func insert(_ address: String) {
    count += 1
    let scheme = address.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "+") }
    let name = String(decoding: scheme.map(\.lowercased), as: UTF8.self)
    guard (2...Self.longestScheme).contains(scheme.count), address.utf8.dropFirst(scheme.count).starts(with: ":".utf8),
      !schemes.contains(name), schemes.count < Self.maximumSchemeCount
    else { return }
    schemes.append(name)
  }

  /// A message for the user, on one line; nil if no entry has an address of another kind.
  var notice: String? {
    guard !schemes.isEmpty else { return nil }
    let entries = count == 1 ? "1 entry" : "\(count) entries"
    return "Skipped \(entries): feedfall does not play \(schemes.joined(separator: ", "))."
  }
}
