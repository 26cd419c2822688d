import FeedfallScreen

/// Which key each of a terminal's own sequences means. There are a few dozen, read at every start, and looked through
/// far less often than that takes.
struct KeySequences: ExpressibleByDictionaryLiteral, Sendable {
  private var entries: [Entry] = []

  private struct Entry {
    var sequence: [UInt8]
    var key: FeedfallScreen.Key
  }

  init(dictionaryLiteral elements: ([UInt8], FeedfallScreen.Key)...) {
    for (sequence, key) in elements { add(sequence, key) }
  }

  /// Adds a sequence; the first key that it means stays.
  mutating func add(_ sequence: [UInt8], _ key: FeedfallScreen.Key) {
    guard self[sequence] == nil else { return }
    entries.append(Entry(sequence: sequence, key: key))
  }

  subscript(_ sequence: [UInt8]) -> FeedfallScreen.Key? {
    for entry in entries where entry.sequence == sequence { return entry.key }
    return nil
  }
}
