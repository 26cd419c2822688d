import FeedfallDocuments
import FeedfallText

/// Reads a feed document piece by piece: bytes are pushed in, videos come out, so that the first screen of a
/// document of a gigabyte is there before the rest is read.
///
/// What was pushed and not yet taken is kept as it came. Whoever pushes only when the reader has nothing left to give
/// needs, of JSON, no more memory than a piece and an item of at most 4 MB; XML and playlists, which are of some
/// megabytes at most, are kept whole, and read when their last byte is there.
public struct FeedDocumentReader: Sendable {
  /// The encoding that the server named.
  private let charset: String?
  // Each of these is changed in place: what an enum holds would be copied.
  /// What no reader has taken yet.
  private var held: [UInt8]
  private var json: JSONDocumentReader?
  private var whole: (any WholeDocument)?
  /// Whether the document is of a form that is read when all of it is there.
  private var isGathered = false
  private let address: MediaAddress?
  private var isFinished = false
  private var readCount = 0
  private var hasEnded = false

  private static let maximumWholeByteCount = 256 << 20

  /// Begins a document that came from `address`, against which relative addresses are resolved; one that is a file may
  /// name others.
  ///
  /// `contentType` is what its server called it: of that only the encoding counts, and only for text that is in none
  /// of Unicode's.
  public init(address: MediaAddress?, contentType: String = "") {
    self.init(address: address, bytes: [], charset: DocumentText.charset(in: contentType))
  }

  init(address: MediaAddress?, bytes: [UInt8], charset: String? = nil) {
    self.charset = charset
    self.address = address
    held = bytes
    recognise()
  }

  /// Adds the document's next bytes.
  public mutating func push(_ bytes: UnsafeRawBufferPointer) {
    push(Array(bytes)[...])
  }

  /// Adds the document's next bytes.
  public mutating func push(_ bytes: ArraySlice<UInt8>) {
    if json != nil {
      json?.push(bytes)
    } else if whole == nil, held.count <= Self.maximumWholeByteCount {
      held += bytes
      if !isGathered { recognise() }
    }
  }

  /// Tells that the document has no more bytes.
  public mutating func finish() {
    isFinished = true
    if !isGathered { recognise() }
    json?.finish()
    guard isGathered, whole == nil else { return }
    let bytes = held
    held = []
    if bytes.count > Self.maximumWholeByteCount { whole = NoDocument(.tooLarge) } else { open(bytes) }
  }

  /// Takes up to `count` videos that are complete in what was pushed so far; an empty list means that more
  /// bytes are needed, or that all is read.
  ///
  /// A JSON document that breaks off gives what was complete in it first, then throws.
  /// - Complexity: O(n) in the bytes that are read.
  public mutating func takeVideos(_ count: Int) throws(FeedFailure) -> [Video] {
    if let videos = try json?.takeVideos(count) { return videos }
    var videos: [Video] = []
    while videos.count < count, let video = whole?.next() { videos.append(video) }
    readCount += videos.count
    guard videos.count < count, let whole else { return videos }
    let failure = whole.failure(after: readCount)
    hasEnded = failure == nil
    if videos.isEmpty, let failure { throw failure }
    return videos
  }

  /// Decides for a form as soon as the bytes show it.
  private mutating func recognise() {
    guard json == nil, isFinished || Playlist.canBeTold(by: held) || DocumentForm.isJSON(held) else { return }
    isGathered = DocumentForm.isWhole(held)
    guard !isGathered, isFinished || DocumentForm.hasBegun(held) else { return }
    json = JSONDocumentReader(address: address, bytes: held)
    held = []
  }

  /// Begins a document that is there as a whole.
  private mutating func open(_ bytes: [UInt8]) {
    let text = DocumentText.utf8Bytes(bytes, charset: charset)
    whole = DocumentForm.document(text, address: address)
    guard whole == nil else { return }
    json = JSONDocumentReader(address: address, bytes: text)
    json?.finish()
  }
}

extension FeedDocumentReader {
  /// Whether all was read to a proper end, so that no more videos will come.
  public var isAtEnd: Bool { json?.isAtEnd ?? hasEnded }

  /// The kind, known from the first item on.
  public var kind: FeedKind? { json?.kind ?? whole?.kind }

  /// How many items could not be understood and were left out.
  public var skippedCount: Int { json?.skippedCount ?? 0 }

  /// The documents that hold its videos, as soon as it was read.
  var parts: [WebAddress] { json?.parts ?? [] }

  /// How many videos the feed says it has in all, as soon as it was read.
  public var total: Int? { json?.total }

  /// The feed's own name, as soon as it was read.
  public var title: String? { json?.title ?? whole?.title }

  /// Where the feed's next page is, as soon as it was read.
  public var nextAddress: WebAddress? { json?.nextAddress ?? whole?.nextAddress }

  /// Whether the document says that there are no more after it: `end` in its envelope, else in its last item.
  public var saysEnd: Bool { json?.saysEnd ?? false }

  var kindOfEmptyList: FeedKind { json?.kindOfEmptyList ?? whole?.kind ?? .articles }

  /// How many bytes are kept.
  var heldByteCount: Int { held.count + (json?.heldByteCount ?? 0) }

  /// Whether a list of videos has been found.
  var hasList: Bool { json?.hasList ?? false }
}
