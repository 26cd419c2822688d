import FeedfallText

extension SubscriptionList {
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

  /// Parses CSV of Takeout, or lines of newsboat.
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
