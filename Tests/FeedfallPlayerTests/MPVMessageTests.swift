import FeedfallApp
import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit) struct MPVMessageTests {
  @Test(arguments: [
    "", "x", "{}", "[]", "{\"event\":1}", "{\"event\":\"start-file\"}", "{\"event\":\"end-file\",\"reason\":\"eof\"}",
    "{\"request_id\":\"x\",\"error\":7}", "{\"event\":\"property-change\",\"name\":\"no-such\",\"data\":1}",
    "{\"event\":\"idle\"",
    "{\"event\":\"log-message\",\"text\":\"all is well\"}",
  ])
  func `invalid and unused lines are ignored`(line: String) {
    #expect(MPVMessage(line: Array(line.utf8)) == nil)
  }

  @Test func `text from a file is cleaned`() {
    let line =
      #"{"event":"property-change","name":"track-list","data":[{"id":1,"type":"sub","title":"a\u001b[2J\nb","lang":"de"}]}"#
    let track = MediaTrack(kind: .subtitles, number: 1, title: "a[2J b", language: "de")
    #expect(MPVMessage(line: Array(line.utf8)) == .propertyChanged(.tracks([track])))
  }

  @Test func `chapters of a file are cleaned, and invalid ones dropped`() {
    let line =
      #"{"event":"property-change","name":"chapter-list","data":[{"time":60.5,"title":"B\u001b[2J"},{"title":"x"},7,{"time":0},{"time":-9,"title":"y"},{"time":1e300}]}"#
    let marks: [Chapter.Mark] = [(0, nil), (60.5, "B[2J")]
    let chapters = Chapter.list(marks)
    #expect(MPVMessage(line: Array(line.utf8)) == .propertyChanged(.chapters(chapters)))
    let none = #"{"event":"property-change","name":"chapter-list"}"#
    #expect(MPVMessage(line: Array(none.utf8)) == .propertyChanged(.chapters([])))
  }

  @Test(arguments: [
    ("http: HTTP error 404 Not Found", MPVMessage.LogError.source(.http(status: 404))),
    ("https: HTTP error 503 Service Unavailable", .source(.http(status: 503))),
    ("tcp: Failed to resolve hostname a.invalid: Name or service not known", .source(.nameNotFound)),
    ("tcp: Connection to tcp://127.0.0.1:1 failed: Connection refused", .source(.refused)),
    ("Cannot seek backward in linear streams!", .notSeekable),
    ("Error opening/initializing the selected video_out (--vo) device.", .noPictureOutput),
    ("Cannot open file '/a/b.mp4': No such file or directory", .noFile),
    ("Cannot open file '/a/b.mp4': Permission denied", .noAccess),
    ("mp3: Estimating duration from bitrate, this may be inaccurate", .length(.isEstimate)),
    (
      "http: Stream ends prematurely at 300000, should be 2217011\n", .length(.connectionEnded(isAnnounced: true))
    ),
    (
      "http: Stream ends prematurely at 300000, should be 18446744073709551615",
      .length(.connectionEnded(isAnnounced: false))
    ),
    ("Stream ends prematurely", .length(.connectionEnded(isAnnounced: false))),
    ("Could not open the page: A", .source(.page(reason: "A", advice: nil))),
    ("Could not open the page: A\u{1F}B\u{1F}\u{1F}", .source(.page(reason: "A", advice: "B"))),
  ])
  func `log messages are parsed`(text: String, error: MPVMessage.LogError) {
    #expect(MPVMessage.LogError(text) == error)
  }

  @Test(arguments: ["5e22", "1e308", "-1e30", "1e999", "NaN", "null", "{}", "\"x\"", "315705600000"])
  func `a time of more than ten years is unknown`(number: String) {
    func property(_ name: String) -> MPVMessage? {
      MPVMessage(line: Array(#"{"event":"property-change","name":"\#(name)","data":\#(number)}"#.utf8))
    }
    #expect(property("time-pos").map { $0 == .propertyChanged(.time(nil)) } ?? true)
    #expect(property("duration").map { $0 == .propertyChanged(.length(.duration(nil))) } ?? true)
    let cache = property("demuxer-cache-state")
    #expect(cache.map { $0 == .propertyChanged(.cache(LengthWatch.Cache())) } ?? true)
  }

  @Test func `a picture larger than a million pixels on a side is unknown`() {
    for length in ["9223372036854775807", "-5", "0", "1048577", "1e300"] {
      let line = #"{"event":"property-change","name":"video-params","data":{"dw":\#(length),"dh":4}}"#
      #expect(MPVMessage(line: Array(line.utf8)) == .propertyChanged(.fileSize(nil)))
    }
  }
}
