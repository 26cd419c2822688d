import FeedfallFeeds
import FeedfallText

/// A change of one field of one record.
public struct UserEvent: Equatable, Sendable {
  /// In milliseconds since 1970, 0 to `maximumTime`.
  public var time: Int
  /// The name of the device that made the change.
  public var device: String
  public var key: VideoKey
  public var value: UserValue

  /// In milliseconds since 1970, about the year 2500.
  package static let maximumTime = 1 << 44

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
public struct UserData: Sendable {
  /// A count of changes.
  static let maximumUndoCount = 100
  /// Without this one.
  static let maximumDeviceCount = 1_000

  private var keyTable = KeyTable()
  /// The last cell of each key.
  private var lastCells: [Int32] = []
  private var cells: [Cell] = []
  /// This device is the first, so that many others cannot prevent its changes.
  private var devices: [String]
  private var undoable: [Undoable] = []
  /// The keys whose position `change` has set.
  private var ownPositions: Set<VideoKey> = []
  /// The name of this device, in the events of `change` and `undo`.
  private let device: String

  /// The last event of one field. The cells of a key are a linked list, because most records have few fields.
  private struct Cell: Sendable {
    var time: Int
    /// `UserValue.bits`.
    var bits: Int
    /// The previous cell of the key, or -1.
    var previous: Int32
    var device: UInt16
    var field: UserField
  }

  private struct Undoable: Equatable, Sendable {
    var key: VideoKey
    var previous: [UserValue]
    var name: String
  }

  public init(device: String = "") {
    self.device = device
    devices = [device]
  }

  /// The record of a video, empty if there is none. O(1).
  public subscript(key: VideoKey) -> UserRecord {
    var record = UserRecord()
    var index = lastCell(of: key)
    while index >= 0 {
      record.set(UserValue(cells[index].field, bits: cells[index].bits))
      index = Int(cells[index].previous)
    }
    return record
  }

  /// Whether there has been an event of a key. O(1).
  func hasRecord(of key: VideoKey) -> Bool { lastCell(of: key) >= 0 }

  /// The number of videos with a record.
  public var count: Int { keyTable.count }

  /// The keys of all records, in no particular order.
  public var keys: some Collection<VideoKey> {
    (0..<keyTable.count).lazy.map { [keyTable] in VideoKey(unchecked: keyTable.text(at: $0)) }
  }

  /// The time of the last event of a field, in milliseconds since 1970; nil if there is none.
  public func time(of field: UserField, of key: VideoKey) -> Int? {
    cells(of: key).first { $0.field == field }?.time
  }

  /// Whether the resume position, possibly the beginning, was set at or after `time`. With nil, whether `change` has set
  /// it.
  public func isPositionCurrent(_ key: VideoKey, since time: UnixTime?) -> Bool {
    guard let time else { return ownPositions.contains(key) }
    return self.time(of: .position, of: key).map { time.seconds <= $0 / 1_000 } ?? false
  }

  // MARK: - Changes

  /// Applies an event unless a later one is known. Returns whether the record changed.
  @discardableResult
  public mutating func apply(_ event: UserEvent) -> Bool {
    guard event.key.isValid, event.value.isValid, (0...UserEvent.maximumTime).contains(event.time),
      let device = number(ofDevice: event.device)
    else { return false }
    var text = event.key.text
    return text.withUTF8 { apply($0, event.value.field, event.value.bits, at: event.time, by: device) }
  }

  /// Applies all events of other records. Returns whether a record changed.
  @discardableResult
  public mutating func merge(_ other: UserData) -> Bool {
    other.events.reduce(false) { apply($1) || $0 }
  }

  /// Changes fields of a record. Returns the events to store, one for each field that changed.
  ///
  /// - Parameters:
  ///   - now: in milliseconds since 1970. The events are later than all known events of their fields.
  ///   - name: the name of the change, with which `undo` returns it; nil if it cannot be undone.
  public mutating func change(_ key: VideoKey, _ values: [UserValue], at now: Int, name: String? = nil) -> [UserEvent] {
    let record = self[key]
    let events = values.compactMap { applied(key, $0, at: now) }
    if values.contains(where: { $0.field == .position }) { ownPositions.insert(key) }
    guard let name, !events.isEmpty else { return events }
    undoable.append(
      Undoable(key: key, previous: events.map { record.value(of: $0.value.field) }, name: name))
    if undoable.count > Self.maximumUndoCount { undoable.removeFirst() }
    return events
  }

  /// Takes back the last change that has a name. Returns its name and the events to store; nil if there is none.
  public mutating func undo(at now: Int) -> (name: String, events: [UserEvent])? {
    undoable.popLast().map { change in
      (change.name, change.previous.compactMap { applied(change.key, $0, at: now) })
    }
  }

  private mutating func applied(_ key: VideoKey, _ value: UserValue, at now: Int) -> UserEvent? {
    let time = max(now, time(of: value.field, of: key).map { $0 + 1 } ?? 0)
    let event = UserEvent(time: min(time, UserEvent.maximumTime), device: device, key: key, value: value)
    return apply(event) ? event : nil
  }

  // MARK: - Cells

  /// All events that determine the records, in the order of the keys.
  package var events: some Sequence<UserEvent> {
    (0..<keyTable.count).lazy.flatMap { number in
      let key = VideoKey(unchecked: keyTable.text(at: number))
      return cells(from: lastCells[number]).map { cell in
        UserEvent(
          time: cell.time, device: devices[Int(cell.device)], key: key, value: UserValue(cell.field, bits: cell.bits))
      }
    }
  }

  private func cells(of key: VideoKey) -> [Cell] { cells(from: Int32(lastCell(of: key))) }

  /// The index of the last cell of a key, or -1.
  private func lastCell(of key: VideoKey) -> Int {
    guard keyTable.count > 0 else { return -1 }
    var text = key.text
    return text.withUTF8 { keyTable.number(of: $0) }.map { Int(lastCells[$0]) } ?? -1
  }

  private func cells(from last: Int32) -> [Cell] {
    var result: [Cell] = []
    var index = last
    while index >= 0 {
      result.append(cells[Int(index)])
      index = cells[Int(index)].previous
    }
    return result
  }

  /// Returns the number of a device; nil if there are too many.
  mutating func number(ofDevice name: String) -> UInt16? {
    if let number = devices.firstIndex(of: name) { return UInt16(number) }
    guard devices.count <= Self.maximumDeviceCount else { return nil }
    devices.append(name)
    return UInt16(devices.count - 1)
  }

  mutating func reserveCapacity(_ count: Int, byteCount: Int) {
    keyTable.reserveCapacity(count, byteCount: byteCount)
    lastCells.reserveCapacity(count)
    cells.reserveCapacity(count)
  }

  /// Applies an event with a valid key and a valid value.
  mutating func apply(
    _ key: UnsafeBufferPointer<UInt8>, _ field: UserField, _ bits: Int, at time: Int, by device: UInt16
  ) -> Bool {
    guard let number = keyTable.insert(key) else { return false }
    let new = Cell(time: time, bits: bits, previous: -1, device: device, field: field)
    guard number < lastCells.count else {
      lastCells.append(Int32(cells.count))
      cells.append(new)
      return bits != field.emptyBits
    }
    var index = Int(lastCells[number])
    while cells[index].field != field {
      guard cells[index].previous >= 0 else { return append(new, to: number) }
      index = Int(cells[index].previous)
    }
    guard isEarlier(cells[index], than: new) else { return false }
    let isChange = cells[index].bits != bits
    (cells[index].time, cells[index].bits, cells[index].device) = (time, bits, device)
    return isChange
  }

  private mutating func append(_ cell: Cell, to number: Int) -> Bool {
    guard cells.count < Int32.max else { return false }
    cells.append(cell)
    cells[cells.count - 1].previous = lastCells[number]
    lastCells[number] = Int32(cells.count - 1)
    return cell.bits != cell.field.emptyBits
  }

  private func isEarlier(_ cell: Cell, than other: Cell) -> Bool {
    if cell.time != other.time { return cell.time < other.time }
    if cell.device != other.device { return devices[Int(cell.device)] < devices[Int(other.device)] }
    return cell.bits < other.bits
  }
}

extension UserData: Equatable {
  /// Whether the events and the undoable changes are the same. O(n).
  public static func == (left: UserData, right: UserData) -> Bool {
    guard left.device == right.device, left.count == right.count, left.undoable == right.undoable,
      left.ownPositions == right.ownPositions
    else { return false }
    return left.keys.allSatisfy { key in
      UserField.allCases.allSatisfy { left.lastEvent(of: $0, key) == right.lastEvent(of: $0, key) }
    }
  }

  private func lastEvent(of field: UserField, _ key: VideoKey) -> UserEvent? {
    cells(of: key).first { $0.field == field }.map {
      UserEvent(time: $0.time, device: devices[Int($0.device)], key: key, value: UserValue(field, bits: $0.bits))
    }
  }
}

extension UserData {
  /// The position where the user stopped last, in seconds, here or with another program that reports to the same source;
  /// 0 for the beginning.
  public func resumeSeconds(of video: Video, _ key: VideoKey) -> Int {
    guard count > 0 else { return video.resumeSeconds ?? 0 }
    guard let position = video.resumeSeconds else { return self[key].position ?? 0 }
    return isPositionCurrent(key, since: video.resumeTime) ? self[key].position ?? 0 : position
  }
}
