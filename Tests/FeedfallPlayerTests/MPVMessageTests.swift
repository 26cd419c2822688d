import FeedfallPlaying
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

  @Test(arguments: [
    ("http: HTTP error 404 Not Found", MPVLogError.source(.http(status: 404))),
    ("https: HTTP error 503 Service Unavailable", .source(.http(status: 503))),
    ("tcp: Failed to resolve hostname a.invalid: Name or service not known", .source(.unreachable)),
    ("tcp: Connection to tcp://127.0.0.1:1 failed: Connection refused", .source(.unreachable)),
    ("Error opening/initializing the selected video_out (--vo) device.", .noPictureOutput),
  ])
  func `log messages are parsed`(text: String, error: MPVLogError) {
    #expect(MPVLogError(text) == error)
  }

  @Test func `lines are joined from pieces, and lines that are too long dropped`() {
    var splitter = LineSplitter()
    #expect(splitter.append(Array("ab".utf8)).isEmpty)
    #expect(splitter.append(Array("c\n\nd".utf8)) == [Array("abc".utf8), []])
    for _ in 0..<17 { #expect(splitter.append([UInt8](repeating: 65, count: 1 << 16)).isEmpty) }
    #expect(splitter.append(Array("e\nf\n".utf8)) == [Array("f".utf8)])
  }
}
