/// The policy of sending a failed request a second time, because a busy server or proxy often fails for a moment.
///
/// Applies to GET requests only, because a repeated POST could have side effects.
package struct RetryPolicy: Sendable {
  /// Returns a number in 0 ..< 1.
  private let random: @Sendable () -> Double

  private static let shortestPauseMilliseconds = 200.0
  private static let longestPauseMilliseconds = 600.0

  /// - Parameter random: returns a number in 0 ..< 1, by which clients that failed together do not return together.
  package init(random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }) {
    self.random = random
  }

  /// Returns the pause before the second request; nil if the first result stands.
  ///
  /// A server that asks to wait is not requested again: see `WebFailure.retry`.
  func pause(after result: Result<HTTPAnswer, WebFailure>) -> Duration? {
    guard Self.isWorthRetrying(result) else { return nil }
    let range = Self.longestPauseMilliseconds - Self.shortestPauseMilliseconds
    return .milliseconds(Int(Self.shortestPauseMilliseconds + range * random()))
  }

  private static func isWorthRetrying(_ result: Result<HTTPAnswer, WebFailure>) -> Bool {
    switch result {
    case .success(let answer): [500, 502, 504].contains(answer.status)
    case .failure(let failure): failure == .cut
    }
  }
}
