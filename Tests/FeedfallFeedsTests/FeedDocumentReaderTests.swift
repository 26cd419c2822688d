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

  private func read(_ bytes: [UInt8], pieces: (Int) -> Int) -> (
    videos: [Video], failure: FeedFailure?, skipped: Int
  ) {
    var reader = FeedDocumentReader(address: nil)
    var videos: [Video] = []
    var index = 0
    var failure: FeedFailure?
    while index < bytes.count, failure == nil {
      let end = min(bytes.count, index + max(1, pieces(index)))
      reader.push(bytes[index..<end])
      index = end
      let available = reader.readAll()
      videos += available.videos
      failure = available.failure
    }
    reader.finish()
    let rest = reader.readAll()
    return (videos + rest.videos, failure ?? rest.failure, reader.skippedCount)
  }

  @Test func `the videos are the same however the bytes arrive`() {
    var random = SeededGenerator(seed: 21)
    for document in documents + sequences {
      let bytes = Array(document.utf8)
      let whole = read(bytes) { _ in bytes.count }
      #expect(whole.failure == nil)
      for size in 1...9 {
        let pieces = read(bytes) { _ in size }
        #expect(pieces.videos == whole.videos && pieces.failure == nil && pieces.skipped == whole.skipped)
      }
      for _ in 0..<30 {
        let pieces = read(bytes) { _ in Int.random(in: 1..<40, using: &random) }
        #expect(pieces.videos == whole.videos && pieces.failure == nil && pieces.skipped == whole.skipped)
      }
    }
  }

  @Test func `a document cut at any byte yields its first videos and then fails`() {
    for document in documents {
      let bytes = Array(document.utf8)
      let whole = read(bytes) { _ in bytes.count }.videos
      let content = bytes.lastIndex { !$0.isJSONWhiteSpace } ?? 0
      for end in 0..<content {
        let cut = read(Array(bytes[..<end])) { _ in end }
        #expect(whole.starts(with: cut.videos))
        #expect(cut.failure?.kind == .temporary || cut.failure?.reason == "the answer is neither a feed nor a video")
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
        let whole = read(bytes) { _ in bytes.count }
        let pieces = read(bytes) { _ in 3 }
        #expect(whole.videos == pieces.videos && whole.skipped == pieces.skipped)
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
      let read = read(bytes) { _ in 5_000 }
      #expect(read.videos.count <= 12)
    }
  }

  @Test func `the first videos are available before the rest has arrived`() throws {
    var reader = FeedDocumentReader(address: nil)
    reader.push(
      Array(
        #"{"title":"T","total":9,"videos":[{"title":"A","flv":"https://m.example/v"},{"title":"B","flv":"https://m.example/v"},{"tit"#
          .utf8)[...])
    #expect(try reader.nextVideos(1).map(\.title) == ["A"])
    #expect(reader.kind == .catalogue)
    #expect(reader.total == 9)
    #expect(reader.title == "T")
    #expect(try reader.nextVideos(5).map(\.title) == ["B"])
    #expect(try reader.nextVideos(5).isEmpty)
    #expect(!reader.isAtEnd)
    reader.push(Array(#"le":"C","flv":"https://m.example/v"}]}"#.utf8)[...])
    #expect(try reader.nextVideos(5).map(\.title) == ["C"])
    #expect(!reader.isAtEnd)
    reader.finish()
    #expect(try reader.nextVideos(5).isEmpty)
    #expect(reader.isAtEnd)
  }

  @Test func `an incomplete document fails after its videos`() throws {
    var reader = FeedDocumentReader(address: nil)
    reader.push(Array(#"[{"title":"A","flv":"https://m.example/v"},{"ti"#.utf8)[...])
    reader.finish()
    #expect(try reader.nextVideos(5).map(\.title) == ["A"])
    #expect(!reader.isAtEnd)
    for _ in 0..<2 {
      #expect(throws: FeedFailure(.temporary, "the feed is incomplete after 1 video")) {
        try reader.nextVideos(5)
      }
    }
  }

  @Test func `an endless document needs little memory`() throws {
    var reader = FeedDocumentReader(address: nil)
    reader.push(Array("[".utf8)[...])
    let piece = Array(String(repeating: #"{"title":"some title","flv":"https://m.example/v"},"#, count: 3_000).utf8)
    var count = 0
    for _ in 0..<30 {
      reader.push(piece[...])
      count += try reader.nextVideos(.max).count
      #expect(reader.bufferedByteCount <= 4 * piece.count)
    }
    #expect(count == 90_000)
  }

  @Test func `an endless item needs little memory`() throws {
    var reader = FeedDocumentReader(address: nil)
    reader.push(Array(#"[{"flv":"https://m.example/v","title":""#.utf8)[...])
    let piece = [UInt8](repeating: 0x61, count: 1 << 20)
    for _ in 0..<40 {
      reader.push(piece[...])
      #expect(try reader.nextVideos(1).isEmpty)
      #expect(reader.bufferedByteCount <= 12 << 20)
    }
    reader.push(Array(#""},{"title":"B","flv":"https://m.example/v"}]"#.utf8)[...])
    #expect(try reader.nextVideos(5).map(\.title) == ["B"])
    #expect(reader.skippedCount == 1)
  }

  private func failure(of parts: [String]) -> FeedFailure? {
    var reader = FeedDocumentReader(address: nil)
    var failure: FeedFailure?
    for part in parts {
      reader.push(Array(part.utf8)[...])
      failure = failure ?? reader.readAll().failure
    }
    reader.finish()
    return failure ?? reader.readAll().failure
  }

  @Test func `an answer without a list may have 32 MB`() {
    let text = String(repeating: "a", count: 1 << 20)
    let start = #"{"uuid":"u","name":"N","streamingPlaylists":[{"playlistUrl":"https://h/m.m3u8"}],"x":""#
    var reader = FeedDocumentReader(address: nil)
    for part in [start] + Array(repeating: text, count: 6) + [#""}"#] { reader.push(Array(part.utf8)[...]) }
    reader.finish()
    #expect(reader.readAll().videos.map(\.title) == ["N"])
    let failure = failure(of: [start] + Array(repeating: text, count: 33) + [#""}"#])
    #expect(failure?.reason == "the answer is too large: more than 32 MB of JSON without a list of videos")
  }

  @Test(arguments: [
    (#"{"title":"C","events":["#, #"{"guid":"N","title":"N","frontend_link":"https://h.example/v/N","x":"P"}"#, "]}"),
    (
      #"{"response":{"numFound":1,"start":0,"docs":["#, #"{"identifier":"N","mediatype":"movies","description":"P"}"#,
      "]}}"
    ),
    ("", #"{"title":"N","url":"https://h.example/N.mp4","x":"P"}"#, ""),
    ("\u{1E}", #"{"extractor":"x","webpage_url":"https://h.example/N","title":"N","x":"P"}"#, ""),
  ])
  func `a list of 10 MB is read in little memory, its first videos before its end`(
    start: String, item: String, end: String
  ) throws {
    var reader = FeedDocumentReader(address: nil)
    let padding = String(repeating: "p", count: 10_000)
    var titles = 0
    for number in 0..<1_000 {
      let item = item.replacing("N", with: String(number)).replacing("P", with: padding)
      let separator = start.utf8.count < 2 ? "\n" : number == 0 ? "" : ","
      reader.push(Array(((number == 0 ? start : "") + separator + item).utf8)[...])
      titles += try reader.nextVideos(.max).count
      #expect(titles >= number && reader.bufferedByteCount <= 400_000)
    }
    reader.push(Array(end.utf8)[...])
    reader.finish()
    titles += try reader.nextVideos(.max).count
    #expect(titles == 1_000 && reader.skippedCount == 0)
  }

  @Test(arguments: ["null\n", "\u{1E}", "\u{FEFF}\n"])
  func `the first line is read before the end of the document`(start: String) throws {
    var reader = FeedDocumentReader(address: nil)
    let line = #"{"title":"A","url":"https://h.example/A.mp4"}"# + "\n"
    reader.push(Array((start + line + line.replacing("A", with: "B")).utf8)[...])
    #expect(try reader.nextVideos(1).map(\.title) == ["A"])
  }

  @Test func `the work of reading lines grows with their count alone`() {
    var finder = JSONItemFinder()
    let lines = Array(String(repeating: "{\"a\":[{},{\"b\":\"}\"}]}\n", count: 2_000).utf8)
    var items = 0
    var steps = 0
    while case let step = finder.next(in: lines), step != .needsMore {
      steps += 1
      if case .item = step { items += 1 }
    }
    #expect(items == 1_999 && steps == 2_001 && finder.work.nodeCount <= 2_010)
  }

  @Test func `a document cut after much white space is not called empty`() {
    let blanks = String(repeating: " ", count: 1 << 20)
    let failure = failure(of: ["{"] + Array(repeating: blanks, count: 6))
    #expect(failure?.reason == "the feed is incomplete after 0 videos")
  }
}

@Suite(.hangLimit) struct JSONItemFinderTests {
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
  func `a playlist that arrives byte by byte is recognized after leading blanks`(blanks: String) throws {
    var reader = FeedDocumentReader(address: nil)
    for byte in (blanks + "#EXTM3U\nhttps://a.example/1.mp4\n").utf8 {
      reader.push([byte])
      #expect(try reader.nextVideos(9).isEmpty)
    }
    reader.finish()
    #expect(reader.readAll().videos.map(\.id) == ["https://a.example/1.mp4"])
  }
}
