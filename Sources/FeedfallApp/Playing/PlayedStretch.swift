import FeedfallRecords

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
