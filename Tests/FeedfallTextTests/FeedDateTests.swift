import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct FeedDateTests {
  @Test(arguments: [
    ("Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"),
    ("1 Jan 04 9:48 +0200", "2004-01-01T07:48:00Z"),
    ("01 Jan 70 00:00:00 GMT", "1970-01-01T00:00:00Z"),
    ("Fri,24 Nov 2023 18:28:36 -0000", "2023-11-24T18:28:36Z"),
    ("Mon, 13 Feb, 2012 06:28:00 UTC", "2012-02-13T06:28:00Z"),
    ("Thu,\r\n 09 Feb 2006\r\n 23:59:45 +0000", "2006-02-09T23:59:45Z"),
    ("Tue 11 Jan 2011 01:30:00 GMT", "2011-01-11T01:30:00Z"),
    ("Mon, 26 January 2004 16:31:00 CT", "2004-01-26T22:31:00Z"),
    ("Wed, 5 Nov 2025 13:52:10  EST", "2025-11-05T18:52:10Z"),
    ("Wed, 5 Nov 2025 13:52:10 GMT+0200", "2025-11-05T11:52:10Z"),
    ("Wed, 5 Nov 2025 13:52:10 +0200 (CEST)", "2025-11-05T11:52:10Z"),
    ("Mon, 21 Jan 2008 8:56 am PST", "2008-01-21T16:56:00Z"),
    ("Sun, 20 Apr 2014 8:19 pm CEST", "2014-04-20T18:19:00Z"),
    ("Sun, 20 Apr 2014 12:05 AM", "2014-04-20T00:05:00Z"),
    ("Sat, Dec 16 2023 02:02:33 PM", "2023-12-16T14:02:33Z"),
    ("Sun Jan  4 16:29:06 2004", "2004-01-04T16:29:06Z"),
    ("Sun Jan  4 16:29:06 PST 2004", "2004-01-05T00:29:06Z"),
    ("Sat Oct 06 2018 00:00:00 GMT+0100 (Central)", "2018-10-05T23:00:00Z"),
    ("Monday, 15-Aug-05 15:52:01 UTC", "2005-08-15T15:52:01Z"),
    ("31 Dec 2002 14:20:20 A", "2002-12-31T15:20:20Z"),
    ("July 4, 2019", "2019-07-04T00:00:00Z"),
    ("4th July 2019 at 10:00", "2019-07-04T10:00:00Z"),
    ("Seg, 24 Set 2018 10:00:00 +0000", "2018-09-24T10:00:00Z"),
    ("mer, 16 nov 2022 08:00:00 +0100", "2022-11-16T07:00:00Z"),
    ("24 de setembro de 2018", "2018-09-24T00:00:00Z"),
  ]) func `dates with the name of a month are parsed`(text: String, expected: String) {
    #expect(UnixTime(feedDate: text)?.description == expected)
  }

  @Test(arguments: [
    ("2003-12-31T10:14:55.1234Z", "2003-12-31T10:14:55Z"),
    ("2025-01-03T10:14:24+01:00", "2025-01-03T09:14:24Z"),
    ("2006-01-11 16:43:22 -0800", "2006-01-12T00:43:22Z"),
    ("2017-06-13T03:18:00+00:0", "2017-06-13T03:18:00Z"),
    ("2020/1/10 14:28:00", "2020-01-10T14:28:00Z"),
    ("2018-12-13", "2018-12-13T00:00:00Z"), ("2018-12", "2018-12-01T00:00:00Z"), ("2018", "2018-01-01T00:00:00Z"),
    ("20181213", "2018-12-13T00:00:00Z"), ("20181213T101112Z", "2018-12-13T10:11:12Z"),
    ("2018-347", "2018-12-13T00:00:00Z"), ("03-12-31", "2003-12-31T00:00:00Z"), ("-03-12", "2003-12-01T00:00:00Z"),
    ("31.12.2003 10:00", "2003-12-31T10:00:00Z"), ("12/31/2003", "2003-12-31T00:00:00Z"),
    ("1609459200", "2021-01-01T00:00:00Z"), ("1609459200000", "2021-01-01T00:00:00Z"),
    ("2012-04-20T24:00:00Z", "2012-04-21T00:00:00Z"), ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
  ]) func `dates of numbers are parsed`(text: String, expected: String) {
    #expect(UnixTime(feedDate: text)?.description == expected)
  }

  @Test(arguments: [
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
}
