import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct PlayPositionTests {
  private let key = VideoKey(text: "films.example 1")

  private func position(_ seconds: Double, of duration: Double = 1_000, share: Double = 0.9) -> PlayPosition {
    PlayPosition(key: key, at: seconds, of: duration, isWatched: seconds >= duration * share)
  }

  @Test(arguments: [(4.9, nil), (5, 5), (42.8, 42), (950, 950), (951, nil), (2_000, nil)] as [(Double, Int?)])
  func `near the beginning and the end, a video starts from its beginning`(seconds: Double, stored: Int?) {
    #expect(position(seconds, share: 1).seconds == stored)
  }

  @Test(
    arguments: [(0.9, 6, nil), (1, 6, 1), (3, 6, 3), (5.8, 6, nil), (2.9, 30, nil), (3, 30, 3), (4.9, 60, nil)]
      as [(Double, Double, Int?)])
  func `the ignored beginning of a short video is shorter`(seconds: Double, duration: Double, stored: Int?) {
    #expect(position(seconds, of: duration, share: 1.1).seconds == stored)
  }

  @Test func `a watched video starts from its beginning`() {
    #expect(position(27, of: 30).seconds == nil && position(27, of: 30).isWatched)
    #expect(position(26, of: 30).seconds == 26)
  }

  @Test func `a position beyond a year is not stored`() {
    let far = position(1e19, of: 1e30)
    #expect(far.seconds == nil && far.duration == nil)
  }

  @Test(
    arguments: [
      (899, 1_000, 0.9, false), (900, 1_000, 0.9, true), (500, 1_000, 0.5, true), (999, 1_000, 1, false),
      (4, 30, 0.9, false), (27, 30, 0.9, true), (41, 90, 0.9, false), (6_480, 7_200, 0.9, true),
    ] as [(Double, Double, Double, Bool)])
  func `a video is watched from its share on, whatever its length`(
    seconds: Double, duration: Double, share: Double, isWatched: Bool
  ) {
    #expect(position(seconds, of: duration, share: share).isWatched == isWatched)
  }

  @Test func `a position sets the fields of the record`() {
    #expect(position(300).values(at: 5_999) == [.position(300), .duration(1_000)])
    #expect(position(960).values(at: 5_999) == [.position(nil), .duration(1_000), .watched(UnixTime(seconds: 5))])
  }
}
