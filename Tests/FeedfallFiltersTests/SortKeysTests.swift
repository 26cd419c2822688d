import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct SortKeysTests {
  private func sorted(_ titles: [String]) -> [String] {
    var keys = SortKeys()
    for title in titles { keys.append(text: title) }
    return keys.sortedIndices().map { titles[$0] }
  }

  private func sortedIndices(_ numbers: [Int?], isDescending: Bool = false) -> [Int] {
    var keys = SortKeys()
    for number in numbers { keys.append(number) }
    return keys.sortedIndices(isDescending: isDescending)
  }

  private func sortedIndices(_ texts: [[UInt8]], isDescending: Bool = false) -> [Int] {
    var keys = SortKeys()
    for text in texts { keys.append(bytes: text) }
    return keys.sortedIndices(isDescending: isDescending)
  }

  /// Sorts by comparisons of whole keys.
  private func plain<Key>(_ keys: [Key], _ isBefore: (Key, Key) -> Bool) -> [Int] {
    keys.indices.sorted { one, other in
      isBefore(keys[one], keys[other]) || !isBefore(keys[other], keys[one]) && one < other
    }
  }

  @Test func `titles are sorted without case and diacritics, and numbers by their values`() {
    #expect(
      sorted(["b", "Émile", "A10", "a9", "eMily", "Part 2: z", "part 10", "Part 2: a", "part 010", "part 002"])
        == ["a9", "A10", "b", "Émile", "eMily", "part 002", "Part 2: a", "Part 2: z", "part 10", "part 010"])
  }

  @Test func `numbers are sorted in both directions, equal ones in their order, unknown ones last`() {
    let numbers = [nil, 3, -1, 3, nil, .min, .max]
    #expect(sortedIndices(numbers) == [5, 2, 1, 3, 6, 0, 4])
    #expect(sortedIndices(numbers, isDescending: true) == [6, 1, 3, 2, 5, 0, 4])
  }

  @Test func `texts are sorted by all their bytes, the shorter one of two first`() {
    let starts: [[UInt8]] = [[], Array("eight by".utf8), Array(repeating: 0, count: 8), Array("the sixteen byte".utf8)]
    let ends: [[UInt8]] = [[], [0], [0, 0], [0, 1], [1], [0xFF], Array(repeating: 0, count: 9), Array("zz".utf8)]
    let texts = ends.reversed().flatMap { end in starts.reversed().map { $0 + end } }
    for texts in [texts, texts + texts, Array(repeating: texts, count: 40).flatMap(\.self)] {
      #expect(sortedIndices(texts) == plain(texts) { $0.lexicographicallyPrecedes($1) })
      #expect(sortedIndices(texts, isDescending: true) == plain(texts) { $1.lexicographicallyPrecedes($0) })
    }
  }

  @Test(arguments: [10, 999, 1_000, 5_000])
  func `many random keys are sorted as a plain sort does`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    for bits in [2, 9, 20, 62] {
      let numbers = (0..<count).map { _ in Int.random(in: -(1 << bits)...(1 << bits - 1), using: &generator) }
      #expect(sortedIndices(numbers) == plain(numbers, <))
      #expect(sortedIndices(numbers, isDescending: true) == plain(numbers, >))
    }
    for (length, letters) in [(3, 2), (12, 2), (30, 2), (9, 250)] {
      let texts = (0..<count).map { _ in
        (0..<Int.random(in: 0...length, using: &generator)).map { _ in
          UInt8.random(in: 0...UInt8(letters), using: &generator)
        }
      }
      #expect(sortedIndices(texts) == plain(texts) { $0.lexicographicallyPrecedes($1) })
      #expect(sortedIndices(texts, isDescending: true) == plain(texts) { $1.lexicographicallyPrecedes($0) })
    }
  }
}
