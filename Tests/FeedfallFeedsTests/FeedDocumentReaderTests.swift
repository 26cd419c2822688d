import FeedfallText
import FoundationEssentials
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct FeedDocumentReaderTests {
  private let documents = [
    #"{"data":{"info_list":[{"title":"A \"q\" \\","flv":"https://m/1.flv"},null,{"title":"B]},{"},"x",{"title":"C","flv":"https://m.example/v"}],"end":1}}"#,
    #"{"total":3,"data":[{"uuid":"u1","name":"A","files":[{"a":[1,2,{"b":"]"}]}]},{"uuid":"u2","name":"é😀"},7]}"#,
    "\u{FEFF} [ {\"title\":\"A\\u00e9\",\"flv\":\"https://m.example/v\"} , {\"title\":\"B\",\"flv\":\"https://m.example/w\"} ] ",
    #"{"title":"T","videos":[{"title":"A","flv":"https://h/z","year":2001},{"title":"B","alternates":["https://h/x"],"url":"https://h/y"}]}"#,
    #"{"uuid":"u1","name":"Single","streamingPlaylists":[{"playlistUrl":"https://h/m.m3u8"}],"x":{"data":[1]}}"#,
    #"{"a":{"data":[{"title":"no"}]},"data":{"b":[true,false,null,-1.5e3],"info_list":[]},"end":1}"#,
  ]

  /// Documents that follow each other; one that is cut between them is whole.
  private let sequences = [
    "{\"title\":\"A\",\"url\":\"https://h/1.mp4\"}\n{\"title\":\"B\",\"url\":\"https://h/2.mp4\"}\r\nnull\n{\"x\":[\"}\"]}\n",
    #"{"title":"T","videos":[{"title":"A","url":"https://h/1.mp4"}]}{"videos":[]} [{"flv":"https://h/2.mp4"},3]"#,
    "\u{1E}{\"extractor\":\"x\",\"webpage_url\":\"https://h/1\"}\n\u{1E}{\"extractor\":\"x\",\"webpage_url\":\"https://h/2\"}\n",
    #"{"videos":[{"url":"https://h/1.mp4"}]} ; {"videos":[{"url":"https://h/2.mp4"}]}"#,
  ]

  private func read(_ bytes: [UInt8]) -> (videos: [Video], failure: FeedFailure?, skipped: Int) {
    var reader = FeedDocumentReader(bytes, from: nil)
    let (videos, failure) = reader.readAll()
    return (videos, failure, reader.skippedCount)
  }

  @Test(arguments: [
    (0, ["A \"q\" \\", "C"], 3), (1, ["A", "é😀"], 1), (2, ["Aé", "B"], 0), (3, ["A", "B"], 0),
    (4, ["Single"], 0), (5, [], 0), (6, ["A", "B"], 2), (7, ["A", "(untitled)"], 1), (8, ["1", "2"], 0),
    (9, ["(untitled)"], 0),
  ])
  func `the videos of all lists are found`(number: Int, titles: [String], skipped: Int) {
    let result = read(Array((documents + sequences)[number].utf8))
    #expect(result.videos.map(\.title) == titles && result.failure == nil && result.skipped == skipped)
  }

  @Test func `a document cut at any byte yields its first videos and then fails`() {
    for document in documents {
      let bytes = Array(document.utf8)
      let whole = read(bytes).videos
      let content = bytes.lastIndex { !$0.isJSONWhiteSpace } ?? 0
      for end in 0..<content {
        let cut = read(Array(bytes[..<end]))
        #expect(whole.starts(with: cut.videos))
        #expect(cut.failure?.kind == .temporary || cut.failure?.reason.hasPrefix("the answer is neither") == true)
      }
    }
  }

  @Test func `damaged documents do not crash the reader`() {
    var random = SeededGenerator(seed: 22)
    let marks = Array("{}[]\",:\\ \u{0}\u{1B}null1e\u{FF}".utf8) + [0xC3, 0xFF, 0xED]
    for document in documents + sequences {
      for _ in 0..<400 {
        var bytes = Array(document.utf8)
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[place] = marks.randomElement(using: &random) ?? 0
          case 1: bytes.insert(marks.randomElement(using: &random) ?? 0, at: place)
          default: bytes.remove(at: place)
          }
        }
        #expect(read(bytes).videos.count <= 4)
      }
    }
  }

  @Test(.needsRecordings)
  func `damaged recorded answers do not crash the reader`() throws {
    var random = SeededGenerator(seed: 23)
    let name = "framatube.org_api_v1_search_videos_search=fsf&start=0&count=12.json"
    let original = try SharedFiles.bytes(name)
    for _ in 0..<40 {
      var bytes = original
      for _ in 0..<(bytes.count / 100) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let read = read(bytes)
      #expect(read.videos.count <= 12)
    }
  }

  @Test func `an incomplete document fails after its videos`() throws {
    var reader = FeedDocumentReader(Array(#"[{"title":"A","flv":"https://m.example/v"},{"ti"#.utf8), from: nil)
    #expect(try reader.nextVideos(5).map(\.title) == ["A"])
    #expect(!reader.isAtEnd)
    for _ in 0..<2 {
      #expect(throws: FeedFailure(.temporary, "the feed is incomplete after 1 video")) {
        try reader.nextVideos(5)
      }
    }
  }

  @Test func `an item has at most 4 MB`() throws {
    let long = String(repeating: "a", count: 5 << 20)
    let item = #"{"title":"B","flv":"https://m.example/v"}"#
    let result = read(Array(#"[{"flv":"https://m.example/v","title":"\#(long)"},\#(item)]"#.utf8))
    #expect(result.videos.map(\.title) == ["B"] && result.skipped == 1)
  }

  @Test func `an answer without a list may have 32 MB`() {
    let text = String(repeating: "a", count: 1 << 20)
    func answer(_ count: Int) -> [UInt8] {
      let start = #"{"uuid":"u","name":"N","streamingPlaylists":[{"playlistUrl":"https://h/m.m3u8"}],"x":""#
      return Array((start + String(repeating: text, count: count) + #""}"#).utf8)
    }
    #expect(read(answer(6)).videos.map(\.title) == ["N"])
    let failure = read(answer(33)).failure
    #expect(failure?.reason == "the answer is too large: more than 32 MB of JSON without a list of videos")
  }

  @Test func `the work of reading lines grows with their count alone`() {
    let lines = JSONItems(Array(String(repeating: "{\"a\":[{},{\"b\":\"}\"}]}\n", count: 2_000).utf8))
    #expect(lines.documents.map(\.items.count) == [0, 1_999] && lines.work.nodeCount <= 2_010)
  }

  @Test func `a document cut after much white space is not called empty`() {
    let failure = read(Array(("{" + String(repeating: " ", count: 6 << 20)).utf8)).failure
    #expect(failure?.reason == "the feed is incomplete after 0 videos")
  }
}

@Suite(.hangLimit) struct JSONItemsTests {
  /// An item as decoded by both decoders.
  private struct Item: Decodable, Equatable {
    var title: String
    var views: Int
  }

  @Test func `the items are those that a whole-document decoder finds`() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<300 {
      var items: [String] = []
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        let noise = value(depth: 4, &random)
        items.append(
          #"{\#(space(&random))"x":\#(noise),"flv":"https://h/v","title":"T\#(text(&random))"\#(space(&random)),"views":\#(Int.random(in: 0..<99, using: &random))}"#
        )
      }
      let list = items.joined(separator: space(&random) + ",")
      let json =
        #"{"a":\#(value(depth: 3, &random)),"data":[\#(space(&random))\#(list)] ,"z":\#(value(depth: 3, &random))}"#
      struct Document: Decodable { var data: [Item] }
      let expected = try JSONDecoder().decode(Document.self, from: Data(json.utf8)).data
      let found = try decode(json)
      #expect(found.videos.map(\.title) == expected.map { cleanedLine($0.title) }, "\(json)")
      #expect(found.videos.map(\.views) == expected.map(\.views), "\(json)")
    }
  }

  private func space(_ random: inout SeededGenerator) -> String {
    ["", "", " ", "\n\t", "\r\n "].randomElement(using: &random) ?? ""
  }

  private func text(_ random: inout SeededGenerator) -> String {
    let pieces = [
      #"\""#, #"\\"#, "]", "}", "{", "[", ",", ":", #"\u00e9"#, #"\ud83d\ude00"#, "日", #"\n"#, "a", " ",
      #"\/"#,
    ]
    return (0..<Int.random(in: 0..<8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
  }

  private func value(depth: Int, _ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: return "null"
    case 1: return "true"
    case 2: return "-1.5e+3"
    case 3, 4: return "\"" + text(&random) + "\""
    case 5:
      let values = (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth - 1, &random) }
      return "[" + values.joined(separator: " ,") + "]"
    default:
      let values = (0..<Int.random(in: 0..<4, using: &random)).map {
        "\"k\($0)\":" + value(depth: depth - 1, &random)
      }
      return "{" + values.joined(separator: ", ") + "}"
    }
  }

  @Test(arguments: ["", "\u{FEFF}", "\n", String(repeating: " ", count: 14), String(repeating: "\r\n", count: 20)])
  func `a playlist is recognized after leading blanks`(blanks: String) throws {
    let list = Array((blanks + "#EXTM3U\nhttps://a.example/1.mp4\n").utf8)
    #expect(try FeedDecoder.decode(list, from: nil).videos.map(\.id) == ["https://a.example/1.mp4"])
  }
}
