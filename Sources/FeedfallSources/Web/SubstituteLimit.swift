import FeedfallText
import Synchronization

/// Limits how often yt-dlp replaces feeds, for all sources together: in an outage, all feeds of a site fail.
final class SubstituteLimit: Sendable, Equatable {
  /// The times of the last tries, in seconds since 1970.
  private let tries = Mutex<[Int]>([])

  private static let maximumCount = 4
  /// In seconds.
  private static let period = 900

  /// Whether another try is allowed, which is counted then.
  func acquire(at now: UnixTime) -> Bool {
    tries.withLock { tries in
      // A future time was stored before the clock was set back.
      tries.removeAll { !(0..<Self.period).contains(now.seconds - $0) }
      guard tries.count < Self.maximumCount else { return false }
      tries.append(now.seconds)
      return true
    }
  }

  static func == (left: SubstituteLimit, right: SubstituteLimit) -> Bool { left === right }
}
