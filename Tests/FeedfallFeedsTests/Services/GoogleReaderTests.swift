import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct GoogleReaderTests {
  private func server() throws -> GoogleReaderServer {
    try #require(WebAddress("https://rss.example/api").flatMap { GoogleReaderServer($0) })
  }

  private func entries(_ json: String) throws -> [GoogleReaderAnswer.Entry] {
    let server = try server()
    return try #require(
      GoogleReaderAnswer.entries(
        Array(#"{"items":[\#(json)]}"#.utf8), from: server, in: server.scope(ofUser: "anna"), ["feed/7": "Own title"]))
  }

  @Test func `an entry has its medium, page, texts, marks and cover`() throws {
    let entry = try #require(
      try entries(
        #"""
        {"id":"tag:google.com,2005:reader/item/00000000148B9369","title":"A &amp; B","author":"Eve","published":1700000000,
         "crawlTimeMsec":"1700000100500","canonical":[{"href":"https://a.example/1"}],
         "alternate":[{"href":"https://a.example/2","type":"text/html"}],
         "enclosure":[{"href":"https://a.example/1.jpg","type":"image/jpeg"},
                      {"href":"https://a.example/1.mp3","type":"audio/mpeg","length":"7"},
                      {"href":"https://a.example/1.mp4?a=1&amp;b=2","type":"video/mp4","length":70}],
         "summary":{"content":"<p>Long <b>text</b><img src='/x.png'><video src='/1.mp4?a=1&amp;b=2'></video>"},"origin":{"streamId":"feed/7","title":"Other"},
         "categories":["user/12/state/com.google/read","user/-/label/x","user/-/state/com.google/starred"]}
        """#
      ).first)
    let video = try #require(entry.video)
    #expect(entry.id.text == "00000000148b9369" && video.id == entry.id.text)
    #expect(entry.marks == [.watched, .starred] && entry.time == UnixTime(seconds: 1_700_000_000))
    #expect(video.title == "A & B" && video.author == "Eve" && video.channel == "Own title")
    #expect(video.summary == "Long text" && video.byteCount == 70)
    #expect(video.pageURL?.text == "https://a.example/1")
    guard case .direct(let files) = video.playback else { throw TestFailure("no file") }
    #expect(files.map(\.url.text) == ["https://a.example/1.mp4?a=1&b=2", "https://a.example/1.mp3"])
    #expect(video.covers.map(\.url.text) == ["https://a.example/1.jpg", "https://a.example/x.png"])
    #expect(try video.scope == server().scope(ofUser: "anna"))
  }

  @Test func `an entry with neither a medium nor a page is no video`() throws {
    let entries = try entries(
      #"{"id":"1","title":"x"},{"id":"2","canonical":[{"href":"file:///etc/passwd"}]},"#
        + #"{"id":"3","canonical":[{"href":"javascript:x"}],"enclosure":[{"href":"/x.torrent"}]},{"title":"no ID"},7"#)
    #expect(entries.map(\.id.text) == ["0000000000000001", "0000000000000002", "0000000000000003"])
    #expect(entries.allSatisfy { $0.video == nil })
  }

  @Test(arguments: [
    ("344691561", "00000000148b9369"), ("-355401917359550817", "fb115bd6d34a8e9f"),
    ("18091342156350000799", "fb115bd6d34a8e9f"),
    ("tag:google.com,2005:reader/item/fb115bd6d34a8e9f", "fb115bd6d34a8e9f"),
    ("tag:google.com,2005:reader/item/2dfdc1c35", "00000002dfdc1c35"), ("12345678901", "00000002dfdc1c35"),
    ("tag:google.com,2005:reader/item/1", "0000000000000001"),
    ("507c7e7a7e7a7e7a7e7a7e7a", "507c7e7a7e7a7e7a7e7a7e7a"),
    ("tag:google.com,2005:reader/item/507C7e7a7e7a7e7a7e7a7e7a", "507c7e7a7e7a7e7a7e7a7e7a"),
  ])
  func `an ID of a list equals that of the contents`(text: String, digits: String) {
    #expect(GoogleReaderID(text)?.text == digits)
  }

  @Test(arguments: 0..<20) func `a number has one ID in all spellings`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let number = UInt64.random(in: 0...(.max >> UInt64.random(in: 0..<64, using: &random)), using: &random)
    let digits = String(number, radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.utf8.count) + digits
    let prefix = "tag:google.com,2005:reader/item/"
    for text in ["\(number)", "\(Int64(bitPattern: number))", prefix + digits, prefix + padded.uppercased()] {
      #expect(GoogleReaderID(text)?.text == padded)
    }
    #expect(GoogleReaderID(hexadecimal: digits)?.text == padded)
  }

  @Test(arguments: ["", "-", "x", "1&T=2", "tag:google.com,2005:reader/item/", "é", String(repeating: "1", count: 33)])
  func `an ID that could change a form is refused`(text: String) {
    #expect(GoogleReaderID(text) == nil)
  }

  @Test func `a list has each ID once, and ends at an empty part`() throws {
    func list(_ json: String) -> GoogleReaderAnswer.IDList? { GoogleReaderAnswer.ids(Array(json.utf8)) }
    #expect(list(#"{"itemRefs":[{"id":"1"},{"id":1},{"id":"zz"}],"continuation":"a&b"}"#)?.ids.count == 1)
    #expect(list(#"{"itemRefs":[{"id":"1"}],"continuation":7}"#)?.continuation == "7")
    #expect(list(#"{"itemRefs":[],"continuation":"7"}"#)?.continuation == nil)
    #expect(
      list("[]") == nil && list("{}")?.ids == [] && list(#"{"error":"busy"}"#) == nil
        && list(#"{"itemRefs":"x"}"#) == nil)
    let long = String(repeating: "x", count: 513)
    #expect(list(#"{"itemRefs":[{"id":"1"}],"continuation":"\#(long)"}"#)?.continuation == nil)
  }

  @Test func `texts of a server cannot add parameters`() throws {
    let server = try server()
    let query = GoogleReaderServer.Query(excludesRead: true, since: UnixTime(seconds: 9), continuation: "a&n=1 #")
    #expect(
      server.ids(query).text == "https://rss.example/api/reader/api/0/stream/items/ids?output=json"
        + "&s=user/-/state/com.google/reading-list&n=1000&xt=user/-/state/com.google/read&ot=9&c=a%26n%3D1%20%23")
    #expect(
      GoogleReaderServer.editForm(MarkChange(.starred, false, ids: ["ab", "c&a=x"]), token: "t&i=9")
        == "r=user/-/state/com.google/starred&i=tag:google.com%2C2005:reader/item/00000000000000ab&T=t%26i%3D9")
    #expect(GoogleReaderServer.loginForm(user: "a b", password: "c&d").hasPrefix("Email=a%20b&Passwd=c%26d&"))
  }
}
