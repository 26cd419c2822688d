import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct SubscriptionFormatsTests {
  private static let id = "UCaaaaaaaaaaaaaaaaaaaaaa"
  private static let page = "https://www.youtube.com/channel/" + id

  private func list(_ text: String) throws -> SubscriptionList { try SubscriptionList(document: Array(text.utf8)) }

  @Test(arguments: [
    "Channel Id,Channel Url,Channel Title\n\(id),\(page),\"A, \"\"B\"\"\"\n\(id),nothing,C\n",
    "Kanal-ID,Kanal-URL,Kanaltitel\r\n\(id),\(page),\"A, \"\"B\"\"\"\r\n\(id),,C\r\n",
    #"{"app_version":"1","subscriptions":[{"service_id":0,"url":"\#(page)","name":"A, \"B\""},{"url":"file:///etc","name":"C"}]}"#,
    #"{"_id":"allChannels","name":"All","subscriptions":[{"id":"\#(id)","name":"A, \"B\""},{"id":"x","name":"C"}]}"#
      + "\n"
      + #"{"_id":"b","subscriptions":[{"id":"\#(id)","name":"A"}]}"# + "\n",
    "# mine\n\(page) \"video\" \"~A, 'B'\"\n\"query:x:y\"\n",
  ])
  func `the subscriptions of other programs are read`(text: String) throws {
    let list = try list(text)
    #expect(list.feeds.map(\.address.text) == [Self.page])
    #expect(list.feeds.map { $0.name.filter(\.isLetter) } == ["AB"])
    #expect(list.skippedCount == 1)
  }

  @Test func `a tilde in the address of a newsboat feed is not its name`() throws {
    let list = try list("https://a.example/~bob/feed.xml \"video\"\nhttps://b.example/~ann/ \"~Ann\"\n")
    #expect(list.feeds.map(\.name) == ["", "Ann"])
  }

  @Test(arguments: [
    "\"query:Films:tags # \\\"a, b, c\\\"\" \"x\"\n", "\"query:a,b,c\"\n", "exec:a,b,c\n",
  ])
  func `a first line of newsboat with commas is no header`(line: String) throws {
    let list = try list(line + "https://a.example/ \"~Ann\"\nhttps://b.example/\n")
    #expect(list.feeds.map(\.address.text) == ["https://a.example/", "https://b.example/"])
    #expect(list.feeds.map(\.name) == ["Ann", ""])
    #expect(list.skippedCount == 1)
  }

  @Test func `ten thousand feeds are read, and their repetitions`() throws {
    let lines = (0..<10_500).map { "https://a.example/\($0 % 10_000)\n" }.joined()
    #expect(try list(lines).feeds.count == 10_000)
  }

  @Test func `the tags of newsboat are kept, and the tilde in one is not its name`() throws {
    let feeds = try list(
      "https://a.example/ \"two words\" video \"~The name\" \"open\n"
        + "https://b.example/ \"a~b\"\nhttps://c.example/\n"
    ).feeds
    #expect(feeds.map(\.name) == ["The name", "", ""])
    #expect(feeds.map(\.tags) == [["two words", "video", "open"], ["a~b"], []])
  }

  @Test func `OPML stays OPML`() throws {
    let feed = "<outline text='A' xmlUrl='https://a.example/'/>"
    #expect(try list("<opml><body>\(feed)</body></opml>").feeds.map(\.name) == ["A"])
  }

  @Test(arguments: ["", "{}", "[1]", "hello\nworld", "\u{0}", "<html>"])
  func `other files are refused`(text: String) {
    #expect(throws: FeedFailure.self) { try list(text) }
  }
}
