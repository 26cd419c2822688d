import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct SortKeysTests {
  private func sorted(_ titles: [String?], isDescending: Bool = false) -> [String?] {
    var keys = SortKeys()
    for title in titles { keys.append(text: title) }
    return keys.sortedIndices(isDescending: isDescending).map { titles[$0] }
  }

  private func sortedIndices(_ numbers: [Int?], isDescending: Bool) -> [Int] {
    var keys = SortKeys()
    for number in numbers { keys.append(number) }
    return keys.sortedIndices(isDescending: isDescending)
  }

  @Test func `titles are sorted without case and diacritics, and numbers by their values`() {
    #expect(
      sorted(["b", "Émile", "A10", "a9", "eMily", "Part 2: z", "part 10", "Part 2: a", "part 010", "part 002"])
        == ["a9", "A10", "b", "Émile", "eMily", "part 002", "Part 2: a", "Part 2: z", "part 10", "part 010"])
    #expect(sorted(["b", nil, "B", "", "c"]) == ["", "b", "B", "c", nil])
    #expect(sorted(["b", nil, "B", "", "c"], isDescending: true) == ["c", "b", "B", "", nil])
  }

  @Test func `numbers are sorted in both directions, equal ones in their order, unknown ones last`() {
    let numbers = [nil, 3, -1, 3, nil, .min, .max]
    #expect(sortedIndices(numbers, isDescending: false) == [5, 2, 1, 3, 6, 0, 4])
    #expect(sortedIndices(numbers, isDescending: true) == [6, 1, 3, 2, 5, 0, 4])
  }
}
