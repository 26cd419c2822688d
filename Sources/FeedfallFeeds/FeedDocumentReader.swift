import FeedfallText

/// Reads a feed document: the first videos of a large one are returned before the others are decoded.
public struct FeedDocumentReader: Sendable {
  private var format: (any FeedFormat)?
  private var failure: FeedFailure?
  private let scope: FeedScope?
  private let fileExists: (@Sendable (FileAddress) -> Bool)?
  private var readCount = 0
  private var sharedIDs = SharedIDs()
  private var ready: ArraySlice<Video> = []
  private var hasEnded = false
  /// The count of bytes of other text before the feed.
  private var leadingByteCount = 0
  private var leavesOutFiles = false
  /// Whether it is compressed data without their end.
  private var isPackingCut: Bool
  private var isTooLarge = false

  /// The rest of a longer document is left out.
  public static let maximumByteCount = 256 << 20
  /// The count of videos that are decoded ahead. Within it, the order of videos does not influence their IDs.
  package static let lookahead = 500

  /// Starts reading a document. Relative addresses are resolved against `address`; a file may refer to other files.
  ///
  /// Of `contentType` only the encoding is used, for text that is not in Unicode, and whether it is that of a playlist.
  /// With a `scope`, IDs are restricted to that feed if the format does not make them unique beyond it. Of the readings
  /// of a reference to a file, the first for which `fileExists` returns true is adopted; it is called only for those
  /// with several readings. A document that `isContinuation` is a later page. The end of one that `isCut` is missing.
  public init(
    _ bytes: [UInt8], from address: MediaAddress?, contentType: String = "", isContinuation: Bool = false,
    scope: FeedScope? = nil, fileExists: (@Sendable (FileAddress) -> Bool)? = nil, isCut: Bool = false,
    atMost maximumByteCount: Int = FeedDocumentReader.maximumByteCount
  ) {
    (self.scope, self.fileExists, isPackingCut) = (scope, fileExists, isCut)
    isTooLarge = bytes.count > maximumByteCount
    let bytes = isTooLarge ? Array(bytes.prefix(maximumByteCount)) : bytes
    do throws(FeedFailure) {
      (format, leadingByteCount) = try FeedFormats.reader(
        try unpacked(bytes), address: address, charset: DocumentText.charset(in: contentType),
        isPlaylist: M3UPlaylist.isNamed(by: address, contentType: contentType), isContinuation: isContinuation)
    } catch { failure = error }
  }

  /// Returns up to `count` further videos; none at the end. An incomplete JSON document yields its complete videos
  /// first, then throws. O(n) in the bytes that are read.
  public mutating func nextVideos(_ count: Int) throws(FeedFailure) -> [Video] {
    if ready.isEmpty, count > 0 { try prepareVideos(max(count, Self.lookahead)) }
    defer { ready = ready.dropFirst(count) }
    return Array(ready.prefix(count))
  }

  private mutating func prepareVideos(_ count: Int) throws(FeedFailure) {
    var videos = try decodedVideos(count)
    for index in videos.indices {
      if let fileExists { videos[index].resolveFiles(fileExists) }
      videos[index].dropFragment()
    }
    sharedIDs.distinguish(&videos, isLast: hasEnded)
    let scope = kind?.hasOwnIDs == true ? scope : nil
    for index in videos.indices {
      videos[index].scope = scope
      leavesOutFiles = leavesOutFiles || videos[index].flags.contains(.filesLeftOut)
    }
    ready = videos[...]
  }

  private mutating func decodedVideos(_ count: Int) throws(FeedFailure) -> [Video] {
    if let failure { throw failure }
    var videos: [Video] = []
    while videos.count < count, let video = format?.next() { videos.append(video) }
    readCount += videos.count
    guard videos.count < count, let format else { return videos }
    let isDamaged = isPackingCut && readCount == 0
    failure = isTooLarge ? .tooLarge : format.failure(after: readCount) ?? (isDamaged ? .damagedArchive : nil)
    hasEnded = failure == nil
    if videos.isEmpty, let failure { throw failure }
    return videos
  }

  private static let maximumUnpackedByteCount = 32 << 20

  /// Servers send a gzip file without `Content-Encoding` if the file itself is compressed.
  private mutating func unpacked(_ bytes: [UInt8]) throws(FeedFailure) -> [UInt8] {
    guard Gzip.isStarted(by: bytes) else { return bytes }
    do throws(Gzip.Fault) {
      let content = try Gzip.unpacked(bytes, limit: Self.maximumUnpackedByteCount)
      guard !content.isCut || !content.bytes.isEmpty else { throw .damaged }
      isPackingCut = isPackingCut || content.isCut
      return content.bytes
    } catch {
      switch error {
      case .damaged: throw .damagedArchive
      case .tooLarge: throw isPackingCut ? .damagedArchive : .archiveTooLarge(limit: Self.maximumUnpackedByteCount)
      }
    }
  }

  /// Whether the document has been read to its proper end, so that no more videos follow.
  public var isAtEnd: Bool { ready.isEmpty && hasEnded }

  /// The kind of the videos so far; nil for a document that is no feed.
  public var kind: FeedKind? { format?.kind }

  /// The count of items so far that could not be decoded.
  public var skippedCount: Int { format?.skipped.count ?? 0 }

  /// A message for the user about the part read so far, on one line.
  public var notice: String? { isCut ? endNotice : format?.skipped.notice ?? endNotice }

  /// A message for the user if a part of the document is missing or ignored, on one line.
  public var endNotice: String? {
    if let notice = format?.limitNotice { return notice }
    if isCut {
      let videos = readCount == 1 ? "1 video" : "\(readCount) videos"
      return "The feed is incomplete: its end is missing after \(videos)."
    }
    if leavesOutFiles { return "A video has more than \(Video.maximumFileCount) files. The others are left out." }
    guard leadingByteCount > 0 else { return nil }
    let bytes = leadingByteCount == 1 ? "1 byte" : "\(leadingByteCount) bytes"
    return "Ignored \(bytes) of other text before the feed, perhaps an error message of the server."
  }

  var isCut: Bool { hasEnded && (isPackingCut || format?.isCut == true) }

  /// The facts about the feed, in the part read so far.
  public var header: FeedHeader { format?.header ?? FeedHeader() }
}
