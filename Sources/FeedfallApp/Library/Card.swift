import FeedfallFeeds
import FeedfallRecords
import FeedfallText

/// Identifies a source by its position among the open ones, from 0.
public struct SourceID: Hashable, Sendable {
  public let number: Int

  /// The source of the cards of records whose videos have left their feeds.
  static let records = SourceID(.max)

  public init(_ number: Int) { self.number = number }
}

/// Identifies a card, because several sources, and several feeds in one source, can use the same IDs.
struct CardID: Hashable, Sendable {
  var source: SourceID
  var video: String
  /// The feed of the video if its ID is restricted to one.
  var scope: FeedScope?

  static func == (left: CardID, right: CardID) -> Bool {
    left.source == right.source && left.video.hasSameBytes(as: right.video) && left.scope == right.scope
  }

  /// Without the scope: equal IDs of several feeds are rare.
  func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(video)
  }
}

extension CardID {
  init(_ video: Video, of source: SourceID) { self.init(source: source, video: video.id, scope: video.scope) }
}

struct Card: Equatable, Sendable {
  private enum Details: Equatable, Sendable {
    case none
    case known
    /// The source has listed the video again since, as this value. On the heap, because few of 90,000 cards have it.
    indirect case outdated(Video)
  }

  private(set) var video: Video
  let source: SourceID
  /// The key of the user's record, which stays when the details arrive.
  var key: VideoKey
  private var details = Details.none
  /// Replaces the title that the source states, on the screen only.
  var betterTitle: String?
  /// The length that the player or ffprobe has found for a video whose source states none.
  private var foundDuration: VideoDuration?

  init(video: Video, source: SourceID, key: VideoKey? = nil) {
    (self.video, self.source, self.key) = (video, source, key ?? VideoKey(video))
  }

  var id: CardID { CardID(video, of: source) }
  var title: String { betterTitle ?? video.title }
  var isList: Bool { video.list != nil }

  /// The video with the title for the screen.
  var shown: Video {
    guard let betterTitle else { return video }
    var shown = video
    shown.title = betterTitle
    return shown
  }

  /// The video to request details for; outdated details are shown until the new ones arrive.
  var listed: Video { if case .outdated(let listed) = details { listed } else { video } }
  var isAsListed: Bool { details == .none }
  var hasAddress: Bool { video.playbackURL != nil || !video.players.isEmpty }
  var hasDetails: Bool { details == .known && video.chaptersURL == nil }
  /// Whether the list may lack the description or the tags, which the details have.
  var lacksDetails: Bool { details != .known && (listed.isPartial || listed.detailsURL != nil) }
  var mayBePlayed: Bool { hasAddress || video.detailsURL != nil }

  mutating func update(from listed: Video) {
    if details == .none || !listed.canBeCompleted {
      let duration = listed.duration ?? video.duration
      (video, details) = (listed, .none)
      video.duration = duration
    } else {
      video = listed.completed(byEarlier: video)
      video.title = listed.title
      video.isPartial = false
      details = .outdated(listed)
    }
  }

  func lacks(_ duration: VideoDuration) -> Bool {
    guard video.live != .live else { return false }
    guard let known = video.duration else { return true }
    return (known == foundDuration || source == .records) && duration.isLonger(than: known)
  }

  mutating func addDuration(_ duration: VideoDuration) { (video.duration, foundDuration) = (duration, duration) }

  mutating func complete(with completed: Video) {
    let (title, wasListed) = (video.title, listed.detailsURL != nil)
    video = completed
    video.title = title
    video.duration = video.duration ?? foundDuration
    // An answer to the request for the chapters that still lacks them must not cause another request.
    if !wasListed { video.chaptersURL = nil }
    details = .known
  }
}

extension VideoDuration {
  /// Whether it is longer than another one by more than the results of two programs differ.
  fileprivate func isLonger(than other: VideoDuration) -> Bool {
    guard let seconds, let old = other.seconds.map(Double.init) else { return false }
    return Double(seconds) > old + MediaLength.tolerance(of: old)
  }
}
