import FeedfallText

/// A change of one field of one record.
public struct UserEvent: Equatable, Sendable {
  /// In milliseconds since 1970.
  public var time: Int
  /// The name of the device that made the change.
  public var device: String
  public var key: VideoKey
  public var value: UserValue

  public init(time: Int, device: String, key: VideoKey, value: UserValue) {
    self.time = time
    self.device = device
    self.key = key
    self.value = value
  }
}

/// The user's records of videos: the fold of the events of all devices.
///
/// In each field of a record the last event wins, ordered by time, then by device, then by value. Events may therefore
/// arrive repeatedly and in any order.
public struct UserData: Equatable, Sendable {
  /// A count of changes.
  static let maximumUndoCount = 100

  private var stored: [VideoKey: Stored] = [:]
  private var undoable: [[Undoable]] = []
  /// The name of this device, in the events of `change` and `undo`.
  private let device: String

  private struct Stored: Equatable, Sendable {
    var record = UserRecord()
    var stamps: [UserField: Stamp] = [:]
  }

  private struct Stamp: Equatable, Comparable, Sendable {
    var time: Int
    var device: String

    static func < (left: Stamp, right: Stamp) -> Bool { (left.time, left.device) < (right.time, right.device) }
  }

  private struct Undoable: Equatable, Sendable {
    var key: VideoKey
    var previous: UserValue
  }

  public init(device: String = "") {
    self.device = device
  }

  /// The record of a video, empty if there is none. O(1).
  public subscript(key: VideoKey) -> UserRecord { stored[key]?.record ?? UserRecord() }

  /// The keys of all records, in no order.
  public var keys: some Collection<VideoKey> { stored.keys }

  /// The time of the last event of a field, in milliseconds since 1970; nil if there is none.
  public func time(of field: UserField, of key: VideoKey) -> Int? { stored[key]?.stamps[field]?.time }

  /// Applies an event unless a later one is known. Returns whether the record changed.
  @discardableResult
  public mutating func apply(_ event: UserEvent) -> Bool {
    guard event.key.isValid else { return false }
    var entry = stored[event.key] ?? Stored()
    let stamp = Stamp(time: event.time, device: event.device)
    if let last = entry.stamps[event.value.field] {
      let isTie = stamp == last && "\(event.value)" > "\(entry.record.value(of: event.value.field))"
      guard last < stamp || isTie else { return false }
    }
    let isChange = entry.record.value(of: event.value.field) != event.value
    entry.record.set(event.value)
    entry.stamps[event.value.field] = stamp
    stored[event.key] = entry
    return isChange
  }

  /// Changes fields of a record as one step for `undo`. Returns the events to store, one for each field that changed.
  ///
  /// - Parameter now: in milliseconds since 1970. The events are later than all known events of their fields.
  public mutating func change(_ key: VideoKey, _ values: [UserValue], at now: Int) -> [UserEvent] {
    let step = values.map { Undoable(key: key, previous: self[key].value(of: $0.field)) }
    let events = values.compactMap { applied(key, $0, at: now) }
    guard !events.isEmpty else { return [] }
    undoable.append(step)
    if undoable.count > Self.maximumUndoCount { undoable.removeFirst() }
    return events
  }

  /// Takes back the last change. Returns the events to store, none if there is nothing to undo.
  public mutating func undo(at now: Int) -> [UserEvent] {
    (undoable.popLast() ?? []).compactMap { applied($0.key, $0.previous, at: now) }
  }

  private mutating func applied(_ key: VideoKey, _ value: UserValue, at now: Int) -> UserEvent? {
    let last = time(of: value.field, of: key)
    let event = UserEvent(time: max(now, last.map { $0 + 1 } ?? 0), device: device, key: key, value: value)
    return apply(event) ? event : nil
  }
}
