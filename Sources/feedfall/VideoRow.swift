import FeedfallFeeds
import FeedfallText
import FeedfallUserData

/// The facts of one video that `list --json` and `probe` print. Unknown values are omitted.
struct VideoRow: Encodable {
  var id: String
  /// The name of the source in a list.
  var source: String?
  var title: String
  /// The page, or an id that is a URI such as `tag:…` or `urn:…`.
  var link: String?
  var pageURL: String?
  /// The preferred address to play.
  var playbackURL: String?
  /// All addresses to play, preferred first.
  var media: [String]
  /// The best cover.
  var coverURL: String?
  var covers: [String]
  /// Whether the cover is the picture of the channel.
  var coverIsOfChannel: Bool?
  var durationSeconds: Int?
  var published: String?
  var year: Int?
  var author: String?
  var channel: String?
  /// The address of the videos of the channel.
  var channelURL: String?
  var group: String?
  var views: Int?
  /// `live`, `upcoming` or `ended`.
  var live: String?
  var summary: String?
  var license: String?
  var licenseURL: String?
  var width: Int?
  var height: Int?
  var bytes: Int?
  var sensitive: Bool?
  var needsPassword: Bool?
  var audioOnly: Bool?
  /// Whether the source lists the video among its Shorts.
  var short: Bool?
  /// The address of the page of the feed that follows the one with this video.
  var nextPage: String?
  /// The ID of the user's record, for `queue` and `watched`.
  var recordID: String?
  /// When the user watched the video.
  var watched: String?
  var positionSeconds: Int?
  var queued: Bool?
  var starred: Bool?
  var hidden: Bool?

  /// - Parameters:
  ///   - source: the name of the source in a list.
  ///   - key: that of the user's record; nil to print none.
  ///   - record: the user's record.
  init(
    _ video: Video, source: String? = nil, nextPage: WebAddress? = nil, key: VideoKey? = nil,
    record: UserRecord = UserRecord()
  ) {
    id = video.id
    self.source = source
    title = video.title
    link = video.pageURL?.text ?? (Self.isName(video.id) ? video.id : nil)
    pageURL = video.pageURL?.text
    playbackURL = video.playbackURL?.text
    let files = if case .direct(let files) = video.playback { files.map(\.url.text) } else { [] as [String] }
    media = files + video.players.map(\.text)
    coverURL = video.coverAddress?.text
    covers = video.covers.filter { $0.url.frame == nil }.map(\.url.text)
    coverIsOfChannel = video.covers.first?.isOfChannel == true ? true : nil
    durationSeconds = video.duration?.seconds ?? record.duration
    published = video.published?.description
    year = video.year
    author = video.author
    channel = video.channel ?? video.author
    channelURL = video.channelURL?.text
    group = video.group
    views = video.views
    live = video.live?.word
    summary = video.summary
    license = video.licence
    licenseURL = video.licenceURL?.text
    width = video.pictureSize?.width
    height = video.pictureSize?.height
    bytes = video.byteCount
    sensitive = video.flags.contains(.sensitive) ? true : nil
    needsPassword = video.flags.contains(.needsPassword) ? true : nil
    audioOnly = video.flags.contains(.audioOnly) ? true : nil
    short = video.flags.contains(.short) ? true : nil
    self.nextPage = nextPage?.text
    recordID = key?.text
    watched = record.watched?.description
    positionSeconds = record.position
    queued = record.queued == nil ? nil : true
    starred = record.isStarred ? true : nil
    hidden = record.isHidden ? true : nil
  }

  /// The title, duration, channel and playback address, separated by tabs. Unknown values are empty.
  var text: String {
    let duration = durationSeconds.map { VideoDuration.seconds($0).description }
    return [title, duration ?? "", channel ?? "", playbackURL ?? pageURL ?? ""].joined(separator: "\t")
  }

  /// Returns whether the ID starts with a URI scheme and contains no spaces.
  private static func isName(_ id: String) -> Bool {
    let scheme = id.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard scheme.count > 1, scheme.count < id.utf8.count, !id.utf8.contains(UInt8(ascii: " ")) else { return false }
    return scheme.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
  }
}

extension LiveState {
  fileprivate var word: String {
    switch self {
    case .live: "live"
    case .upcoming: "upcoming"
    case .ended: "ended"
    }
  }
}
