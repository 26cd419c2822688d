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

  /// Returns the lifetime of a cover with this freshness, in seconds.
  func lifetime(of freshness: Range<Int>) -> Int { freshness.count + shortestFreshness }

  /// Returns the time in seconds for which an address without a picture is not requested again.
  func missingSeconds(after failure: CoverFailure) -> Int {
    switch failure {
    // The answer may be the login page of a network.
    case .picture(.unknownFormat), .webPage: 300
    // By then, ffmpeg may be installed or the machine less busy.
    case .needsProgram, .notConverted: 300
    // The server of a new video may still be making its cover.
    case .web(.status(403, _)), .web(.status(404, _)), .web(.status(410, _)): self == .settled ? 6 * 3600 : 600
    default: 6 * 3600
    }
  }
}

extension CoverPicture {
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
    guard fetched <= now else { return now.seconds..<now.seconds }
    let freshness = pace.freshness(from: fetched, lifetime: freshUntil.map { $0.seconds - fetched.seconds })
    // A failed request extends the freshness by the shortest time, however long ago the cover was fetched.
    guard let end = freshUntil?.seconds, end > freshness.upperBound, end <= now.seconds + pace.shortestFreshness
    else { return freshness }
    return freshness.lowerBound..<end
  }
}
