import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct ChapterTests {
  private func texts(_ chapters: [Chapter]) -> [String] { chapters.map { "\($0.start) \($0.title)" } }

  @Test func `marks are sorted, cleaned and numbered`() {
    let marks: [Chapter.Mark] = [
      (60, "Second\u{1B}[2J\nline"), (0, ""), (.nan, "x"), (nil, "x"), (-1, "x"), (1e12, "x"), (60, "again"),
    ]
    #expect(texts(Chapter.list(marks)) == ["0.0 Chapter 1", "60.0 Second[2J line"])
  }

  @Test func `one chapter counts as none, and at most 500 are adopted`() {
    #expect(Chapter.list([(start: 0, title: "Only")] as [Chapter.Mark]) == [])
    #expect(Chapter.list((0..<100_000).lazy.map { (start: Double($0), title: "x") }).count == 500)
  }

  @Test(arguments: [
    ("0:00 Intro\n1:05 Work\n1:02:03 End", ["0.0 Intro", "65.0 Work", "3723.0 End"]),
    ("Text\n\n[00:00] - Intro\n(02:10): Middle\n• 3:00 – End", ["0.0 Intro", "130.0 Middle", "180.0 End"]),
    ("0:00 - 1:05 Intro\n1:05 - 2:00 End", ["0.0 Intro", "65.0 End"]),
    ("At 20:15 on air\n20:15 Start\n0:00 A\n0:30 B\n0:20 C\n0:40 D", ["0.0 A", "30.0 B"]),
    ("0:00 Only", []), ("1:00 A\n2:00 B", []), ("0:00\n1:00", []), ("0:00 A\n1:75 B\n1:5 C", []),
    ("", []), ("::::\n0:0:0:0 x\n99999999999999:00 y\n0:00.5.5 z", []),
  ])
  func `a description lists chapters in lines with ascending times`(text: String, expected: [String]) {
    #expect(texts(Chapter.listed(in: text)) == expected)
  }

  @Test func `hostile descriptions end at 500 chapters`() {
    let text = (0..<20_000).map { "\($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60) x" }.joined(separator: "\n")
    #expect(Chapter.listed(in: text).count == 500)
    #expect(Chapter.listed(in: String(repeating: "0:", count: 100_000)).isEmpty)
  }

  @Test(arguments: [
    (#"{"chapters":[{"timecode":0,"title":"A"},{"timecode":90,"title":"B"}]}"#, ["0.0 A", "90.0 B"]),
    (
      #"{"version":"1.2.0","chapters":[{"startTime":0},{"startTime":1.5,"title":"B","toc":false},{"startTime":"2","title":3}]}"#,
      ["0.0 Chapter 1", "2.0 3"]
    ),
    ("[]", []), ("", []), (#"{"chapters":{"startTime":0}}"#, []), (#"{"chapters":[1,null,[]]}"#, []),
  ])
  func `a document of chapters completes a video`(body: String, expected: [String]) throws {
    var video = Video(id: "1", title: "A", playback: .unknown)
    video.chaptersURL = WebAddress("https://a.example/chapters")
    #expect(video.canBeCompleted)
    let completed = FeedDecoder.decodeChapters(Array(body.utf8), completing: video)
    #expect(texts(completed.chapters) == expected)
    #expect(!completed.canBeCompleted)
  }

  @Test func `an item of RSS has Podlove Simple Chapters`() throws {
    let item = """
      <item><title>A</title><enclosure url="https://a.example/1.mp3" type="audio/mpeg"/>
      <podcast:chapters url="chapters.json" type="application/json+chapters"/>
      <psc:chapters xmlns:psc="http://podlove.org/simple-chapters" version="1.2">
      <psc:chapter start="00:01:00.500" title="B &amp; C"/><psc:chapter start="0" title="A"/><psc:chapter start="x"/>
      </psc:chapters></item>
      """
    let video = try #require(try rss(item).first)
    #expect(texts(video.chapters) == ["0.0 A", "60.5 B & C"])
    #expect(video.chaptersURL == nil)
  }

  @Test(arguments: [
    (#"url="/c.json" type="application/json+chapters""#, "https://feed.example/c.json"),
    (#"url="https://b.example/c""#, "https://b.example/c"), (#"url="file:///etc/passwd""#, nil),
    (#"url="/c.xml" type="text/xml""#, nil), ("", nil),
  ])
  func `an item of RSS has the address of its chapters`(attributes: String, expected: String?) throws {
    let item = "<item><title>A</title><podcast:chapters \(attributes)/></item>"
    let video = try #require(try rss(item).first)
    #expect(video.chaptersURL?.text == expected)
  }
}
