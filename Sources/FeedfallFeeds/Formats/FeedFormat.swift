import FeedfallText

/// A feed format whose documents are read as a whole: XML or text in UTF-8.
///
/// A new format is a type that conforms to this protocol, and a row in `FeedFormats.rows`. A format in JSON is a
/// row in `Service.all` instead.
protocol FeedFormat: Sendable {
  /// The names of root elements, in lower case, by which a document in XML is recognized.
  static var rootNames: Set<String> { get }
  /// Whether a document that is not XML is in this format, by its first 64 bytes.
  static func matches(start: [UInt8]) -> Bool
  init(_ bytes: [UInt8], address: MediaAddress?)
  var kind: FeedKind { get }
  mutating func next() -> Video?
  var title: String? { get }
  var summary: String? { get }
  var cover: WebAddress? { get }
  var nextAddress: WebAddress? { get }
  var nextIsArchive: Bool { get }
  /// The documents that contain further videos.
  var parts: [WebAddress] { get }
  var skipped: SkippedEntries { get }
  /// A message for the user if the format's own limit leaves out a part of the document, on one line.
  var limitNotice: String? { get }
  /// Whether the end of the document is missing, as far as it has been read.
  var isCut: Bool { get }
  /// The reason why there are no more than `count` videos; nil if the document has ended properly.
  func failure(after count: Int) -> FeedFailure?
}

extension FeedFormat {
  static var rootNames: Set<String> { [] }
  static func matches(start: [UInt8]) -> Bool { false }
  var title: String? { nil }
  var summary: String? { nil }
  var cover: WebAddress? { nil }
  var nextAddress: WebAddress? { nil }
  var nextIsArchive: Bool { false }
  var parts: [WebAddress] { [] }
  var skipped: SkippedEntries { SkippedEntries() }
  var limitNotice: String? { nil }
  var isCut: Bool { false }
  func failure(after count: Int) -> FeedFailure? { nil }
}

enum FeedFormats {
  private static let rows: [any FeedFormat.Type] = [
    M3UPlaylist.self, PLSPlaylist.self, XMLPlaylist.self, SyndicationDocument.self,
    ServedFolder.self,
  ]

  static let startByteCount = 64

  /// Whether more than white space is present.
  static func hasStarted(_ bytes: [UInt8]) -> Bool { DocumentText.firstMark(bytes) != nil }

  /// Whether further bytes cannot change the result of `isWhole`.
  static func isDecided(by bytes: [UInt8]) -> Bool {
    if bytes.count >= M3UPlaylist.sampleByteCount || isJSON(bytes) { return true }
    guard bytes.count >= startByteCount || textStart(bytes).count >= 16 else { return false }
    return !hasStarted(bytes) || !isUnmarked(bytes) || isMarkedWhole(bytes)
  }

  /// Whether the first character shows that the text is neither JSON nor XML.
  private static func isUnmarked(_ bytes: [UInt8]) -> Bool {
    !mayBeJSON(bytes) && DocumentText.firstMark(bytes) != UInt8(ascii: "<")
  }

  /// The first bytes, without leading blanks and byte order mark.
  static func textStart(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.prefix(startByteCount).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4, !bytes.prefix(4).contains(0), let mark = DocumentText.firstMark(bytes) else { return false }
    // `[playlist]` is the start of PLS.
    let second = textStart(bytes).dropFirst().first?.lowercased
    return mark == .openBrace || mark == .openBracket && second != UInt8(ascii: "p")
  }

  /// Whether the document may be JSON that is a list of videos, whose first line may be `null`.
  static func mayBeJSON(_ bytes: [UInt8]) -> Bool {
    guard let mark = DocumentText.firstMark(bytes) else { return true }
    if mark == .openBrace || mark == .openBracket { return true }
    let start = textStart(bytes)
    return ["null\n", "null\r", "null,"].contains { start.starts(with: $0.utf8) }
  }

  /// Whether a document with this start is read as a whole. It may be named a playlist.
  static func isWhole(_ bytes: [UInt8], isPlaylist: Bool) -> Bool {
    isMarkedWhole(bytes) || isUnmarked(bytes) && M3UPlaylist.isList(bytes, isNamed: isPlaylist)
  }

  private static func isMarkedWhole(_ bytes: [UInt8]) -> Bool {
    if Gzip.isStarted(by: bytes) { return true }
    if let (encoding, _) = TextEncoding.detected(in: bytes), encoding != .utf8 { return true }
    return DocumentText.firstMark(bytes) == UInt8(ascii: "<") || rows.contains { $0.matches(start: bytes) }
  }

  /// Returns the reader for a document in UTF-8, which may be named a playlist; nil for JSON.
  static func reader(
    _ bytes: [UInt8], address: MediaAddress?, isPlaylist: Bool
  ) throws(FeedFailure) -> (any FeedFormat)? {
    if let format = rows.first(where: { $0.matches(start: bytes) }) { return format.init(bytes, address: address) }
    if isUnmarked(bytes), M3UPlaylist.isList(bytes, isNamed: isPlaylist) {
      return M3UPlaylist(bytes, address: address)
    }
    guard DocumentText.firstMark(bytes) == UInt8(ascii: "<") else { return nil }
    if HTMLPage.isStarted(by: bytes) {
      guard DirectoryListing.isStarted(by: bytes) else { throw .notAFeed(bytes) }
      return DirectoryListing.folder(bytes, at: address?.web)
    }
    guard let root = XMLReader.rootName(of: bytes) else { throw .notAFeed(bytes) }
    let name = root == "html" && HTMLPage.wrapsFeed(bytes) ? "feed" : root
    guard let format = rows.first(where: { $0.rootNames.contains(name) }) else { throw .otherXML(root) }
    return format.init(bytes, address: address)
  }
}

/// The entries of a playlist whose addresses cannot be played.
struct SkippedEntries: Equatable, Sendable {
  private(set) var count = 0
  private var schemes: [String] = []

  private static let maximumSchemeCount = 6
  private static let longestScheme = 12

  mutating func insert(_ address: String) {
    count += 1
    let scheme = address.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "+") }
    let name = String(decoding: scheme.map(\.lowercased), as: UTF8.self)
    guard (2...Self.longestScheme).contains(scheme.count), address.utf8.dropFirst(scheme.count).starts(with: ":".utf8),
      !schemes.contains(name), schemes.count < Self.maximumSchemeCount
    else { return }
    schemes.append(name)
  }

  /// A message for the user, on one line; nil if no entry has an address of another kind.
  var notice: String? {
    guard !schemes.isEmpty else { return nil }
    let entries = count == 1 ? "1 entry" : "\(count) entries"
    return "Skipped \(entries): feedfall does not play \(schemes.joined(separator: ", "))."
  }
}

extension XMLReader {
  /// Returns the next start tag, also one that ended the previous element's content.
  mutating func nextElement() -> XMLElement? {
    if let element = reopened {
      reopened = nil
      return element
    }
    while let event = next() { if case .start(let element) = event { return element } }
    return nil
  }
}
