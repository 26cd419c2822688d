import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct SubscriptionListTests {
  private func list(_ body: String) throws -> [String] {
    try SubscriptionList(opml: Array("<opml version=\"2.0\"><body>\(body)</body></opml>".utf8)).feeds
      .map { "\($0.name) \($0.address)" }
  }

  @Test func `feeds in folders, in any case of letters, are found in their order`() throws {
    let feeds = try list(
      """
      <outline text="Films"><outline type="rss" text="One" title="First" xmlUrl="https://a.example/1"/>
        <outline text="Deeper"><OUTLINE TEXT="Two &amp; a half" XMLURL="https://a.example/?a=1&amp;b=2"/></outline>
      </outline>
      <outline type="atom" text="Three" xmlUrl='http://c.example/' />
      """)
    #expect(
      feeds == ["First https://a.example/1", "Two & a half https://a.example/?a=1&b=2", "Three http://c.example/"])
  }

  @Test(arguments: [(20_000, false), (20_001, true)])
  func `a list with more feeds than are read is marked as cut`(count: Int, isCut: Bool) throws {
    let feeds = (0..<count).map { "<outline text='A' xmlUrl='https://a.example/\($0)'/>" }.joined()
    let twice = "<outline text='A' xmlUrl='https://a.example/0'/>"
    let list = try SubscriptionList(opml: Array("<opml><body>\(feeds)\(twice)</body></opml>".utf8))
    #expect(list.feeds.count == 20_000 && list.isCut == isCut)
    let subscriptions = (0..<count).map { #"{"url":"https://a.example/\#($0)"}"# }.joined(separator: ",")
    let exported = try SubscriptionList(document: Array(#"{"subscriptions":[\#(subscriptions)]}"#.utf8))
    #expect(exported.feeds.count == 20_000 && exported.isCut == isCut)
  }

  private func tags(_ body: String) throws -> [[String]] {
    try SubscriptionList(opml: Array("<opml><body>\(body)</body></opml>".utf8)).feeds.map(\.tags)
  }

  @Test func `the folders around a feed are its tags`() throws {
    let body = """
      <outline text="Films &amp; more"><outline text="One" xmlUrl="https://a.example/1"/>
        <outline title="Old"><outline text="Two" xmlUrl="https://a.example/2"></outline></outline>
        <outline text="Three" xmlUrl="https://a.example/3"/></outline>
      <outline text="Four" xmlUrl="https://a.example/4"/>
      """
    #expect(try tags(body) == [["Films & more"], ["Films & more", "Old"], ["Films & more"], []])
  }

  @Test func `a feed in several folders has all their names, at most eight`() throws {
    let feed = "<outline text='A' xmlUrl='https://a.example/'/>"
    #expect(
      try tags("<outline text='x'>\(feed)</outline>\(feed)<outline text='y'>\(feed)\(feed)</outline>") == [["x", "y"]])
    let many = (0..<20).map { "<outline text='\($0)'>\(feed)</outline>" }.joined()
    #expect(try tags(many) == [(0..<8).map(String.init)])
  }

  @Test(arguments: ["<outline text='x'>FEED", "<outline text='x'><outline text='y'>FEED</outline>", "FEED</outline>"])
  func `unclosed folders are ignored`(body: String) throws {
    let feed = "<outline text='A' xmlUrl='https://a.example/'/>"
    #expect(try tags(body.replacing("FEED", with: feed)) == [[]])
  }

  @Test func `duplicates are removed and entries without a web address are counted`() throws {
    let body = """
      <opml><body><outline xmlUrl="https://a.example/"/><outline text="again" xmlUrl="https://a.example/"/>
      <outline xmlUrl="javascript:alert(1)"/><outline xmlUrl="/feed"/><outline type="link" url="https://b.example/"/>
      """
    let list = try SubscriptionList(opml: Array(body.utf8))
    #expect(list.feeds.map(\.address.text) == ["https://a.example/"])
    #expect(list.skippedCount == 2)
  }

  @Test func `names are cleaned, and shortened`() throws {
    let long = String(repeating: "x", count: 1000)
    let feeds = try list(
      "<outline text=\"a&#27;[31m\n b\" xmlUrl=\"https://a.example\"/><outline text=\"\(long)\" xmlUrl=\"b.example\"/>"
        + "<outline text=\"\(long)\" xmlUrl=\"https://b.example\"/>")
    #expect(feeds[0] == "a[31m b https://a.example")
    #expect(feeds[1].count < 120)
  }

  @Test func `other encodings are read`() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><opml><outline text=\"caf\u{E9}\" xmlUrl=\"https://a.example\"/>"
    let list = try SubscriptionList(opml: text.unicodeScalars.map { UInt8($0.value) })
    #expect(list.feeds.first?.name == "café")
    let wide: [UInt8] =
      [0xFF, 0xFE] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(try SubscriptionList(opml: wide).feeds.first?.name == "café")
  }

  @Test(arguments: ["", "<rss><channel/></rss>", "{}", "<html><body>opml</body></html>"])
  func `anything but OPML is refused with the reason`(text: String) {
    #expect(throws: FeedFailure.self) { try SubscriptionList(opml: Array(text.utf8)) }
  }

  @Test func `the work for hostile documents is bounded`() throws {
    let deep = String(repeating: "<outline text='a'>", count: 200_000)
    #expect(try SubscriptionList(opml: Array(("<opml>" + deep).utf8)).feeds.isEmpty)
    let many = (0..<40_000).map { "<outline xmlUrl='https://a.example/\($0)'/>" }.joined()
    #expect(try SubscriptionList(opml: Array(("<opml>" + many).utf8)).feeds.count == 20_000)
  }

  @Test func `a written list is read back unchanged`() throws {
    let address = try #require(WebAddress("https://a.example/?a=1&b=%22"))
    let list = SubscriptionList([SubscriptionList.Feed(name: "A \"<b>\" & c", address: address)])
    #expect(list.opml.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">"))
    #expect(try SubscriptionList(opml: Array(list.opml.utf8)).feeds.map(\.address) == [address])
  }

  @Test func `feeds in unclosed elements are found`() throws {
    let feeds = try list((0..<300).map { "<outline xmlUrl=\"https://a.example/\($0)\">" }.joined())
    #expect(feeds.count == 300)
  }

  @Test func `tags survive as folders`() throws {
    let addresses = try ["a", "b", "c"].map { try #require(WebAddress("https://\($0).example/")) }
    let list = SubscriptionList([
      .init(name: "A", address: addresses[0], tags: ["Talks & more"]),
      .init(name: "B", address: addresses[1]),
      .init(name: "C", address: addresses[2], tags: ["Science", "Talks & more"]),
    ])
    let copy = try SubscriptionList(opml: Array(list.opml.utf8))
    #expect(copy.feeds.map(\.name) == ["B", "A", "C"])
    #expect(copy.feeds.map { Set($0.tags) } == [[], ["Talks & more"], ["Science", "Talks & more"]])
  }
}
