/// The query batches that the terminal has not answered. Times are in milliseconds of the device's clock.
///
/// The last query of a batch (DA1) is its fence: terminals answer in order, so no answer follows that to the fence.
struct PendingQueries {
  /// After this time without an answer, none is expected.
  private let timeout: Int
  private static let timeoutAfterSilence = 250
  private var own = Batches()
  /// The queries to the terminal around tmux, which forwards or drops them.
  private var outer = Batches()

  private struct Batches {
    var count = 0
    /// The time of the last query.
    var last = 0
  }

  init(timeout: Int) { self.timeout = timeout }

  var isEmpty: Bool { own.count == 0 && outer.count == 0 }

  mutating func begin(at now: Int, toOuterTerminal isOuter: Bool = false) {
    let count = (isOuter ? outer : own).count + 1
    if isOuter { outer = Batches(count: count, last: now) } else { own = Batches(count: count, last: now) }
  }

  /// Returns the time since the last query.
  mutating func handleAnswer(at now: Int) -> Int {
    // tmux answers before the terminal around it.
    if own.count > 0 || outer.count == 0 {
      own.count = max(0, own.count - 1)
      return now - own.last
    }
    outer.count -= 1
    return now - outer.last
  }

  /// The time until which answers may arrive in pieces; nil if none is expected. tmux forwards answers in one piece.
  var fence: Int? { own.count == 0 ? nil : own.last + timeout }

  /// The time until which answers may arrive; nil if none is expected.
  var end: Int? {
    // tmux that has dropped a query is likely to drop the next one.
    let outerTimeout = outer.count > 1 ? min(timeout, Self.timeoutAfterSilence) : timeout
    return [fence, outer.count == 0 ? nil : outer.last + outerTimeout].compactMap(\.self).max()
  }
}
