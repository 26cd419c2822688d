import FeedfallText

/// Identifies a feed for the IDs that are unique only within it, by the address of the source as the user wrote it.
///
/// The address may contain a secret, such as the token of a private podcast. The text therefore has only its host, its
/// port and a hash: `feeds.example:8080#af63dc4c8601ec8c`. The scheme and the user do not count.
public struct FeedScope: Equatable, Sendable {
  // A reference, because each video of a feed has it.
  private let storage: Storage

  private final class Storage: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
  }

  public var text: String { storage.text }

  public init(_ address: WebAddress) {
    let query = address.queryItems.map { "\($0.name)=\($0.value)" }
    let port = address.port.map { ":\($0)" } ?? ""
    let hash = Self.hash("\(address.path)?\(query.joined(separator: "&"))")
    self.init(text: "\(address.host)\(port)#\(hash)")
  }

  package init(text: String) { storage = Storage(text) }

  /// The scope of a source as the user wrote it: an address, a path, or another text.
  package init(source: String) {
    self = WebAddress(source).map { FeedScope($0) } ?? FeedScope(text: "#\(Self.hash(source.hidingPassword))")
  }

  /// The scope of a document that is a local file.
  public init(_ file: FileAddress) { self.init(text: "#\(Self.hash(file.text))") }

  public static func == (left: FeedScope, right: FeedScope) -> Bool {
    left.storage === right.storage || left.text == right.text
  }

  private static func hash(_ text: String) -> String { String(FNV1a.hash(text), radix: 16) }
}

extension DecodedDocument {
  /// Restricts the IDs to a feed if its format does not make them unique beyond it.
  public mutating func restrictIDs(to scope: FeedScope) {
    guard kind.hasOwnIDs else { return }
    for index in videos.indices { videos[index].scope = scope }
  }
}
