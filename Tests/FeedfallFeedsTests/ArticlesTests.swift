import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct ArticlesTests {
  @Test(arguments: [
    (#""02:05""#, VideoDuration.seconds(125)), (#""1:02:05""#, .seconds(3_725)), (#""125""#, .seconds(125)),
    (#""125.7""#, .seconds(125)), ("125", .seconds(125)), ("125.9", .seconds(125)),
    (#""90:00""#, .seconds(5_400)), (#""00:60:05""#, .seconds(3_605)), (#""0:90:00""#, .seconds(5_400)),
    (#""0:01:60""#, .seconds(120)),
    (#""00:00:12.0""#, .seconds(12)), (#""about an hour""#, .text("about an hour")),
    (#""1:75""#, .seconds(135)),
    (#""01:00:00:01""#, .seconds(3_600)), (#""1:2x""#, .text("1:2x")),
  ])
  func `a duration is parsed as seconds or stays a text`(json: String, duration: VideoDuration) throws {
    #expect(try article(#"{"title":"T","flv":"https://m.example/v","duration":\#(json)}"#)?.duration == duration)
  }

  @Test(arguments: [
    "0", #""0""#, #""00:00""#, #""""#, "null", "-5", "1e300", "99999999999999999999", "[]", "{}", "true",
  ])
  func `a missing duration is nil`(json: String) throws {
    let video = try #require(try article(#"{"title":"T","flv":"https://m.example/v","duration":\#(json)}"#))
    #expect(video.duration == nil)
  }

  @Test(arguments: [("1", 1), ("200", 200), ("0", nil), ("201", nil), ("-3", nil), ("1e99", nil), (#""x""#, nil)])
  func `the rows of a card are 1 to 200`(json: String, rows: Int?) throws {
    let video = try #require(try article(#"{"title":"T","flv":"https://m.example/v","rows":\#(json)}"#))
    #expect(video.rows == rows)
  }

  @Test(arguments: [
    (#"{"data":{"info_list":[{"title":"A","flv":"https://m.example/v"}],"end":"1"}}"#, true),
    (#"{"data":{"end":true,"info_list":[{"title":"A","flv":"https://m.example/v"}]}}"#, true),
    (#"{"data":{"info_list":[{"title":"A","flv":"https://m.example/v"}]},"end":1}"#, true),
    (
      #"{"data":{"info_list":[{"title":"A","end":0,"flv":"https://m.example/v"},{"title":"B","end":1,"flv":"https://m.example/v"}]}}"#,
      true
    ),
    (#"{"data":{"info_list":[{"title":"A","end":0,"flv":"https://m.example/v"}],"end":1}}"#, true),
    (#"{"data":{"info_list":[{"title":"A","end":1,"flv":"https://m.example/v"}],"end":0}}"#, false),
    (
      #"{"data":{"info_list":[{"title":"A","end":1,"flv":"https://m.example/v"},{"title":"B","end":0,"flv":"https://m.example/v"}]}}"#,
      false
    ),
    (#"{"data":{"info_list":[{"title":"A","flv":"https://m.example/v"}],"end":2}}"#, false),
    (#"{"data":{"info_list":null,"end":1}}"#, true),
    (#"{"data":{"info_list":[],"end":1}}"#, true),
  ])
  func `the envelope or the last item marks the end`(json: String, isEnd: Bool) throws {
    #expect(try decode(json).saysEnd == isEnd)
  }
}
