import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

@Suite(.hangLimit) struct SharedIDTests {
  /// An item of a feed: its title, and the number of its page and its medium.
  private struct Item: Hashable {
    var id: String
    var title: String
    var number: Int
  }

  private enum Format: CaseIterable {
    case rss, atom, jsonFeed, articles, catalogue, xspf
  }

  private static func document(_ items: [Item], in format: Format) -> String {
    let bodies = items.map { item in
      let (page, file) = ("https://p.example/\(item.number)", "https://m.example/\(item.number).mp4")
      return switch format {
      case .rss:
        "<item><guid isPermaLink='false'>\(item.id)</guid><title>\(item.title)</title><link>\(page)</link>"
          + "<enclosure url='\(file)' type='video/mp4'/></item>"
      case .atom:
        "<entry><id>\(item.id)</id><title>\(item.title)</title><link href='\(page)'/>"
          + "<link rel='enclosure' href='\(file)' type='video/mp4'/></entry>"
      case .jsonFeed:
        #"{"id":"\#(item.id)","title":"\#(item.title)","url":"\#(page)","#
          + #""attachments":[{"url":"\#(file)","mime_type":"video/mp4"}]}"#
      case .articles: #"{"id":"\#(item.id)","title":"\#(item.title)","flv":"\#(file)","page":"\#(page)"}"#
      case .catalogue: #"{"id":"\#(item.id)","title":"\#(item.title)","url":"\#(file)","page":"\#(page)"}"#
      case .xspf:
        "<track><identifier>\(item.id)</identifier><title>\(item.title)</title><info>\(page)</info>"
          + "<location>\(file)</location></track>"
      }
    }
    return switch format {
    case .rss: "<rss><channel>\(bodies.joined())</channel></rss>"
    case .atom: "<feed xmlns='http://www.w3.org/2005/Atom'>\(bodies.joined())</feed>"
    case .jsonFeed:
      #"{"version":"https://jsonfeed.org/version/1.1","items":[\#(bodies.joined(separator: ","))]}"#
    case .articles, .catalogue: "[\(bodies.joined(separator: ","))]"
    case .xspf: "<playlist xmlns='http://xspf.org/ns/0/'><trackList>\(bodies.joined())</trackList></playlist>"
    }
  }

  private func ids(_ items: [Item], in format: Format) throws -> [String] {
    try decode(Self.document(items, in: format)).videos.map(\.id)
  }

  @Test(arguments: Format.allCases)
  private func `different items with one ID are different videos, and repetitions are one`(format: Format) throws {
    let items = [Item(id: "x", title: "A", number: 1), Item(id: "x", title: "B", number: 2)]
    let ids = try ids([items[0], items[1], items[0], Item(id: "y", title: "C", number: 3)], in: format)
    #expect(ids.count == 4)
    #expect(Set(ids).count == 3 && ids[0] == ids[2])
    #expect(!ids[..<3].contains { $0.hasSuffix("x") } && !ids[3].contains(" "))
  }

  @Test(arguments: 1...30)
  func `permutations and further items change no ID of videos that share one`(seed: Int) throws {
    var chances = SeededGenerator(seed: UInt64(seed))
    let format = try #require(Format.allCases.randomElement(using: &chances))
    var items = (0..<Int.random(in: 2...40, using: &chances)).map { number in
      Item(id: "id\(number % 4)", title: "T\(number % 9)", number: number % 7)
    }
    // Each ID is shared from the start.
    for id in 0..<4 { for number in 100...101 { items.append(Item(id: "id\(id)", title: "S", number: number)) } }
    var known: [Item: String] = [:]
    for _ in 0..<4 {
      items.shuffle(using: &chances)
      let ids = try ids(items, in: format)
      #expect(ids.count == items.count)
      #expect(Set(ids).count == Set(items).count)
      for (item, id) in zip(items, ids) { #expect(known.updateValue(id, forKey: item).map { $0 == id } ?? true) }
      items.append(Item(id: "id\(items.count % 4)", title: "New", number: items.count))
    }
  }

  @Test func `IDs that differ in Unicode normalization only are not shared`() throws {
    let items = [Item(id: "\u{E9}", title: "A", number: 1), Item(id: "e\u{301}", title: "B", number: 2)]
    let ids = try ids(items, in: .rss)
    #expect(ids.map { Array($0.utf8) } == items.map { Array($0.id.utf8) })
    #expect(Set(ids.map(ExactText.init)).count == 2)
  }

  @Test(arguments: 1...20)
  func `a document that is read in parts has the IDs of the whole one`(seed: Int) throws {
    var chances = SeededGenerator(seed: UInt64(seed))
    let format = try #require(Format.allCases.randomElement(using: &chances))
    let items = (0..<60).map { Item(id: "id\(Int.random(in: 0..<40, using: &chances))", title: "T\($0)", number: $0) }
    let text = Self.document(items, in: format)
    var reader = FeedDocumentReader(Array(text.utf8), from: nil)
    let parts = reader.readAll(by: Int.random(in: 1...9, using: &chances)).videos
    #expect(parts.map(\.id) == (try decode(text).videos.map(\.id)))
    #expect(reader.isAtEnd)
  }

  @Test func `a later part never repeats an ID of another video`() throws {
    let count = FeedDocumentReader.lookahead + 20
    let items = (0..<count).map { Item(id: "id\($0 % 510)", title: "T\($0)", number: $0) }
    var reader = FeedDocumentReader(Array(Self.document(items, in: .articles).utf8), from: nil)
    #expect(Set(reader.readAll(by: 7).videos.map(\.id)).count == count)
  }

  @Test func `the ID in the feed is found again in a distinct one`() throws {
    var video = Video(id: "a b", title: "A", playback: .unknown)
    #expect(video.sharedID == nil)
    video.id = video.distinctID
    #expect(video.sharedID == "a b")
    video.title = "B"
    #expect(video.sharedID == nil)
  }

  private static func video(_ item: Item) -> Video {
    var video = Video(id: item.id, title: item.title, playback: .unknown)
    video.pageURL = WebAddress("https://p.example/\(item.number)")
    return video
  }

  @Test(arguments: 1...40)
  func `pages keep each different video once, in any order and cut`(seed: Int) throws {
    var chances = SeededGenerator(seed: UInt64(seed))
    var items = (0..<Int.random(in: 1...40, using: &chances)).map { _ in
      Item(
        id: "id\(Int.random(in: 0..<4, using: &chances))", title: "T\(Int.random(in: 0..<3, using: &chances))",
        number: Int.random(in: 0..<3, using: &chances))
    }
    for _ in 0..<4 {
      items.shuffle(using: &chances)
      var (ids, kept) = (PageIDs(), [Video]())
      var rest = items[...]
      while !rest.isEmpty {
        let page = rest.prefix(Int.random(in: 1...10, using: &chances))
        rest = rest.dropFirst(page.count)
        // A page distinguishes its own videos.
        kept += (try decode(Self.document(Array(page), in: .catalogue)).videos).compactMap { ids.new($0) }
      }
      #expect(kept.count == Set(items).count && ids.count == kept.count)
      #expect(Set(kept.map { ExactText($0.id) }).count == kept.count)
    }
  }

  @Test func `a new signature of a medium does not make a different video`() throws {
    func video(_ signature: String) throws -> Video {
      let file = try #require(WebAddress("https://m.example/1.mp4?sig=\(signature)"))
      return Video(id: "1", title: "A", playback: .direct([MediaFile(url: .web(file))]))
    }
    var ids = PageIDs()
    #expect(ids.new(try video("a")) != nil)
    #expect(ids.new(try video("b")) == nil)
  }

  @Test func `the digest of a video does not depend on the signature of its address`() throws {
    func id(_ token: String) throws -> String {
      let items = [("A", "a.mp4?id=1&Expires=\(token.count)&token=\(token)&X-Amz-Date=\(token)"), ("B", "b.mp4")].map {
        title, file in
        #"{"id":"x","title":"\#(title)","url":"https://m.example/\#(file)"}"#
      }
      return try #require(try decode(#"{"videos":[\#(items.joined(separator: ","))]}"#).videos.first?.id)
    }
    #expect(try id("6e1f0c9b7a6d5e4f") == id("0c9b7a6d5e4f6e1f"))
    #expect(try id("1") == id("0c9b7a6d5e4f6e1f") && id("1").hasPrefix("x "))
  }
}
