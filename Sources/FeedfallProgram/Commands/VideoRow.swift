import FeedfallFeeds
import FeedfallRecords
import FeedfallText

/// A JSON object without the members that are nil.
struct JSONRow: Encodable, ExpressibleByDictionaryLiteral {
  private var members: [String: any Encodable] = [:]

  init(dictionaryLiteral members: (String, (any Encodable)?)...) {
    for (name, value) in members { self.members[name] = value }
  }

  mutating func add(_ other: JSONRow) { members.merge(other.members) { $1 } }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// The facts that `list --json` and `probe` print, and the user's marks and the video's flags as members that are true.
/// The user names and passwords in addresses are omitted. Times are in seconds, sizes of pictures in pixels.
struct VideoRow: Encodable {
  let text: String
  private let (video, record, key): (Video, UserRecord, VideoKey?)
  private let (source, nextPage): (String?, WebAddress?)
  private var row: JSONRow = [:]

  private static let flagNames: [(flag: VideoFlags, name: String)] = [
    (.sensitive, "sensitive"), (.needsPassword, "needsPassword"), (.audioOnly, "audioOnly"),
    (.protected, "protected"), (.paid, "paid"), (.restricted, "restricted"), (.deleted, "deleted"),
    (.blocked, "blocked"), (.short, "short"),
  ]

  /// - Parameters:
  ///   - nextPage: the page of the feed that follows the one with this video.
  ///   - key: that of the user's record; nil to print none.
  init(
    _ video: Video, source: String? = nil, nextPage: WebAddress? = nil, key: VideoKey? = nil,
    record: UserRecord = UserRecord()
  ) {
    (self.video, self.record, self.key) = (video, record, key)
    (self.source, self.nextPage) = (source, nextPage)
    let duration = Self.seconds(video, record).map { VideoDuration.seconds($0).description } ?? ""
    let address = video.playbackURL?.textWithoutUser ?? video.pageURL?.withoutUser.text ?? ""
    text = [video.title, duration, video.channel ?? video.author ?? "", address].joined(separator: "\t")
  }

  private static func seconds(_ video: Video, _ record: UserRecord) -> Int? {
    video.duration?.seconds ?? record.duration
  }

  func encode(to encoder: any Encoder) throws {
    var filled = self
    filled.addFacts()
    try filled.row.encode(to: encoder)
  }

  private mutating func addFacts() {
    let (id, page) = (video.id.removingUser, video.pageURL?.withoutUser.text)
    // An ID may be a URI such as `tag:…` or `urn:…`.
    let link = page ?? (Self.isName(id) ? id : nil)
    row = [
      "id": id, "link": link, "pageURL": page, "playbackURL": video.playbackURL?.textWithoutUser,
      "source": source, "title": video.title, "author": video.author, "channel": video.channel ?? video.author,
      "channelURL": video.channelURL?.withoutUser.text, "group": video.group, "summary": video.summary,
      "license": video.licence, "licenseURL": video.licenceURL?.withoutUser.text,
    ]
    row.add([
      "durationSeconds": Self.seconds(video, record), "published": video.published?.description, "year": video.year,
      "views": video.views,
      "live": video.live?.word, "starts": video.live?.start?.description, "width": video.pictureSize?.width,
      "height": video.pictureSize?.height, "bytes": video.byteCount, "language": video.language,
      "chaptersURL": video.chaptersURL?.withoutUser.text, "nextPage": nextPage?.withoutUser.text,
    ])
    // The ID is for `queue` and `mark`.
    row.add(["recordID": key?.text, "watched": record.watched?.description, "positionSeconds": record.position])
    if let list = video.list {
      row.add([
        "kind": list.kind.rawValue, "listURL": list.address.textWithoutUser, "videoCount": list.videoCount,
        "subscribers": list.followerCount,
      ])
    }
    add("chapters", video.chapters.map { ["start": $0.start, "title": $0.title] })
    addFiles(of: video)
    addCovers(of: video)
    add(video.extras, title: video.title)
    // The time of `watched` is a fact, and another command prints the downloads.
    let marks = Mark.allCases.filter { $0 != .watched && $0 != .downloaded && record.has($0) }
    let flags = Self.flagNames.filter { video.flags.contains($0.flag) }
    for name in marks.map(\.name) + flags.map(\.name) { row.add([name: true]) }
  }

  private static func isName(_ id: String) -> Bool {
    let scheme = id.utf8.prefix { $0 != UInt8(ascii: ":") }
    guard scheme.count > 1, scheme.count < id.utf8.count, !id.utf8.contains(UInt8(ascii: " ")) else { return false }
    return scheme.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
  }

  private mutating func add(_ name: String, _ rows: [JSONRow]) { if !rows.isEmpty { row.add([name: rows]) } }

  /// All addresses to play, preferred first. The height of a sound is 0; a sample is a trailer, for example.
  private mutating func addFiles(of video: Video) {
    let files = if case .direct(let files) = video.playback { files } else { [] as [MediaFile] }
    let media: [String] = files.map(\.url.textWithoutUser) + video.players.map(\.withoutUser.text)
    row.add(["media": media])
    add(
      "files",
      files.map { file in
        [
          "url": file.url.textWithoutUser, "kind": file.kind.word, "height": file.height, "language": file.language,
          "sample": file.isSample ? true : nil,
        ]
      })
  }

  /// Those of the video, then those in its text, then that of the channel.
  private mutating func addCovers(of video: Video) {
    let covers = video.covers.filter { $0.url.frame == nil }.map(\.url.textWithoutUser)
    row.add(["coverURL": video.coverAddress?.textWithoutUser, "covers": covers])
    if video.covers.first?.origin == .channel { row.add(["coverIsOfChannel": true]) }
    if let last = video.covers.last, last.origin == .channel { row.add(["channelCoverURL": last.url.textWithoutUser]) }
  }

  /// - Parameter title: the title for a soundbite without one.
  private mutating func add(_ extras: VideoExtras, title: String) {
    row.add([
      "season": extras.season, "seasonName": extras.seasonName, "episode": extras.episode,
      // Shown instead of the number of the episode.
      "episodeName": extras.episodeName, "episodeType": extras.episodeType?.rawValue,
    ])
    if !extras.categories.isEmpty { row.add(["categories": extras.categories]) }
    add(
      "people",
      extras.people.map { person in
        [
          "name": person.name, "role": person.role, "group": person.group, "url": person.page?.withoutUser.text,
          "image": person.picture?.withoutUser.text,
        ]
      })
    add(
      "transcripts",
      extras.transcripts.map { transcript in
        [
          "url": transcript.url.withoutUser.text, "type": transcript.type, "language": transcript.language,
          "captions": transcript.isCaptions ? true : nil,
        ]
      })
    add("funding", extras.funding.map { ["url": $0.url.withoutUser.text, "title": $0.title] })
    add(
      "soundbites",
      extras.soundbites.map { ["start": $0.start, "duration": $0.duration, "title": $0.title ?? title] })
    if let countries = extras.countries {
      row.add([countries.isAvailable ? "countries" : "deniedCountries": countries.codes])
    }
  }
}

extension MediaKind {
  fileprivate var word: String {
    switch self {
    case .stream: "stream"
    case .video: "video"
    case .audio: "audio"
    case .picture, .player, .unknown, .unusable: "unknown"
    }
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
