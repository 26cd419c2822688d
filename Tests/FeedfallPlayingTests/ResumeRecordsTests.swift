import FeedfallText
import TestSupport
import Testing

@testable import FeedfallPlaying

@Suite(.hangLimit) struct ResumeRecordsTests {
  private func records(_ updates: (id: String, seconds: Double)...) -> ResumeRecords {
    var records = ResumeRecords()
    for update in updates { records.update(update.id, seconds: update.seconds, duration: 1_000) }
    return records
  }

  @Test(arguments: [(4.9, nil), (5, 5), (42.8, 42), (950, 950), (951, nil), (2_000, nil)] as [(Double, Int?)])
  func `positions near the beginning and the end are not stored`(seconds: Double, stored: Int?) {
    #expect(records(("a", 500), ("a", seconds))["a"] == stored)
  }

  @Test func `a position beyond a year is not stored`() {
    var records = ResumeRecords()
    records.update("a", seconds: 1e19, duration: 1e30)
    #expect(records.lines.isEmpty)
  }

  @Test func `the oldest position is evicted`() {
    var records = ResumeRecords()
    for number in 0...ResumeRecords.maximumCount {
      records.update("\(number)", seconds: 10, duration: 100)
      if number == 5 { records.update("0", seconds: 20, duration: 100) }
    }
    #expect(records.count == ResumeRecords.maximumCount)
    #expect(records["0"] == 20)
    #expect(records["1"] == nil)
    #expect(records["2"] == 10)
  }

  @Test func `lines are parsed back to the same records`() {
    let kept = records(("https://a.example/1 2", 30), ("中文", 40), ("a", 50), ("https://a.example/1 2", 60))
    #expect(kept.lines == "40 中文\n50 a\n60 https://a.example/1 2\n")
    #expect(ResumeRecords(lines: kept.lines).lines == kept.lines)
  }

  @Test(arguments: [
    "", "\n\n", "x y", "12", "-3 a", "0 a", "99999999999999999999 a", "31622401 a", "3.5 a", "5 ", "5@ a", "5@x a",
    "5@-1 a",
    "5@1@2 a", "@5 a", "-1@5 a", "5@9223372036854775807 a",
  ])
  func `invalid lines are skipped`(line: String) {
    #expect(ResumeRecords(lines: line + "\n7 b").lines == "7 b\n")
  }

  @Test func `a position with a time is parsed back, also the beginning`() {
    let lines = "40@1800000000 a\n0@1800000001 b\n50 c\n"
    var records = ResumeRecords(lines: lines)
    #expect(records.lines == lines)
    #expect(records["a"] == 40 && records["b"] == nil && records["c"] == 50)
    let time = UnixTime(seconds: 1_800_000_000)
    #expect(records.isCurrent("a", since: time) && !records.isCurrent("c", since: time))
    #expect(!records.isCurrent("a", since: UnixTime(seconds: 1_800_000_001)))
    #expect(!records.isCurrent("a", since: nil))
    records.update("a", seconds: 60, duration: 1_000, at: time)
    #expect(records.isCurrent("a", since: nil) && !records.isCurrent("b", since: nil))
  }

  @Test func `a later time at the same second is a change to merge`() {
    let old = ResumeRecords(lines: "40@1000 a\n")
    var stored = ResumeRecords(lines: "40@1000 a\n50 b\n")
    stored.merge(changesFrom: old, to: ResumeRecords(lines: "40@2000 a\n"))
    #expect(stored.lines == "50 b\n40@2000 a\n")
  }

  @Test func `the last of too many lines count`() {
    let lines = (1...3_000).map { "\($0) id\($0)\n" }.joined()
    let records = ResumeRecords(lines: lines)
    #expect(records.count == 2_000)
    #expect(records["id1000"] == nil)
    #expect(records["id1001"] == 1_001)
  }

  @Test func `an ID that is empty, too long or contains a line break is not stored`() {
    let long = String(repeating: "a", count: ResumeRecords.maximumIDLength + 1)
    #expect(records(("a\nb", 10), ("", 10), (long, 10)).count == 0)
  }

  @Test func `records contain no user name and no password`() {
    let id = "https://me:secret@films.example/1"
    let item = PlayItem(video([("a.mp4", nil)], id: id))
    #expect(item.recordID == "https://films.example/1")
    #expect(ResumeRecords(lines: "60 \(id)\n").lines == "60 https://films.example/1\n")
  }
}
