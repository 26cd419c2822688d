import FeedfallScreen
import FeedfallText

extension CoverPace {
  /// In seconds.
  static let longestFreshness = 30 * 86_400

  /// However often its server wants it to be requested.
  fileprivate var shortestFreshness: Int { self == .live ? 60 : 600 }

  /// The freshness of a cover whose server states none.
  private var usualFreshness: Int {
    switch self {
    case .settled: Self.longestFreshness
    case .new: 86_400
    case .live: shortestFreshness
    }
  }

  /// Returns the time from which on the user may request a cover again, and that at which it becomes stale, in seconds since
  /// 1970.
  ///
  /// - Parameter lifetime: in seconds, as its server states it; nil if it states none.
  func freshness(from fetched: UnixTime, lifetime: Int?) -> Range<Int> {
    let seconds = min(max(lifetime ?? usualFreshness, shortestFreshness), Self.longestFreshness)
    return fetched.seconds + shortestFreshness..<fetched.seconds + seconds
  }

  /// Returns the time in seconds for which an address without a picture is not requested again: six hours after a failure
  /// that no retry can end.
  func missingSeconds(after failure: CoverFailure) -> Int {
    switch failure {
    // It may be the login page of a network.
    case .webPage: 300
    // By then, ffmpeg may be installed or the machine less busy.
    case .needsProgram, .notConverted(_, .timedOut), .notConverted(_, .notStarted): 300
    // The server of a new video may still be making its cover.
    case .web(.status(403, _)), .web(.status(404, _)), .web(.status(410, _)): self == .settled ? 6 * 3600 : 600
    default: 6 * 3600
    }
  }
}

extension CoverPicture {
  /// Lets a better cover be requested at once, whatever the clock.
  mutating func endFreshness() { freshness = 0..<0 }

  /// Lets a cover in place of a better one, which could not be loaded, be requested again soon, and at once by the user.
  mutating func limitFreshness(ofSubstitute pace: CoverPace) {
    let now = UnixTime.now
    freshness = freshness.map { freshness in
      let end = min(freshness.upperBound, pace.freshness(from: now, lifetime: 0).upperBound)
      return min(freshness.lowerBound, now.seconds, end)..<end
    }
  }
}

extension StoredThumbnail {
  /// Returns the freshness of the picture, which is over if the clock was set back.
  func freshness(at now: UnixTime, _ pace: CoverPace) -> Range<Int> {
    let freshness =
      fetched <= now ? pace.freshness(from: fetched, lifetime: lifetime ?? 0) : now.seconds..<now.seconds
    guard let end = keptUntil?.seconds, end > freshness.upperBound, end <= now.seconds + pace.shortestFreshness
    else { return freshness }
    return freshness.lowerBound..<end
  }
}
