import FeedfallFeeds
import FeedfallRecords
import FeedfallText

/// The facts that `list --json` and `probe` print, and the user's marks and the video's flags as members that are true.
struct VideoRow: Encodable {
  let facts: Facts
  private let trueMembers: [String]

  private static let flagNames: [(flag: VideoFlags, name: String)] = [
    (.sensitive, "sensitive"), (.needsPassword, "needsPassword"), (.audioOnly, "audioOnly"),
    (.protected, "protected"), (.paid, "paid"), (.restricted, "restricted"), (.deleted, "deleted"),
    (.blocked, "blocked"), (.short, "short"),
  ]

  /// - Parameter key: that of the user's record; nil to print none.
  init(
    _ video: Video, source: String? = nil, nextPage: WebAddress? = nil, key: VideoKey? = nil,
    record: UserRecord = UserRecord()
  ) {
    facts = Facts(video, source: source, nextPage: nextPage, key: key, record: record)
    // The time of `watched` is a fact, and another command prints the downloads.
    let marks = Mark.allCases.filter { $0 != .watched && $0 != .downloaded && record.has($0) }
    trueMembers = marks.map(\.name) + Self.flagNames.filter { video.flags.contains($0.flag) }.map(\.name)
  }

  var text: String { facts.text }

  func encode(to encoder: any Encoder) throws {
    try facts.encode(to: encoder)
    var members = encoder.container(keyedBy: MemberName.self)
    for name in trueMembers { try members.encode(true, forKey: MemberName(stringValue: name)) }
  }

  private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Unknown values are omitted, and so are the user names and passwords in addresses.
  struct Facts: Encodable {
    var id: String
    var source: String?
    var title: String
    /// The page, or an id that is a URI such as `tag:…` or `urn:…`.
    var link: String?
    var pageURL: String?
    var playbackURL: String?
    /// All addresses to play, preferred first.
    var media: [String]
    var files: [FileRow]?
    var coverURL: String?
    /// Those of the video, then those in its text, then that of the channel.
    var covers: [String]
    var coverIsOfChannel: Bool?
    var channelCoverURL: String?
    var durationSeconds: Int?
    var published: String?
    var year: Int?
    var author: String?
    var channel: String?
    var channelURL: String?
    var group: String?
    var season: Int?
    var seasonName: String?
    var episode: Double?
    /// Shown instead of the number of the episode.
    var episodeName: String?
    /// `full`, `trailer` or `bonus`.
    var episodeType: String?
    var categories: [String]?
    var people: [Person]?
    var views: Int?
    /// `live`, `upcoming` or `ended`.
    var live: String?
    var starts: String?
    var summary: String?
    var license: String?
    var licenseURL: String?
    var width: Int?
    var height: Int?
    var bytes: Int?
    /// The languages of files that state none.
    var language: String?
    var countries: [String]?
    var deniedCountries: [String]?
    var chapters: [ChapterRow]?
    var chaptersURL: String?
    var soundbites: [Soundbite]?
    var transcripts: [Transcript]?
    var funding: [Funding]?
    /// The address of the page of the feed that follows the one with this video.
    var nextPage: String?
    /// The ID of the user's record, for `queue` and `watched`.
    var recordID: String?
    var watched: String?
    var positionSeconds: Int?
    /// The members of a list, such as a channel.
    var kind: String?
    var listURL: String?
    var videoCount: Int?
    var subscribers: Int?

    init(_ video: Video, source: String?, nextPage: WebAddress?, key: VideoKey?, record: UserRecord) {
      id = video.id.removingUser
      self.source = source
      title = video.title
      link = video.pageURL?.withoutUser.text ?? (Self.isName(id) ? id : nil)
      pageURL = video.pageURL?.withoutUser.text
      playbackURL = video.playbackURL?.textWithoutUser
      if let list = video.list {
        (kind, listURL) = (list.kind.rawValue, list.address.textWithoutUser)
        (videoCount, subscribers) = (list.videoCount, list.followerCount)
      }
      let files = if case .direct(let files) = video.playback { files } else { [] as [MediaFile] }
      media = files.map(\.url.textWithoutUser) + video.players.map(\.withoutUser.text)
      self.files = files.isEmpty ? nil : files.map { FileRow($0) }
      language = video.language
      coverURL = video.coverAddress?.textWithoutUser
      covers = video.covers.filter { $0.url.frame == nil }.map(\.url.textWithoutUser)
      coverIsOfChannel = video.covers.first?.origin == .channel ? true : nil
      channelCoverURL = video.covers.last.flatMap { $0.origin == .channel ? $0.url.textWithoutUser : nil }
      durationSeconds = video.duration?.seconds ?? record.duration
      published = video.published?.description
      year = video.year
      author = video.author
      channel = video.channel ?? video.author
      channelURL = video.channelURL?.withoutUser.text
      group = video.group
      adopt(video.extras, title: video.title)
      views = video.views
      live = video.live?.word
      starts = video.live?.start?.description
      summary = video.summary
      license = video.licence
      licenseURL = video.licenceURL?.withoutUser.text
      width = video.pictureSize?.width
      height = video.pictureSize?.height
      bytes = video.byteCount
      chapters = video.chapters.isEmpty ? nil : video.chapters.map { ChapterRow(start: $0.start, title: $0.title) }
      chaptersURL = video.chaptersURL?.withoutUser.text
      self.nextPage = nextPage?.withoutUser.text
      recordID = key?.text
      watched = record.watched?.description
      positionSeconds = record.position
    }

    var text: String {
      let duration = durationSeconds.map { VideoDuration.seconds($0).description }
      return [title, duration ?? "", channel ?? "", playbackURL ?? pageURL ?? ""].joined(separator: "\t")
    }

    private static func isName(_ id: String) -> Bool {
      let scheme = id.utf8.prefix { $0 != UInt8(ascii: ":") }
      guard scheme.count > 1, scheme.count < id.utf8.count, !id.utf8.contains(UInt8(ascii: " ")) else { return false }
      return scheme.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
    }

    /// - Parameter title: the title for a soundbite without one.
    private mutating func adopt(_ extras: VideoExtras, title: String) {
      season = extras.season
      seasonName = extras.seasonName
      episode = extras.episode
      episodeName = extras.episodeName
      episodeType = extras.episodeType?.rawValue
      categories = Self.list(extras.categories)
      people = Self.list(
        extras.people.map {
          VideoRow.Person(
            name: $0.name, role: $0.role, group: $0.group, url: $0.page?.withoutUser.text,
            image: $0.picture?.withoutUser.text)
        })
      transcripts = Self.list(
        extras.transcripts.map {
          VideoRow.Transcript(
            url: $0.url.withoutUser.text, type: $0.type, language: $0.language, captions: $0.isCaptions ? true : nil)
        })
      funding = Self.list(extras.funding.map { VideoRow.Funding(url: $0.url.withoutUser.text, title: $0.title) })
      soundbites = Self.list(
        extras.soundbites.map { VideoRow.Soundbite(start: $0.start, duration: $0.duration, title: $0.title ?? title) })
      countries = extras.countries.flatMap { $0.isAvailable ? $0.codes : nil }
      deniedCountries = extras.countries.flatMap { $0.isAvailable ? nil : $0.codes }
    }

    private static func list<Value>(_ values: [Value]) -> [Value]? { values.isEmpty ? nil : values }
  }

  struct FileRow: Encodable {
    var url: String
    /// `stream`, `video`, `audio` or `unknown`.
    var kind: String
    /// In pixels; 0 for audio.
    var height: Int?
    var language: String?
    /// Such as a trailer.
    var sample: Bool?

    init(_ file: MediaFile) {
      (url, height, language) = (file.url.textWithoutUser, file.height, file.language)
      sample = file.isSample ? true : nil
      kind =
        switch file.kind {
        case .stream: "stream"
        case .video: "video"
        case .audio: "audio"
        case .picture, .player, .unknown, .unusable: "unknown"
        }
    }
  }

  struct Person: Encodable {
    var name: String
    var role: String
    var group: String
    var url: String?
    var image: String?
  }

  /// Times are in seconds.
  struct ChapterRow: Encodable {
    var start: Double
    var title: String
  }

  /// Times are in seconds.
  struct Soundbite: Encodable {
    var start: Double
    var duration: Double
    var title: String
  }

  struct Transcript: Encodable {
    var url: String
    var type: String?
    var language: String?
    var captions: Bool?
  }

  struct Funding: Encodable {
    var url: String
    var title: String?
  }
}

extension MediaAddress {
  fileprivate var textWithoutUser: String { web?.withoutUser.text ?? stream.map { $0.text.removingUser } ?? text }
}

extension LiveState {
  fileprivate var start: UnixTime? { if case .upcoming(let start) = self { start } else { nil } }

  fileprivate var word: String {
    switch self {
    case .live: "live"
    case .upcoming: "upcoming"
    case .ended: "ended"
    }
  }
}
