import FeedfallDocuments
import FeedfallText

/// A list of feeds, as feed readers exchange it in OPML (opml.org/spec2.opml) and other programs export it.
public struct SubscriptionList: Equatable, Sendable {
  /// A feed in the list.
  public struct Feed: Equatable, Sendable {
    /// The name in the list; may be empty.
    public var name: String
    public var address: WebAddress

    public init(name: String, address: WebAddress) {
      self.name = name
      self.address = address
    }
  }

  /// The feeds of all folders in the order of the document, without duplicates.
  public var feeds: [Feed]
  /// The count of entries without a valid address.
  public var skippedCount = 0

  /// The maximum count of feeds in a document.
  static let maximumCount = 10_000
  private static let longestName = 80

  public init(_ feeds: [Feed]) {
    self.feeds = feeds
  }

  /// Parses a document in any encoding, even if it is malformed; throws if it is not OPML.
  /// - Complexity: O(n).
  public init(opml body: [UInt8]) throws(FeedFailure) {
    let bytes = DocumentText.utf8Bytes(body)
    guard DocumentText.firstMark(bytes) == UInt8(ascii: "<"), XMLReader.rootName(of: bytes) == "opml" else {
      throw FeedFailure(.permanent, "it is not OPML", advice: "give the file that a feed reader exports")
    }
    self.init([])
    var known: Set<WebAddress> = []
    // Nesting is ignored, because it is wrong if outlines are unclosed.
    var tokens = XMLTokenizer(bytes)
    while let token = tokens.next(), feeds.count < Self.maximumCount {
      guard case .start(let name, let range, _) = token, Self.isSame(bytes[name], "outline") else { continue }
      let attributes = XMLText.attributes(bytes, range)
      guard let text = Self.value("xmlurl", attributes).map({ cleanedLine($0, limit: 8_192) }).nonEmpty else {
        continue
      }
      guard let address = WebAddress(text) else {
        skippedCount += 1
        continue
      }
      guard known.insert(address).inserted else { continue }
      feeds.append(Feed(name: Self.name(attributes), address: address))
    }
  }

  private typealias Attributes = [(name: [UInt8], value: String)]

  private static func value(_ name: String, _ attributes: Attributes) -> String? {
    attributes.first { isSame($0.name[...], name) }?.value
  }

  private static func isSame(_ name: ArraySlice<UInt8>, _ other: String) -> Bool {
    name.map(\.lowercased).elementsEqual(other.utf8)
  }

  private static func name(_ outline: Attributes) -> String {
    let names = ["title", "text"].lazy.compactMap { value($0, outline) }
    return names.map { cleanedLine($0, isHTML: true, limit: longestName) }.first { !$0.isEmpty } ?? ""
  }

  /// The list as OPML 2.0.
  public var opml: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<opml version="2.0">"#, "  <head>",
      "    <title>feedfall</title>", "  </head>", "  <body>",
    ]
    lines += feeds.map { feed in
      let name = Self.escaped(feed.name)
      return #"    <outline type="rss" text="\#(name)" title="\#(name)" xmlUrl="\#(Self.escaped(feed.address.text))"/>"#
    }
    return (lines + ["  </body>", "</opml>", ""]).joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
