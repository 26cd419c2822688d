import FeedfallText

/// A decoded page of a feed.
public struct FeedPage: Equatable, Sendable {
  public var videos: [Video]
  /// The start of the next page; nil after the last one.
  public var next: FeedCursor?
  /// The count of all videos in the feed, according to the feed.
  public var total: Int?
  /// The count of items that could not be decoded.
  public var skippedCount: Int
  /// The name of the feed.
  public var title: String?
  /// The description of the feed, on one line.
  public var summary: String?
  /// The address of the feed's picture.
  public var cover: WebAddress?
  /// The time of the request, if the page is from the cache.
  public var savedAt: UnixTime?
  /// Whether the server has confirmed that the page is still the cached one.
  public var isConfirmed = false
  /// A message for the user, on one line.
  public var notice: String?
  /// The marks that the server stores, also of videos on other pages.
  public var marks: [MarkedVideo] = []
  /// The feeds of a live list, which has no videos of its own; nil for other sources.
  public var subscriptions: SubscriptionList?

  public init(
    videos: [Video], next: FeedCursor? = nil, total: Int? = nil, skippedCount: Int = 0, title: String? = nil
  ) {
    (self.videos, self.next, self.total, self.skippedCount) = (videos, next, total, skippedCount)
    self.title = title
  }
}

/// The start of a page, in the unit that the feed counts in.
public enum FeedCursor: Hashable, Sendable {
  case start
  /// The number of a page.
  case page(Int)
  /// The count of items before the page.
  case offset(Int)
  /// An address in the preceding page.
  case address(WebAddress)
  /// The address of an archive in the preceding page, which never changes (RFC 5005, 4).
  case archive(WebAddress)
  /// The count of items before the page in a document that is read in pieces.
  case item(Int)

  /// The address of the page, if the preceding one names it.
  public var address: WebAddress? {
    switch self {
    case .address(let address), .archive(let address): address
    case .start, .page, .offset, .item: nil
    }
  }

  /// Whether the page never changes.
  public var isArchive: Bool { if case .archive = self { true } else { false } }
}

/// The page after an answer: an address in the answer, or the parameters that continue its request.
public struct NextPage: Equatable, Sendable {
  private struct Token: Equatable {
    let name: String
    let value: String
  }

  /// The address in the answer, or the request that the tokens continue.
  private let base: WebAddress
  private var isArchive = false
  private var tokens: [Token] = []

  /// - Parameter isArchive: whether the page never changes (RFC 5005, 4).
  init(_ address: WebAddress, isArchive: Bool = false) { (base, self.isArchive) = (address, isArchive) }

  init?(header: String, from address: WebAddress?) {
    if let next = LinkHeader.target(of: "next", in: header, from: address) {
      self.init(next)
    } else if let archive = LinkHeader.target(of: "prev-archive", in: header, from: address) {
      self.init(archive, isArchive: true)
    } else {
      return nil
    }
  }

  /// A page that is requested by the request for the first page with these parameters. Those of earlier answers are
  /// dropped: with a used-up token, MediaWiki would omit files (mediawiki.org, API:Continue).
  init?(tokens: [(name: String, value: String)], after address: WebAddress) {
    guard !tokens.isEmpty,
      tokens.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= WebAddress.maximumByteCount
    else { return nil }
    (base, self.tokens) = (address, tokens.map { Token(name: $0.name, value: $0.value) })
    guard WebAddress(self.address.text) != nil else { return nil }
  }

  /// The address of the page if the answer is the first page.
  public var address: WebAddress { address(after: base) }

  private func address(after request: WebAddress) -> WebAddress {
    tokens.reduce(request) { $0.setting(query: $1.name, to: $1.value) }
  }

  /// The start of the page in a list that begins with a request.
  public func cursor(in first: WebAddress) -> FeedCursor {
    if isArchive { return .archive(base) }
    // The first request may have returned a page that only links to the list.
    let isOfList = !tokens.isEmpty && first.origin == base.origin && first.path == base.path
    return .address(address(after: isOfList ? first : base))
  }

  /// The page with another form of its address; tokens stay unchanged.
  public func mapAddress(_ change: (WebAddress) -> WebAddress) -> NextPage {
    tokens.isEmpty ? NextPage(change(base), isArchive: isArchive) : self
  }
}

/// The tags of a page in their order.
struct HTMLTags: Sequence, IteratorProtocol {
  private let page: [UInt8]
  private var index = 0

  init(_ page: [UInt8]) { self.page = page }

  mutating func next() -> HTMLTag? {
    while let open = page[index...].firstIndex(of: UInt8(ascii: "<")) {
      let tag = HTMLTag(in: page, at: open)
      index = tag?.end ?? open + 1
      if let tag { return tag }
    }
    return nil
  }
}

/// Finds the feeds that a web page links to in its head: `<link rel="alternate" type="application/rss+xml" href="…">`.
public enum FeedLinks {
  /// The searched part of a page, in bytes; heads with scripts are long.
  static let searchedByteCount = 1_048_576
  private static let maximumCount = 16

  /// Returns the feeds of the page at `address`, in the order of the page, with feeds of comments last. Links in
  /// comments and scripts are ignored. O(n).
  public static func alternates(inHTML body: [UInt8], from address: WebAddress) -> [WebAddress] {
    var feeds: [WebAddress] = []
    var comments: [WebAddress] = []
    // The first `<base>` decides (HTML, 4.2.3).
    var base: WebAddress?
    for tag in HTMLTags(Array(body.prefix(searchedByteCount))) {
      if feeds.count + comments.count >= maximumCount { break }
      if tag.name == "base", base == nil {
        base = tag["href"].map { WebAddress(resolving: $0, against: address) ?? address }
      }
      guard tag.name == "link", let feed = feed(in: tag, base ?? address), !(feeds + comments).contains(feed) else {
        continue
      }
      if isOfComments(tag, feed) { comments.append(feed) } else { feeds.append(feed) }
    }
    return feeds + comments
  }

  private static let types = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json", "application/json",
  ]

  private static func feed(in tag: HTMLTag, _ base: WebAddress) -> WebAddress? {
    let relations = (tag["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    guard relations.contains("alternate"), let type = tag["type"]?.lowercased(), let href = tag["href"] else {
      return nil
    }
    let kind = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }
    guard types.contains(kind) else { return nil }
    // WordPress links to its API in the same way.
    if kind == "application/json", href.contains("/wp-json/") || href.contains("oembed") { return nil }
    return WebAddress(resolving: href, against: base)
  }

  private static func isOfComments(_ tag: HTMLTag, _ feed: WebAddress) -> Bool {
    [tag["title"] ?? "", feed.text].contains { $0.lowercased().contains("comment") }
  }
}

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
