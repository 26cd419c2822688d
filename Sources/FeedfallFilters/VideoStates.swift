import FeedfallFeeds
import FeedfallRecords

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
}

extension VideoStates {
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
