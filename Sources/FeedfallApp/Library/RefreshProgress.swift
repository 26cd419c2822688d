/// The refresh of many sources.
struct RefreshProgress: Equatable, Sendable {
  private var pending: Set<SourceID> = []
  private(set) var total = 0
  private(set) var failedCount = 0

  /// The progress of fewer sources is not worth a line.
  private static let leastCount = 10

  var pendingCount: Int { pending.count }
  var doneCount: Int { total - pending.count }
  var isShown: Bool { !pending.isEmpty && total >= Self.leastCount }

  /// Adds sources to the refresh; without a pending one, a new refresh begins.
  mutating func begin(_ sources: some Sequence<SourceID>) {
    if pending.isEmpty { (total, failedCount) = (0, 0) }
    let before = pending.count
    pending.formUnion(sources)
    total += pending.count - before
  }

  mutating func end(_ source: SourceID, hasFailed: Bool = false) {
    if pending.remove(source) != nil, hasFailed { failedCount += 1 }
  }

  mutating func cancel(_ sources: [SourceID]) {
    let before = pending.count
    pending.subtract(sources)
    total -= before - pending.count
  }
}
