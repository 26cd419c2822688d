import FeedfallFeeds
import FeedfallText

/// The user's records of videos: the fold of the events of all devices.
///
/// In each field of a record the last event wins, ordered by time, then by device, then by value. Events may therefore
/// arrive repeatedly and in any order. Only in the log of one device the order of the lines decides, except for events
/// of the earliest times.
public struct UserData: Sendable {
  static let maximumDeviceCount = 1_000
  /// In bytes, of all stored videos in memory. Logs hold the others.
  static let maximumTextLength = 8 << 20

  private var keyTable = KeyTable()
  /// By the number of the key, the index of its last cell, or -1.
  private var lastCells: [Int32] = []
  private var cells: [Cell] = []
  /// By the number of the key.
  private var videos: [Int: StoredVideo] = [:]
  /// In bytes.
  private var textLength = 0
  /// By `UserField.index`, the count of records in which the field has a value.
  private var counts = [Int](repeating: 0, count: UserField.count)
  /// This device is the first, so that many others cannot prevent its changes.
  private var devices: [String]
  private var undoHistory = UndoHistory()
  /// The number of named changes that were not undone, including those that are too old for it.
  public var undoCount: Int { undoHistory.count }
  /// The keys whose position `change` has set.
  private var ownPositions: Set<VideoKey> = []
  /// The keys of the videos that `change` or `undo` has marked as watched.
  private var watchedHere: Set<VideoKey> = []
  let device: String
  /// Whether only the facts of known keys are read.
  let readsFactsOnly: Bool
  /// The complete downloads, by the names of their files.
  private var copies: [String: [Copy]] = [:]

  private struct Copy: Equatable, Sendable {
    var key: VideoKey
    var file: FileAddress
    var byteCount: Int
  }

  /// The last event of one field. The cells of a key are a linked list, because most records have few fields.
  private struct Cell: Equatable, Sendable {
    var time: Int
    /// `UserValue.bits`; of a stored video 1, or nil if it was dropped.
    var bits: Int
    /// The previous cell of the key, or -1.
    var previous: Int32
    var device: UInt16
    var field: UserField
  }

  /// Which of two events of one device wins.
  enum Precedence {
    case laterTime
    case laterLine
    case earlierLine
  }

  enum Content {
    case bits(Int)
    case text(UnsafeBufferPointer<UInt8>)
  }

  public init(device: String = "") {
    self.device = device
    devices = [device]
    readsFactsOnly = false
  }

  /// Creates records that read only the facts of some videos, however many they are.
  package init(factsOf keys: [VideoKey]) {
    (device, devices, readsFactsOnly) = ("", [""], true)
    for key in keys { _ = add(key) }
  }

  /// The record of a video, empty if there is none. O(1).
  public subscript(key: VideoKey) -> UserRecord {
    var record = UserRecord()
    guard let number = keyTable.number(of: key) else { return record }
    let cells = cells(of: number)
    for cell in cells { record.set(UserValue(cell.field, bits: cell.bits)) }
    // Earlier versions stored only the position.
    if record.played == nil, record.position != nil, let cell = cells.first(where: { $0.field == .position }) {
      record.played = UnixTime(seconds: cell.time / 1_000)
    }
    return record
  }

  package func hasRecord(of key: VideoKey) -> Bool { keyTable.number(of: key).map { lastCells[$0] >= 0 } ?? false }

  /// The number of videos with a record.
  public var count: Int { keyTable.count }

  /// The keys of all records, in no particular order.
  public var keys: some Collection<VideoKey> {
    (0..<keyTable.count).lazy.map { [keyTable] in keyTable.key(at: $0) }
  }

  /// The keys of the records in which a field has a value, in no order. O(n) in all records; O(1) if it has none.
  public func keys(with field: UserField) -> [VideoKey] {
    guard hasValues(of: field) else { return [] }
    return (0..<keyTable.count).lazy.filter { hasValue(of: field, $0) }.map { keyTable.key(at: $0) }
  }

  private func hasValue(of field: UserField, _ number: Int) -> Bool {
    if let cell = cell(of: field, number), cell.bits != field.emptyBits { return true }
    return field == .played && hasValue(of: .position, number)
  }

  /// Whether a field has a value in any record. O(1).
  public func hasValues(of field: UserField) -> Bool {
    counts[field.index] > 0 || field == .played && hasValues(of: .position)
  }

  /// The facts that are stored of a video; nil if there are none.
  public func storedVideo(_ key: VideoKey) -> StoredVideo? {
    videos.isEmpty ? nil : keyTable.number(of: key).flatMap { videos[$0] }
  }

  /// Returns the keys of the records whose videos have these addresses (without secrets). An address that several
  /// videos share names none of them.
  ///
  /// - Complexity: O(n) in the stored facts in memory.
  package func keys(withAddresses addresses: Set<String>) -> [String: VideoKey] {
    var owners = AddressOwners<VideoKey>(addresses)
    for (number, video) in videos {
      owners.add(keyTable.key(at: number), file: video.fileAddress, page: video.pageAddress)
    }
    return owners.unique
  }

  /// Whether facts of a video are stored, but not in memory. O(1).
  public func lacksFacts(_ key: VideoKey) -> Bool { cell(of: .video, key)?.bits == UserValue.none }

  /// The time of the last event of a field, in milliseconds since 1970; nil if there is none.
  public func time(of field: UserField, of key: VideoKey) -> Int? { cell(of: field, key)?.time }

  /// Whether the resume position, possibly the beginning, was set at or after `time`. With nil, whether `change` has
  /// set it.
  public func isPositionCurrent(_ key: VideoKey, since time: UnixTime?) -> Bool {
    guard let time else { return ownPositions.contains(key) }
    return self.time(of: .position, of: key).map { time.seconds <= $0 / 1_000 } ?? false
  }

  /// Whether `change` or `undo` has marked the video as watched, rather than an earlier program or another device.
  public func isWatchedHere(_ key: VideoKey) -> Bool { watchedHere.contains(key) }

  // MARK: - Downloads

  /// Changes the state of a download of this device; nil for one that was removed. It is not stored in the log, because
  /// it holds for no other device. The place is that in the list of downloads. Returns whether the record has changed.
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
    if event.value.field == .video {
      guard var text = event.value.video?.text, text.utf8.count <= StoredVideo.maximumLength,
        let number = add(event.key)
      else { return false }
      return text.withUTF8 { apply(number, .video, .text($0), at: event.time, by: device) }
    }
    guard let number = add(event.key) else { return false }
    return apply(number, event.value.field, .bits(event.value.bits), at: event.time, by: device)
  }

  /// Applies all events of other records. Returns whether a record changed.
  @discardableResult
  public mutating func merge(_ other: UserData) -> Bool {
    other.events.reduce(false) { apply($1) || $0 }
  }

  /// Changes fields of a record. Returns the events to store, one for each field that changed. They are later than all
  /// known events of their fields, and not before `now`, in milliseconds since 1970. Only a named change can be undone.
  public mutating func change(_ key: VideoKey, _ values: [UserValue], at now: Int, name: String? = nil) -> [UserEvent] {
    change([Change(key: key, values: values)], at: now, name: name)
  }

  /// Changes several records, which are undone together.
  public mutating func change(_ changes: [Change], at now: Int, name: String? = nil) -> [UserEvent] {
    var (events, former) = ([UserEvent](), [UserEvent]())
    for change in changes {
      let record = self[change.key]
      let changed = change.values.compactMap { applied(change.key, $0, at: now) }
      events += changed
      former += changed.map { event in
        var event = event
        event.value = record.value(of: event.value.field)
        return event
      }
    }
    for change in changes where change.values.contains(where: { $0.field == .position }) {
      ownPositions.insert(change.key)
    }
    guard let name, !events.isEmpty else { return events }
    undoHistory.append(UndoHistory.Step(time: now, name: name, old: former, new: events))
    return events
  }

  /// Stores the facts of a video unless some are stored. Returns the event to store. The facts of a downloaded file are
  /// not those of its video. The source is the text of the scope of the source that lists it; nil if it is unknown.
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
  /// O(n) in the length of the facts for a recorded video, else O(1).
  public func changedFacts(
    _ key: VideoKey, _ video: Video, from origin: StoredVideo.Origin, at now: Int
  ) -> StoredVideo? {
    guard let number = keyTable.number(of: key), lastCells[number] >= 0, original(of: video) == nil else { return nil }
    guard let cell = cell(of: .video, number) else {
      return textLength < Self.maximumTextLength / 2 && needsFacts(number) ? StoredVideo(video, of: origin.source) : nil
    }
    return videos[number]?.updated(by: video, key, from: origin, storedAt: cell.time, at: now)
  }

  /// Whether a tab may show the record after the video has left its feed.
  private func needsFacts(_ number: Int) -> Bool {
    cells(of: number).contains { cell in
      switch cell.field {
      case .watched, .flag(.hidden), .duration, .readBefore, .missed, .video: false
      case .played, .position, .queued, .downloaded, .download, .flag: cell.bits != cell.field.emptyBits
      }
    }
  }

  /// Undoes the last change that has a name. Returns its name and the events to store; nil if there is none. Fields
  /// that have changed since, such as by another program, stay; a change without any other is skipped.
  public mutating func undo(at now: Int) -> (name: String, events: [UserEvent])? {
    while let step = undoHistory.popLast() {
      let events = zip(step.old, step.new).compactMap { old, new in
        self[new.key].value(of: new.value.field) == new.value && old.key == new.key
          && old.value.field == new.value.field ? applied(old.key, old.value, at: now) : nil
      }
      if !events.isEmpty { return (step.name, events) }
    }
    return nil
  }

  /// Adds the changes of earlier programs, in the lines of `dequeueUndoLines`.
  package mutating func readUndo(_ lines: [String], now: Int) { undoHistory.read(lines, now: now) }

  public var hasUndoLines: Bool { undoHistory.hasUnsaved }

  /// Returns the lines to append to the file with the changes that can be undone, each once.
  public mutating func dequeueUndoLines() -> [UndoHistory.Line] { undoHistory.dequeueUnsaved() }

  private mutating func applied(_ key: VideoKey, _ value: UserValue, at now: Int) -> UserEvent? {
    let time = max(now, time(of: value.field, of: key).map { $0 + 1 } ?? 0)
    var event = UserEvent(time: min(time, UserEvent.maximumTime), device: device, key: key, value: value)
    if value.field == .watched, value.isSet {
      event.isRepeated = self[key].watched != nil
      watchedHere.insert(key)
    }
    return apply(event) ? event : nil
  }

  // MARK: - Cells

  /// All events that determine the records, in the order of the keys.
  package var events: some Sequence<UserEvent> {
    (0..<keyTable.count).lazy.flatMap { number in
      let key = keyTable.key(at: number)
      return cells(of: number).compactMap { event(of: $0, number, key) }
    }
  }

  /// The event of a cell; nil for a stored video that was dropped.
  private func event(of cell: Cell, _ number: Int, _ key: VideoKey) -> UserEvent? {
    let value = cell.field == .video ? videos[number].map { .video($0) } : UserValue(cell.field, bits: cell.bits)
    return value.map { UserEvent(time: cell.time, device: devices[Int(cell.device)], key: key, value: $0) }
  }

  private func cells(of number: Int) -> [Cell] {
    var result: [Cell] = []
    var index = lastCells[number]
    while index >= 0 {
      result.append(cells[Int(index)])
      index = cells[Int(index)].previous
    }
    return result
  }

  private func cell(of field: UserField, _ key: VideoKey) -> Cell? {
    keyTable.number(of: key).flatMap { cell(of: field, $0) }
  }

  private func cell(of field: UserField, _ number: Int) -> Cell? { index(of: field, number).map { cells[$0] } }

  private func index(of field: UserField, _ number: Int) -> Int? {
    var index = Int(lastCells[number])
    while index >= 0 {
      if cells[index].field == field { return index }
      index = Int(cells[index].previous)
    }
    return nil
  }

  mutating func number(ofDevice name: String) -> UInt16? {
    if let number = devices.firstIndex(of: name) { return UInt16(number) }
    guard devices.count <= Self.maximumDeviceCount else { return nil }
    devices.append(name)
    return UInt16(devices.count - 1)
  }

  package mutating func reserveCapacity(forLog byteCount: Int) {
    keyTable.reserveCapacity(count + byteCount / 150)
    lastCells.reserveCapacity(count + byteCount / 150)
    cells.reserveCapacity(cells.count + byteCount / 90)
  }

  mutating func number(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    readsFactsOnly ? keyTable.number(of: key) : add(key)
  }

  private mutating func add(_ key: VideoKey) -> Int? {
    var text = key.text
    return text.withUTF8 { add($0) }
  }

  private mutating func add(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
    let number = keyTable.insert(key)
    if number == lastCells.count { lastCells.append(-1) }
    return number
  }

  /// Applies an event with a valid value. Returns whether the record changed.
  @discardableResult
  mutating func apply(
    _ number: Int, _ field: UserField, _ content: Content, at time: Int, by device: UInt16,
    _ precedence: Precedence = .laterTime
  ) -> Bool {
    var new = Cell(time: time, bits: 1, previous: lastCells[number], device: device, field: field)
    var video: StoredVideo?
    switch content {
    case .bits(let bits): new.bits = bits
    case .text(let text): video = StoredVideo(unchecked: String(decoding: text, as: UTF8.self))
    }
    var (isChange, oldBits) = (new.bits != field.emptyBits, field.emptyBits)
    if let index = index(of: field, number) {
      let (old, oldVideo) = (cells[index], video == nil ? nil : videos[number])
      guard isEarlier(old, oldVideo, than: new, video, precedence) else { return false }
      (cells[index].time, cells[index].bits, cells[index].device) = (max(old.time, time), new.bits, device)
      (isChange, oldBits) = (old.bits != new.bits || oldVideo != video, old.bits)
    } else {
      guard let last = Int32(exactly: cells.count) else { return false }
      cells.append(new)
      lastCells[number] = last
    }
    count(field, from: oldBits, to: new.bits)
    if let video { store(video, number) }
    return isChange
  }

  private mutating func count(_ field: UserField, from old: Int, to new: Int) {
    counts[field.index] += (new != field.emptyBits ? 1 : 0) - (old != field.emptyBits ? 1 : 0)
  }

  private func isEarlier(
    _ cell: Cell, _ video: StoredVideo?, than other: Cell, _ otherVideo: StoredVideo?, _ precedence: Precedence
  ) -> Bool {
    if cell.device == other.device, precedence != .laterTime { return precedence == .laterLine }
    if cell.time != other.time { return cell.time < other.time }
    if cell.device != other.device { return devices[Int(cell.device)] < devices[Int(other.device)] }
    guard let video, let otherVideo else { return cell.bits < other.bits }
    return video.text.utf8.lexicographicallyPrecedes(otherVideo.text.utf8)
  }

  private mutating func store(_ video: StoredVideo, _ number: Int) {
    let old = videos.updateValue(video, forKey: number)
    textLength += video.text.utf8.count - (old?.text.utf8.count ?? 0)
    if textLength > Self.maximumTextLength, !readsFactsOnly { dropOldVideos() }
  }

  /// Drops stored videos until half of the room is free: the oldest first, and those with a mark of the user that shows
  /// them last.
  private mutating func dropOldVideos() {
    var stored: [(isWanted: Bool, time: Int, number: Int)] = []
    for number in videos.keys {
      let record = self[keyTable.key(at: number)]
      let isWanted = Mark.allCases.contains { $0.listsVideos && record.has($0) }
      stored.append((isWanted, cell(of: .video, number)?.time ?? 0, number))
    }
    stored.sort { ($0.isWanted ? 1 : 0, $0.time, $0.number) > ($1.isWanted ? 1 : 0, $1.time, $1.number) }
    var keptLength = 0
    for (_, _, number) in stored {
      guard let length = videos[number]?.text.utf8.count, let cell = index(of: .video, number) else { continue }
      if keptLength + length <= Self.maximumTextLength / 2 {
        keptLength += length
      } else {
        videos[number] = nil
        count(.video, from: cells[cell].bits, to: UserValue.none)
        cells[cell].bits = UserValue.none
      }
    }
    textLength = keptLength
  }
}

extension UserData: Equatable {
  /// Whether the events and the undoable changes are the same. O(n).
  public static func == (left: UserData, right: UserData) -> Bool {
    guard left.device == right.device, left.count == right.count, left.undoHistory == right.undoHistory,
      left.ownPositions == right.ownPositions
    else { return false }
    // Fast where the memory is shared.
    if left.keyTable == right.keyTable, left.lastCells == right.lastCells, left.cells == right.cells,
      left.devices == right.devices, left.videos == right.videos
    {
      return true
    }
    return left.keys.allSatisfy { key in
      UserField.allCases.allSatisfy { left.lastEvent(of: $0, key) == right.lastEvent(of: $0, key) }
    }
  }

  func lastEvent(of field: UserField, _ key: VideoKey) -> UserEvent? {
    keyTable.number(of: key).flatMap { number in cell(of: field, number).flatMap { event(of: $0, number, key) } }
  }
}

extension UserData {
  /// In seconds, where the user stopped last, here or with another program that reports to the same source; else where
  /// the address of the video says that it starts; else 0.
  public func resumeSeconds(of video: Video, _ key: VideoKey) -> Int {
    guard count > 0 else { return video.resumeSeconds ?? 0 }
    guard let position = video.resumeSeconds else { return self[key].position ?? 0 }
    guard isPositionCurrent(key, since: video.resumeTime) else { return position }
    return self[key].position ?? (video.resumeTime == Video.timeOfStart ? position : 0)
  }
}
