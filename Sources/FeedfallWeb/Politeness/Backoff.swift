/// The pause after 429 (Too Many Requests) without a Retry-After. It doubles with each such answer that comes soon
/// after a pause. Times are in milliseconds since 1970.
struct Backoff: Equatable, Sendable {
  let end: Int
  /// The time until which another such answer doubles the pause.
  let doublesUntil: Int

  static let shortestSeconds = 30
  static let longestSeconds = 600
}

extension Backoff {
  /// - Parameter last: the last pause of the server; nil for none. Any values are valid, also ones from another clock.
  init(after last: Backoff?, at now: Int) {
    let now = min(max(now, 0), 1 << 60)
    let milliseconds = last.map { $0.length(at: now) } ?? Self.shortestSeconds * 1000
    end = now + milliseconds
    doublesUntil = end + 2 * milliseconds
  }

  private func length(at now: Int) -> Int {
    let (shortest, longest) = (Self.shortestSeconds * 1000, Self.longestSeconds * 1000)
    let (twice, isInvalid) = doublesUntil.subtractingReportingOverflow(end)
    guard !isInvalid, twice > 0, now < doublesUntil else { return shortest }
    let last = min(max(twice / 2, shortest), longest)
    // Answers to requests that ran at the same time are one refusal.
    return now < end ? last : min(2 * last, longest)
  }
}
