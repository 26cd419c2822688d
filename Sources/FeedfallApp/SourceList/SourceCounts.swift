import FeedfallFeeds
import FeedfallRecords

/// The numbers of unwatched and of new videos of each source, which are counted again only after a change.
struct SourceCounts: Equatable, Sendable {
  struct Count: Equatable, Sendable {
    var unwatched = 0
    var new = 0
    /// Whether `unwatched-only` hides all of its videos.
    var isDone = false
  }

  private struct Entry: Equatable {
    var count = Count()
    /// Of the source when it was counted; -1 before that.
    var revision = -1
  }

  /// By the number of the source.
  private var entries: [Entry] = []
  /// Increases when a count changes.
  private(set) var revision = 0
  /// Of the sources when all were counted.
  private var sourceRevision = -1

  /// The videos that are counted at once, which takes a few milliseconds.
  private static let batchSize = 10_000

  /// Nil before the videos were counted.
  subscript(source: SourceID) -> Count? {
    guard entries.indices.contains(source.number), entries[source.number].revision >= 0 else { return nil }
    return entries[source.number].count
  }

  /// O(1).
  func isCurrent(in library: Library) -> Bool { sourceRevision == library.sources.revision }

  /// Counts the `first` sources that have changed, then others until a batch is full.
  mutating func update(_ library: Library, first: [SourceID]) {
    let sources = library.sources
    entries += [Entry](repeating: Entry(), count: max(0, sources.count - entries.count))
    var room = Self.batchSize
    for number in first.map(\.number) + Array(sources.indices) {
      let current = sources.statuses[number].revision
      guard entries[number].revision != current else { continue }
      guard room > 0 else { return }
      room -= 1 + sources[number].slots.count
      let count = library.count(of: sources[number])
      if entries[number].count != count || entries[number].revision < 0 { revision += 1 }
      entries[number] = Entry(count: count, revision: current)
    }
    sourceRevision = sources.revision
  }
}

extension Library {
  fileprivate func count(of source: SourceState) -> SourceCounts.Count {
    var count = SourceCounts.Count(new: source.newCards.count, isDone: !source.slots.isEmpty)
    for slot in source.slots {
      let record = store.record(of: slot)
      if record.has(.hidden) { continue }
      if record.watched == nil, !store[slot].isList { count.unwatched += 1 }
      if record.watched == nil || store.userData.isWatchedHere(store[slot].key) { count.isDone = false }
    }
    return count
  }
}
