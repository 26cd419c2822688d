import FeedfallFeeds
import FeedfallRecords

/// The numbers of unwatched and of new videos of each source, which are counted again only after a change.
struct SourceCounts: Equatable, Sendable {
  struct Count: Equatable, Sendable {
    var unwatched = 0
    var new = 0
  }

  private struct Entry: Equatable {
    var count = Count()
    var listRevision = -1
    var recordRevision = -1

    func isCurrent(_ listRevision: Int, _ recordRevision: Int) -> Bool {
      self.listRevision == listRevision && self.recordRevision == recordRevision
    }
  }

  /// By the number of the source.
  private var entries: [Entry] = []
  /// Increases when a count changes.
  private(set) var revision = 0

  /// The videos that are counted at once, which takes a few milliseconds.
  private static let batchSize = 10_000

  /// Nil before the videos were counted.
  subscript(source: SourceID) -> Count? {
    guard entries.indices.contains(source.number), entries[source.number].listRevision >= 0 else { return nil }
    return entries[source.number].count
  }

  /// O(number of sources).
  func isCurrent(in library: Library) -> Bool {
    let (sources, records) = (library.sources, library.store.recordRevision)
    return entries.count == sources.count
      && sources.indices.allSatisfy { entries[$0].isCurrent(sources[$0].revision, records) }
  }

  /// Counts the `first` sources, then others until a batch is full.
  mutating func update(_ library: Library, first: [SourceID]) {
    let (sources, records) = (library.sources, library.store.recordRevision)
    entries += [Entry](repeating: Entry(), count: max(0, sources.count - entries.count))
    var room = Self.batchSize
    for number in first.map(\.number) + Array(sources.indices) {
      guard room > 0 else { return }
      guard sources.indices.contains(number), !entries[number].isCurrent(sources[number].revision, records) else {
        continue
      }
      room -= 1 + sources[number].slots.count
      let count = Count(
        unwatched: library.unwatchedCount(of: sources[number].slots), new: sources[number].newCards.count)
      if entries[number].count != count || entries[number].listRevision < 0 { revision += 1 }
      entries[number] = Entry(count: count, listRevision: sources[number].revision, recordRevision: records)
    }
  }
}

extension Library {
  fileprivate func unwatchedCount(of slots: [CardSlot]) -> Int {
    slots.count { slot in
      let record = store.record(of: slot)
      return record.watched == nil && !record.has(.hidden) && store[slot].video.list == nil
    }
  }
}
