import FeedfallText

/// Identifies a feed for the IDs that are unique only within it, by the address of the source as the user wrote it.
///
/// The address may contain a secret, such as the token of a private podcast. The text therefore has only its host, its
/// port and a hash: `feeds.example:8080#af63dc4c8601ec8c`. The scheme and the user do not count.
public struct FeedScope: Equatable, Sendable {
  // One reference, because each video of a feed has it.
  private let texts: Texts

  private final class Texts: Sendable {
    let text: String
    let earlier: String?

    init(_ text: String, earlier: String? = nil) {
      self.text = text
      self.earlier = earlier == text ? nil : earlier
    }
  }

  public var text: String { texts.text }
  /// The text of earlier versions if it differs.
  public var earlierText: String? { texts.earlier }

  /// The names that earlier versions ignored in a query, even where they were none of pages.
  private static let ignoredEarlier: Set<String> = ["page", "size"]

  /// - Parameter first: the request for the first page, which was hashed by earlier versions; nil if it is the address.
  public init(_ address: WebAddress, first: WebAddress? = nil) {
    texts = Texts(
      Self.text(address) { _ in true }, earlier: Self.text(first ?? address) { !Self.ignoredEarlier.contains($0) })
  }

  package init(text: String, earlierText: String? = nil) { texts = Texts(text, earlier: earlierText) }

  /// The scope of a source as the user wrote it: an address, a path, or another text.
  package init(source: String) {
    self = WebAddress(source).map { FeedScope($0) } ?? FeedScope(text: "#\(Self.hash(source.hidingPassword))")
  }

  /// The scope of a document that is a local file.
  public init(_ file: FileAddress) {
    texts = Texts("#\(Self.hash(file.text))")
  }

  public static func == (left: FeedScope, right: FeedScope) -> Bool {
    left.texts === right.texts || left.text == right.text
  }

  private static func text(_ address: WebAddress, _ counts: (String) -> Bool) -> String {
    let query = address.queryItems.filter { counts($0.name) }.map { "\($0.name)=\($0.value)" }
    let port = address.port.map { ":\($0)" } ?? ""
    return "\(address.host)\(port)#\(hash("\(address.path)?\(query.joined(separator: "&"))"))"
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
