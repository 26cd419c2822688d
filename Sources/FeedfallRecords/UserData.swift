import FeedfallFeeds
import FeedfallText

/// The user's records of videos: the fold of the events of all devices.
///
/// In each field of a record the last event wins, ordered by time, then by device, then by value. Events may therefore
/// arrive repeatedly and in any order. Only in the log of one device the order of the lines decides, except for events
/// of the earliest times.
public struct UserData: Sendable {
  static let maximumUndoCount = 100
  /// The number of other devices.
  static let maximumDeviceCount = 1_000
  /// In bytes, of all stored videos in memory. Logs hold the others.
  static let maximumTextLength = 8 << 20

  private var keyTable = KeyTable()
  /// The last cell of each key.
  private var lastCells: [Int32] = []
  private var cells: [Cell] = []
  /// The texts of stored videos, also of those that were replaced.
  private var texts = TextTable()
  private var columns = [Column](repeating: Column(), count: UserField.count)
  /// This device is the first, so that many others cannot prevent its changes.
  private var devices: [String]
  private var undoable: [Undoable] = []
  /// The number of named changes that were not undone, including those that are too old for it.
  public private(set) var undoCount = 0
  /// The keys whose position `change` has set.
  private var ownPositions: Set<VideoKey> = []
  /// The name of this device, in the events of `change` and `undo`.
  private let device: String
  private let textLimit: Int
  /// The complete downloads by the names of their files.
  private var copies: [String: [Copy]] = [:]

  /// A downloaded file and the video that it is.
  private struct Copy: Equatable, Sendable {
    var key: VideoKey
    var file: FileAddress
    var byteCount: Int
  }

  /// The last event of one field. The cells of a key are a linked list, because most records have few fields.
  private struct Cell: Sendable {
    var time: Int
    /// `UserValue.bits`; of a stored video the place of its text.
    var bits: Int
    /// The previous cell of the key, or -1.
    var previous: Int32
    var device: UInt16
    var field: UserField
  }

  private struct Column: Sendable {
    /// The numbers of the keys that have a cell of the field.
    var numbers: [Int32] = []
    /// The count of records in which it has a value.
    var count = 0
  }

  private struct Undoable: Equatable, Sendable {
    var previous: [Change]
    var name: String
  }

  /// Which of two events of one device wins.
  enum Precedence {
    case laterTime
    /// The one that is read later.
    case laterLine
    /// The one that is read earlier.
    case earlierLine

    /// That of an event in a log.
    init(ofLineAt time: Int) { self = time > UserEvent.earliestTime ? .laterLine : .earlierLine }
  }

  /// The value of an event, as its cell stores it.
  enum Content {
    case bits(Int)
    case text(UnsafeBufferPointer<UInt8>)
  }

  public init(device: String = "") {
    self.device = device
    devices = [device]
    textLimit = Self.maximumTextLength
  }

  /// Creates records for the facts of some videos, which `readFacts` reads however many they are.
  package init(factsOf keys: [VideoKey]) {
    (device, devices, textLimit) = ("", [""], .max)
    for key in keys {
      var text = key.text
      if let number = text.withUTF8({ keyTable.insert($0, KeyTable.hash($0)) }), number == lastCells.count {
        lastCells.append(-1)
      }
    }
  }

  /// The record of a video, empty if there is none. O(1).
  public subscript(key: VideoKey) -> UserRecord {
    var record = UserRecord()
    var index = lastCell(of: key)
    while index >= 0 {
      // Creating a stored video copies its text.
      if cells[index].field != .video { record.set(UserValue(cells[index].field, bits: cells[index].bits)) }
      index = Int(cells[index].previous)
    }
    return record
  }

  /// Whether there has been an event of a key. O(1).
  package func hasRecord(of key: VideoKey) -> Bool { lastCell(of: key) >= 0 }

  /// The number of videos with a record.
  public var count: Int { keyTable.count }

  /// The keys of all records, in no particular order.
  public var keys: some Collection<VideoKey> {
    (0..<keyTable.count).lazy.map { [keyTable] in VideoKey(unchecked: keyTable.text(at: $0)) }
  }

  /// The keys of the records in which a field has a value, in no particular order.
  ///
  /// - Complexity: O(n) in the records in which it ever had one.
  public func keys(with field: UserField) -> [VideoKey] {
    columns[field.index].numbers.lazy.filter { number in
      cell(of: field, from: lastCells[Int(number)]).map { $0.bits != field.emptyBits } == true
    }.map { VideoKey(unchecked: keyTable.text(at: Int($0))) }
  }

  /// Whether a field has a value in any record. O(1).
  public func hasValues(of field: UserField) -> Bool { columns[field.index].count > 0 }

  /// The facts that are stored of a video; nil if there are none.
  public func storedVideo(_ key: VideoKey) -> StoredVideo? {
    cell(of: .video, from: Int32(lastCell(of: key))).flatMap { video(of: $0) }
  }

  /// Returns the keys of the records whose videos have these addresses (without secrets). An address that several
  /// videos share names none of them.
  ///
  /// - Complexity: O(n) in the stored facts in memory.
  package func keys(withAddresses addresses: Set<String>) -> [String: VideoKey] {
    var owners = AddressOwners<VideoKey>(addresses)
    for number in columns[UserField.video.index].numbers {
      guard let cell = cell(of: .video, from: lastCells[Int(number)]), let video = video(of: cell) else { continue }
      owners.add(VideoKey(unchecked: keyTable.text(at: Int(number))), file: video.fileAddress, page: video.pageAddress)
    }
    return owners.unique
  }

  /// Whether facts of a video are stored, but not in memory. O(1).
  public func lacksFacts(_ key: VideoKey) -> Bool {
    cell(of: .video, from: Int32(lastCell(of: key))).map { $0.bits == UserValue.none } ?? false
  }

  /// The time of the last event of a field, in milliseconds since 1970; nil if there is none.
  public func time(of field: UserField, of key: VideoKey) -> Int? {
    cell(of: field, from: Int32(lastCell(of: key)))?.time
  }

  /// Whether the resume position, possibly the beginning, was set at or after `time`. With nil, whether `change` has
  /// set it.
  public func isPositionCurrent(_ key: VideoKey, since time: UnixTime?) -> Bool {
    guard let time else { return ownPositions.contains(key) }
    return self.time(of: .position, of: key).map { time.seconds <= $0 / 1_000 } ?? false
  }

  // MARK: - Downloads

  /// Changes the state of a download of this device; nil for one that was removed. It is not stored in the log, because
  /// it holds for no other device. Returns whether the record has changed.
  ///
  /// - Parameter place: in the list of downloads.
  @discardableResult
  public mutating func setDownload(_ state: DownloadState?, of key: VideoKey, place: Int?) -> Bool {
    let file = state?.file
    if self[key].downloaded != nil {
      copies = copies.mapValues { $0.filter { $0.key != key } }.filter { !$0.value.isEmpty }
    }
    if let file {
      copies[file.address.name, default: []].append(Copy(key: key, file: file.address, byteCount: file.byteCount))
    }
    let values: [UserValue] = [.downloaded(file?.time), .download(state == nil ? nil : place)]
    return !change(key, values, at: 0).isEmpty
  }

  /// The video whose download a file is; nil for other files. Compares names and lengths only, because links may lead
  /// to one file by several paths.
  public func original(of video: Video) -> VideoKey? {
    guard !copies.isEmpty, let file = video.playbackURL?.file else { return nil }
    let named = copies[file.name] ?? []
    return (named.first { $0.file == file } ?? named.first { $0.byteCount == video.byteCount })?.key
  }

  // MARK: - Changes

  /// Applies an event unless a later one is known. Returns whether the record changed.
  @discardableResult
  public mutating func apply(_ event: UserEvent) -> Bool {
    guard event.key.isValid, event.value.isValid, (0...UserEvent.maximumTime).contains(event.time),
      let device = number(ofDevice: event.device)
    else { return false }
    var key = event.key.text
    guard case .video(let video) = event.value else {
      guard let number = key.withUTF8({ number(inserting: $0, KeyTable.hash($0)) }) else { return false }
      return apply(number, event.value.field, event.value.bits, at: event.time, by: device)
    }
    guard var text = video?.text, text.utf8.count <= StoredVideo.maximumLength,
      let number = key.withUTF8({ number(inserting: $0, KeyTable.hash($0)) })
    else { return false }
    return text.withUTF8 { apply(number, .video, .text($0), at: event.time, by: device) }
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
    change([Change(key: key, values: values)], at: now, name: name)
  }

  /// Changes several records, which are undone together.
  public mutating func change(_ changes: [Change], at now: Int, name: String? = nil) -> [UserEvent] {
    var events: [UserEvent] = []
    var previous: [Change] = []
    for change in changes {
      let record = self[change.key]
      let changed = change.values.compactMap { applied(change.key, $0, at: now) }
      previous.append(Change(key: change.key, values: changed.map { record.value(of: $0.value.field) }))
      events += changed
    }
    for change in changes where change.values.contains(where: { $0.field == .position }) {
      ownPositions.insert(change.key)
    }
    guard let name, !events.isEmpty else { return events }
    undoable.append(Undoable(previous: previous, name: name))
    undoCount += 1
    if undoable.count > Self.maximumUndoCount { undoable.removeFirst() }
    return events
  }

  /// Stores the facts of a video unless some are stored. Returns the event to store. The facts of a downloaded file are
  /// not those of its video.
  ///
  /// - Parameter source: the text of the scope of the source that lists it; nil if it is unknown.
  public mutating func describe(
    _ key: VideoKey, _ video: Video, of source: String? = nil, at now: Int
  ) -> [UserEvent] {
    guard storedVideo(key) == nil, original(of: video) == nil else { return [] }
    return [applied(key, .video(StoredVideo(video, of: source)), at: now)].compactMap(\.self)
  }

  /// Stores the facts of a recorded video that have changed. Returns the event to store.
  public mutating func updateDescription(
    _ key: VideoKey, _ video: Video, from origin: StoredVideo.Origin, at now: Int
  ) -> [UserEvent] {
    [changedFacts(key, video, from: origin, at: now).flatMap { applied(key, .video($0), at: now) }].compactMap(\.self)
  }

  /// The facts to store of a video; nil if it has no record or is a downloaded file, or if none has changed. While more
  /// than half of the space for facts is in use, dropped facts are not stored again: each page would store many.
  ///
  /// - Complexity: O(n) in the length of the facts for a recorded video, else O(1).
  public func changedFacts(
    _ key: VideoKey, _ video: Video, from origin: StoredVideo.Origin, at now: Int
  ) -> StoredVideo? {
    let last = Int32(lastCell(of: key))
    guard last >= 0, original(of: video) == nil else { return nil }
    guard let cell = cell(of: .video, from: last) else {
      return texts.byteCount < Self.maximumTextLength / 2 ? StoredVideo(video, of: origin.source) : nil
    }
    return self.video(of: cell)?.updated(by: video, key, from: origin, storedAt: cell.time, at: now)
  }

  /// Undoes the last change that has a name. Returns its name and the events to store; nil if there is none.
  public mutating func undo(at now: Int) -> (name: String, events: [UserEvent])? {
    undoable.popLast().map { change in
      undoCount -= 1
      return (
        change.name,
        change.previous.flatMap { change in change.values.compactMap { applied(change.key, $0, at: now) } }
      )
    }
  }

  private mutating func applied(_ key: VideoKey, _ value: UserValue, at now: Int) -> UserEvent? {
    let time = max(now, time(of: value.field, of: key).map { $0 + 1 } ?? 0)
    var event = UserEvent(time: min(time, UserEvent.maximumTime), device: device, key: key, value: value)
    if case .watched(_?) = value { event.isRepeated = self[key].watched != nil }
    return apply(event) ? event : nil
  }

  // MARK: - Cells

  /// All events that determine the records, in the order of the keys.
  package var events: some Sequence<UserEvent> {
    (0..<keyTable.count).lazy.flatMap { number in
      let key = VideoKey(unchecked: keyTable.text(at: number))
      return cells(from: lastCells[number]).compactMap { cell in
        value(of: cell).map { UserEvent(time: cell.time, device: devices[Int(cell.device)], key: key, value: $0) }
      }
    }
  }

  /// The index of the last cell of a key, or -1.
  private func lastCell(of key: VideoKey) -> Int {
    guard keyTable.count > 0 else { return -1 }
    var text = key.text
    return text.withUTF8 { keyTable.number(of: $0) }.map { Int(lastCells[$0]) } ?? -1
  }

  /// The value of a cell; nil for a stored video that was dropped.
  private func value(of cell: Cell) -> UserValue? {
    cell.field == .video ? video(of: cell).map { .video($0) } : UserValue(cell.field, bits: cell.bits)
  }

  private func video(of cell: Cell) -> StoredVideo? {
    cell.bits == UserValue.none ? nil : StoredVideo(unchecked: String(decoding: texts[cell.bits], as: UTF8.self))
  }

  private func cell(of field: UserField, from last: Int32) -> Cell? {
    index(of: field, from: last).map { cells[$0] }
  }

  private func index(of field: UserField, from last: Int32) -> Int? {
    var index = Int(last)
    while index >= 0 {
      if cells[index].field == field { return index }
      index = Int(cells[index].previous)
    }
    return nil
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

  /// - Parameters:
  ///   - byteCount: of all keys.
  ///   - textLength: in bytes, of all stored videos.
  mutating func reserveCapacity(_ count: Int, byteCount: Int, textLength: Int) {
    keyTable.reserveCapacity(count, byteCount: byteCount)
    texts.reserveCapacity(min(textLength, Self.maximumTextLength))
    lastCells.reserveCapacity(count)
    cells.reserveCapacity(count)
  }

  /// Returns the number of a valid key for an event, which must follow; nil if there are too many.
  mutating func number(inserting key: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int? {
    cells.count < Int32.max ? keyTable.insert(key, hash) : nil
  }

  func number(of key: UnsafeBufferPointer<UInt8>) -> Int? { keyTable.number(of: key) }

  /// Prepares for `number(inserting:)` with a hash.
  mutating func prefetch(_ hash: UInt32) { keyTable.prefetch(hash) }

  /// Applies an event with a valid value.
  mutating func apply(
    _ number: Int, _ field: UserField, _ content: Content, at time: Int, by device: UInt16,
    decides precedence: Precedence = .laterTime
  ) -> Bool {
    switch content {
    case .bits(let bits): return apply(number, field, bits, at: time, by: device, precedence)
    case .text(let text):
      let start = texts.byteCount
      let isChange = apply(number, field, texts.append(text), at: time, by: device, precedence)
      if !isChange { texts.removeLast(from: start) }
      if texts.byteCount > textLimit { dropOldVideos() }
      return isChange
    }
  }

  @inline(__always)
  private mutating func apply(
    _ number: Int, _ field: UserField, _ bits: Int, at time: Int, by device: UInt16,
    _ precedence: Precedence = .laterTime
  ) -> Bool {
    let previous = number < lastCells.count ? lastCells[number] : -1
    let new = Cell(time: time, bits: bits, previous: previous, device: device, field: field)
    guard let index = index(of: field, from: previous) else {
      return cells.count < Int32.max && append(new, to: number)
    }
    guard isEarlier(cells[index], than: new, precedence) else { return false }
    let old = cells[index].bits
    (cells[index].time, cells[index].bits, cells[index].device) = (max(cells[index].time, time), bits, device)
    count(field, from: old, to: bits)
    return old != bits
  }

  @inline(__always)
  private mutating func append(_ cell: Cell, to number: Int) -> Bool {
    let index = Int32(cells.count)
    cells.append(cell)
    if number < lastCells.count { lastCells[number] = index } else { lastCells.append(index) }
    columns[cell.field.index].numbers.append(Int32(number))
    count(cell.field, from: cell.field.emptyBits, to: cell.bits)
    return cell.bits != cell.field.emptyBits
  }

  @inline(__always)
  private mutating func count(_ field: UserField, from old: Int, to new: Int) {
    columns[field.index].count += (new != field.emptyBits ? 1 : 0) - (old != field.emptyBits ? 1 : 0)
  }

  @inline(__always)
  private func isEarlier(_ cell: Cell, than other: Cell, _ precedence: Precedence) -> Bool {
    switch precedence {
    case .laterLine where cell.device == other.device: true
    case .earlierLine where cell.device == other.device: false
    case .laterTime, .laterLine, .earlierLine: isEarlier(cell, than: other)
    }
  }

  private func isEarlier(_ cell: Cell, than other: Cell) -> Bool {
    if cell.time != other.time { return cell.time < other.time }
    if cell.device != other.device { return devices[Int(cell.device)] < devices[Int(other.device)] }
    guard cell.field == .video, cell.bits != UserValue.none else { return cell.bits < other.bits }
    return texts[cell.bits].lexicographicallyPrecedes(texts[other.bits])
  }

  /// Drops stored videos until half of the room is free: the oldest first, and those with a mark of the user that shows
  /// them last.
  private mutating func dropOldVideos() {
    let marks = Mark.allCases.filter { $0 != .watched && $0 != .hidden }
    let wanted = Set(marks.flatMap { keys(with: UserField($0)) })
    var stored: [(isWanted: Bool, time: Int, cell: Int)] = []
    for number in columns[UserField.video.index].numbers {
      guard let cell = index(of: .video, from: lastCells[Int(number)]), cells[cell].bits != UserValue.none else {
        continue
      }
      let isWanted = wanted.contains(VideoKey(unchecked: keyTable.text(at: Int(number))))
      stored.append((isWanted, cells[cell].time, cell))
    }
    stored.sort { ($0.isWanted ? 1 : 0, $0.time) > ($1.isWanted ? 1 : 0, $1.time) }
    var kept = TextTable()
    for (_, _, cell) in stored {
      let text = texts[cells[cell].bits]
      let hasRoom = kept.byteCount + text.count <= Self.maximumTextLength / 2
      let bits = hasRoom ? kept.append(text) : UserValue.none
      count(.video, from: cells[cell].bits, to: bits)
      cells[cell].bits = bits
    }
    texts = kept
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

  /// The event that determines a field; nil if there is none.
  func lastEvent(of field: UserField, _ key: VideoKey) -> UserEvent? {
    cell(of: field, from: Int32(lastCell(of: key))).flatMap { cell in
      value(of: cell).map { UserEvent(time: cell.time, device: devices[Int(cell.device)], key: key, value: $0) }
    }
  }
}

extension UserData {
  /// The position where the user stopped last, in seconds, here or with another program that reports to the same
  /// source; 0 for the beginning. Of a video that was never stopped elsewhere, that at which its address says that it
  /// starts.
  public func resumeSeconds(of video: Video, _ key: VideoKey) -> Int {
    guard count > 0 else { return video.resumeSeconds ?? 0 }
    guard let position = video.resumeSeconds else { return self[key].position ?? 0 }
    guard isPositionCurrent(key, since: video.resumeTime) else { return position }
    return self[key].position ?? (video.resumeTime == Video.timeOfStart ? position : 0)
  }
}
