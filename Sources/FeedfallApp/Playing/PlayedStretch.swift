import FeedfallFeeds
import FeedfallRecords
import FeedfallText

extension PlaySession {
  /// The part of a video that was played up to the current position without a seek, as evidence that the user has watched
  /// it. Segments that the program skips belong to it.
  struct PlayedStretch: Equatable, Sendable {
    private var start = 0.0
    private var end = 0.0
    /// Whether playback has reached the watched share from before it since the last `begin`.
    private var hasReachedShare = false
    /// Whether nothing was played or sought since the last load.
    private(set) var isUntouched = true
    /// Why the next position may not follow the last one.
    private var jump: Jump?
    private var skipTarget: Double?

    private enum Jump { case ordered, byPlayer }

    /// In seconds; shorter parts do not count.
    private static let shortest = 5.0
    /// In seconds. A seek ends 1 s before the end of the video, so playing from there is no evidence.
    private static let shortestEnd = 2.0
    /// The inaccuracy of positions, in seconds.
    private static let jitter = 1.0
    /// In seconds; a player without data may still report one or two positions.
    private static let least = 0.2

    mutating func begin() { hasReachedShare = false }

    mutating func load(at seconds: Double) {
      (start, end) = (seconds, seconds)
      (jump, skipTarget, isUntouched) = (nil, nil, true)
    }

    mutating func skip(to target: Double?) { skipTarget = target }

    mutating func seekCompleted(_ target: Double?) {
      jump = isSkip(target) ? nil : .ordered
      (skipTarget, isUntouched) = (nil, false)
    }

    mutating func playerJumped() { jump = jump ?? .byPlayer }

    /// `target` is that of the seek in progress; from `share` on, in seconds, the video is watched.
    mutating func play(to seconds: Double, seekingTo target: Double?, share: Double?) {
      let isJump = jump != nil || target != nil && !isSkip(target)
      jump = nil
      // A server without seeking plays from an earlier position than the requested one.
      if isJump || seconds < end - Self.jitter { start = seconds }
      end = seconds
      if end - start > Self.least { isUntouched = false }
      if let share, end >= share, share - start >= Self.required(Self.shortest, of: share) { hasReachedShare = true }
    }

    mutating func lengthChanged() { hasReachedShare = false }

    private func isSkip(_ target: Double?) -> Bool { target != nil && target == skipTarget }

    /// Whether the next position follows an ordered seek.
    var isAfterSeek: Bool { jump == .ordered }

    /// Whether the part is too short to have been more than a look.
    var isLook: Bool { end - start < Self.required(Self.shortest, of: end) }

    func isWatched(share: Double?) -> Bool { share.map { hasReachedShare || end >= $0 && !isLook } ?? false }

    /// Whether the video was played, not only sought, to its end here.
    var isPlayedToEnd: Bool { end > 0 && end - start >= Self.required(Self.shortestEnd, of: end) }

    /// Short videos need no more than half of what there is.
    private static func required(_ seconds: Double, of whole: Double) -> Double { min(seconds, whole / 2) }
  }

  struct PositionRecord: Equatable, Sendable {
    private(set) var saved: PlayPosition?
    /// Where playback of the video resumes, in whole seconds; nil for the beginning.
    private(set) var resumeSeconds: Int?
    /// The position that was saved last, or at which the load starts, in seconds.
    private var savedTime = 0.0
    /// Whether the video was reported as watched since the user has started it.
    private var isWatched = false
    /// Whether a position was saved since then.
    private var isPlayed = false

    /// In seconds of the video. The player reports each second, so a program that is killed loses at most five.
    private static let interval = 4.0

    mutating func begin(_ item: PlayItem) { resumeSeconds = item.startSeconds > 0 ? item.startSeconds : nil }

    mutating func start() { (isWatched, isPlayed) = (false, false) }

    mutating func load(at seconds: Double) { savedTime = seconds }

    func isDue(at seconds: Double) -> Bool { abs(seconds - savedTime) >= Self.interval }

    /// Returns false if the user's record has the position already.
    mutating func save(_ position: PlayPosition, isLive: Bool) -> Bool {
      var position = position
      // The end of a broadcast's duration is the present.
      position.isWatched = position.isWatched && !isWatched && !isLive
      guard position.isWatched || position.seconds != resumeSeconds else { return false }
      // A position in the beginning is saved as soon as the video has left it.
      savedTime = Double(position.seconds ?? 0)
      isWatched = isWatched || position.isWatched
      position.isFirst = !isPlayed
      isPlayed = true
      resumeSeconds = position.seconds
      saved = position
      return true
    }

    /// Continues with the position that another record has saved. The positions of a preview were not stored.
    mutating func adopt(_ other: PositionRecord, for item: PlayItem) {
      self = PositionRecord()
      saved = other.saved
      begin(item)
      load(at: Double(item.startSeconds))
    }
  }
}

/// The position at which the user was in a video.
public struct PlayPosition: Equatable, Sendable {
  public let key: VideoKey
  /// Where playback resumes; nil for the beginning.
  public let seconds: Int?
  /// In seconds; nil if it is unknown.
  public let duration: Int?
  /// Whether the user has just come to the end.
  public internal(set) var isWatched: Bool
  /// Whether it is the first one of its playback: the video was played, not just opened.
  public internal(set) var isFirst = false

  /// In seconds; a video that has only just begun starts from its beginning.
  private static let longestBeginning = 5.0
  /// The beginning of a short video, as a share of its duration.
  private static let beginningShare = 0.1
  /// Beyond this share of its duration, a video starts from its beginning.
  private static let endShare = 0.95
  /// In seconds, one year.
  private static let longest = 366.0 * 86_400

  init(key: VideoKey, seconds: Int? = nil, duration: Double? = nil, isWatched: Bool = false) {
    (self.key, self.seconds, self.isWatched) = (key, seconds, isWatched)
    self.duration = duration.flatMap { $0 >= 1 && $0 <= Self.longest ? Int($0) : nil }
  }

  /// - Parameter duration: in seconds; nil if it is unknown.
  init(key: VideoKey, at seconds: Double, of duration: Double?, isWatched: Bool) {
    let end = min((duration ?? .infinity) * Self.endShare, Self.longest)
    let isInside = seconds >= Self.beginning(of: duration) && seconds <= end
    self.init(key: key, seconds: isInside && !isWatched ? Int(seconds) : nil, duration: duration, isWatched: isWatched)
  }

  /// The position from which on a video is resumed, in seconds, at least one.
  static func beginning(of duration: Double?) -> Double {
    max(1, min(longestBeginning, (duration ?? .infinity) * beginningShare))
  }

  /// The fields of the user's record. `now` is in milliseconds since 1970.
  public func values(at now: Int) -> [UserValue] {
    [.position(seconds)] + (duration.map { [.duration($0)] } ?? [])
      + (isFirst ? [.played(UnixTime(seconds: now / 1_000))] : [])
      + (isWatched ? [.watched(UnixTime(seconds: now / 1_000))] : [])
  }
}

/// Returns `7:05` or `1:02:05`, and `0:00` for values that are not finite or negative.
public func playTime(_ seconds: Double) -> String {
  let longest = 99_999.0 * 3_600
  return VideoDuration.seconds(seconds.isFinite ? Int(min(max(0, seconds), longest)) : 0).description
}

/// The length of a video, with its evidence. Only a stated one may become a fact about the video.
public enum MediaLength: Equatable, Sendable {
  case unknown
  /// The end is unknown: the player has found data up to this many seconds, and will find more.
  case growing(Double)
  /// Stated by the file, or measured by reading it to its end, in seconds.
  case stated(Double)

  /// In seconds; nil if the end is unknown.
  public var stated: Double? { if case .stated(let seconds) = self { seconds } else { nil } }

  /// Values that are no lengths, and guesses that a stated length covers, change nothing.
  func updated(by new: MediaLength) -> MediaLength {
    switch new {
    case .unknown: return self
    case .growing(let seconds): return seconds.isFinite && seconds > 0 && seconds > stated ?? 0 ? new : self
    case .stated(let seconds): return seconds.isFinite && seconds > 0 ? new : self
    }
  }

  /// `other` is the length that another source states, `position` one that was reached, both in seconds.
  func completed(by other: Double?, beyond position: Double) -> MediaLength {
    guard let other, other > position else { return self }
    switch self {
    case .unknown: return .stated(other)
    case .growing(let seconds): return other > seconds ? .stated(other) : self
    case .stated: return self
    }
  }

  /// In seconds: lengths of one video from different sources differ by less.
  public static func tolerance(of seconds: Double) -> Double { max(1, seconds * 0.02) }
}
