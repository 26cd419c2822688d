import FeedfallText

/// Reads a feed document in pieces: bytes are pushed in and videos come out, so that the first videos of a large
/// document appear before the rest has arrived.
///
/// If bytes are pushed only when no videos are left, JSON needs memory for one piece and one item of at most 4 MB, or
/// an answer without a list of at most 32 MB. XML and playlists are buffered and decoded as a whole.
public struct FeedDocumentReader: Sendable {
  private let charset: String?
  /// Whether the address or the content type says that it is a playlist, which then needs no signature.
  private let isPlaylist: Bool
  private let isContinuation: Bool
  // Separate properties are mutated in place; the payload of an enum would be copied.
  private var buffer: [UInt8]
  private var json: JSONDocumentReader?
  private var whole: (any FeedFormat)?
  private var failure: FeedFailure?
  private var isWhole = false
  private let address: MediaAddress?
  private let scope: FeedScope?
  private let fileExists: (@Sendable (FileAddress) -> Bool)?
  private var isFinished = false
  private var readCount = 0
  private var sharedIDs = SharedIDs()
  /// Videos that are not ready, because others may arrive with their IDs.
  private var decoded: [Video] = []
  private var ready: ArraySlice<Video> = []
  private var hasEnded = false
  /// The count of bytes of other text before the feed.
  private var leadingByteCount = 0
  private var leavesOutFiles = false
  /// Whether it is compressed data without their end.
  private var isPackingCut: Bool

  private static let maximumWholeByteCount = 256 << 20
  /// The count of videos that are decoded ahead. Within it, the order of videos does not influence their IDs.
  package static let lookahead = 500
  /// Whether videos are returned only once as many as the lookahead, or all, are decoded.
  private let waitsForLookahead: Bool

  /// Starts reading a document. Relative addresses are resolved against `address`; a file may refer to other files.
  ///
  /// Of `contentType` only the encoding is used, for text that is not in Unicode, and whether it is that of a playlist.
  /// With a `scope`, IDs are restricted to that feed if the format does not make them unique beyond it. Of the readings
  /// of a reference to a file, the first for which `fileExists` returns true is adopted; it is called only for those
  /// with several readings. The `bytes` are the first ones. A document that `isContinuation` is a later page.
  ///
  /// - Parameter isAtHand: Whether all bytes are available without waiting; IDs then do not depend on the pieces.
  /// - Parameter isCut: Whether the end of the document is missing.
  public init(
    address: MediaAddress?, bytes: [UInt8] = [], contentType: String = "", isContinuation: Bool = false,
    scope: FeedScope? = nil, isAtHand: Bool = false, fileExists: (@Sendable (FileAddress) -> Bool)? = nil,
    isCut: Bool = false
  ) {
    isPackingCut = isCut
    self.fileExists = fileExists
    charset = DocumentText.charset(in: contentType)
    isPlaylist = M3UPlaylist.isNamed(by: address, contentType: contentType)
    (self.isContinuation, self.scope) = (isContinuation, scope)
    waitsForLookahead = isAtHand
    self.address = address
    buffer = bytes
    detectForm()
  }

  /// Appends the next bytes of the document.
  public mutating func push(_ bytes: ArraySlice<UInt8>) {
    if json != nil {
      json?.push(bytes)
    } else if whole == nil, failure == nil, buffer.count <= Self.maximumWholeByteCount {
      // Leading white space is dropped, or each piece of it would be searched again.
      let isBlank = buffer.count >= FeedFormats.startByteCount && !FeedFormats.hasStarted(buffer)
      buffer += isBlank ? bytes.drop { $0.isJSONWhiteSpace } : bytes
      if !isWhole { detectForm() }
    }
  }

  /// Marks the end of the document.
  public mutating func finish() {
    isFinished = true
    if !isWhole { detectForm() }
    json?.finish()
    guard isWhole, whole == nil, failure == nil else { return }
    let bytes = buffer
    buffer = []
    if bytes.count > Self.maximumWholeByteCount { failure = .tooLarge } else { open(bytes) }
  }

  /// Returns up to `count` further videos; none if more bytes are needed or at the end. An incomplete JSON document
  /// yields its complete videos first, then throws. O(n) in the bytes that are read.
  public mutating func nextVideos(_ count: Int) throws(FeedFailure) -> [Video] {
    if ready.isEmpty, count > 0 { try prepareVideos(max(count, Self.lookahead)) }
    defer { ready = ready.dropFirst(count) }
    return Array(ready.prefix(count))
  }

  private mutating func prepareVideos(_ count: Int) throws(FeedFailure) {
    do throws(FeedFailure) {
      var videos = try decodedVideos(count - decoded.count)
      if let fileExists { for index in videos.indices { videos[index].resolveFiles(fileExists) } }
      decoded += videos
    } catch {
      // The videos before the fault are returned first. The next call throws the fault again.
      if decoded.isEmpty { throw error }
      return makeReady(isLast: true)
    }
    if !waitsForLookahead || isFinished || isDecoded || decoded.count >= count { makeReady(isLast: isDecoded) }
  }

  private mutating func makeReady(isLast: Bool) {
    for index in decoded.indices { decoded[index].dropFragment() }
    sharedIDs.distinguish(&decoded, isLast: isLast)
    let scope = kind?.hasOwnIDs == true ? scope : nil
    for index in decoded.indices {
      decoded[index].scope = scope
      leavesOutFiles = leavesOutFiles || decoded[index].flags.contains(.filesLeftOut)
    }
    ready = decoded[...]
    decoded = []
  }

  private mutating func decodedVideos(_ count: Int) throws(FeedFailure) -> [Video] {
    if let videos = try json?.nextVideos(count) { return videos }
    if let failure { throw failure }
    var videos: [Video] = []
    while videos.count < count, let video = whole?.next() { videos.append(video) }
    readCount += videos.count
    guard videos.count < count, let whole else { return videos }
    let failure = whole.failure(after: readCount) ?? (isPackingCut && readCount == 0 ? .damagedArchive : nil)
    hasEnded = failure == nil
    if videos.isEmpty, let failure { throw failure }
    return videos
  }

  private mutating func detectForm() {
    guard json == nil, isFinished || FeedFormats.isDecided(by: buffer) else { return }
    isWhole = FeedFormats.isWhole(buffer, isPlaylist: isPlaylist) || DocumentText.isForeign(charset)
    guard !isWhole, isFinished || FeedFormats.hasStarted(buffer) else { return }
    if !FeedFormats.mayBeJSON(buffer) {
      guard isFinished || buffer.count >= LateXML.byteCount else { return }
      isWhole = LateXML.start(in: buffer) != nil
      if isWhole { return }
    }
    json = JSONDocumentReader(address: address, bytes: buffer, isContinuation: isContinuation)
    buffer = []
  }

  private mutating func open(_ bytes: [UInt8]) {
    if Gzip.isStarted(by: bytes) {
      do throws(FeedFailure) { open(text: try unpacked(bytes)) } catch { failure = error }
      if isPackingCut, failure != nil { failure = .damagedArchive }
    } else {
      open(text: bytes)
    }
  }

  private static let maximumUnpackedByteCount = 32 << 20

  /// Servers send a gzip file without `Content-Encoding` if the file itself is compressed.
  private mutating func unpacked(_ bytes: [UInt8]) throws(FeedFailure) -> [UInt8] {
    do throws(Gzip.Fault) {
      let content = try Gzip.unpacked(bytes, limit: Self.maximumUnpackedByteCount)
      guard !content.isCut || !content.bytes.isEmpty else { throw .damaged }
      isPackingCut = isPackingCut || content.isCut
      return content.bytes
    } catch {
      switch error {
      case .damaged: throw .damagedArchive
      case .tooLarge: throw .archiveTooLarge(limit: Self.maximumUnpackedByteCount)
      }
    }
  }

  private mutating func open(text bytes: [UInt8]) {
    let text = DocumentText.utf8Bytes(bytes, charset: charset)
    do throws(FeedFailure) {
      whole = try FeedFormats.reader(text, address: address, isPlaylist: isPlaylist)
    } catch { failure = error }
    if whole == nil { openLate(text) }
    guard whole == nil, failure == nil else { return }
    json = JSONDocumentReader(address: address, bytes: text, isContinuation: isContinuation)
    json?.finish()
  }

  private mutating func openLate(_ text: [UInt8]) {
    guard let start = LateXML.start(in: text),
      let reader = try? FeedFormats.reader(Array(text[start...]), address: address, isPlaylist: false)
    else { return }
    (whole, failure, leadingByteCount) = (reader, nil, start)
  }
}

extension FeedDocumentReader {
  /// Whether the document has been read to its proper end, so that no more videos follow.
  public var isAtEnd: Bool { ready.isEmpty && decoded.isEmpty && isDecoded }

  private var isDecoded: Bool { json?.isAtEnd ?? hasEnded }

  /// The kind, known from the first video on.
  public var kind: FeedKind? { json?.kind ?? whole?.kind }

  /// The count of items that could not be decoded.
  public var skippedCount: Int { json?.skippedCount ?? whole?.skipped.count ?? 0 }

  /// A message for the user about the part read so far, on one line.
  public var notice: String? { isCut ? endNotice : whole?.skipped.notice ?? endNotice }

  private var startNotice: String? {
    guard leadingByteCount > 0 else { return nil }
    let bytes = leadingByteCount == 1 ? "1 byte" : "\(leadingByteCount) bytes"
    return "Ignored \(bytes) of other text before the feed, perhaps an error message of the server."
  }

  /// A message for the user if a part of the document is missing or ignored, on one line.
  public var endNotice: String? {
    if let notice = json?.notice ?? whole?.limitNotice { return notice }
    if isCut {
      let videos = readCount == 1 ? "1 video" : "\(readCount) videos"
      return "The feed is incomplete: its end is missing after \(videos)."
    }
    if leavesOutFiles { return "A video has more than \(Video.maximumFileCount) files. The others are left out." }
    return startNotice
  }

  var isCut: Bool { hasEnded && (isPackingCut || whole?.isCut == true) }

  var parts: [WebAddress] { json?.parts ?? whole?.parts ?? [] }

  /// The count of all videos in the feed, according to the part read so far.
  public var total: Int? { json?.total }

  /// The name of the feed, in the part read so far.
  public var title: String? { json?.title ?? whole?.title }

  /// The description of the feed on one line, in the part read so far.
  public var summary: String? { json?.summary ?? whole?.summary }

  /// The address of the feed's picture, in the part read so far.
  public var cover: WebAddress? { json?.cover ?? whole?.cover }

  /// The next page, in the part read so far.
  public var nextPage: NextPage? {
    if let json { return json.nextPage }
    return whole.flatMap { whole in whole.nextAddress.map { NextPage($0, isArchive: whole.nextIsArchive) } }
  }

  /// Whether the document declares itself the last page: by `end` in its envelope or in its last item.
  public var saysEnd: Bool { json?.saysEnd ?? false }

  var saysMore: Bool { json?.saysMore ?? false }

  var kindOfEmptyList: FeedKind { json?.kindOfEmptyList ?? whole?.kind ?? .articles }

  var bufferedByteCount: Int { buffer.count + (json?.bufferedByteCount ?? 0) }

  var hasList: Bool { json?.hasList ?? false }
}
