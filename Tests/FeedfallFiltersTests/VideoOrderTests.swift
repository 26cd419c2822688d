import FeedfallFeeds
import FeedfallText
import FeedfallUserData
import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct VideoOrderTests {
  private func sorted(_ titles: [String]) -> [String] {
    SortValue.sortedIndices(titles.map { SortValue(text: $0) }).map { titles[$0] }
  }

  @Test func `titles are sorted without case and diacritics, and numbers by their values`() {
    #expect(
      sorted(["b", "Émile", "A10", "a9", "eMily", "Part 2: z", "part 10", "Part 2: a"])
        == ["a9", "A10", "b", "Émile", "eMily", "Part 2: a", "Part 2: z", "part 10"])
  }

  @Test func `values are sorted in both directions, equal ones in their order, unknown ones last`() {
    let values: [SortValue?] = [nil, .number(3), .number(-1), .number(3), nil, .number(.min)]
    #expect(SortValue.sortedIndices(values) == [5, 2, 1, 3, 0, 4])
    #expect(SortValue.sortedIndices(values, isDescending: true) == [1, 3, 2, 5, 0, 4])
  }

  @Test func `texts are sorted by all their bytes, the shorter one of two first`() {
    let starts: [[UInt8]] = [[], Array("eight by".utf8), Array(repeating: 0, count: 8), Array("the sixteen byte".utf8)]
    let ends: [[UInt8]] = [[], [0], [0, 0], [0, 1], [1], [0xFF], Array(repeating: 0, count: 9), Array("zz".utf8)]
    let texts = ends.reversed().flatMap { end in starts.reversed().map { $0 + end } }
    let values = texts.map { SortValue.text($0) }
    let ascending = SortValue.sortedIndices(values).map { texts[$0] }
    #expect(ascending == texts.sorted { $0.lexicographicallyPrecedes($1) })
    let descending = SortValue.sortedIndices(values, isDescending: true).map { texts[$0] }
    #expect(descending == texts.sorted { $1.lexicographicallyPrecedes($0) })
    let twice = SortValue.sortedIndices(values + values)
    #expect(zip(twice, twice.dropFirst()).allSatisfy { texts[$0 % texts.count] != texts[$1 % texts.count] || $0 < $1 })
  }

  @Test(arguments: [
    (VideoOrder.newest, [1, 2, 0]), (.oldest, [2, 1, 0]), (.shortest, [1, 0, 2]), (.longest, [0, 1, 2]),
    (.title, [2, 1, 0]), (.views, [0, 2, 1]), (.watched, [2, 0, 1]), (.queue, [1, 2, 0]), (.feed, [0, 1, 2]),
  ])
  func `each order sorts by its value`(order: VideoOrder, expected: [Int]) {
    var videos = ["c", "b", "a"].map { Video(id: $0, title: $0, playback: .unknown) }
    videos[0].duration = .seconds(90)
    videos[1].duration = .seconds(60)
    videos[0].views = 7
    videos[1].published = UnixTime(seconds: 1_600_000_000)
    videos[2].year = 2_019
    videos[2].views = 3
    var records = [UserRecord(), UserRecord(), UserRecord()]
    records[0].watched = UnixTime(seconds: 1)
    records[1].queued = -0.5
    (records[2].watched, records[2].queued) = (UnixTime(seconds: 2), 0.25)
    let values = zip(videos, records).map { order.value(of: $0, $1) }
    #expect(SortValue.sortedIndices(values) == expected)
  }
}
