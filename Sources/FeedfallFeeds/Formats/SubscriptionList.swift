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
    // The names of the open folders, and whether each open outline is one.
    var (folders, open): ([String], [Bool]) = ([], [])
    var hasStrayEnd = false
    var tokens = XMLTokenizer(bytes)
    while let token = tokens.next(), !collector.list.isCut {
      switch token {
      case .start(let name, let range, let isEmpty) where Self.isSame(bytes[name], "outline"):
        let attributes = XMLText.attributes(bytes, range, tokens.declaredEntities(for: range))
        let address = Self.value("xmlurl", attributes).map { cleanedLine($0, limit: 8_192) }.nonEmpty
        let name = Self.name(attributes)
        if let address { collector.append(name, Collector.address(address), tags: folders) }
        if isEmpty { continue }
        open.append(address == nil && !name.isEmpty)
        if open.last == true { folders.append(name) }
      case .end(let name) where Self.isSame(bytes[name], "outline"):
        switch open.popLast() {
        case true?: folders.removeLast()
        case false?: break
        case nil: hasStrayEnd = true
        }
      default: continue
      }
    }
    self = collector.list
    if open.isEmpty && !hasStrayEnd || isCut { return }
    // Folders are wrong where outlines are unclosed.
    for index in feeds.indices { feeds[index].tags = [] }
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

  /// Parses the subscriptions that a program exports, recognized by their content: OPML, `subscriptions.csv` of Google
  /// Takeout, the JSON of NewPipe, Invidious and Piped, the database or JSON of FreeTube, and the `urls` of newsboat.
  /// Throws if it is none of them. O(n).
  public init(document body: [UInt8]) throws(FeedFailure) {
    let bytes = DocumentText.utf8Bytes(body)
    switch DocumentText.firstMark(bytes) {
    case UInt8(ascii: "<"): try self.init(opml: body)
    case UInt8.openBrace, UInt8.openBracket: try self.init(json: bytes)
    case _ where LateXML.start(in: bytes) != nil: try self.init(opml: body)
    default: try self.init(lines: bytes)
    }
  }

  /// Parses JSON, of which FreeTube has one object per line.
  private init(json bytes: [UInt8]) throws(FeedFailure) {
    var collector = Collector()
    var hasSubscriptions = false
    if let whole = JSONValue(document: bytes) { hasSubscriptions = collector.append(json: whole) }
    for line in Self.lines(bytes).dropFirst().prefix(Self.maximumObjectCount)
    where !collector.list.isCut && line.first == .openBrace {
      guard let object = JSONValue(document: Array(line)) else { continue }
      hasSubscriptions = collector.append(json: object) || hasSubscriptions
    }
    guard hasSubscriptions else {
      throw FeedFailure(
        .permanent, "it is JSON without subscriptions",
        advice: "use a file that NewPipe, FreeTube, Invidious or Piped has exported")
    }
    self = collector.list
  }

  private static func lines(_ bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
    sequence(state: bytes[...]) { rest in
      rest = rest.drop { $0 == 0x0A || $0 == 0x0D }
      let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
      rest = rest[line.endIndex...]
      return line.isEmpty ? nil : line
    }
  }

  private static let maximumObjectCount = 1_000
  private static let maximumLineCount = 100_000

  private init(lines bytes: [UInt8]) throws(FeedFailure) {
    var collector = Collector()
    var isCSV: Bool?
    for line in Self.lines(bytes).prefix(Self.maximumLineCount) where !collector.list.isCut {
      let text = String(decoding: line, as: UTF8.self)
      let line = text.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
      if line.isEmpty || line.hasPrefix("#") { continue }
      let fields = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      let isRow = fields.count == 3 && WebAddress(fields[1]) != nil
      // The first line of CSV has the names of the columns, in the language of the user.
      if isCSV == nil, fields.count == 3, !isRow, !line.contains("://"), !Self.isQuery(line) {
        isCSV = true
        continue
      }
      isCSV = isCSV ?? isRow
      if isCSV == true {
        collector.append(
          Self.unquoted(fields.count == 3 ? fields[2] : ""),
          fields.count > 1 ? WebAddress(fields[1]) ?? Collector.address(fields[0]) : nil)
      } else {
        Self.append(line, to: &collector)
      }
    }
    guard !collector.list.feeds.isEmpty else {
      throw FeedFailure(
        .permanent, "it contains no subscriptions",
        advice: "use OPML, or a file that Takeout, NewPipe, FreeTube, Invidious, Piped or newsboat has exported")
    }
    self = collector.list
  }

  /// Whether a line is a query, a program or a filter of newsboat, which may contain commas.
  private static func isQuery(_ line: Substring) -> Bool {
    let start = line.drop { $0 == "\"" }
    return ["query:", "exec:", "filter:"].contains(where: start.hasPrefix)
  }

  /// Parses `address "tag" "~name"`; newsboat's own queries and programs are refused.
  private static func append(_ line: Substring, to collector: inout Collector) {
    let address = line.prefix { !$0.isWhitespace }
    let words = quotedWords(line[address.endIndex...])
    let name = words.first { $0.hasPrefix("~") }?.dropFirst() ?? ""
    collector.append(
      String(name), WebAddress(String(address).withoutFeedScheme), tags: words.filter { !$0.hasPrefix("~") })
  }

  /// Splits a text at blanks outside of quotation marks. At most 20 words.
  private static func quotedWords(_ text: Substring) -> [String] {
    var words: [String] = []
    var rest = text.drop(while: \.isWhitespace)
    while let first = rest.first, words.count < 20 {
      let isQuoted = first == "\""
      let word = rest.dropFirst(isQuoted ? 1 : 0).prefix { isQuoted ? $0 != "\"" : !$0.isWhitespace }
      words.append(String(word))
      rest = rest[word.endIndex...].dropFirst(isQuoted ? 1 : 0).drop(while: \.isWhitespace)
    }
    return words
  }

  private static func unquoted(_ field: String) -> String {
    guard field.hasPrefix("\""), field.hasSuffix("\""), field.count >= 2 else { return field }
    return String(field.dropFirst().dropLast()).split(separator: "\"\"", omittingEmptySubsequences: false)
      .joined(separator: "\"")
  }
}

extension SubscriptionList.Collector {
  /// Appends the subscriptions of a JSON document; returns false if it has none.
  ///
  /// | program | form |
  /// |---|---|
  /// | NewPipe, Piped | `{"subscriptions": [{"url": …, "name": …}]}` |
  /// | FreeTube | a profile on each line: `{"_id": …, "name": …, "subscriptions": [{"id": …, "name": …}]}`; earlier versions: `{"channelId": …, "channelName": …}` |
  /// | Invidious | `{"subscriptions": ["UC…"]}` |
  /// | Piped | groups: `{"groups": [{"groupName": …, "channels": ["UC…"]}]}` |
  /// | the API of YouTube | `[{"snippet": {"title": …, "resourceId": {"channelId": …}}}]` |
  fileprivate mutating func append(json value: JSONValue) -> Bool {
    guard let object = value.object else { return append(value.elements(), tags: []) && !list.feeds.isEmpty }
    if object["channelId"] != nil { return append([value], tags: []) }
    let isProfile = object["_id"]?.string.map { $0 != "allChannels" } ?? false
    let profile = isProfile ? object.line("name", limit: 80) : nil
    var hasSubscriptions = append(
      object["subscriptions"]?.elements(), tags: [profile].compactMap(\.self))
    for group in object.objects("groups") {
      let tags = [group.line("groupName", limit: 80)].compactMap(\.self)
      hasSubscriptions = append(group["channels"]?.elements(), tags: tags) || hasSubscriptions
    }
    return hasSubscriptions
  }

  private mutating func append(_ items: [JSONValue]?, tags: [String]) -> Bool {
    var hasSubscriptions = false
    for item in items ?? [] where !list.isCut {
      if let text = item.string {
        append("", Self.address(text), tags: tags)
      } else if let object = item.object {
        let snippet = object["snippet"]?.object
        let id = object["id"] ?? object["channelId"] ?? snippet?["resourceId"]?.object?["channelId"]
        let address = (object["url"]?.string).flatMap(Self.address) ?? id?.string.flatMap(Self.address)
        let name = object.line("name", limit: 80) ?? object.line("channelName", limit: 80)
        append(name ?? snippet?.line("title", limit: 80) ?? "", address, tags: tags)
      } else {
        continue
      }
      hasSubscriptions = true
    }
    return hasSubscriptions
  }
}
