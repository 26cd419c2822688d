import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct VideoDurationTests {
  @Test(arguments: [
    ("125", 125), ("125.9", 125), ("02:05", 125), ("1:02:05", 3_725), (" 1:02:05.999\n", 3_725), ("1:02:05,5", 3_725),
    // Apple's rule: each part has any size, and parts after the third are ignored.
    ("00:50:95", 3_095), ("75:00", 4_500), ("00:60:05", 3_605), ("1:02:03:04", 3_723), ("1:2:3:4:5", 3_723),
    ("62 min", 3_720), ("62min.", 3_720), ("62'", 3_720), ("62'30''", 3_750), ("62′30″", 3_750), ("62:30 min", 3_750),
    ("1:30 h", 5_400), ("1:02:03 h", 3_723), ("1h", 3_600), ("1h30", 5_400), ("2m30", 150), ("1h 2m 3s", 3_723),
    ("1 hour, 2 minutes and 3 seconds", 3_723), ("1 Std. 2 Min.", 3_720), ("1,5 h", 5_400), ("1.5 hours", 5_400),
    ("1小时2分钟3秒", 3_723), ("1時間2分", 3_720), ("62분", 3_720), ("2 мин 5 сек", 125), ("5000 ms", 5), ("3,723", 3_723),
    ("PT1H2M3.5S", 3_723), ("pt62m", 3_720), ("P1DT2H", 93_600), ("P0Y0M0DT1H", 3_600), ("PT1.5H", 5_400),
    ("P1W", 604_800),
    // Blanks, digits and marks of other scripts.
    ("62\u{a0}min", 3_720), ("\u{a0}1:02:05\u{202f}", 3_725), ("\u{feff}2:05\u{200e}", 125), ("１：０２：０５", 3_725),
    ("1時間、2分", 3_720), ("٦٢:٣٠", 3_750),
  ])
  func `a duration in any form is parsed`(text: String, seconds: Int) {
    #expect(VideoDuration(feedText: text) == .seconds(seconds))
    #expect(VideoDuration(text: text) == .seconds(seconds))
  }

  @Test(arguments: [
    "", " ", "0", "0:00", "00:00:00.0", "PT0S", "0 min", "0.4", "-1", "-1:00", "+5", ":30", "1:", "1::2", "1:2x",
    "1 of 3",
    "12 parts", "3 s 2 h", "1h 2h", "h", "P", "PT", "P1M", "P1Y", "PT5", "P1H", "1:02:03 x", "1:02 d", "about an hour",
    "1,2,3",
    "99999999999999999999", "400 days", "N/A", "1e3",
  ])
  func `other texts and placeholders are refused`(text: String) {
    #expect(VideoDuration(feedText: text) == nil)
  }

  @Test func `words are kept in the program's own format`() {
    #expect(VideoDuration(text: " about\n an hour ") == .text("about an hour"))
    #expect(VideoDuration(text: "0") == nil && VideoDuration(text: " ") == nil)
  }

  @Test func `a long text is not a duration`() {
    for part in ["1", "1:", "1h ", "'", "PT1S", ",", "1,"] {
      #expect(VideoDuration(feedText: String(repeating: part, count: 100_000)) == nil)
    }
  }

  @Test func `a duration in any known form is parsed back`() {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<4_000 {
      let seconds = Int.random(in: 1...360_000, using: &random)
      let (h, m, s) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let forms = [
        "\(seconds)", "\(seconds).75", "\(h):\(two(m)):\(two(s))", "\(two(h)):\(two(m)):\(two(s)),5", "0:\(seconds)",
        "0:0:\(seconds)",
        "\(seconds / 60):\(two(s))", "\(h * 60 + m):\(two(s)) min", "\(h)h\(m)m\(s)s",
        "\(h) hrs, \(m) min and \(s) sec",
        "PT\(h)H\(m)M\(s)S", "PT\(seconds)S", "P\(h / 24)DT\(h % 24)H\(m)M\(s).5S", "\(h)時間\(m)分\(s)秒",
        "\(h * 60 + m)'\(s)\"",
        "\(seconds)000 ms", "\(h):\(two(m)):\(two(s)):00", VideoDuration.seconds(seconds).description,
      ]
      for form in forms where VideoDuration(feedText: form) != .seconds(seconds) {
        Issue.record("\(form.debugDescription) is read as \(String(describing: VideoDuration(feedText: form)))")
        return
      }
    }
  }
}
