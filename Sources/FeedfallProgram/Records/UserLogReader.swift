import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// Reads the logs of a folder, and the lines appended to them later.
final class UserLogReader: Sendable {
  let folder: String
  private let device: String
  /// The part of each file that was read.
  private let places = Mutex<[String: Place]>([:])
  private let watch: Mutex<FolderWatch?> = Mutex(nil)
  private let report = Mutex<@Sendable (UserData) -> Void>({ _ in })

  struct Place: Equatable, Sendable {
    var inode: UInt
    /// The end of the last complete line, in bytes.
    var offset: Int
  }

  private let maximumFileCount: Int
  /// In bytes; a larger file is not read.
  static let maximumLength = 512 << 20
  private static let pieceLength = 256 << 10
  private static let ending = ".jsonl"

  /// - Parameter device: this device, whose log is read first.
  init(folder: String, device: String, maximumFileCount: Int = 1_000) {
    (self.folder, self.device, self.maximumFileCount) = (folder, device, maximumFileCount)
  }

  struct Missing: Equatable, Sendable {
    /// The path of a log that could not be read, and the reason.
    var failure: String?
    /// The oldest logs, beyond the maximum.
    var leftOutCount = 0
  }

  func readAll(into data: inout UserData) -> Missing {
    var missing = Missing()
    let logs = logs
    missing.leftOutCount = logs.value?.leftOutCount ?? 0
    if case .unreadable(let error) = logs { missing.failure = Self.message(folder, error) }
    for name in allNames {
      if let error = read(name, into: &data) {
        missing.failure = missing.failure ?? Self.message("\(folder)/\(name)", error)
      }
    }
    // A log that does not exist yet has been read as well.
    places.withLock { places in
      if places[device + Self.ending] == nil { places[device + Self.ending] = Place(inode: 0, offset: 0) }
    }
    return missing
  }

  /// Those that the records do not hold in memory.
  func facts(of keys: [VideoKey]) -> UserData {
    var facts = UserData(factsOf: keys)
    for name in allNames {
      let device = String(name.dropLast(Self.ending.count))
      _ = Self.read("\(folder)/\(name)", from: nil) { _ in
      } piece: {
        facts.read($0, of: device, now: $1)
      }
    }
    return facts
  }

  private static func message(_ path: String, _ error: SystemError) -> String {
    "\(cleanedLine(path, limit: 200)): \(error.message)"
  }

  // MARK: - Changes

  /// Makes the folder if necessary, and reports from a thread of its own. Without inotify, other devices are read at the
  /// next start.
  func watch(_ report: @escaping @Sendable (UserData) -> Void) {
    // A failure is reported by the first write.
    _ = try? Files.makeFolder(folder, mode: 0o700)
    guard let watch = FolderWatch(folder) else { return }
    self.report.withLock { $0 = report }
    self.watch.withLock { $0 = watch }
    // The logs may have changed before the watch.
    guard
      DetachedThread.start({ [self] in
        readAndReport(allNames)
        while let change = watch.next() { handle(change) }
      })
    else { return self.watch.withLock { $0 = nil } }
  }

  /// Reads the logs again if the folder was replaced without an event, as by a mount.
  func checkFolder() {
    if let watch = watch.withLock({ $0 }), watch.isReplaced { handle(.folder) }
  }

  private func handle(_ change: FolderWatch.Change) {
    switch change {
    case .files(let names): readAndReport(names.filter(Self.isLog))
    case .all: readAndReport(allNames)
    case .folder:
      if let watch = watch.withLock({ $0 }), watch.renew() {
        // Other files may have the same inodes. The log of this device continues in the new folder.
        places.withLock { $0 = $0.filter { $0.key == device + Self.ending } }
      }
      // Files may have changed together with the folder.
      readAndReport(allNames)
    }
  }

  private func readAndReport(_ names: some Sequence<String>) {
    var data = UserData()
    for name in names { _ = read(name, into: &data) }
    if data.count > 0 { report.withLock { $0 }(data) }
  }

  /// This device's log first. If there are too many, the others by their last change.
  private var logs: Reading<(names: [String], leftOutCount: Int)> {
    Files.names(in: folder).map { names in
      let own = device + Self.ending
      let others = names.filter { Self.isLog($0) && $0 != own }
      let leftOutCount = others.count - (maximumFileCount - 1)
      guard leftOutCount > 0 else { return ([own] + others, 0) }
      let newest = others.map { (name: $0, time: changeTime(of: $0)) }.sorted { $0.time > $1.time }
      return ([own] + newest.prefix(maximumFileCount - 1).map(\.name), leftOutCount)
    }
  }

  private var allNames: [String] { logs.value?.names ?? [device + Self.ending] }

  /// In seconds since 1970.
  private func changeTime(of name: String) -> Int {
    var status = stat()
    return stat("\(folder)/\(name)", &status) == 0 ? status.st_mtim.tv_sec : 0
  }

  private static func isLog(_ name: String) -> Bool { name.hasSuffix(ending) && !name.hasPrefix(".") }

  // MARK: - Reading

  /// The written lines are not read again, so that a change by this program does not wake the main loop.
  func append(_ write: () throws(SystemError) -> (end: Place, count: Int)) throws(SystemError) {
    let name = device + Self.ending
    try places.withLock { places throws(SystemError) -> Void in
      let (end, count) = try write()
      // Before the first reading, and behind lines of another program on this device, the place stays.
      if let start = places[name], start.inode == end.inode || start.inode == 0, start.offset == end.offset - count {
        places[name] = end
      }
    }
  }

  /// Skips the content that replaces the log of this device, if the log was read to its end.
  func replace(_ end: Place, by new: Place) {
    places.withLock { places in
      if places[device + Self.ending] == end { places[device + Self.ending] = new }
    }
  }

  /// Returns the reason if an existing log cannot be read.
  private func read(_ name: String, into data: inout UserData) -> SystemError? {
    places.withLock { places in
      guard places[name] != nil || places.count < maximumFileCount else { return nil }
      let device = String(name.dropLast(Self.ending.count))
      let reading = Self.read("\(folder)/\(name)", from: places[name]) {
        data.reserveCapacity(forLog: $0)
      } piece: {
        data.read($0, of: device, now: $1)
      }
      if let place = reading.value { places[name] = place }
      return if case .unreadable(let error) = reading { error } else { nil }
    }
  }

  /// Reads a log behind a place, or from its start if it was replaced or has become shorter, up to its present end: a
  /// program that appends without an end must not keep the reader.
  ///
  /// - Parameter piece: reads complete lines and returns the count of their bytes. Its time is in ms since 1970.
  static func read(
    _ path: String, from place: Place?, prepare: (Int) -> Void,
    piece: (UnsafeBufferPointer<UInt8>, _ now: Int) -> Int
  ) -> Reading<Place> {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return errno == ENOENT ? .none : .unreadable(SystemError()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .unreadable(SystemError()) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .none }
    guard status.st_size <= maximumLength else { return .unreadable(SystemError(EFBIG)) }
    var reached = Place(inode: UInt(status.st_ino), offset: 0)
    if let place, place.inode == reached.inode, place.offset <= status.st_size { reached.offset = place.offset }
    prepare(status.st_size - reached.offset)
    let now = SystemClock.milliseconds
    do throws(SystemError) {
      while reached.offset < status.st_size {
        let bytes = try Files.read(descriptor: descriptor, at: reached.offset, count: pieceLength)
        if bytes.isEmpty { break }
        let count = bytes.withUnsafeBufferPointer { piece($0, now) }
        // A piece without a newline is one long line, or the last line before its end is written.
        guard count > 0 || bytes.count == pieceLength else { break }
        reached.offset += count > 0 ? count : bytes.count
      }
    } catch { return .unreadable(error) }
    return .value(reached)
  }
}
