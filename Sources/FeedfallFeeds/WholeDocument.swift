import FeedfallDocuments
import FeedfallText

/// A kind of document that is read when all of it is there. A new kind is one that has this, and a line in
/// `DocumentForm.document`.
protocol WholeDocument: Sendable {
  /// The next video; nil after the last one.
  mutating func next() -> Video?
  var kind: FeedKind { get }
  /// The feed's own name, as soon as it was read.
  var title: String? { get }
  /// Where the feed's next page is, as soon as it was read.
  var nextAddress: WebAddress? { get }
  /// Why there were no more videos; nil where the document has ended as it should.
  func failure(after count: Int) -> FeedFailure?
}

extension WholeDocument {
  var title: String? { nil }
  var nextAddress: WebAddress? { nil }
  func failure(after count: Int) -> FeedFailure? { nil }
}

/// In which form a document is, told by its first bytes.
enum DocumentForm {
  /// Whether more than white space is there.
  static func hasBegun(_ bytes: [UInt8]) -> Bool { DocumentText.firstMark(bytes) != nil }

  /// Whether what begins like this can be nothing but JSON in UTF-8.
  static func isJSON(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4, !bytes.prefix(4).contains(0), let mark = DocumentText.firstMark(bytes) else { return false }
    return mark == .openBrace || mark == .openBracket
  }

  /// Whether a document that begins like this is read as a whole.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    if let (encoding, _) = TextEncoding.ofStart(bytes), encoding != .utf8 { return true }
    return DocumentText.firstMark(bytes) == UInt8(ascii: "<") || Playlist.isBegun(by: bytes)
  }

  /// The reader for a document in UTF-8; nil for JSON and what is nothing of all this.
  static func document(_ bytes: [UInt8], address: MediaAddress?) -> (any WholeDocument)? {
    if Playlist.isBegun(by: bytes) { return Playlist(bytes, address: address) }
    guard DocumentText.firstMark(bytes) == UInt8(ascii: "<") else { return nil }
    if HTMLPage.isStarted(by: bytes) { return NoDocument(FeedDecoder.failure(forOther: bytes)) }
    switch XMLReader.rootName(of: bytes) {
    case "playlist", "tracklist": return SharedPlaylist(bytes, address: address)
    case let name? where SyndicationDocument.isRoot(name): return SyndicationDocument(bytes, address: address?.web)
    case let name?: return NoDocument(.otherXML(name))
    case nil: return NoDocument(FeedDecoder.failure(forOther: bytes))
    }
  }
}

/// A document that holds no videos, with the reason.
struct NoDocument: WholeDocument {
  let kind = FeedKind.syndication
  private let reason: FeedFailure

  init(_ reason: FeedFailure) {
    self.reason = reason
  }

  mutating func next() -> Video? { nil }

  func failure(after count: Int) -> FeedFailure? { reason }
}

extension FeedFailure {
  static let tooLarge = FeedFailure(.permanent, "the feed is larger than 256 MB")

  static func otherXML(_ root: String) -> FeedFailure {
    let name = cleanedLine(root, limit: 40)
    let advice =
      name == "opml"
      ? "save it as a file, and feedfall import adds its feeds to your sources" : "give the address of a feed"
    return FeedFailure(.permanent, "the answer is XML (\(name)), not a feed that feedfall reads", advice: advice)
  }
}
