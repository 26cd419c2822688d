import FeedfallDocuments
import FeedfallText

extension SubscriptionList {
  /// Parses the subscriptions that a program exports, recognized by their content: OPML, `subscriptions.csv` of Google
  /// Takeout, the JSON of NewPipe, the database or JSON of FreeTube, and the `urls` of newsboat.
  ///
  /// Throws if it is none of them.
  /// - Complexity: O(n).
  public init(document body: [UInt8]) throws(FeedFailure) {
    let bytes = DocumentText.utf8Bytes(body)
    switch DocumentText.firstMark(bytes) {
    case UInt8(ascii: "<"): try self.init(opml: body)
    case UInt8.openBrace, UInt8.openBracket: try self.init(json: bytes)
    default: try self.init(lines: bytes)
    }
  }

  /// Parses JSON, of which FreeTube has one object per line.
  private init(json bytes: [UInt8]) throws(FeedFailure) {
    self.init([])
    var channels: [(id: String?, address: String?, name: String)] = []
    func add(_ object: JSONObject) {
      channels += object.objects("subscriptions", limit: Self.maximumCount).map { item in
        (item["id"]?.string, item["url"]?.string, item.line("name", limit: 80) ?? "")
      }
    }
    if let whole = JSONObject(document: bytes) { add(whole) }
    let rest = bytes.split(separator: 0x0A).dropFirst(1)
    for line in rest.prefix(1_000) {
      if let object = JSONObject(document: Array(line)) { add(object) }
    }
    guard !channels.isEmpty else {
      throw FeedFailure(
        .permanent, "it is JSON without subscriptions", advice: "give the file that NewPipe or FreeTube exports")
    }
    for channel in channels {
      append(channel.name, channel.address.flatMap { WebAddress($0) } ?? channel.id.flatMap(Self.channel))
    }
  }

  /// Parses CSV of Takeout, or lines of newsboat.
  private init(lines bytes: [UInt8]) throws(FeedFailure) {
    self.init([])
    let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).map { String(decoding: $0, as: UTF8.self) }
    var isCSV: Bool?
    for line in lines.prefix(Self.maximumCount) {
      let line = line.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
      if line.isEmpty || line.hasPrefix("#") { continue }
      let fields = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      let isRow = fields.count == 3 && WebAddress(fields[1]) != nil
      // The first line of CSV has the names of the columns, in the language of the user.
      if isCSV == nil, fields.count == 3, !isRow, !line.contains("://") {
        isCSV = true
        continue
      }
      isCSV = isCSV ?? isRow
      if isCSV == true {
        append(Self.unquoted(fields.count == 3 ? fields[2] : ""), fields.count > 1 ? WebAddress(fields[1]) : nil)
      } else {
        appendLine(line)
      }
    }
    guard !feeds.isEmpty else {
      throw FeedFailure(
        .permanent, "it holds no subscriptions",
        advice: "give OPML, or what Takeout, NewPipe, FreeTube or newsboat exports")
    }
  }

  /// Parses `address "tag" "~name"`; newsboat's own queries and programs are refused.
  private mutating func appendLine(_ line: Substring) {
    let address = line.prefix { !$0.isWhitespace }
    let tags = line[address.endIndex...]
    let name = tags.firstIndex(of: "~").map { tags[tags.index(after: $0)...].prefix { $0 != "\"" } } ?? ""
    append(String(name), WebAddress(String(address)))
  }

  private mutating func append(_ name: String, _ address: WebAddress?) {
    guard feeds.count < Self.maximumCount else { return }
    guard let address else {
      skippedCount += 1
      return
    }
    guard !feeds.contains(where: { $0.address == address }) else { return }
    feeds.append(Feed(name: cleanedLine(name, limit: 80), address: address))
  }

  /// The address of a channel of YouTube.
  private static func channel(_ id: String) -> WebAddress? {
    guard id.hasPrefix("UC"), id.utf8.count == 24 else { return nil }
    return WebAddress("https://www.youtube.com/channel/\(id)")
  }

  private static func unquoted(_ field: String) -> String {
    guard field.hasPrefix("\""), field.hasSuffix("\""), field.count >= 2 else { return field }
    return String(field.dropFirst().dropLast()).split(separator: "\"\"", omittingEmptySubsequences: false)
      .joined(separator: "\"")
  }
}
