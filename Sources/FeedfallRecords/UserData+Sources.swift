import FeedfallFeeds
import FeedfallText

/// The sources that are known, each by an event under the text of its scope. Of a new source, all but the newest videos
/// count as watched, without events of their own.
extension UserData {
  /// The time before which the videos of a source count as watched; nil for a source that is not known yet. O(1).
  public func readBefore(ofSource scope: String) -> UnixTime? { self[VideoKey(text: scope)].readBefore }

  /// Whether no source is known yet, although there are records: an earlier version knew sources without events.
  public var lacksSources: Bool { count > 0 && !hasValues(of: .readBefore) }

  /// Makes sources known as they are, and that all others are new from now on. Returns the events to store.
  public mutating func beginKnowingSources(_ scopes: [String], at now: Int) -> [UserEvent] {
    addSources([Self.others] + scopes, readBefore: UnixTime(seconds: 0), at: now)
  }

  /// Stands for all sources, so that one event is enough.
  private static let others = "sources"

  /// Makes sources known, whose videos published before a time count as watched. Returns the events to store.
  public mutating func addSources(_ scopes: [String], readBefore time: UnixTime, at now: Int) -> [UserEvent] {
    change(scopes.map { Change(key: VideoKey(text: $0), values: [.readBefore(time)]) }, at: now)
  }

  /// The record of a video of a source, watched if it counts as watched. The user's own actions have precedence.
  public func record(of key: VideoKey, published: UnixTime?, readBefore: UnixTime?) -> UserRecord {
    var record = self[key]
    guard let readBefore, let published, published.seconds < readBefore.seconds,
      isUnseen(record, key)
    else { return record }
    record.watched = readBefore
    return record
  }

  private func isUnseen(_ record: UserRecord, _ key: VideoKey) -> Bool {
    record.watched == nil && record.played == nil && record.position == nil && time(of: .watched, of: key) == nil
  }

  /// Marks videos as watched that have no date, so that the time of their source does not apply to them. The user's own
  /// actions take precedence, also those that other devices report later. Returns the events to store.
  public mutating func addWatched(_ keys: [VideoKey], at now: UnixTime) -> [UserEvent] {
    keys.compactMap { key in
      guard isUnseen(self[key], key) else { return nil }
      let event = UserEvent(time: UserEvent.earliestTime, device: device, key: key, value: .watched(now))
      return apply(event) ? event : nil
    }
  }

  /// Whether a mark changes a video of a source. If the user unmarks a video that only counts as watched, this first
  /// makes the mark explicit, so that `undo` can restore it; no event is stored for that.
  public mutating func isChanged(
    by marking: Marking, _ key: VideoKey, published: UnixTime?, readBefore: UnixTime?
  ) -> Bool {
    let record = record(of: key, published: published, readBefore: readBefore)
    guard record.has(marking.mark) != marking.isSet else { return false }
    if marking == Marking(.watched, false), self[key].watched == nil {
      apply(UserEvent(time: UserEvent.earliestTime, device: device, key: key, value: .watched(record.watched)))
    }
    return true
  }

  /// Makes the mark explicit for a video of which only the key is known: it may count as watched.
  public mutating func prepare(_ marking: Marking, of key: VideoKey, at now: Int) {
    guard marking == Marking(.watched, false), hasValues(of: .readBefore), self[key].watched == nil,
      time(of: .watched, of: key) == nil
    else { return }
    let time = UnixTime(seconds: now / 1_000)
    apply(UserEvent(time: UserEvent.earliestTime, device: device, key: key, value: .watched(time)))
  }
}

/// The videos of a source that have left its feed unseen.
extension UserData {
  private static let maximumMissedCount = 1_000_000
  /// The time of a stored list is a moment before that of its count.
  private static let storingSeconds = 10

  /// O(1).
  public func missedCount(ofSource scope: String) -> Int { self[VideoKey(text: scope)].missed ?? 0 }

  /// Adds to the number. `listed` is the time of the list that the videos have left: if another device has changed the
  /// number since, it has counted them or shown them, and so has another program on this device that has added to it.
  /// Returns the events to store.
  public mutating func addMissed(
    _ count: Int, ofSource scope: String, listed: UnixTime, at now: Int
  ) -> [UserEvent] {
    let key = VideoKey(text: scope)
    if let last = lastEvent(of: .missed, key), last.device != device || last.value != .missed(nil),
      last.time / 1_000 > listed.seconds + (last.device == device ? Self.storingSeconds : 0)
    {
      return []
    }
    return change(key, [.missed(min(missedCount(ofSource: scope) + count, Self.maximumMissedCount))], at: now)
  }

  /// The changes that clear the numbers of sources.
  public func clearedMissed(ofSources scopes: [String]) -> [Change] {
    guard hasValues(of: .missed) else { return [] }
    return scopes.map { VideoKey(text: $0) }.filter { self[$0].missed != nil }
      .map { Change(key: $0, values: [.missed(nil)]) }
  }
}

extension FeedPage {
  /// The time before which the videos of the source with this first page count as watched: that of the oldest of the
  /// `count` newest videos with a date. O(n log n).
  public func readBefore(exceptNewest count: Int, at now: UnixTime) -> UnixTime {
    let times = videos.compactMap(\.published?.seconds).sorted(by: >)
    guard let newest = times.first else { return UnixTime(seconds: 0) }
    let limit = count == 0 ? newest.addingReportingOverflow(1).partialValue : times[min(count, times.count) - 1]
    return UnixTime(seconds: max(0, min(limit, now.seconds + 1)))
  }
}
