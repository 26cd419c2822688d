import FeedfallFeeds
import FeedfallUserData

/// A text of a video that a filter can search.
enum TextField: String, CaseIterable, Sendable {
  case title, channel
  case description
  /// All of them.
  case any
}

/// The user's marks and the session's facts about a video.
public struct VideoStates: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Added by the last refresh.
  public static let new = VideoStates(rawValue: 1)
  public static let watched = VideoStates(rawValue: 2)
  /// Left before its end.
  public static let begun = VideoStates(rawValue: 4)
  public static let queued = VideoStates(rawValue: 8)
  public static let hidden = VideoStates(rawValue: 16)
  public static let starred = VideoStates(rawValue: 32)
  public static let downloaded = VideoStates(rawValue: 64)
  /// Broadcast now.
  public static let live = VideoStates(rawValue: 128)
  /// At most a minute long, or a Short of YouTube.
  public static let short = VideoStates(rawValue: 256)

  /// The states that follow from the video itself.
  static let ofVideo: VideoStates = [.live, .short]
}

extension VideoStates {
  /// The states that a record contains.
  public init(_ record: UserRecord) {
    self = []
    if record.watched != nil { insert(.watched) }
    if record.isBegun { insert(.begun) }
    if record.queued != nil { insert(.queued) }
    if record.isHidden { insert(.hidden) }
    if record.isStarred { insert(.starred) }
    if record.downloaded != nil { insert(.downloaded) }
  }

  /// The field that has a value in the record of each video in this state; nil if there is none.
  var field: UserField? {
    switch self {
    case .watched: .watched
    case .begun: .position
    case .queued: .queued
    case .hidden: .hidden
    case .starred: .starred
    case .downloaded: .downloaded
    default: nil
    }
  }

  /// The states that changes of these fields may enter or leave.
  public init(changedBy fields: some Sequence<UserField>) {
    self = fields.reduce(into: []) { states, field in
      switch field {
      case .watched: states.formUnion([.watched, .begun])
      case .position: states.insert(.begun)
      case .queued: states.insert(.queued)
      case .hidden: states.insert(.hidden)
      case .starred: states.insert(.starred)
      case .downloaded: states.insert(.downloaded)
      case .duration, .video: break
      }
    }
  }
}

/// The facts about a video by which filters and orders decide, in a form that is fast to compare.
public struct VideoFacts: Sendable {
  /// The folded title, channel and description, separated by line breaks.
  let text: [UInt8]
  private let titleEnd: Int32
  private let channelEnd: Int32
  let title: String
  let channel: String?
  let summary: String?
  /// The languages of the audio in the spelling of the feed, in lower case.
  let languages: String?
  /// The duration in seconds; nil if it is unknown.
  let seconds: Int?
  /// The time of publication in seconds since 1970; if only the year is known, its start.
  let published: Int?
  let views: Int?
  let states: VideoStates

  /// Only the start of a description is searched.
  static let maximumDescriptionBytes = 4_096
  private static let maximumShortSeconds = 60

  /// - Complexity: O(n) in the length of the texts.
  public init(_ video: Video) {
    title = video.title
    channel = video.channel ?? video.author
    summary = video.summary
    var text: [UInt8] = []
    let summaryLength = min(summary?.utf8.count ?? 0, Self.maximumDescriptionBytes)
    text.reserveCapacity(title.utf8.count + (channel?.utf8.count ?? 0) + summaryLength + 2)
    text.appendFolded(title)
    titleEnd = Int32(text.count)
    text.append(0x0A)
    text.appendFolded(channel ?? "")
    channelEnd = Int32(text.count)
    text.append(0x0A)
    text.appendFolded(summary ?? "", limit: Self.maximumDescriptionBytes)
    self.text = text
    languages = Self.languages(of: video)
    seconds = video.duration?.seconds
    published = video.knownTime?.seconds
    views = video.views
    var states: VideoStates = video.live == .live ? .live : []
    if let seconds, seconds <= Self.maximumShortSeconds { states.insert(.short) }
    if video.pageURL?.text.contains("/shorts/") == true { states.insert(.short) }
    self.states = states
  }

  private static func languages(of video: Video) -> String? {
    guard case .direct(let files) = video.playback else { return nil }
    let languages = files.compactMap(\.language)
    return languages.isEmpty ? nil : languages.joined(separator: " ").lowercased()
  }

  /// The bytes of a field in `text`.
  func range(of field: TextField) -> Range<Int> {
    switch field {
    case .title: 0..<Int(titleEnd)
    case .channel: Int(titleEnd) + 1..<Int(channelEnd)
    case .description: Int(channelEnd) + 1..<text.count
    case .any: 0..<text.count
    }
  }

  /// The texts of a field as the feed has them.
  func originals(of field: TextField) -> [String] {
    switch field {
    case .title: [title]
    case .channel: [channel].compactMap(\.self)
    case .description: [summary].compactMap(\.self)
    case .any: [title, channel, summary].compactMap(\.self)
    }
  }
}
