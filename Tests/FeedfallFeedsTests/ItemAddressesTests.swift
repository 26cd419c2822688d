import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct ItemAddressesTests {
  private func paths(_ document: String, outside shown: Set<String> = []) -> [String] {
    ItemAddresses(Array(document.utf8)).pathsOfAllItems(outside: shown)
  }

  @Test func `members of JSON are named by their path`() {
    let list = """
      {"items": [{"id": 1, "enclosure": [{"url": "https://a.example/1"}, {"url": "https://a.example/2"}], "page": {"href": "http://a.example/"}},
      {"id": 2, "enclosure": [{"url": "https:\\/\\/a.example\\/3"}], "page": {"href": "http://a.example/x"}, "icon": "https://a.example/i"}]}
      """
    #expect(paths(list) == ["enclosure[].url", "page.href"])
    #expect(paths(list, outside: ["https://a.example/3"]) == ["page.href"])
    #expect(ItemAddresses(Array(list.utf8)).all.count == 6)
  }

  @Test func `members of XML are named by their path`() {
    let feed = """
      <rss xmlns:media='http://search.yahoo.com/mrss/'><channel><link>https://a.example/channel</link>
      <item><link> https://a.example/1 </link><category domain="https://a.example/tags">x</category>
      <media:group><media:content url="https://a.example/1.mp4"/></media:group></item>
      <item><link>https://a.example/2</link><media:group><media:content url="https://a.example/2.mp4"/></media:group></item>
      """
    #expect(paths(feed) == ["link", "media:group/media:content/@url"])
    #expect(paths(feed, outside: ["https://a.example/2"]) == ["media:group/media:content/@url"])
  }

  @Test func `addresses have no user names and passwords`() {
    let list = #"[{"a": "https://ann:s3cret@a.example/1"}]"#
    #expect(ItemAddresses(Array(list.utf8)).all == ["https://a.example/1"])
    #expect(paths(list, outside: ["https://a.example/1"]) == [])
  }

  @Test(arguments: [
    "", "null", "[]", "[1, 2]", "{", "<", "<rss>", "#EXTM3U\nhttps://a.example/1", "[{\"a\": \"x y://z\"}]",
    "<rss><item><link>/relative</link></item></rss>",
  ])
  func `other documents have none`(document: String) { #expect(paths(document) == []) }

  @Test func `a document without a list is an item`() {
    #expect(paths(#"{"name": "x", "file": {"url": "https://a.example/1"}}"#) == ["file.url"])
  }

  @Test func `items, values, members and levels are bounded`() {
    let item = #"{"a": "https://a.example/1"}"#
    let many = ItemAddresses(Array("[\(Array(repeating: item, count: 3_000).joined(separator: ","))]".utf8))
    #expect(many.itemCount == ItemAddresses.maximumItemCount && many.pathsOfAllItems(outside: []) == ["a"])
    let members = (0..<2_000).map { #""m\#($0)": "https://a.example/\#($0)""# }.joined(separator: ",")
    #expect(paths("[{\(members)}]").count == ItemAddresses.maximumPathCount)
    let values = Array(repeating: #""https://a.example/1""#, count: 5_000).joined(separator: ",")
    #expect(paths(#"[{"a": [\#(values)], "b": "https://a.example/2"}]"#) == ["a[]"])
    let deep = String(repeating: #"{"a":"#, count: 200) + #""https://a.example/1""# + String(repeating: "}", count: 200)
    #expect(paths("[\(deep)]") == [])
    let long = "https://a.example/" + String(repeating: "x", count: 100_000)
    #expect(paths(#"[{"a": "\#(long)"}]"#) == [])
    #expect(paths("<rss><item><a b='\(long)'>\(long)</a></item></rss>") == [])
  }

  /// A random value in JSON; the paths of its addresses are added to `paths`.
  private static func value(
    at path: String, depth: Int, _ paths: inout Set<String>, _ random: inout SeededGenerator
  ) -> String {
    switch Int.random(in: 0..<(depth < 4 ? 5 : 3), using: &random) {
    case 0, 1:
      paths.insert(path)
      return "\"https://a.example/\(Int.random(in: 0..<9, using: &random))\""
    case 2: return ["7", "null", "true", #""a \" text""#].randomElement(using: &random) ?? "0"
    case 3:
      let values = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
        value(at: path + "[]", depth: depth + 1, &paths, &random)
      }
      return "[\(values.joined(separator: ", "))]"
    default: return object(at: path, depth: depth, &paths, &random)
    }
  }

  private static func object(
    at path: String, depth: Int, _ paths: inout Set<String>, _ random: inout SeededGenerator
  ) -> String {
    let members = ["a", "b", "c"].filter { _ in !random.chance(1, in: 4) }.map { name in
      "\"\(name)\": " + value(at: path.isEmpty ? name : "\(path).\(name)", depth: depth + 1, &paths, &random)
    }
    return "{\(members.joined(separator: ","))}"
  }

  @Test func `the members of any items are those that all items have`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      var common: Set<String>?
      let items = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        var paths: Set<String> = []
        let item = Self.object(at: "", depth: 0, &paths, &random)
        common = common?.intersection(paths) ?? paths
        return item
      }
      let document = "[\(items.joined(separator: ",\n"))]"
      #expect(Set(paths(document)) == common, "\(document)")
    }
  }
}
