import FeedfallText

/// The web addresses in the items of a document, without user names and passwords, by the members that contain them:
/// `enclosure[].url` in JSON, `enclosure/@url` in XML. They reveal members that no decoder reads.
public struct ItemAddresses: Sendable {
  private struct Member {
    var itemCount = 0
    var lastItem = -1
    var addresses: Set<String> = []
  }

  /// The count of items that were read.
  public private(set) var itemCount = 0
  private var paths: [String] = []
  private var members: [String: Member] = [:]
  private var remainingValues = 0

  /// Items, values of an item, members and levels of an item beyond these counts are ignored.
  public static let maximumItemCount = 1_000
  static let maximumValueCount = 1_000
  static let maximumPathCount = 256
  static let maximumDepth = 8
  private static let longestAddress = 2_048
  private static let longestName = 64

  /// Reads a document in JSON or XML; others have no items.
  /// - Complexity: O(n) in its bytes.
  public init(_ document: [UInt8]) {
    let bytes = DocumentText.utf8Bytes(document)
    switch DocumentText.firstMark(bytes) {
    case UInt8(ascii: "<"): readXML(bytes)
    case .openBrace, .openBracket: readJSON(bytes)
    default: break
    }
  }

  /// All addresses.
  public var all: Set<String> { members.values.reduce(into: []) { $0.formUnion($1.addresses) } }

  /// The members that all items have and none of whose addresses is among those `shown`, in the order of the document.
  public func pathsOfAllItems(outside shown: Set<String>) -> [String] {
    paths.filter { path in
      members[path].map { $0.itemCount == itemCount && $0.addresses.isDisjoint(with: shown) } ?? false
    }
  }

  private mutating func beginItem() {
    itemCount += 1
    remainingValues = Self.maximumValueCount
  }

  private mutating func add(_ text: String, at path: String) {
    guard let address = WebAddress(text)?.withoutUser.text else { return }
    if members[path] == nil {
      guard paths.count < Self.maximumPathCount else { return }
      paths.append(path)
    }
    members[path, default: Member()].addresses.insert(address)
    guard members[path]?.lastItem != itemCount else { return }
    members[path]?.lastItem = itemCount
    members[path]?.itemCount += 1
  }

  private static func name(_ text: String) -> String { cleanedLine(text, limit: longestName) }

  /// A document without a list is an item itself.
  private mutating func readJSON(_ bytes: [UInt8]) {
    let documents = JSONItems(bytes).documents
    for item in documents.lazy.flatMap(\.items).filter({ !$0.isEmpty }).prefix(Self.maximumItemCount) {
      beginItem()
      add(JSONValue(bytes, item), at: "", depth: 0)
    }
    guard documents.last?.place == nil, itemCount == 0, let root = JSONValue(document: bytes) else { return }
    beginItem()
    add(root, at: "", depth: 0)
  }

  private mutating func add(_ value: JSONValue, at path: String, depth: Int) {
    remainingValues -= 1
    guard remainingValues >= 0, depth <= Self.maximumDepth else { return }
    switch value.source.first {
    case .quote:
      if value.source.count <= Self.longestAddress, let text = value.string { add(text, at: path) }
    case .openBracket:
      for element in value.elements(limit: remainingValues) ?? [] { add(element, at: path + "[]", depth: depth + 1) }
    case .openBrace:
      for (name, member) in value.object?.all ?? [] {
        add(member, at: path.isEmpty ? Self.name(name) : "\(path).\(Self.name(name))", depth: depth + 1)
      }
    default: break
    }
  }

  private static let itemNames: Set<String> = ["item", "entry", "liveitem", "track", "response"]
  /// The attributes whose values are names in the form of addresses.
  private static let names: Set<String> = ["scheme", "domain", "rel", "role", "base"]

  private mutating func readXML(_ bytes: [UInt8]) {
    var reader = XMLReader(bytes, base: nil)
    func isItem(_ element: XMLElement) -> Bool { Self.itemNames.contains(element.name) }
    while itemCount < Self.maximumItemCount, let element = reader.nextElement() {
      guard isItem(element) else { continue }
      beginItem()
      add(reader.content(of: element, endsAt: isItem), at: "", depth: 0)
    }
  }

  private mutating func add(_ element: XMLElement, at path: String, depth: Int) {
    remainingValues -= 1
    guard remainingValues >= 0, depth <= Self.maximumDepth else { return }
    let start = path.isEmpty ? "" : path + "/"
    for attribute in element.attributes where !Self.names.contains(attribute.name) {
      if attribute.value.utf8.count <= Self.longestAddress {
        add(attribute.value, at: "\(start)@\(Self.name(attribute.name))")
      }
    }
    if element.isPlain {
      let text = element.textBytes.trimmingBlanks()
      if text.count <= Self.longestAddress { add(String(decoding: text, as: UTF8.self), at: path) }
      return
    }
    for case .element(let child) in element.nodes {
      let name = (child.space.usualPrefix.map { $0 + ":" } ?? "") + Self.name(child.name)
      add(child, at: start + name, depth: depth + 1)
    }
  }
}

extension XMLNamespace {
  fileprivate var usualPrefix: String? {
    switch self {
    case .media: "media"
    case .itunes: "itunes"
    case .podcast: "podcast"
    case .podlove: "psc"
    case .youTube: "yt"
    case .dublinCore: "dc"
    case .content: "content"
    case .history: "fh"
    case .rss, .atom, .xhtml, .xml, .other: nil
    }
  }
}
