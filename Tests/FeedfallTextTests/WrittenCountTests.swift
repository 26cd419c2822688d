import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct WrittenCountTests {
  @Test(arguments: [
    ("62447386", 62_447_386), ("62,447,386", 62_447_386), ("62.447.386", 62_447_386), ("62 447 386", 62_447_386),
    ("62\u{202f}447\u{202f}386", 62_447_386), ("62’447’386", 62_447_386), ("6,24,47,386", 62_447_386),
    (" 1,234 ", 1_234),
    ("1.234", 1_234), ("1234.5", 1_234), ("0", 0), ("007", 7),
  ])
  func `a count with separators is parsed`(text: String, count: Int) {
    #expect(WrittenCount.count(text) == count)
    #expect(WrittenCount.byteCount(text) == count)
  }

  @Test(arguments: [
    ("62447386 bytes", 62_447_386), ("62.447 Bytes", 62_447), ("12 KB", 12_000), ("12K", 12_288),
    ("1.5 GiB", 1_610_612_736),
    ("59,5 Mo", 59_500_000), ("1.234 MB", 1_234_000), ("1,234.5 MB", 1_234_500_000), ("1.234.567 KB", 1_234_567_000),
    ("2TB", 2_000_000_000_000),
  ])
  func `a size with a unit is parsed`(text: String, count: Int) {
    #expect(WrittenCount.byteCount(text) == count)
    #expect(WrittenCount.count(text) == nil)
  }

  @Test(arguments: [
    "", "-1", "+1", "x", "1,2,3", "1,", ",1", "62,447.386.1", "62,447 386", "1234,567,890", "1e6", "5 MBit",
    "99999999999999999999",
    "999999999999 TB", "1 2 3", "12:30",
  ])
  func `other texts are not sizes`(text: String) {
    #expect(WrittenCount.byteCount(text) == nil)
  }

  @Test func `a long text is not a size`() {
    for part in ["1", "1,", ",", "1 ", "é"] {
      #expect(WrittenCount.byteCount(String(repeating: part, count: 100_000)) == nil)
    }
  }

  @Test func `a count with any separator is parsed back`() {
    var random = SeededGenerator(seed: 23)
    for _ in 0..<4_000 {
      let count = Int.random(in: 0...(1 << Int.random(in: 1...60, using: &random)), using: &random)
      for separator in ["", ",", ".", " ", "'", "_", "\u{a0}", "\u{202f}", "’"] {
        var text = ""
        for (place, digit) in String(count).reversed().enumerated() {
          if place > 0, place % 3 == 0 { text = separator + text }
          text = String(digit) + text
        }
        for (unit, isCount) in [("", true), (" bytes", false), (" B", false)] {
          guard WrittenCount.byteCount(text + unit) == count, !isCount || WrittenCount.count(text) == count else {
            Issue.record("\((text + unit).debugDescription)")
            return
          }
        }
      }
    }
  }
}
