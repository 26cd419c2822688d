import FeedfallText

/// A feed format, whose items are decoded one by one: in XML or text in UTF-8, or JSON.
///
/// A new format is a type that conforms to this protocol, and a row in `FeedFormats.rows`. A format in JSON is a
/// row in `Service.all` instead.
protocol FeedFormat: Sendable {
  /// The names of root elements, in lower case, by which a document in XML is recognized.
  static var rootNames: Set<String> { get }
  /// Whether a document that is not XML is in this format, by its start; see `FeedFormats.textStart`.
  static func matches(start: ArraySlice<UInt8>) -> Bool
  init(_ bytes: [UInt8], address: MediaAddress?)
  var kind: FeedKind { get }
  mutating func next() -> Video?
  /// As far as the document has been read.
  var header: FeedHeader { get }
  var skipped: SkippedEntries { get }
  /// A message for the user if a part of the document is left out, on one line.
  var limitNotice: String? { get }
  /// Whether the end of the document is missing, as far as it has been read.
  var isCut: Bool { get }
  /// The reason why there are no more than `count` videos; nil if the document has ended properly.
  func failure(after count: Int) -> FeedFailure?
}

extension FeedFormat {
  static var rootNames: Set<String> { [] }
  static func matches(start: ArraySlice<UInt8>) -> Bool { false }
  var header: FeedHeader { FeedHeader() }
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

  /// The first bytes, without leading blanks and byte order mark.
  static func textStart(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.prefix(64).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
  }

  /// Whether the document may be JSON that is a list of videos, whose first line may be `null`.
  private static func mayBeJSON(_ bytes: [UInt8]) -> Bool {
    guard let mark = DocumentText.firstMark(bytes) else { return true }
    let start = textStart(bytes)
    return mark == .openBrace || mark == .openBracket && !PLSPlaylist.matches(start: start)
      || ["null\n", "null\r", "null,"].contains { start.starts(with: $0.utf8) }
  }

  /// Returns the reader for a document, which may be named a playlist, and the count of bytes of other text before it.
  /// The encoding of strings in JSON is that of each.
  static func reader(
    _ bytes: [UInt8], address: MediaAddress?, charset: String?, isPlaylist: Bool, isContinuation: Bool
  ) throws(FeedFailure) -> (any FeedFormat, leadingByteCount: Int) {
    let isUTF8 = TextEncoding.detected(in: bytes).map { $0.encoding == .utf8 } ?? !DocumentText.isForeign(charset)
    let text = isUTF8 && mayBeJSON(bytes) ? bytes : DocumentText.utf8Bytes(bytes, charset: charset)
    if mayBeJSON(text) { return (JSONDocument(text, address: address, isContinuation: isContinuation), 0) }
    do throws(FeedFailure) { return (try reader(text, address: address, isPlaylist: isPlaylist), 0) } catch {
      guard let start = LateXML.start(in: text),
        let late = try? reader(Array(text[start...]), address: address, isPlaylist: false)
      else { throw error }
      return (late, start)
    }
  }

  private static func reader(
    _ text: [UInt8], address: MediaAddress?, isPlaylist: Bool
  ) throws(FeedFailure) -> any FeedFormat {
    let start = textStart(text)
    if let format = rows.first(where: { $0.matches(start: start) }) { return format.init(text, address: address) }
    guard DocumentText.firstMark(text) == UInt8(ascii: "<") else {
      if M3UPlaylist.isList(text, isNamed: isPlaylist) { return M3UPlaylist(text, address: address) }
      throw .notAFeed(text)
    }
    if HTMLPage.isStarted(by: text) {
      guard DirectoryListing.isStarted(by: text) else { throw .notAFeed(text) }
      return DirectoryListing.folder(text, at: address?.web)
    }
    guard let root = XMLReader.rootName(of: text) else { throw .notAFeed(text) }
    let name = root == "html" && HTMLPage.wrapsFeed(text) ? "feed" : root
    guard let format = rows.first(where: { $0.rootNames.contains(name) }) else { throw .otherXML(root) }
    return format.init(text, address: address)
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
