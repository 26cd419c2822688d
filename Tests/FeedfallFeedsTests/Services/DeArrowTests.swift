import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct DeArrowTests {
  private func titles(_ json: String) -> [String: String]? { SponsorBlock().titles.decode(Array(json.utf8), "") }

  private func title(_ list: String) -> String? {
    titles(#"{"dQw4w9WgXcQ":{"titles":[\#(list)],"thumbnails":[],"randomTime":0.5}}"#)?["dQw4w9WgXcQ"]
  }

  @Test func `a request contains only four digits of the hash`() throws {
    var service = SponsorBlock()
    let prefix = SponsorBlock.hashPrefix(of: "dQw4w9WgXcQ")
    #expect(service.titles.request(prefix)?.text == "https://sponsor.ajay.app/api/branding/5f6b")
    service.server = try #require(WebAddress("http://127.0.0.1:8080/mirror/"))
    #expect(service.titles.request(prefix)?.text == "http://127.0.0.1:8080/mirror/api/branding/5f6b")
  }

  @Test(arguments: [
    (#"{"title":"A song","original":false,"votes":0,"locked":false}"#, "A song"),
    (#"{"title":"A song","original":false,"votes":-1,"locked":true}"#, "A song"),
    (#"{"title":"An >iPhone  > and\u001b[31m\nmore","votes":3}"#, "An iPhone > and[31m more"),
    (#"{"title":"A song","original":false,"votes":-1,"locked":false},{"title":"B","votes":5}"#, nil),
    (#"{"title":"Original","original":true,"votes":9},{"title":"B","votes":5}"#, nil),
    (#"{"title":"","votes":1}"#, nil), (#"{"title":"A"}"#, nil), (#"{"votes":1}"#, nil), ("7", nil), ("", nil),
  ])
  func `the best title counts, if others have confirmed it`(list: String, expected: String?) {
    #expect(title(list) == expected)
  }

  @Test func `long titles are cut off, and other members are ignored`() {
    let long = #"{"title":"\#(String(repeating: "a", count: 5_000))","votes":1}"#
    #expect(title(long).map { $0.count <= 201 } == true)
    #expect(titles(#"{"error":{"titles":[{"title":"A","votes":1}]},"dQw4w9WgXcQ":7}"#) == [:])
  }

  @Test(arguments: ["", "[]", "null", "<html>", "{"])
  func `other answers are failures`(text: String) { #expect(titles(text) == nil) }

  @Test func `an answer with many videos is limited`() {
    let many = (10_000_000_000..<10_000_003_000).map { #""\#($0)":{"titles":[{"title":"A","votes":1}]}"# }
    #expect(titles("{\(many.joined(separator: ","))}")?.count == 500)
  }
}
