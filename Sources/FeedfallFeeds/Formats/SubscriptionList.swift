import FeedfallText

/// A list of feeds, as feed readers exchange it in OPML (opml.org/spec2.opml) and other programs export it.
public struct SubscriptionList: Equatable, Sendable {
  /// A feed in the list.
  public struct Feed: Equatable, Sendable {
    /// The name in the list; may be empty.
    public var name: String
    public var address: WebAddress
    /// The names of the folders around it, from the outermost on, or its tags in other formats; at most eight.
    public var tags: [String]

    public init(name: String, address: WebAddress, tags: [String] = []) {
      (self.name, self.address, self.tags) = (name, address, tags)
    }
  }

  /// The feeds of all folders in the order of the document, without duplicates.
  public var feeds: [Feed]
  /// The count of entries without a valid address.
  public var skippedCount = 0
  /// Whether the document has more feeds than are read.
  public var isCut = false

  private static let longestName = 80

  public init(_ feeds: [Feed]) { self.feeds = feeds }

  /// Parses a document in any encoding, even if it is malformed; throws if it is not OPML.
  /// - Complexity: O(n).
  public init(opml body: [UInt8]) throws(FeedFailure) {
    var bytes = DocumentText.utf8Bytes(body)
    if let start = LateXML.start(in: bytes) { bytes.removeFirst(start) }
    guard DocumentText.firstMark(bytes) == UInt8(ascii: "<"), XMLReader.rootName(of: bytes) == "opml" else {
      throw FeedFailure(.permanent, "it is not OPML", advice: "use a file that a feed reader has exported")
    }
    var collector = Collector()
    var folders = OPMLFolders()
    var tokens = XMLTokenizer(bytes)
    while let token = tokens.next(), !collector.list.isCut {
      switch token {
      case .start(let name, let range, let isEmpty) where Self.isSame(bytes[name], "outline"):
        let attributes = XMLText.attributes(bytes, range, tokens.declaredEntities(for: range))
        let address = Self.value("xmlurl", attributes).map { cleanedLine($0, limit: 8_192) }.nonEmpty
        let name = Self.name(attributes)
        if let address { collector.append(name, Collector.address(address), tags: folders.names) }
        if !isEmpty { folders.open(address == nil ? name : "") }
      case .end(let name) where Self.isSame(bytes[name], "outline"): folders.close()
      default: continue
      }
    }
    // Folders are wrong where outlines are unclosed.
    self = folders.areClosed || collector.list.isCut ? collector.list : collector.list.withoutTags
  }

  private var withoutTags: SubscriptionList {
    var list = self
    for index in list.feeds.indices { list.feeds[index].tags = [] }
    return list
  }

  private typealias Attributes = [(name: ArraySlice<UInt8>, value: String)]

  private static func value(_ name: String, _ attributes: Attributes) -> String? {
    attributes.first { isSame($0.name, name) }?.value
  }

  private static func isSame(_ name: ArraySlice<UInt8>, _ other: String) -> Bool {
    name.map(\.lowercased).elementsEqual(other.utf8)
  }

  private static func name(_ outline: Attributes) -> String {
    let names = ["title", "text"].lazy.compactMap { value($0, outline) }
    return names.map { cleanedLine($0, as: .html, limit: longestName) }.first { !$0.isEmpty } ?? ""
  }

  private struct OPMLFolders {
    /// Whether each open outline is a folder with a name.
    private var open: [Bool] = []
    private(set) var names: [String] = []
    private var hasStrayEnd = false

    var areClosed: Bool { open.isEmpty && !hasStrayEnd }

    mutating func open(_ name: String) {
      open.append(!name.isEmpty)
      if !name.isEmpty { names.append(name) }
    }

    mutating func close() {
      guard let isFolder = open.popLast() else {
        hasStrayEnd = true
        return
      }
      if isFolder { names.removeLast() }
    }
  }

  /// The list as OPML 2.0. A feed with tags is in a folder of each tag.
  public var opml: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<opml version="2.0">"#, "  <head>",
      "    <title>feedfall</title>", "  </head>", "  <body>",
    ]
    lines += feeds.filter(\.tags.isEmpty).map { "    " + Self.outline($0) }
    let groups = Dictionary(grouping: feeds.flatMap { feed in feed.tags.map { (tag: $0, feed: feed) } }, by: \.tag)
    var seen: Set<String> = []
    for tag in feeds.flatMap(\.tags) where seen.insert(tag).inserted {
      lines.append(#"    <outline text="\#(tag.escapedMarkup)">"#)
      lines += (groups[tag] ?? []).map { "      " + Self.outline($0.feed) } + ["    </outline>"]
    }
    return (lines + ["  </body>", "</opml>", ""]).joined(separator: "\n")
  }

  private static func outline(_ feed: Feed) -> String {
    let name = feed.name.escapedMarkup
    return #"<outline type="rss" text="\#(name)" title="\#(name)" xmlUrl="\#(feed.address.text.escapedMarkup)"/>"#
  }

  struct Collector {
    private(set) var list = SubscriptionList([])
    private var places: [WebAddress: Int] = [:]

    static let maximumCount = 20_000
    private static let longestName = 80
    private static let maximumTagCount = 8

    /// Parses the address of a feed, or the ID of a channel of YouTube. An instance of Invidious without a configured
    /// host exports paths such as `/feed/channel/ID`.
    static func address(_ text: String) -> WebAddress? {
      if let address = WebAddress(listed: text) { return address }
      let id = text.split(separator: "/").last.map(String.init) ?? text
      return YouTubeSite.ChannelID(id)?.page
    }

    /// Appends a feed, or the tags to those of the feed with the same address; nil is counted.
    mutating func append(_ name: String, _ address: WebAddress?, tags: some Collection<String> = []) {
      guard let address else {
        list.skippedCount += 1
        return
      }
      if places[address] == nil {
        guard list.feeds.count < Self.maximumCount else {
          list.isCut = true
          return
        }
        places[address] = list.feeds.count
        list.feeds.append(Feed(name: cleanedLine(name, limit: Self.longestName), address: address))
      }
      if let place = places[address] { add(tags.prefix(Self.maximumTagCount), to: &list.feeds[place].tags) }
    }

    private func add(_ names: some Collection<String>, to tags: inout [String]) {
      for name in names where tags.count < Self.maximumTagCount {
        let tag = cleanedLine(name, limit: Self.longestName)
        if !tag.isEmpty, !tags.contains(tag) { tags.append(tag) }
      }
    }
  }
}
