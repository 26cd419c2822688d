import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct SubscriptionFormatsTests {
  private static let id = "UCaaaaaaaaaaaaaaaaaaaaaa"
  private static let page = "https://www.youtube.com/channel/" + id

  private func list(_ text: String) throws -> SubscriptionList { try SubscriptionList(document: Array(text.utf8)) }

  @Test(arguments: [
    "Channel Id,Channel Url,Channel Title\n\(id),\(page),\"A, \"\"B\"\"\"\nx,nothing,C\n",
    "Kanal-ID,Kanal-URL,Kanaltitel\r\n\(id),\(page),\"A, \"\"B\"\"\"\r\nx,,C\r\n",
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

  @Test(arguments: [
    #"{"subscriptions":["\#(id)"],"watch_history":["x"],"preferences":{"locale":"en-US"},"playlists":[]}"#,
    #"{"format":"Piped","version":1,"groups":[{"groupName":"A","channels":["\#(id)"]}]}"#,
    #"{"app_version":"","app_version_int":0,"subscriptions":[{"url":"\#(page)","name":"A","service_id":0}]}"#,
    #"[{"contentDetails":{},"kind":"youtube#subscription","snippet":{"resourceId":{"channelId":"\#(id)"},"title":"A"}}]"#,
    #"{"channelId":"\#(id)","channelName":"A","channelThumbnail":"","_id":"x","profile":[]}"# + "\n",
    "Channel ID,Channel URL,Channel title\n\(id),,\"A\"\n\n",
    "<opml version='1.1'><body><outline text='A' type='rss' xmlUrl='/feed/channel/\(id)'/></body></opml>",
  ])
  func `each export of the programs for YouTube names the channel`(text: String) throws {
    #expect(try list(text).feeds.map(\.address.text) == [Self.page])
    #expect(try list(text).skippedCount == 0)
  }

  @Test func `profiles of FreeTube and groups of Piped are tags`() throws {
    let profiles =
      #"{"_id":"allChannels","name":"All Channels","subscriptions":[{"id":"\#(Self.id)","name":"A"}]}"# + "\n"
      + #"{"_id":"b1","name":"Films","subscriptions":[{"id":"\#(Self.id)","name":"A"}]}"# + "\n"
    #expect(try list(profiles).feeds.map(\.tags) == [["Films"]])
    let groups = #"{"format":"Piped","groups":[{"groupName":"Films","channels":["\#(Self.id)"]}]}"#
    #expect(try list(groups).feeds.map(\.tags) == [["Films"]])
  }

  @Test(
    arguments: [
      ("feed://a.example/x.xml", "https://a.example/x.xml"), ("feed:https://a.example/x", "https://a.example/x"),
      ("a.example/x.xml", "https://a.example/x.xml"), ("//a.example/x", "https://a.example/x"),
      ("a.example:8080/x", "https://a.example:8080/x"), (" http://a.example/x ", "http://a.example/x"),
      ("itpc://a.example/x", "https://a.example/x"), ("feed.xml", nil), ("/feed.xml", nil), ("newsletter:ann", nil),
      ("mailto:ann@a.example", nil), ("feed:", nil), ("feed:///etc/passwd", nil), ("ftp://a.example/x", nil),
      ("N/A", nil),
    ] as [(String, String?)])
  func `an address of OPML may lack a scheme, or have that of feeds`(text: String, address: String?) throws {
    let list = try list("<opml><body><outline text='A' xmlUrl='\(text)'/></body></opml>")
    #expect(list.feeds.first?.address.text == address && list.skippedCount == (address == nil ? 1 : 0))
  }

  @Test func `ten megabytes of hostile JSON are read in bounds`() throws {
    let item = #"{"subscriptions":["# + String(repeating: #""\#(Self.id)","#, count: 350_000) + #""x"]}"#
    #expect(try list(item).feeds.count == 1)
    #expect(throws: FeedFailure.self) { try list(String(repeating: "[", count: 1_000_000)) }
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

  @Test func `twenty thousand feeds are read, and their repetitions`() throws {
    let lines = (0..<20_500).map { "https://a.example/\($0 % 20_000)\n" }.joined()
    #expect(try list(lines).feeds.count == 20_000)
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
