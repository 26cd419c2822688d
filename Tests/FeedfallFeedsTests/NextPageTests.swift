import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct NextPageTests {
  private let first = WebAddress("https://wiki.example/w/api.php?action=query&generator=search&gsroffset=5")

  @Test func `a request has only the tokens of the last answer`() throws {
    var random = SeededGenerator(seed: 51)
    let first = try #require(first)
    for _ in 0..<100 {
      var request = first
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        var tokens: [(name: String, value: String)] = []
        for name in ["vicontinue", "gcmcontinue", "gsroffset", "continue"] where Bool.random(using: &random) {
          tokens.append((name, "\(Int.random(in: 0..<99, using: &random))|é &="))
        }
        guard let page = NextPage(tokens: tokens, after: request) else {
          #expect(tokens.isEmpty)
          continue
        }
        request = try #require(page.cursor(in: first).address)
        let expected = tokens.reduce(into: ["action": "query", "generator": "search", "gsroffset": "5"]) {
          $0[$1.name] = $1.value
        }
        #expect(Dictionary(request.queryItems.map { ($0.name, $0.value) }) { $1 } == expected)
      }
    }
  }

  @Test func `a link is the address of the page, whatever the first one was`() throws {
    let (first, link) = (try #require(first), try #require(WebAddress("https://b.example/2")))
    #expect(NextPage(link).cursor(in: first) == .address(link) && NextPage(link).address == link)
  }

  @Test func `tokens belong to the list that the first page links to`() throws {
    let (first, list) = (try #require(first), try #require(WebAddress("https://wiki.example/list?page=1")))
    let page = try #require(NextPage(tokens: [("page", "2")], after: list))
    #expect(page.cursor(in: first).address?.text == "https://wiki.example/list?page=2")
    #expect(page.mapAddress { _ in first } == page)
  }
}
