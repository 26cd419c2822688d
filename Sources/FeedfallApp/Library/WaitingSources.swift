/// The sources whose first pages are requested once others have answered.
struct WaitingSources: Equatable, Sendable {
  /// The facts that each search for the next source reads, possibly of thousands of sources.
  private struct Entry: Equatable {
    let source: SourceID
    let origin: FirstLoads.Origin
    var publishInterval: Int
  }

  private var entries: [Entry] = []
  private var members: Set<SourceID> = []

  /// A week in seconds, for sources without dates.
  private static let usualInterval = 604_800

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  var ids: [SourceID] { entries.map(\.source) }

  func contains(_ source: SourceID) -> Bool { members.contains(source) }

  mutating func append(_ source: SourceState) {
    guard members.insert(source.id).inserted else { return }
    let interval = source.publishInterval ?? Self.usualInterval
    entries.append(Entry(source: source.id, origin: source.origin, publishInterval: interval))
  }

  /// Call it after a page has arrived.
  mutating func update(_ source: SourceState) {
    guard let place = place(of: source.id) else { return }
    entries[place].publishInterval = source.publishInterval ?? Self.usualInterval
  }

  mutating func remove(_ source: SourceID) {
    guard let place = place(of: source) else { return }
    entries.remove(at: place)
    members.remove(source)
  }

  /// That which publishes most often, of the `preferred` ones if possible. O(n).
  mutating func dequeue(_ room: FirstLoads, preferred: [SourceID]) -> SourceID? {
    guard let place = placeOfNext(room, preferred) else { return nil }
    let source = entries.remove(at: place).source
    members.remove(source)
    return source
  }

  private func placeOfNext(_ room: FirstLoads, _ preferred: [SourceID]) -> Int? {
    next(among: preferred.compactMap { place(of: $0) }.sorted(), room) ?? next(among: entries.indices, room)
  }

  private func next(among places: some Sequence<Int>, _ room: FirstLoads) -> Int? {
    places.lazy.filter { room.allows(entries[$0].origin) }
      .min { entries[$0].publishInterval < entries[$1].publishInterval }
  }

  private func place(of source: SourceID) -> Int? {
    contains(source) ? entries.firstIndex { $0.source == source } : nil
  }
}
