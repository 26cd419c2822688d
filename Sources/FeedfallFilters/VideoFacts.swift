import FeedfallFeeds
import FeedfallRecords
import FeedfallText

/// The facts about videos by which filters decide. All texts are in one array, so that comparing many videos reads
/// memory sequentially.
public struct VideoFacts: Equatable, Sendable {
  private struct Row: Equatable, Sendable {
    /// The place of the folded title, channel, author and description in `bytes`; line breaks separate them. The author
    /// has a place only if the channel has another name, and takes that of a missing channel.
    var start = 0
    var (titleEnd, channelEnd, authorEnd, end) = (0, 0, 0, 0)
    var hasAuthor = false
    var seconds: Int?
    /// The time of publication in seconds since 1970; if only the year is known, its start.
    var published: Int?
    var states: VideoStates = []

    init(_ fields: Fields) { (seconds, published, states) = (fields.seconds, fields.published, fields.states) }
  }

  /// The texts as the feed has them, which few filters need.
  private struct Originals: Equatable, Sendable {
    var title = ""
    var channel: String?
    var author: String?
    var summary: String?
    /// Of the audio, in lower case.
    var languages: String?

    init() {}

    init(_ fields: Fields) {
      (title, channel, author, summary) = (fields.title, fields.channel, fields.author, fields.summary)
      languages = fields.language?.lowercased()
      guard case .direct(let files) = fields.playback, files.contains(where: { $0.language != nil }) else { return }
      languages = ([fields.language] + files.map(\.language)).compactMap(\.self).joined(separator: " ").lowercased()
    }
  }

  private var bytes: [UInt8] = []
  private var rows: [Row] = []
  private var originals: [Originals] = []
  /// The bytes that no row uses.
  private var unusedCount = 0

  public init() {}

  /// - Complexity: O(n) in the length of the texts.
  public init(_ video: Video) { append(video) }

  /// The number of videos.
  public var count: Int { rows.count }

  /// Whether most of the memory belongs to videos that were replaced.
  public var isWasteful: Bool { 2 * unusedCount > bytes.count }

  public mutating func reserveCapacity(_ count: Int) {
    rows.reserveCapacity(count)
    originals.reserveCapacity(count)
    bytes.reserveCapacity(count * Self.usualByteCount)
  }

  private static let usualByteCount = 128

  /// - Parameter withTexts: whether texts and languages are added; without them, all are empty.
  /// - Complexity: O(n) in the length of the texts.
  @inlinable @inline(__always)
  public mutating func append(_ video: Video, withTexts: Bool = true) { append(Fields(video), withTexts: withTexts) }

  /// - Complexity: O(n) in the length of the texts.
  public mutating func append(_ fields: Fields, withTexts: Bool) {
    var row = Row(fields)
    row.start = bytes.count
    if withTexts { bytes.appendFolded(fields.title) }
    row.titleEnd = bytes.count
    bytes.append(Self.separator)
    if withTexts { fields.channel.map { bytes.appendFolded($0) } }
    row.channelEnd = bytes.count
    row.hasAuthor = fields.author != nil
    if withTexts, let author = fields.author, author != fields.channel {
      bytes.append(Self.separator)
      bytes.appendFolded(author)
    }
    row.authorEnd = bytes.count
    bytes.append(Self.separator)
    if withTexts { fields.summary.map { bytes.appendFolded($0) } }
    row.end = bytes.count
    rows.append(row)
    originals.append(withTexts ? Originals(fields) : Originals())
  }

  /// - Complexity: O(n) in the length of the texts.
  public mutating func replace(at index: Int, with video: Video) {
    unusedCount += rows[index].end - rows[index].start
    append(video)
    rows.swapAt(index, rows.count - 1)
    originals.swapAt(index, originals.count - 1)
    rows.removeLast()
    originals.removeLast()
  }

  private static let separator = UInt8(ascii: "\n")

  func seconds(at index: Int) -> Int? { rows[index].seconds }
  func published(at index: Int) -> Int? { rows[index].published }
  func states(at index: Int) -> VideoStates { rows[index].states }
  func languages(at index: Int) -> String? { originals[index].languages }

  func contains(_ text: [UInt8], in field: TextField, at index: Int) -> Bool {
    bytes.contains(text, in: range(of: field, at: index))
  }

  /// Whether one of the folded texts of a field matches; without a channel or a description, that text is empty.
  func contains(_ field: TextField, at index: Int, where matches: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      func matchesText(of field: TextField) -> Bool {
        matches(UnsafeBufferPointer(rebasing: bytes[range(of: field, at: index)]))
      }
      guard field == .any else { return matchesText(of: field) }
      return matchesText(of: .title) || matchesText(of: .channel)
        || rows[index].authorEnd > rows[index].channelEnd && matchesText(of: .author) || matchesText(of: .description)
    }
  }

  private func range(of field: TextField, at index: Int) -> Range<Int> {
    let row = rows[index]
    return switch field {
    case .title: row.start..<row.titleEnd
    case .channel: row.titleEnd + 1..<row.channelEnd
    case .author where !row.hasAuthor: row.channelEnd..<row.channelEnd
    case .author where row.authorEnd == row.channelEnd: row.titleEnd + 1..<row.channelEnd
    case .author: row.channelEnd + 1..<row.authorEnd
    case .description: row.authorEnd + 1..<row.end
    case .any: row.start..<row.end
    }
  }

  func originals(of field: TextField, at index: Int) -> [String] {
    let texts = originals[index]
    return switch field {
    case .title: [texts.title]
    case .channel: [texts.channel ?? ""]
    case .author: [texts.author ?? ""]
    case .description: [texts.summary ?? ""]
    case .any: [texts.title, texts.channel ?? "", texts.author ?? "", texts.summary ?? ""]
    }
  }

  enum TextField: String, CaseIterable, Sendable {
    case title, channel, author
    case description
    case any
  }

  /// The fields of a video that determine its facts. Copying these takes a quarter of the time for a whole video.
  public struct Fields: Sendable {
    public let title: String
    /// The author if there is no channel.
    public let channel: String?
    public let author: String?
    public let summary: String?
    /// The duration in seconds.
    public let seconds: Int?
    /// In seconds since 1970; if only the year is known, its start.
    public let published: Int?
    /// Those that follow from the video itself.
    public let states: VideoStates
    public let playback: Playback
    public let language: String?

    @inlinable @inline(__always)
    public init(_ video: Video) {
      (title, channel, author, summary) = (video.title, video.channel ?? video.author, video.author, video.summary)
      (seconds, published) = (video.duration?.seconds, SortKeys.published(video))
      (states, playback, language) = (VideoStates(video), video.playback, video.language)
    }
  }
}

/// The states of a video that a filter names by one word: facts of the video, marks of the user and facts of the
/// session. Parser, help, manual and evaluation read `rows`.
public struct VideoStates: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(row: Int) { rawValue = 1 << UInt32(row) }

  /// Added by the last refresh.
  public static let new = VideoStates(row: 0)
  /// Left before its end.
  public static let begun = VideoStates(row: 1)
  /// In the list of downloads, complete or not.
  public static let download = VideoStates(row: 2)
  /// Broadcast now.
  public static let live = VideoStates(row: 3)
  /// At most a minute long, or a Short of YouTube.
  public static let short = VideoStates(row: 4)
  public static let played = VideoStates(row: 5)
  /// A list of videos in place of one.
  public static let list = VideoStates(row: 6)
  public static let watched = VideoStates(.watched)
  public static let hidden = VideoStates(.hidden)
  public static let queued = VideoStates(.queued)

  public init(_ mark: Mark) { self.init(row: Self.rows.count + Int(mark.rawValue)) }

  struct Row: Sendable {
    /// Nil for a state that filters do not name.
    var word: String?
    /// In the help and the manual, after “videos”.
    var meaning = ""
    var basis: Basis
  }

  enum Basis: Sendable {
    case session
    case video(@Sendable (borrowing Video) -> Bool)
    /// The first one of the fields has a value in the record of each video in the state, and changes of any of them may
    /// enter or leave it.
    case record([UserField], @Sendable (UserRecord) -> Bool)
  }

  /// The first rows have the order of the states above.
  private static let rows =
    [
      Row(word: "new", meaning: "added by the last refresh", basis: .session),
      Row(word: "begun", meaning: "left before their end", basis: .record([.position, .watched]) { $0.isBegun }),
      Row(basis: .record([.download]) { $0.download != nil }),
      Row(word: "live", meaning: "broadcast now", basis: .video { $0.live == .live }),
      Row(word: "short", meaning: "of at most 60 s, or Shorts of YouTube", basis: .video(isShort)),
      Row(
        word: "played", meaning: "played, in whole or in part",
        basis: .record([.played, .position]) { $0.played != nil }),
      Row(basis: .video { $0.list != nil }),
    ]
    + ListLink.Kind.allCases.map { kind in
      Row(word: "type:\(kind.rawValue)", meaning: "\(kind.rawValue)s", basis: .video { $0.list?.kind == kind })
    }

  static let all: [(state: VideoStates, row: Row)] =
    rows.enumerated().map { (VideoStates(row: $0), $1) }
    + Mark.allCases.map { mark in
      let meaning = mark == .hidden ? "hidden, otherwise left out" : mark.name
      return (
        VideoStates(mark), Row(word: mark.name, meaning: meaning, basis: .record([UserField(mark)]) { $0.has(mark) })
      )
    }

  static let ofVideo = all.reduce(into: VideoStates()) { states, entry in
    if case .video = entry.row.basis { states.insert(entry.state) }
  }

  private static let maximumShortSeconds = 60
  private static let shorts = Array("/shorts/".utf8)

  @Sendable private static func isShort(_ video: borrowing Video) -> Bool {
    if let seconds = video.duration?.seconds, seconds <= maximumShortSeconds { return true }
    return video.flags.contains(.short) || video.pageURL?.text.contains(shorts) == true
  }

  /// The states that follow from a video itself.
  public init(_ video: borrowing Video) {
    self = []
    for (state, row) in Self.all {
      if case .video(let holds) = row.basis, holds(video) { insert(state) }
    }
  }

  /// The states that a record contains.
  public init(_ record: UserRecord) {
    self = []
    for (state, row) in Self.all {
      if case .record(_, let holds) = row.basis, holds(record) { insert(state) }
    }
  }

  /// The field that has a value in the record of each video in this state; nil if there is none.
  var field: UserField? {
    guard case .record(let fields, _) = Self.all.first(where: { $0.state == self })?.row.basis else { return nil }
    return fields.first
  }

  /// The states that changes of these fields may enter or leave.
  public init(changedBy fields: some Sequence<UserField>) {
    let changed = Set(fields)
    self = []
    for (state, row) in Self.all {
      if case .record(let fields, _) = row.basis, !changed.isDisjoint(with: fields) { insert(state) }
    }
  }
}
