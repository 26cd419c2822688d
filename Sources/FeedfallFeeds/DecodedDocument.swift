import FeedfallText

/// A whole feed document, understood.
public struct DecodedDocument: Equatable, Sendable {
  public var kind: FeedKind
  public var videos: [Video]
  /// How many items could not be understood and were left out.
  public var skippedCount: Int
  /// How many videos the feed says it has in all.
  public var total: Int?
  /// Whether the document says that there are no more after it, as articles do with `"end": 1`.
  public var saysEnd: Bool
  /// The feed's own name.
  public var title: String?
  /// Where the feed's next page is, where the feed says so.
  public var nextAddress: WebAddress?
  /// The documents that hold its videos, where it holds none itself but lists other lists.
  public var parts: [WebAddress]

  public init(
    kind: FeedKind, videos: [Video], skippedCount: Int = 0, total: Int? = nil, saysEnd: Bool = false,
    title: String? = nil, nextAddress: WebAddress? = nil, parts: [WebAddress] = []
  ) {
    self.kind = kind
    self.videos = videos
    self.skippedCount = skippedCount
    self.total = total
    self.saysEnd = saysEnd
    self.title = title
    self.nextAddress = nextAddress
    self.parts = parts
  }
}
