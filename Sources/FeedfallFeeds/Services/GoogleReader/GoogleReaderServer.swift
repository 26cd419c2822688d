import FeedfallText

/// The requests of the Google Reader API (github.com/mihaip/google-reader-api, github.com/theoldreader/api).
public struct GoogleReaderServer: Equatable, Sendable {
  /// The address of the API with a slash at its end, such as `https://host/api/greader.php/`.
  public let base: WebAddress

  /// The maximum count of IDs in one answer.
  public static let maximumIDCount = 1_000
  /// The maximum count of entries in one request for contents.
  public static let batchCount = 100

  private static let apiSegments = ["reader", "api", "0"]

  /// Ignores a user, a query and a fragment of the address, and the path that all requests share.
  public init?(_ address: WebAddress) {
    var segments = address.pathSegments.filter { !$0.isEmpty }
    if segments.suffix(3) == Self.apiSegments { segments.removeLast(3) }
    let path = segments.map { PercentCoding.encodeSegment($0) + "/" }.joined()
    guard let base = WebAddress("\(address.origin)/\(path)") else { return nil }
    self.base = base
  }

  /// The feed within which the IDs of a user's entries are unique.
  public func scope(ofUser name: String) -> FeedScope { FeedScope(base.appending([("user", name)])) }

  private func address(_ path: String, _ items: [(name: String, value: String)] = []) -> WebAddress {
    WebAddress(unchecked: base.text + "reader/api/0/" + path).appending([("output", "json")] + items)
  }

  public var login: WebAddress { WebAddress(unchecked: base.text + "accounts/ClientLogin") }

  public var subscriptions: WebAddress { address("subscription/list") }

  /// The token that each change contains against forged requests.
  public var token: WebAddress { WebAddress(unchecked: base.text + "reader/api/0/token") }

  public var contents: WebAddress { address("stream/items/contents") }

  public var tagEditing: WebAddress { address("edit-tag") }

  /// The list of IDs, the newest first.
  public func ids(_ query: Query) -> WebAddress {
    let stream = query.mark?.tag ?? "user/-/state/com.google/reading-list"
    var items = [(name: "s", value: stream), ("n", "\(Self.maximumIDCount)")]
    if query.excludesRead { items.append(("xt", Mark.watched.tag)) }
    if let since = query.since { items.append(("ot", "\(since.seconds)")) }
    if let continuation = query.continuation { items.append(("c", continuation)) }
    return address("stream/items/ids", items)
  }

  /// The form of a login. It contains the password and belongs into the body of a request only.
  public static func loginForm(user: String, password: String) -> String {
    form([
      ("Email", user), ("Passwd", password), ("service", "reader"), ("client", "feedfall"),
      ("accountType", "HOSTED_OR_GOOGLE"),
    ])
  }

  public static func contentsForm(_ ids: [GoogleReaderID]) -> String { form(ids.map { ("i", $0.longForm) }) }

  public static func editForm(_ change: MarkChange, token: String) -> String {
    let ids = change.ids.compactMap { GoogleReaderID(hexadecimal: $0) }
    return form(
      [(change.isSet ? "a" : "r", change.mark.tag)] + ids.map { ("i", $0.longForm) } + [("T", token)])
  }

  private static func form(_ items: [(name: String, value: String)]) -> String {
    items.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
  }
}

extension GoogleReaderServer {
  /// A list of the IDs of entries.
  public struct Query: Equatable, Sendable {
    /// Nil for all entries.
    public var mark: Mark?
    public var excludesRead: Bool
    /// Excludes older entries, by their arrival or their publication, which depends on the server.
    public var since: UnixTime?
    /// The continuation that the preceding answer named.
    public var continuation: String?

    public init(
      _ mark: Mark? = nil, excludesRead: Bool = false, since: UnixTime? = nil, continuation: String? = nil
    ) {
      (self.mark, self.excludesRead, self.since, self.continuation) = (mark, excludesRead, since, continuation)
    }
  }
}

/// The ID of an entry in hexadecimal digits, so that it cannot change the rest of a form.
///
/// Most servers use 64-bit numbers, which they write as signed decimals in lists and as hexadecimal digits in contents,
/// with or without leading zeros. The Old Reader uses 24 digits everywhere.
public struct GoogleReaderID: Hashable, Sendable {
  public let text: String

  private static let prefix = "tag:google.com,2005:reader/item/"
  private static let maximumLength = 32
  /// In digits.
  private static let numberLength = 16

  init?(_ text: String) {
    if text.hasPrefix(Self.prefix) {
      self.init(hexadecimal: String(text.dropFirst(Self.prefix.count)))
    } else if let number = Int64(text) ?? UInt64(text).map({ Int64(bitPattern: $0) }) {
      self.init(hexadecimal: UInt64(bitPattern: number).hexadecimal(digitCount: Self.numberLength))
    } else {
      self.init(hexadecimal: text)
    }
  }

  /// Adopts the digits of `text`, padded with zeros.
  public init?(hexadecimal text: String) {
    guard (1...Self.maximumLength).contains(text.utf8.count), text.utf8.allSatisfy({ $0.hexDigitValue != nil }) else {
      return nil
    }
    self.text = String(repeating: "0", count: max(0, Self.numberLength - text.utf8.count)) + text.lowercased()
  }

  fileprivate var longForm: String { Self.prefix + text }
}

extension Mark {
  fileprivate var tag: String { "user/-/\(row.server?.googleReader ?? "")" }

  /// Whether a category is this mark of any user: some servers write a number in place of `-`.
  func isNamed(by category: String) -> Bool {
    category.hasPrefix("user/") && category.hasSuffix(tag.dropFirst("user/-".count))
  }
}
