import FeedfallText

/// Decodes whole feed documents.
public enum FeedDecoder {
  /// Limits the work for hostile documents.
  public static let maximumCount = 100_000

  /// Recognizes the format of a document by its content and decodes it. O(n).
  ///
  /// Throws a permanent failure for anything but a feed, and a temporary one for incomplete JSON. Incomplete XML yields
  /// the complete part. Of `contentType` only the encoding is used, for text that is not in Unicode, and whether it is
  /// that of a playlist. `link` is the answer's `Link` header. A page that `isContinuation` of a feed may consist of
  /// titles without an address, which are counted as skipped. The end of a body that `isCut` is missing.
  public static func decode(
    _ body: [UInt8], from address: WebAddress?, contentType: String = "", link: String? = nil,
    isContinuation: Bool = false, isCut: Bool = false, atMost maximumCount: Int = FeedDecoder.maximumCount
  ) throws(FeedFailure) -> DecodedDocument {
    var reader = FeedDocumentReader(
      body, from: address.map(MediaAddress.web), contentType: contentType, isContinuation: isContinuation, isCut: isCut)
    var videos = try reader.nextVideos(maximumCount)
    while !reader.isAtEnd, videos.count < maximumCount {
      videos += try reader.nextVideos(maximumCount - videos.count)
    }
    var document = DecodedDocument(
      kind: reader.kind ?? .articles, videos: videos, skippedCount: reader.skippedCount)
    (document.header, document.isCut, document.notice) = (reader.header, reader.isCut, reader.notice)
    document.nextPage = document.nextPage ?? link.flatMap { NextPage(header: $0, from: address) }
    // A failure after the limit does not matter.
    if videos.count >= maximumCount, let rest = try? reader.nextVideos(1), !rest.isEmpty {
      document.notice = document.notice ?? "The feed has more than \(maximumCount) videos. The others are left out."
    }
    return document
  }

  /// Completes a video with the answer to its details request, or with the first video of an answer with several.
  /// Values that the answer lacks stay unchanged, and so does the ID.
  public static func decodeDetails(
    _ body: [UInt8], completing video: Video, from address: WebAddress
  ) throws(FeedFailure) -> Video {
    let document = try decode(body, from: address)
    guard document.kind.hasDetails, document.videos.count == 1 || document.kind == .archive,
      var details = document.videos.first
    else {
      throw FeedFailure(
        .permanent, "the answer contains no details of the video", advice: "open the page of the video instead")
    }
    if document.videos.count > 1 {
      details.title = Video.untitled
      details.covers = []
    }
    return video.completed(by: details)
  }

  /// Whether this is the answer of a PeerTube instance to `/api/v1/config`.
  public static func isPeerTubeConfig(_ body: [UInt8]) -> Bool {
    guard let object = JSONObject(document: body) else { return false }
    return object["instance"]?.object != nil && object["serverVersion"]?.string != nil
  }
}

/// The facts about a feed in a document.
public struct FeedHeader: Equatable, Sendable {
  /// The name of the feed.
  public var title: String?
  /// The description of the feed, on one line.
  public var summary: String?
  /// The address of the feed's picture.
  public var cover: WebAddress?
  /// The count of all videos in the feed, according to the feed.
  public var total: Int?
  public var nextPage: NextPage?
  /// Whether the document declares itself the last page, such as articles with `"end": 1`.
  public var saysEnd = false
  /// Whether the document declares that further pages follow, such as articles with `"end": 0`.
  public var saysMore = false
  /// The documents that contain the videos, if this one is a list of lists.
  public var parts: [WebAddress] = []
}

/// A decoded feed document.
@dynamicMemberLookup
public struct DecodedDocument: Equatable, Sendable {
  public var kind: FeedKind
  public var header = FeedHeader()
  public var videos: [Video]
  /// The count of items that could not be decoded.
  public var skippedCount: Int
  /// Whether its end is missing.
  public var isCut = false
  /// A message for the user, on one line.
  public var notice: String?

  public init(kind: FeedKind, videos: [Video], skippedCount: Int = 0, total: Int? = nil) {
    (self.kind, self.videos, self.skippedCount) = (kind, videos, skippedCount)
    header.total = total
  }

  /// A fact of the header.
  public subscript<Value>(dynamicMember fact: WritableKeyPath<FeedHeader, Value>) -> Value {
    get { header[keyPath: fact] }
    set { header[keyPath: fact] = newValue }
  }

  /// The address of the page after this one if this is the first.
  public var nextAddress: WebAddress? { header.nextPage?.address }
}

/// A kind of feed.
public struct FeedKind: Equatable, Sendable, CustomStringConvertible {
  /// RSS and Atom of any version.
  public static let syndication = FeedKind("syndication", hasOwnIDs: true)
  /// JSON Feed 1.0 and 1.1.
  public static let jsonFeed = FeedKind("jsonFeed", hasOwnIDs: true)
  /// Pages of `{"data": {"info_list": […], "end": 0}}`.
  public static let articles = FeedKind("articles", hasOwnIDs: true)
  /// The program's own format: `{"title": …, "videos": […]}`.
  public static let catalogue = FeedKind("catalogue", hasOwnIDs: true)
  /// M3U, PLS, XSPF and ASX.
  public static let playlist = FeedKind("playlist", hasOwnIDs: true)
  /// The listing of a folder on a web server.
  public static let directory = FeedKind("directory")
  /// The output of yt-dlp.
  public static let ytDlp = FeedKind("ytDlp")
  /// The answers of Invidious and Piped.
  public static let youTubeProxy = FeedKind("youTubeProxy", hasDetails: true)
  /// The lists of the REST API of PeerTube and SepiaSearch.
  public static let peerTube = FeedKind("peerTube", hasDetails: true)
  /// The items of the Internet Archive.
  public static let archive = FeedKind("archive", hasDetails: true, fewestVideos: 10)
  /// The talks, conferences and broadcasts of media.ccc.de and other sites that run voctoweb.
  public static let mediaCCC = FeedKind("mediaCCC", hasDetails: true)
  /// The files of a MediaWiki, in particular Wikimedia Commons.
  public static let commons = FeedKind("commons", fewestVideos: 10)
  /// The lists of the API of Dailymotion.
  public static let dailymotion = FeedKind("dailymotion")
  /// The podcasts that a search of Apple Podcasts finds, or the episodes of one.
  public static let applePodcasts = FeedKind("applePodcasts", hasOwnIDs: true)

  /// The name, such as `syndication`.
  public let description: String
  /// Whether its lists may refer to a second request for the details of a video.
  let hasDetails: Bool
  /// The count of videos that make a page worth showing; lists with other items too may have pages with few videos.
  public let fewestVideos: Int
  /// Whether IDs that are no addresses are unique only within a feed. Services have IDs of their own.
  let hasOwnIDs: Bool

  init(_ name: String, hasDetails: Bool = false, fewestVideos: Int = 1, hasOwnIDs: Bool = false) {
    description = name
    (self.hasDetails, self.fewestVideos, self.hasOwnIDs) = (hasDetails, fewestVideos, hasOwnIDs)
  }
}
