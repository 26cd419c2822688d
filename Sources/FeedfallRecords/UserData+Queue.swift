/// The queue: the records with a place, in ascending order.
extension UserData {
  /// The place behind all others. O(n) in the videos that were ever queued.
  public var nextPlace: Double { (keys(with: .queued).compactMap { self[$0].queued }.max() ?? 0).rounded(.down) + 1 }

  /// The keys of the queue in its order.
  public var queuedKeys: [VideoKey] {
    keys(with: .queued).map { ($0, self[$0].queued ?? 0) }.sorted { ($0.1, $0.0.text) < ($1.1, $1.0.text) }.map(\.0)
  }

  /// Puts videos before all others of the queue, in this order. Returns the events to store: usually those of these
  /// videos, or of all if there is no place before the others. O(n log n) in the length of the queue.
  public mutating func putFirst(_ keys: [VideoKey], at now: Int, name: String) -> [UserEvent] {
    let own = Set(keys)
    let others = queuedKeys.filter { !own.contains($0) }
    let next = others.first.flatMap { self[$0].queued }
    let first = next.map { $0.rounded(.up) - Double(keys.count) } ?? 1
    let hasRoom = next.map { first + Double(keys.count - 1) < $0 } ?? true
    let changes = (hasRoom ? keys : keys + others).enumerated().map { index, key in
      Change(key: key, values: [.queued((hasRoom ? first : 1) + Double(index))])
    }
    return change(changes, at: now, name: name)
  }

  /// Moves a video of the queue behind its predecessor in `keys`, which may be a part of the queue, or else before
  /// its successor. The index is that in `keys`. Returns the events to store: usually that of the one place, or all
  /// places if there is none between the neighbors. O(n log n) in the length of the queue.
  public mutating func moveInQueue(_ index: Int, of keys: [VideoKey], at now: Int, name: String) -> [UserEvent] {
    var order = queuedKeys.filter { $0 != keys[index] }
    let target =
      index > 0
      ? order.firstIndex(of: keys[index - 1]).map { $0 + 1 }
      : keys.dropFirst().first.flatMap { order.firstIndex(of: $0) }
    let position = target ?? order.count
    order.insert(keys[index], at: position)
    let before = position > 0 ? self[order[position - 1]].queued : nil
    let after = position + 1 < order.count ? self[order[position + 1]].queued : nil
    let place =
      switch (before, after) {
      case (let before?, let after?): before / 2 + after / 2
      case (let before?, nil): before.rounded(.down) + 1
      case (nil, let after?): after.rounded(.up) - 1
      case (nil, nil): 1.0
      }
    if before.map({ $0 < place }) ?? true, after.map({ place < $0 }) ?? true {
      return change(keys[index], [.queued(place)], at: now, name: name)
    }
    let changes = order.enumerated().map { Change(key: $1, values: [.queued(Double($0 + 1))]) }
    return change(changes, at: now, name: name)
  }
}
