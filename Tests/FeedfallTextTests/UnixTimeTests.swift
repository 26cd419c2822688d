import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct UnixTimeTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2018-10-01T10:52:46.396Z", 1_538_391_166),
    ("2018-10-01T12:52:46+02:00", 1_538_391_166), ("2018-10-01 05:22:46-0530", 1_538_391_166),
    ("2018-10-01t10:52:46z", 1_538_391_166), ("2018-10-01T10:52Z", 1_538_391_120),
    ("2018-10-01T10:52:46", 1_538_391_166), ("2018-10-01", 1_538_352_000), ("1969-12-31T23:59:59Z", -1),
    ("2024-02-29T00:00:00Z", 1_709_164_800), ("2016-12-31T23:59:60Z", 1_483_228_799), (" 2018-10-01 ", 1_538_352_000),
  ])
  func `a date and time is parsed`(text: String, seconds: Int) {
    #expect(UnixTime(rfc3339: text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "2018", "2018-13-01", "2018-02-29", "2018-10-32", "18-10-01", "2018-10-01T25:00:00Z",
    "2018-10-01T10:60Z",
    "2018-10-01T10:52:61Z", "2018-10-01T10:52:46+25:00", "2018-10-01T", "2018-10-01T10", "2018-10-01Tx",
    "2018-10-01T10:52:46Z x", "2018/10/01", "next week", "2018-10-01T10:52:46.Z",
  ])
  func `other texts are refused`(text: String) {
    #expect(UnixTime(rfc3339: text) == nil)
  }

  @Test func `every day of four centuries is converted to its number and back`() {
    var expected = CivilDate(daysSince1970: -40_000)
    for number in -39_999...110_000 {
      let date = CivilDate(daysSince1970: number)
      let isNext =
        date.year == expected.year && date.month == expected.month
        ? date.day == expected.day + 1 : date.day == 1 && expected.day >= 28
      guard isNext, date.daysSince1970 == number,
        CivilDate(year: date.year, month: date.month, day: date.day) == date
      else {
        Issue.record("day \(number) is \(date) after \(expected)")
        return
      }
      expected = date
    }
  }

  @Test(arguments: [
    (0, "1970-01-01"), (-1, "1969-12-31"), (1_538_391_166, "2018-10-01"), (951_782_400, "2000-02-29"),
    (Int.max, "9999-12-31"), (Int.min, "0000-01-01"),
  ])
  func `a time is converted to its day`(seconds: Int, text: String) {
    #expect(UnixTime(seconds: seconds).civilDate.description == text)
  }
}
