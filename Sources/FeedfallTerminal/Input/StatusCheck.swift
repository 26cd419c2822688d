/// The query whether the terminal has processed all output. Video frames end with the same query, and a terminal
/// answers in order.
struct StatusCheck: Equatable {
  /// The longest wait for the answer, in milliseconds, also when the terminal is handed back: a late answer would reach
  /// the shell as input. A query without an answer has lapsed then.
  static let answerLimit = 10_000

  /// The number of queries at the end of video frames, also of frames that are not yet written completely.
  private(set) var videoQueryCount = 0
  private(set) var answeredVideoQueryCount = 0
  private var query: Query?

  private struct Query: Equatable {
    /// The number of answers before this query's own.
    var answersBefore: Int
    var time: Int
  }

  mutating func countVideoQuery() { videoQueryCount += 1 }

  /// Handles that the end of a video frame was dropped, and its query with it.
  mutating func uncountVideoQuery() { videoQueryCount = max(answeredVideoQueryCount, videoQueryCount - 1) }

  mutating func begin(at now: Int) {
    // If the last answer was lost, so were those before it.
    if timeout(at: now) == 0 { answeredVideoQueryCount = videoQueryCount }
    query = Query(answersBefore: videoQueryCount - answeredVideoQueryCount, time: now)
  }

  /// Returns true if the answer belongs to this query, false if it belongs to a video frame.
  mutating func handleAnswer() -> Bool {
    if query?.answersBefore == 0 {
      query = nil
      return true
    }
    query?.answersBefore -= 1
    answeredVideoQueryCount = min(videoQueryCount, answeredVideoQueryCount + 1)
    return false
  }

  /// Returns how long the answer may still take, in milliseconds: 0 if the query has lapsed, nil if there is none.
  func timeout(at now: Int) -> Int? { query.map { max(0, $0.time + Self.answerLimit - now) } }
}
