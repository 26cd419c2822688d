import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct LocalZoneTests {
  private static let hour = 3_600

  private func zone(hours: Int) -> LocalZone { LocalZone([.init(start: 0, offset: hours * Self.hour)]) }

  private func time(_ text: String) throws -> UnixTime { try #require(UnixTime(rfc3339: text)) }

  @Test(arguments: [
    ("2024-04-30T23:00:01Z", 9, "2024-05-01"), ("2024-04-30T14:59:59Z", 9, "2024-04-30"),
    ("2024-05-01T03:00:01Z", -5, "2024-04-30"), ("2024-05-01T12:00:00Z", 14, "2024-05-02"),
    ("1936-05-01T23:30:00Z", 1, "1936-05-02"), ("2024-05-01", -8, "2024-05-01"), ("2024-05-01", 14, "2024-05-01"),
  ])
  func `a time has the day of the zone, and a date is the same everywhere`(
    text: String, hours: Int, expected: String
  ) throws {
    #expect(try zone(hours: hours).day(of: time(text)).description == expected)
  }

  @Test func `an extreme time has a day`() {
    #expect(zone(hours: 9).day(of: UnixTime(seconds: .max)).year == 9_999)
    #expect(zone(hours: -9).day(of: UnixTime(seconds: .min)).year == 0)
  }

  @Test func `a day on which the clock changes has 23 or 25 hours`() throws {
    // Berlin in 2024.
    let changes = try [("2023-10-29T01:00:00Z", 1), ("2024-03-31T01:00:00Z", 2), ("2024-10-27T01:00:00Z", 1)].map {
      LocalZone.Change(start: try time($0.0).seconds, offset: $0.1 * Self.hour)
    }
    let zone = LocalZone(changes)
    func hours(_ day: String) throws -> Int {
      let number = try time(day).civilDate.daysSince1970
      return (zone.start(ofDay: number + 1).seconds - zone.start(ofDay: number).seconds) / Self.hour
    }
    #expect(try hours("2024-03-30") == 24 && hours("2024-03-31") == 23 && hours("2024-10-27") == 25)
    #expect(try zone.day(of: time("2024-03-31T21:59:59Z")).description == "2024-03-31")
    #expect(try zone.day(of: time("2024-10-27T22:59:59Z")).description == "2024-10-27")
    #expect(try zone.day(of: time("2024-10-27T23:00:01Z")).description == "2024-10-28")
  }

  @Test func `a day whose midnight the clock skips begins with the change, and a skipped day with the next one`() throws
  {
    // The clock of Brazil went from 0:00 to 1:00, that of Samoa from the 30th to the 31st of December.
    let brazil = LocalZone([
      .init(start: 0, offset: -3 * Self.hour),
      .init(start: try time("2017-10-15T03:00:00Z").seconds, offset: -2 * Self.hour),
    ])
    #expect(brazil.start(ofDay: try time("2017-10-15").civilDate.daysSince1970) == (try time("2017-10-15T03:00:00Z")))
    let samoa = LocalZone([
      .init(start: 0, offset: -10 * Self.hour),
      .init(start: try time("2011-12-30T10:00:00Z").seconds, offset: 14 * Self.hour),
    ])
    for day in ["2011-12-30", "2011-12-31"] {
      #expect(samoa.start(ofDay: try time(day).civilDate.daysSince1970) == (try time("2011-12-30T10:00:00Z")))
    }
  }

  @Test func `a time is before the start of a day exactly if its day is an earlier one`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      var (start, offset) = (Int.random(in: -10_000_000...10_000_000, using: &random), 0)
      let changes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        start += Int.random(in: 3 * 86_400...30 * 86_400, using: &random)
        // Only forward, because a clock that goes back over midnight has a day twice.
        offset = min(offset + Int.random(in: 0...2, using: &random) * 1_800, 50_400)
        return LocalZone.Change(start: start, offset: offset)
      }
      let zone = LocalZone(changes.shuffled(using: &random))
      for _ in 0..<20 {
        let time = UnixTime(seconds: Int.random(in: -12_000_000...40_000_000, using: &random))
        let day = Int.random(in: -2...2, using: &random) + time.seconds / 86_400
        #expect((time >= zone.start(ofDay: day)) == (zone.dayNumber(at: time) >= day), "\(zone) \(time) \(day)")
      }
    }
  }

  @Test func `without valid offsets a zone is that of UTC`() throws {
    let zone = LocalZone([.init(start: 0, offset: .max), .init(start: 5, offset: .min)])
    #expect(zone == .utc)
    #expect(try zone.day(of: time("2024-05-01T23:59:59Z")).description == "2024-05-01")
    #expect(zone.start(ofDay: 1).seconds == 86_400)
  }
}
