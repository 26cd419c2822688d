import FeedfallDocuments
import FeedfallText

/// Understands whole feed documents.
public enum FeedDecoder {
  /// The most videos that are taken from one document: no person looks through more, and a hostile one may hold
  /// millions of nothing.
  static let maximumCount = 100_000

  /// Recognises the kind from the body itself, whatever it was called, and decodes it.
  ///
  /// A byte order mark and white space before it are tolerated. Throws a permanent failure where it is no
  /// feed (a web page, other XML, other text, JSON without a list of videos) and a temporary one where JSON breaks
  /// off; of XML what came before is kept.
  /// `contentType` is what the server called it: of that only the encoding counts, and only for text that is in none
  /// of Unicode's. `link` is the answer's `Link` header, which may name the next page.
  /// - Complexity: O(n).
  public static func decode(
    _ body: [UInt8], from address: WebAddress?, contentType: String = "", link: String? = nil
  ) throws(FeedFailure) -> DecodedDocument {
    var document = try decode(body, from: address, contentType: contentType, atMost: maximumCount)
    document.nextAddress = document.nextAddress ?? link.flatMap { LinkHeader.next(in: $0, from: address) }
    return document
  }

  static func decode(
    _ body: [UInt8], from address: WebAddress?, contentType: String = "", atMost maximumCount: Int
  ) throws(FeedFailure) -> DecodedDocument {
    var reader = FeedDocumentReader(
      address: address.map(MediaAddress.web), bytes: body, charset: DocumentText.charset(in: contentType))
    reader.finish()
    var videos = try reader.takeVideos(maximumCount)
    while !reader.isAtEnd, videos.count < maximumCount {
      videos += try reader.takeVideos(maximumCount - videos.count)
    }
    return DecodedDocument(
      kind: reader.kind ?? reader.kindOfEmptyList, videos: videos, skippedCount: reader.skippedCount,
      total: reader.total, saysEnd: reader.saysEnd, title: reader.title, nextAddress: reader.nextAddress,
      parts: reader.parts)
  }

  /// Completes a video with the answer to the request that its feed named for it.
  ///
  /// What the answer doesn't tell stays as the list told it; the id stays.
  public static func decodeDetails(
    _ body: [UInt8], completing video: Video, from address: WebAddress
  ) throws(FeedFailure) -> Video {
    let document = try decode(body, from: address)
    guard document.kind.hasDetails, document.videos.count == 1, let details = document.videos.first else {
      throw FeedFailure(.permanent, "the answer holds no details of the video")
    }
    return video.completed(by: details)
  }

  /// Whether this is the answer of a PeerTube to `/api/v1/config`.
  public static func isPeerTubeConfig(_ body: [UInt8]) -> Bool {
    guard let object = JSONObject(document: body) else { return false }
    return object["instance"]?.object != nil && object["serverVersion"]?.string != nil
  }
}

extension Video {
  /// This video with all that the details tell.
  func completed(by details: Video) -> Video {
    var video = self
    if details.title != Video.untitled { video.title = details.title }
    video.duration = details.duration ?? duration
    video.covers = details.covers.isEmpty ? covers : details.covers
    video.pictureSize = details.pictureSize ?? pictureSize
    video.aspectRatio = details.aspectRatio ?? aspectRatio
    if details.playback != .unknown { video.playback = details.playback }
    video.pageURL = details.pageURL ?? pageURL
    video.author = details.author ?? author
    video.channel = details.channel ?? channel
    video.published = details.published ?? published
    video.year = details.year ?? year
    video.views = details.views ?? views
    video.byteCount = details.byteCount ?? byteCount
    video.summary = details.summary ?? summary
    video.licence = details.licence ?? licence
    video.licenceURL = details.licenceURL ?? licenceURL
    video.live = details.live ?? live
    video.flags.formUnion(details.flags)
    return video
  }
}
