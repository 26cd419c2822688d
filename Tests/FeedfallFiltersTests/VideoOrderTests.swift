import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct VideoOrderTests {
  @Test(arguments: [
    (VideoOrder.newest, [1, 2, 0]), (.oldest, [2, 1, 0]), (.shortest, [1, 0, 2]), (.longest, [0, 1, 2]),
    (.title, [2, 1, 0]), (.views, [0, 2, 1]), (.watched, [2, 0, 1]), (.played, [1, 2, 0]),
    (.queue, [1, 2, 0]), (.feed, [0, 1, 2]),
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
    (records[1].queued, records[1].played) = (-0.5, UnixTime(seconds: 9))
    records[2].played = UnixTime(seconds: 8)
    (records[2].watched, records[2].queued) = (UnixTime(seconds: 2), 0.25)
    var keys = SortKeys()
    for (video, record) in zip(videos, records) { keys.append(video, record, by: order) }
    #expect(keys.sortedIndices() == expected)
  }

  @Test func `the seed determines the random order`() {
    let orders = [1, 1, 2].map { (seed: UInt64) in
      var keys = SortKeys(seed: seed)
      for number in 0..<50 { keys.append(Video(id: "\(number)", title: "", playback: .unknown), by: .random) }
      return keys.sortedIndices()
    }
    #expect(orders[0] == orders[1] && orders[0] != orders[2])
    #expect(orders[0] != Array(0..<50) && orders[0].sorted() == Array(0..<50))
  }
}
