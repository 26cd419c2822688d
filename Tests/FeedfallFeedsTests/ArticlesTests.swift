import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct ArticlesTests {
  private let page = #"""
    {"data":{"info_list":[
      {"cover":"https://i.example/1.jpg","title":"One","flv":"https://m.example/1.flv","duration":"01:30","end":0,
       "height":360,"width":640},
      {"cover":"https://i.example/2.jpg","title":"Two","flv":"https://m.example/2.mp4","duration":90,"end":0,
       "height":"1280","width":"720"}
    ],"end":1}}
    """#

  @Test func `a page of articles becomes videos`() throws {
    let document = try decode(page)
    #expect(document.kind == .articles)
    #expect(document.saysEnd)
    #expect(document.skippedCount == 0)
    let one = try #require(document.videos.first)
    #expect(one.title == "One")
    #expect(one.id == "https://m.example/1.flv")
    #expect(one.duration == .seconds(90))
    #expect(one.pictureSize == PixelSize(width: 640, height: 360))
    #expect(one.covers.map(\.url.text) == ["https://i.example/1.jpg"])
    #expect(one.playbackURL?.text == "https://m.example/1.mp4")
    let two = try #require(document.videos.last)
    #expect(two.playbackURL?.text == "https://m.example/2.mp4")
    #expect(two.pictureSize == PixelSize(width: 720, height: 1_280))
  }

  @Test(arguments: [
    ("https://m.example/a.flv", "https://m.example/a.mp4"),
    ("https://m.example/a.FLV?x=1.flv#t", "https://m.example/a.mp4?x=1.flv#t"),
    ("https://m.example/a.mp4?b=.flv", "https://m.example/a.mp4?b=.flv"),
    ("https://m.example/aflv", "https://m.example/aflv"),
    ("https://m.flv", "https://m.flv"),
    ("https://m.flv/x", "https://m.flv/x"),
    ("https://m.example/a.flv/", "https://m.example/a.flv/"), ("https://m.example/.flv", "https://m.example/.flv"),
    ("https://my.flv.d/a.flvx", "https://my.flv.d/a.flvx"),
  ])
  func `only a path with the extension flv is tried as mp4`(given: String, played: String) throws {
    let video = try #require(try article(#"{"title":"T","flv":"\#(given)"}"#))
    guard case .direct(let files) = video.playback else { return #expect(Bool(false), "no file") }
    #expect(files.map(\.url.text) == (given == played ? [played] : [played, given]))
  }

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
    (
      "<rss><channel><title>T</title><description>A &lt;b&gt;feed&lt;/b&gt;\nof talks</description><item><title>A</title>"
        + "<description>no</description><link>https://m.example/a</link></item></channel></rss>", "A feed of talks"
    ),
    (
      "<feed xmlns='http://www.w3.org/2005/Atom'><subtitle>Talks</subtitle><entry><title>A</title>"
        + "<link href='https://m.example/a'/></entry></feed>", "Talks"
    ),
    (
      #"{"version":"https://jsonfeed.org/version/1.1","title":"T","description":"Talks","items":"#
        + #"[{"id":"1","title":"A","url":"https://m.example/a","description":"no"}]}"#, "Talks"
    ),
    (#"{"data":{"info_list":[{"title":"A","flv":"https://m.example/a","description":"no"}],"end":1}}"#, nil),
  ])
  func `a feed's own description is its summary`(document: String, summary: String?) throws {
    #expect(try decode(document).summary == summary)
  }

  @Test func `an invalid item is skipped and counted`() throws {
    let document = try decode(
      #"{"data":{"info_list":[1,null,"x",[],{"title":"A","flv":"https://m/a"},{},{"title" "B"},{"cover":"https://i/x"},{"title":"C","flv":"https://m/c"}],"end":0}}"#
    )
    #expect(document.videos.map(\.title) == ["A", "C"])
    #expect(document.skippedCount == 7)
    #expect(!document.saysEnd)
  }

  @Test func `members of the wrong type are ignored`() throws {
    let video = try #require(
      try article(
        #"{"title":42,"flv":{"a":1},"cover":[1],"duration":[],"width":"x","height":-3,"end":"no","views":"7","id":12,"page":"https://p.example/1"}"#
      ))
    #expect(video.title == "42")
    #expect(video.id == "12")
    #expect(video.views == 7)
    #expect(video.playback == .page(try #require(WebAddress("https://p.example/1"))))
    #expect(video.covers.isEmpty)
    #expect(video.pictureSize == nil)
  }

  @Test(arguments: [
    (#"{"data":{"info_list":[{"title":"A","flv":"https://m.example/v"}],"end":"1"}}"#, true),
    (#"{"data":{"end":true,"info_list":[{"title":"A","flv":"https://m.example/v"}]}}"#, true),
    (#"{"data":{"info_list":[{"title":"A","flv":"https://m.example/v"}]},"end":1}"#, true),
    (
      #"{"data":{"info_list":[{"title":"A","end":0,"flv":"https://m.example/v"},{"title":"B","end":1,"flv":"https://m.example/v"}]}}"#,
      true
    ),
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

  @Test func `an item without a file and a page is skipped`() {
    #expect(throws: FeedFailure.self) { try article(#"{"title":"T","cover":"https://i.example/1.jpg"}"#) }
  }

  @Test func `optional members are decoded`() throws {
    let video = try #require(
      try article(
        #"""
        {"title":"Tom & <J>","flv":"/v/1.flv","cover":"c/1.jpg","channel":"Ch","author":"Au","published":"2018-10-01",
        "page":"https://p.example/1","views":12,"licence":"CC0","licenceURL":"https://l.example/",
        "description":"a\nb &amp;","id":"n1","bytes":1000,"year":2018}
        """#))
    #expect(video.title == "Tom & <J>")
    #expect(video.id == "n1")
    #expect(video.playbackURL?.text == "https://feed.example/v/1.mp4")
    #expect(video.covers.first?.url.text == "https://feed.example/c/1.jpg")
    #expect(video.channel == "Ch")
    #expect(video.author == "Au")
    #expect(video.published?.civilDate.description == "2018-10-01")
    #expect(video.pageURL?.text == "https://p.example/1")
    #expect(video.views == 12)
    #expect(video.licence == "CC0")
    #expect(video.licenceURL?.text == "https://l.example/")
    #expect(video.summary == "a\nb &amp;")
    #expect(video.byteCount == 1_000)
    #expect(video.year == 2_018)
  }

  @Test func `an item with only a page is played by its page`() throws {
    let video = try #require(try article(#"{"page":"https://p.example/1"}"#))
    #expect(video.title == "(untitled)")
    #expect(video.playback == .page(try #require(WebAddress("https://p.example/1"))))
  }

  @Test func `addresses other than http and https are ignored`() throws {
    let video = try #require(
      try article(
        #"{"title":"T","flv":"file:///etc/passwd","cover":"javascript:x","page":"https://p.example/1"}"#))
    #expect(video.playback == .page(try #require(WebAddress("https://p.example/1"))))
    #expect(video.covers.isEmpty)
    #expect(throws: FeedFailure.self) { try article(#"{"title":"T","page":"--script=x\u0007"}"#) }
  }

  @Test(arguments: [
    ("1538391166", 1_538_391_166), ("1538391166000", 1_538_391_166), (#""1538391166""#, 1_538_391_166),
  ])
  func `a date may be in seconds or milliseconds`(json: String, seconds: Int) throws {
    #expect(
      try article(#"{"title":"T","flv":"https://m.example/v","published":\#(json)}"#)?.published?.seconds == seconds)
  }

  @Test func `escapes in names and texts are decoded`() throws {
    let video = try #require(
      try article(#"{"flv":"https://m.example/v","t\u0069tle":"\ud83d\ude00 \"q\" \u00e9\/\n\ud800x\q"}"#))
    #expect(video.title == "😀 \"q\" é/ \u{FFFD}x\u{FFFD}")
  }
}
