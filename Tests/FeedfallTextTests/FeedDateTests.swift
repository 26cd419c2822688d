import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct FeedDateTests {
  @Test(
    arguments: [
      // With the name of a month.
      ("Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"), ("1 Jan 04 9:48 +0200", "2004-01-01T07:48:00Z"),
      ("01 Jan 70 00:00:00 GMT", "1970-01-01T00:00:00Z"), ("Fri,24 Nov 2023 18:28:36 -0000", "2023-11-24T18:28:36Z"),
      ("Mon, 13 Feb, 2012 06:28:00 UTC", "2012-02-13T06:28:00Z"),
      ("Thu,\r\n 09 Feb 2006\r\n 23:59:45 +0000", "2006-02-09T23:59:45Z"),
      ("Tue 11 Jan 2011 01:30:00 GMT", "2011-01-11T01:30:00Z"),
      ("Mon, 26 January 2004 16:31:00 CT", "2004-01-26T22:31:00Z"),
      ("Wed, 5 Nov 2025 13:52:10  EST", "2025-11-05T18:52:10Z"),
      ("Wed, 5 Nov 2025 13:52:10 GMT+0200", "2025-11-05T11:52:10Z"),
      ("Wed, 5 Nov 2025 13:52:10 +0200 (CEST)", "2025-11-05T11:52:10Z"),
      ("Mon, 21 Jan 2008 8:56 am PST", "2008-01-21T16:56:00Z"),
      ("Sun, 20 Apr 2014 8:19 pm CEST", "2014-04-20T18:19:00Z"), ("Sun, 20 Apr 2014 12:05 AM", "2014-04-20T00:05:00Z"),
      ("Sat, Dec 16 2023 02:02:33 PM", "2023-12-16T14:02:33Z"), ("Sun Jan  4 16:29:06 2004", "2004-01-04T16:29:06Z"),
      ("Sun Jan  4 16:29:06 PST 2004", "2004-01-05T00:29:06Z"),
      ("Sat Oct 06 2018 00:00:00 GMT+0100 (Central)", "2018-10-05T23:00:00Z"),
      ("Monday, 15-Aug-05 15:52:01 UTC", "2005-08-15T15:52:01Z"), ("31 Dec 2002 14:20:20 A", "2002-12-31T15:20:20Z"),
      ("July 4, 2019", "2019-07-04T00:00:00Z"), ("4th July 2019 at 10:00", "2019-07-04T10:00:00Z"),
      ("Seg, 24 Set 2018 10:00:00 +0000", "2018-09-24T10:00:00Z"),
      ("mer, 16 nov 2022 08:00:00 +0100", "2022-11-16T07:00:00Z"), ("24 de setembro de 2018", "2018-09-24T00:00:00Z"),
      // Of numbers.
      ("2003-12-31T10:14:55.1234Z", "2003-12-31T10:14:55Z"), ("2025-01-03T10:14:24+01:00", "2025-01-03T09:14:24Z"),
      ("2006-01-11 16:43:22 -0800", "2006-01-12T00:43:22Z"), ("2017-06-13T03:18:00+00:0", "2017-06-13T03:18:00Z"),
      ("2020/1/10 14:28:00", "2020-01-10T14:28:00Z"),
      ("2018-12-13", "2018-12-13T00:00:00Z"), ("2018-12", "2018-12-01T00:00:00Z"), ("2018", "2018-01-01T00:00:00Z"),
      ("20181213", "2018-12-13T00:00:00Z"), ("20181213T101112Z", "2018-12-13T10:11:12Z"),
      ("2018-347", "2018-12-13T00:00:00Z"), ("03-12-31", "2003-12-31T00:00:00Z"), ("-03-12", "2003-12-01T00:00:00Z"),
      ("31.12.2003 10:00", "2003-12-31T10:00:00Z"), ("12/31/2003", "2003-12-31T00:00:00Z"),
      ("1609459200", "2021-01-01T00:00:00Z"), ("1609459200000", "2021-01-01T00:00:00Z"),
      ("2012-04-20T24:00:00Z", "2012-04-21T00:00:00Z"), ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
      // In the forms of people and programs.
      ("Mi, 21.04.2021 - 15:26", "2021-04-21T15:26:00Z"), ("Mi. 21.04.2021 15:26", "2021-04-21T15:26:00Z"),
      ("Wed 2021-04-21 15:26:07 +0200", "2021-04-21T13:26:07Z"), ("Wed, 2021-04-21", "2021-04-21T00:00:00Z"),
      ("Mittwoch 21. April 2021 15:26", "2021-04-21T15:26:00Z"), ("mercredi 21 avril 2021", "2021-04-21T00:00:00Z"),
      ("segunda-feira, 24 de setembro de 2018", "2018-09-24T00:00:00Z"), ("21 Дек 2021", "2021-12-21T00:00:00Z"),
      ("2021-04-21 (Wed) 15:26", "2021-04-21T15:26:00Z"), ("21/Apr/2021:15:26:07 +0200", "2021-04-21T13:26:07Z"),
      // The weekday decides between the day and the month.
      ("Wed, 04/07/2021 - 15:26", "2021-04-07T15:26:00Z"), ("Sun, 04/07/2021 - 15:26", "2021-07-04T15:26:00Z"),
      ("Wednesday, April 21, 2021 - 15:26", "2021-04-21T15:26:00Z"), ("4/21/2021, 3:26:00 PM", "2021-04-21T15:26:00Z"),
      ("Apr 21, 2021, 3:26:00\u{202f}PM", "2021-04-21T15:26:00Z"), ("21 abr 2021, 3:26 p. m.", "2021-04-21T15:26:00Z"),
      ("le 21 avril 2021", nil), ("21 avril 2021 à 15h26", "2021-04-21T15:26:00Z"),
      ("April 2021", "2021-04-01T00:00:00Z"),
      ("21. 4. 2021 15.26", "2021-04-21T15:26:00Z"), ("2021-Apr-21 15:26", "2021-04-21T15:26:00Z"),
      ("2021 April 21st", "2021-04-21T00:00:00Z"), ("21 Apr 2021 3 pm", "2021-04-21T15:00:00Z"),
      // The text forms of programs.
      // Java: Date, ZonedDateTime, an old offset.
      ("Wed Apr 21 15:26:07 CEST 2021", "2021-04-21T13:26:07Z"),
      ("2021-04-21T15:26:07.123+02:00[Europe/Berlin]", "2021-04-21T13:26:07Z"),
      ("2021-04-21T15:26Z[UTC][u-ca=gregory]", "2021-04-21T15:26:00Z"),
      ("1890-01-01T00:53:28+00:53:28[Europe/Berlin]", "1890-01-01T00:00:00Z"),
      // Go: Time, a zone without a name, a clock; Ruby and Git.
      ("2021-04-21 15:26:07.999999999 +0200 CEST", "2021-04-21T13:26:07Z"),
      ("2021-04-21 15:26:07 -0300 -03", "2021-04-21T18:26:07Z"),
      ("2021-04-21 15:26:07.5 +0000 UTC m=+0.000012345", "2021-04-21T15:26:07Z"),
      ("Wed Apr 21 15:26:07 -0700 2021", "2021-04-21T22:26:07Z"),
      ("Wed Apr 21 15:26:07 2021 +0200", "2021-04-21T13:26:07Z"),
      ("Wed Apr 21 2021 15:26:07 GMT+0200 (Mitteleuropäische Sommerzeit)", "2021-04-21T13:26:07Z"),
      ("Wed, 21 Apr 2021 15:26:07 EST-0500", "2021-04-21T20:26:07Z"),
      ("Wed, 21 Apr 2021 15:26:07 +0200 Central European Summer Time", "2021-04-21T13:26:07Z"),
      // A plus in an address is a blank.
      ("2021-04-21T15:26:07 02:00", "2021-04-21T13:26:07Z"), ("Wed, 21 Apr 2021 15:26:07 0200", "2021-04-21T13:26:07Z"),
      ("Wed Apr 21 15:26:07 0200 2021", "2021-04-21T13:26:07Z"),
      // ISO 8601, XML Schema, XMLTV, EXIF.
      ("2021-W16-3", "2021-04-21T00:00:00Z"), ("2020W537T10", "2021-01-03T10:00:00Z"),
      ("2021-04-21T15Z", "2021-04-21T15:00:00Z"), ("2021-04-21+02:00", "2021-04-20T22:00:00Z"),
      ("2021-04-21Z", "2021-04-21T00:00:00Z"), ("20210421152607 +0200", "2021-04-21T13:26:07Z"),
      ("20210421-152607", "2021-04-21T15:26:07Z"), ("2021:04:21 15:26:07", "2021-04-21T15:26:07Z"),
      ("1619018767.25", "2021-04-21T15:26:07Z"), ("1619018767000000", "2021-04-21T15:26:07Z"),
      // Chinese, Japanese and Korean.
      ("2021年04月21日 15:26", "2021-04-21T15:26:00Z"), ("2021年4月21日", "2021-04-21T00:00:00Z"),
      ("2021年4月21日(水) 15時26分07秒", "2021-04-21T15:26:07Z"), ("2021 年 4 月 21 日 下午3:26", "2021-04-21T15:26:00Z"),
      ("２０２１年４月２１日　１５：２６", "2021-04-21T15:26:00Z"), ("2021年4月21日星期三 上午 9时5分", "2021-04-21T09:05:00Z"),
      ("2021년 4월 21일 수요일 오후 3시 26분", "2021-04-21T15:26:00Z"),
      ("2021. 4. 21. 오후 3:26:07", "2021-04-21T15:26:07Z"), ("2021.04.21 (수) 15:26", "2021-04-21T15:26:00Z"),
      ("2021年4月", "2021-04-01T00:00:00Z"), ("令和3年4月21日", nil),
    ] as [(String, String?)])
  func `dates in all forms of feeds are parsed`(text: String, expected: String?) {
    #expect(UnixTime(feedDate: text)?.description == expected)
  }

  @Test(arguments: [
    "0001-01-01T00:00:00Z", "Mon, 01 Jan 0001 00:00:00 +0000", "Sun, 30 Nov -0001 00:00:00 +0000",
    "0000-00-00 00:00:00",
    "-0001-11-30T00:00:00+00:00", "30-Nov--0001", "0001年1月1日", "00010101", "01/01/0001 00:00:00", "-2021-04-21",
    "0999-12-31", "Mon Jan 1 00:00:00 UTC 0001", "0001-W01-1",
  ]) func `a zero date is refused`(text: String) {
    #expect(UnixTime(feedDate: text) == nil)
    #expect(UnixTime(rfc3339: text) == nil)
  }

  @Test func `a long text is refused without being read, but blanks do not count`() {
    let blanks = String(repeating: " \n", count: 5_000)
    #expect(UnixTime(feedDate: blanks + "2021-04-21" + blanks)?.description == "2021-04-21T00:00:00Z")
    for part in ["1", "(", "2021-04-21 ", "Mon, ", "+02:00 ", "年", " m=+1.1"] {
      let long = String(repeating: part, count: 10_000)
      #expect(TimeScanner(long, limit: 256) == nil)
      #expect(UnixTime(feedDate: "2021-04-21 " + long) == nil)
    }
  }

  @Test(arguments: [
    "2021-04-21 15:26 +0200 +0300", "2021-04-21 15:26 Europe/Berlin", "2021-04-21 15:26 +0200x",
    "2021-04-21 15:26:00 99",
    "2021-04-21 - - - - 15:26", "2021-W54-1", "2021-W00-1", "2021-13-21", "2021年13月1日", "2021年4月31日", "15:26",
    "2021-04-21T15:26+02:00]", "2021-04-21 下午", "Season 2 2021",
    "", " ", "yesterday", "Sun, 16 zzz 2012 11:47:32 GMT", "Sun, Dec x 2012 11:47:32 GMT",
    "Sun, 16 Dec zz 11:47:32 GMT", "Sun, 16 Dec 2012 11:47:32 +zz:00", "Sun, 16 Dec 2012 11:47:32 +00:zz",
    "Sun, 31 Feb 2012 11:47:32 GMT", "Sun, 16 Dec 2012 25:47:32 GMT", "Sun, 16 Dec 2012 11:61:32 GMT",
    "9999-12-31T23:59:59-99:99", "2003-12-31T10:14:61Z", "22013", "2013-01-27-01", "2013-01-28T11:30:00-06:00Textra",
    "2013-01-28T09:00:00+00:xx", "2013-13-01", "2013-00-10", "Thu , \t 09  Feb\t2006  23:59:45\t +0000",
    "12345678901234567890", "99/99/9999", "1:2:3", "January", "Mon, Mon, Mon",
  ]) func `other texts are refused`(text: String) {
    #expect(UnixTime(feedDate: text) == nil)
  }

  @Test func `no text crashes the parser`() {
    let parts = [
      "1", "99", "2024", "-", ":", "/", ".", ",", " ", "Mon", "Jan", "PM", "GMT", "+", "T", "Z", "é", "(", "\t",
    ]
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      if let time = UnixTime(feedDate: text.joined()) { #expect(time.description.utf8.count >= 20) }
    }
  }

  @Test func `a date in any known form is parsed back`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<4_000 {
      let form = WrittenDate(&random)
      guard UnixTime(feedDate: form.text)?.seconds == form.seconds else {
        Issue.record("\(form.text.debugDescription) is read as \(String(describing: UnixTime(feedDate: form.text)))")
        return
      }
    }
  }
}

/// A random time in a random form.
private struct WrittenDate {
  let text: String
  let seconds: Int

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let zones: [(text: String, offset: Int)] = [
    ("Z", 0), ("GMT", 0), (" UTC", 0), ("+02:00", 7_200), ("-0330", -12_600),
    (" +0200 CEST", 7_200), ("+05:30[Asia/Kolkata]", 19_800), (" EST", -18_000), (" 02:00", 7_200),
    (" 0530", 19_800), (" GMT-7", -25_200), (" +0200 (CEST)", 7_200), (" PST-0800", -28_800),
    ("", 0), (" +14", 50_400), (" -0300 -03", -10_800),
  ]

  init(_ random: inout SeededGenerator) {
    let local = Int.random(in: -6_000_000_000...8_000_000_000, using: &random)
    let civil = UnixTime(seconds: local).civilDate
    let second = ((local % 86_400) + 86_400) % 86_400
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hour, minute, rest) = (second / 3_600, second / 60 % 60, second % 60)
    let (year, month, day) = (civil.year, two(civil.month), two(civil.day))
    let name = Self.months[civil.month - 1]
    let weekday = Self.weekdays[((civil.daysSince1970 % 7) + 7) % 7]
    let clock = "\(two(hour)):\(two(minute)):\(two(rest))"
    let half = "\(hour % 12 == 0 ? 12 : hour % 12):\(two(minute)):\(two(rest)) \(hour < 12 ? "AM" : "PM")"
    // Of two days with the same weekday, the first reading wins.
    let slashes = civil.day > 12 ? "\(month)/\(day)" : "\(day)/\(month)"
    let zone = Self.zones.randomElement(using: &random) ?? Self.zones[0]
    let forms = [
      "\(civil)T\(clock)\(zone.text)", "\(civil) \(clock).25\(zone.text)",
      "\(year)/\(month)/\(day) \(clock)\(zone.text)",
      "\(weekday), \(day) \(name) \(year) \(clock)\(zone.text)",
      "\(weekday), \(day).\(month).\(year) - \(clock)\(zone.text)",
      "\(weekday), \(slashes)/\(year) - \(clock)\(zone.text)", "\(weekday) \(name) \(day) \(clock)\(zone.text) \(year)",
      "\(name) \(civil.day), \(year), \(half) \(zone.text)", "\(day)-\(name)-\(year) \(clock)\(zone.text)",
      "\(year)年\(month)月\(day)日 \(clock)\(zone.text)",
      "\(year)년 \(civil.month)월 \(civil.day)일 \(hour)시 \(minute)분 \(rest)초",
      "\(year)\(month)\(day)T\(two(hour))\(two(minute))\(two(rest))\(zone.text)",
      "\(year). \(civil.month). \(civil.day). \(clock)\(zone.text)",
    ]
    let form = Int.random(in: forms.indices, using: &random)
    text = forms[form]
    seconds = local - (form == 10 ? 0 : zone.offset)
  }
}
