import FeedfallText

/// Identifies a feed for the IDs that are unique only within it.
///
/// The address may contain a secret, such as the token of a private podcast. The text therefore has only its host, its
/// port and a hash: `feeds.example:8080#af63dc4c8601ec8c`. The scheme, the user and the numbers of pages do not count.
public struct FeedScope: Equatable, Sendable {
  public let text: String

  /// Creates a scope from the text of another one.
  package init(text: String) { self.text = text }

  private static let pagination: Set<String> = ["page", "size"]

  public init(_ address: WebAddress) {
    let query = address.queryItems.filter { !Self.pagination.contains($0.name) }.map { "\($0.name)=\($0.value)" }
    let port = address.port.map { ":\($0)" } ?? ""
    text = "\(address.host)\(port)#\(Self.hash("\(address.path)?\(query.joined(separator: "&"))"))"
  }

  /// The scope of a document that is a local file.
  public init(_ file: FileAddress) {
    text = "#\(Self.hash(file.text))"
  }

  /// The 64-bit FNV-1a hash as a hexadecimal number.
  private static func hash(_ text: String) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}

extension DecodedDocument {
  /// Restricts the IDs to a feed if its format does not make them unique beyond it.
  public mutating func restrictIDs(to scope: FeedScope) {
    guard kind.hasOwnIDs else { return }
    for index in videos.indices { videos[index].scope = scope }
  }
}
