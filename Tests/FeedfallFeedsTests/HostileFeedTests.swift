import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct HostileFeedTests {
  @Test(arguments: [
    "<", "<a", "<a ", "<a b=\"", "<a b='<c d=\"", "</a>", "</", "<?x>", "<?", "<!--", "<!x>", "<!DOCTYPE a [",
    "<![CDATA[",
    "&", "&#x10FFFF;", "&#99999999999;", "<item>", "<item><title>", "<rss><item/>", "<a xmlns:b='c'>", "]]>", "<a/>",
    "\u{0}",
    "<item><media:content><media:group>", "<entry><content><div>", "<xml:base xml:base='..'>", "<feed xml:base='x/'>",
  ]) func `any repeated part is read to its end`(part: String) {
    let body = "<rss xmlns:media='http://search.yahoo.com/mrss/'><channel>" + String(repeating: part, count: 20_000)
    var reader = FeedDocumentReader(Array(body.utf8), from: WebAddress("http://a.example/").map(MediaAddress.web))
    let result = reader.readAll(by: 100)
    #expect(result.failure != nil || reader.isAtEnd)
  }

  @Test func `texts are cleaned and unsafe addresses are dropped`() throws {
    let video = try rss(
      """
      <item><title>a&#27;[31m&#x202E;b</title><link>javascript:alert(1)</link><guid>--exec=x</guid>
      <enclosure url="file:///etc/passwd" type="video/mp4"/><enclosure url="https://h.example/&#10;x.mp4"/></item>
      """
    ).first
    #expect(video?.title == "a[31mb")
    #expect(addresses(video).allSatisfy { $0.hasPrefix("https://h.example/") && !$0.contains("\n") })
    #expect(video?.pageURL.map { $0.text.hasPrefix("https://feed.example/") } ?? true)
  }

  @Test(.needsRecordings)
  func `damaged real feeds do not crash the decoder`() throws {
    var random = SeededGenerator(seed: 3)
    for original in try SharedFiles.feeds() where original.count > 1 && original.count < 60_000 {
      var bytes = Array(original.prefix(Int.random(in: 1...original.count, using: &random)))
      for _ in 0...(bytes.count / 100) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      var reader = FeedDocumentReader(bytes, from: nil)
      let result = reader.readAll(by: 100)
      #expect(result.failure != nil || reader.isAtEnd)
    }
  }

  @Test(.needsRecordings)
  func `damaged real answers of services do not crash the decoder`() throws {
    var random = SeededGenerator(seed: 7)
    let answers = try SharedFiles.serviceAnswers()
    #expect(answers.count > 10)
    for original in answers {
      for round in 0..<6 {
        // Complete answers with corrupted values are parsed further than truncated ones.
        var bytes = round < 2 ? Array(original.prefix(Int.random(in: 1...original.count, using: &random))) : original
        for _ in 0...(bytes.count / (round < 2 ? 100 : 4_000)) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = bytes[place].isDigit ? UInt8(ascii: "9") : UInt8.random(in: 0x20...0x7E, using: &random)
        }
        var reader = FeedDocumentReader(
          bytes, from: WebAddress("https://h.example/metadata/x").map(MediaAddress.web))
        let result = reader.readAll(by: 100)
        #expect(result.failure != nil || reader.isAtEnd)
      }
    }
  }

  @Test func `a feed whose addresses have a long base is refused`() {
    let base = "http://h.example/" + String(repeating: "x/", count: 500)
    let body =
      "<rss xml:base='\(base)'><channel><item><title>A</title></item>" + String(repeating: "<a/>", count: 50_000)
      + "</channel></rss>"
    #expect(failure(body) == .tooComplex)
  }

  @Test(arguments: ["{}", "1", "[]"]) func `JSON with millions of empty items is refused`(item: String) {
    let body = #"[{"title":"A","flv":"https://m.example/v"},"# + String(repeating: item + ",", count: 1_200_000) + "1]"
    #expect(failure(body) == .tooComplex)
  }

  @Test func `JSON with millions of values around its list is refused`() {
    let body = #"{"tags":["# + String(repeating: "1,", count: 1_200_000) + #"1],"videos":[]}"#
    #expect(failure(body) == .tooComplex)
  }

  @Test func `a feed after much white space is read`() throws {
    let blanks = String(repeating: " ", count: 1 << 20)
    #expect(try decode(blanks + #"[{"title":"A","flv":"https://m.example/v"}]"#).videos.map(\.title) == ["A"])
  }

  @Test func `a document without end is cut after its first videos`() {
    let list = "[" + String(repeating: #"{"flv":"https://m.example/v"},"#, count: 100)
    let lines = "#EXTM3U\n" + String(repeating: "https://m.example/v\n", count: 100)
    for body in [list, lines] {
      var reader = FeedDocumentReader(Array(body.utf8), from: nil, atMost: 300)
      let result = reader.readAll()
      #expect(result.videos.count > 5 && result.failure == .tooLarge)
    }
  }

  @Test func `the count of videos in a document is limited`() throws {
    let rss = Array(("<rss version='2.0'><channel>" + String(repeating: "<item/>", count: 30)).utf8)
    let json = Array(("[" + String(repeating: #"{"flv":"https://v.example/1.mp4"},"#, count: 29) + "{}]").utf8)
    for body in [rss, json] {
      #expect(try FeedDecoder.decode(body, from: nil, atMost: 20).videos.count == 20)
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
