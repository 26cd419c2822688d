import CFeedfall
import FeedfallApp
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// The logs of the user's records: each device appends to its own file, `DEVICE.jsonl`, and reads all of a folder.
///
/// Several programs may append to one log. An event is appended by one write and survives a crash of the program. A
/// last line without its newline is one that was not written completely; it is ended before the next is appended.
final class UserLog: Sendable {
  let folder: String
  /// The folder of this device alone.
  let stateFolder: String
  let device: String
  let reader: UserLogReader
  private let pending = Mutex(Pending())
  /// Is held during a write, which may wait for another program or a slow disk; `add` never waits for it.
  private let writer: Mutex<Writer>
  private let missing = Mutex(UserLogReader.Missing())
  /// The path and the reason if the last `load` could not read a log.
  var loadingFailure: String? { missing.withLock(\.failure) }

  private struct Pending {
    /// Not written yet, the oldest first.
    var events: [UserEvent] = []
    /// The written events that the disk has not confirmed. They are written once more with the next ones: after a
    /// failed confirmation, a later one says nothing about them.
    var unconfirmed: [UserEvent] = []

    var all: [UserEvent] { unconfirmed + events }
  }

  private struct Writer {
    /// Whether the name of the device is stored. Without it, each program would begin a log of its own.
    var isNamed: Bool
    var failure: String?
    /// The inode of the log whose entry in its folder is durable. Another program may replace the folder or the log.
    var durableInode: UInt?
    /// Whether a compaction has failed, for example because there is no room.
    var isCompactionBlocked = false
  }

  struct Stored: Sendable {
    var records: UserData
    var missing = UserLogReader.Missing()
    var folder: String

    /// - Parameter obstacle: the path and the reason why new records cannot be saved, if they cannot.
    func fault(obstacle: String?) -> AppSettings.UnreadableFile? {
      guard let obstacle else { return message.map { AppSettings.UnreadableFile(contents: "marks", message: $0) } }
      let end = "\(UserLog.temporaryMarks) Check the folder."
      if let failure = missing.failure {
        return AppSettings.UnreadableFile(contents: "marks", message: "Could not read your marks: \(failure). \(end)")
      }
      return AppSettings.UnreadableFile(
        contents: "marks", .notSaved, message: "Could not save new marks: \(obstacle). \(end)")
    }

    var message: String? {
      if let failure = missing.failure { return "Could not read your marks: \(failure). Check the file." }
      guard missing.leftOutCount > 0 else { return nil }
      let logs = missing.leftOutCount == 1 ? "oldest log" : "\(missing.leftOutCount) oldest logs"
      return "Did not read the \(logs): \(cleanedLine(folder, limit: 200)) has more than 1,000. "
        + "Delete those of devices that you no longer use."
    }
  }

  private static let temporaryMarks = "New marks last only until you quit."

  static let missingFolder = AppSettings.UnreadableFile(
    contents: "marks", .notSaved,
    message:
      "Could not find the folder for marks: neither HOME nor XDG_STATE_HOME is set. \(temporaryMarks) Set one of them.")

  /// Those of about two seconds.
  private static let lockAttempts = 100
  /// In bytes; a longer log is compacted.
  static let maximumLength = 4 << 20

  /// The logs are in `sharedFolder`, or else in the state folder; nil if the environment names none.
  static func ofUser(sharedFolder: String?) -> UserLog? {
    guard let state = Environment.process.stateFolder.map({ $0 + "/feedfall" }) else { return nil }
    return UserLog(folder: sharedFolder ?? state, stateFolder: state)
  }

  /// Reads the user's records without adding any file; none if the environment names no folder. Prints a message and
  /// returns nil if some cannot be read, because a command would count their videos as unwatched.
  static func records(sharedFolder: String?) -> UserData? {
    guard let reader = commandReader(sharedFolder) else { return UserData() }
    var stored = Stored(records: UserData(), folder: reader.folder)
    stored.missing = reader.readAll(into: &stored.records)
    if let message = stored.message { printError(message) }
    return stored.missing.failure == nil ? stored.records : nil
  }

  /// Adds no file; nil if the environment names no folder.
  private static func commandReader(_ sharedFolder: String?) -> UserLogReader? {
    let stateFolder = Environment.process.stateFolder.map { $0 + "/feedfall" }
    guard let folder = sharedFolder ?? stateFolder else { return nil }
    return UserLogReader(folder: folder, device: stateFolder.flatMap { DeviceName.known(inFolder: $0) } ?? "")
  }

  static func facts(of keys: [VideoKey], sharedFolder: String?) -> UserData {
    commandReader(sharedFolder)?.facts(of: keys) ?? UserData()
  }

  /// - Parameter stateFolder: the folder with the name of the device.
  init(folder: String, stateFolder: String) {
    (self.folder, self.stateFolder) = (folder, stateFolder)
    let stored = try? DeviceName.ofUser(inFolder: stateFolder)
    device = stored ?? DeviceName.random()
    writer = Mutex(Writer(isNamed: stored != nil))
    reader = UserLogReader(folder: folder, device: device)
  }

  func load() -> Stored {
    var stored = Stored(records: UserData(device: device), folder: folder)
    // First, because they may be written meanwhile.
    let unwritten = pending.withLock { $0.all }
    stored.missing = reader.readAll(into: &stored.records)
    missing.withLock { $0 = stored.missing }
    for event in unwritten { stored.records.apply(event) }
    return stored
  }

  /// Adds events to those that the next `write` appends.
  func add(_ events: [UserEvent]) { pending.withLock { $0.events += events } }

  /// Returns the reason only of a failure after a success; the next call retries the events.
  func write() -> String? {
    let result = writer.withLock { writer -> String? in
      let pending = pending.withLock { $0 }
      guard !pending.all.isEmpty else { return nil }
      do throws(SystemError) {
        try append(pending, &writer)
        writer.failure = nil
        return nil
      } catch {
        let reason = "\(cleanedLine(folder, limit: 200)): \(error.message)"
        defer { writer.failure = reason }
        return writer.failure == nil ? reason : nil
      }
    }
    reader.checkFolder()
    return result
  }

  /// The reason why the last write has failed; nil if it has not.
  var savingFailure: String? { writer.withLock { $0.failure } }

  /// Prints a message if events are lost.
  func writeLast() {
    _ = write()
    guard let reason = savingFailure else { return }
    printError("Could not save your last marks and positions: \(reason). Check the folder.")
  }

  /// The path and the reason why new records cannot be saved; nil if they probably can. Changes nothing.
  var obstacle: String? {
    let isNamed = writer.withLock { $0.isNamed }
    let paths = [isNamed ? nil : stateFolder, folder].compactMap(\.self)
    for path in paths {
      if let error = Files.obstacle(toWritingIn: path) { return "\(cleanedLine(path, limit: 200)): \(error.message)" }
    }
    // A log that does not exist yet can be created.
    guard Files.exists(path), let error = Files.obstacle(toWriting: path) else { return nil }
    return "\(cleanedLine(path, limit: 200)): \(error.message)"
  }

  /// The message if the configuration may name another folder, in a line that could not be read.
  var lackOfSharedFolder: String {
    let place = obstacle == nil ? "New marks are saved in \(cleanedLine(folder, limit: 200))." : Self.temporaryMarks
    return "Could not read your shared marks: state-folder could not be read. \(place) Correct the configuration."
  }

  var pendingCount: Int { pending.withLock { $0.all.count } }

  private var path: String { "\(folder)/\(device).jsonl" }

  private func append(_ new: Pending, _ writer: inout Writer) throws(SystemError) {
    if !writer.isNamed {
      try DeviceName.store(device, inFolder: stateFolder)
      writer.isNamed = true
    }
    try Files.makeFolder(folder, mode: 0o700)
    let (descriptor, lock) = try openLocked()
    defer { Files.unlock(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError() }
    let lines = (writer.failure == nil ? new.all : withoutSuperseded(new.all)).map(\.line).joined()
    let bytes = try Array(((Files.hasTornLine(descriptor) ? "\n" : "") + lines).utf8)
    try reader.append { () throws(SystemError) in
      try Files.write(bytes[...], to: descriptor)
      let end = Int(lseek(descriptor, 0, SEEK_CUR))
      return (UserLogReader.Place(inode: UInt(status.st_ino), offset: end), bytes.count)
    }
    pending.withLock {
      $0.events.removeFirst(new.events.count)
      $0.unconfirmed = new.all.lastOfEachField
    }
    if lock == .held, status.st_size > Self.maximumLength, !writer.isCompactionBlocked {
      writer.isCompactionBlocked = !compact(descriptor, ofLength: status.st_size)
    }
    // Other programs need not wait for the disk. If one replaces the log now, its copy has these lines.
    Files.release(descriptor)
    try Files.synchronize(descriptor)
    pending.withLock { $0.unconfirmed = [] }
    if writer.durableInode != UInt(status.st_ino) { Files.synchronizeFolder(of: path) }
    writer.durableInode = UInt(status.st_ino)
  }

  /// The events of a failed write without those that a later change by another program on this device has superseded:
  /// within a log, the last line wins. A time in the future is from a clock that was ahead, and supersedes nothing.
  private func withoutSuperseded(_ events: [UserEvent]) -> [UserEvent] {
    var stored = UserData()
    _ = UserLogReader(folder: folder, device: device, maximumFileCount: 1).readAll(into: &stored)
    let now = SystemClock.milliseconds
    return events.filter { event in
      guard let time = stored.time(of: event.value.field, of: event.key), time <= now else { return true }
      return time <= event.time
    }
  }

  /// Without a lock, two hosts might write to the same place, and a compaction would miss lines.
  private func openLocked() throws(SystemError) -> (descriptor: Int32, Files.Lock) {
    for _ in 0..<Self.lockAttempts {
      let descriptor = try Files.openOwn(path, O_RDWR | O_APPEND | O_CREAT)
      do throws(SystemError) {
        let lock = try Files.lock(descriptor, of: path, attempts: Self.lockAttempts)
        if isAtPath(descriptor) { return (descriptor, lock) }
      } catch {
        close(descriptor)
        throw error
      }
      // A compaction has replaced the file.
      Files.unlock(descriptor)
    }
    throw SystemError(EAGAIN)
  }

  private func isAtPath(_ descriptor: Int32) -> Bool {
    var (opened, current) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && stat(path, &current) == 0 && opened.st_ino == current.st_ino
      && opened.st_dev == current.st_dev
  }

  /// Does nothing below twice the length after the last time. Returns false after a failure, with the log as it was.
  private func compact(_ descriptor: Int32, ofLength length: Int) -> Bool {
    guard let start = try? Files.read(descriptor: descriptor, at: 0, count: CompactedLog.maximumHeaderLength) else {
      return false
    }
    if let compacted = CompactedLog.length(inHeader: start), length < 2 * compacted { return true }
    var (old, new) = (stat(), stat())
    guard let log = try? Files.read(path.utf8, limit: UserLogReader.maximumLength),
      fstat(descriptor, &old) == 0, log.count == old.st_size
    else { return false }
    let lines = CompactedLog.text(of: log, now: SystemClock.milliseconds)
    guard (try? Files.replace(path, with: lines, mode: 0o600)) != nil else { return false }
    guard stat(path, &new) == 0, Int(new.st_size) == lines.count else { return true }
    reader.replace(
      UserLogReader.Place(inode: UInt(old.st_ino), offset: Int(old.st_size)),
      by: UserLogReader.Place(inode: UInt(new.st_ino), offset: lines.count))
    return true
  }
}

extension [UserEvent] {
  /// Of each video, in their order.
  var lastOfEachField: [UserEvent] {
    var known: [VideoKey: Set<UserField>] = [:]
    return reversed().filter { known[$0.key, default: []].insert($0.value.field).inserted }.reversed()
  }
}

/// A label and a random number. The label is the name of the host that the first program ran on, which may change
/// later, in containers and by DHCP.
enum DeviceName {
  private static let maximumHostLength = 32
  /// In bytes, of the file.
  private static let maximumLength = 100
  private static let fileName = "device"

  static func ofUser(inFolder folder: String) throws(SystemError) -> String {
    switch stored(inFolder: folder) {
    case .value(let name?): name
    case .unreadable(let error): throw error
    case .none, .value(nil): try store(earlier(inFolder: folder) ?? random(), inFolder: folder)
    }
  }

  static func known(inFolder folder: String) -> String? { stored(inFolder: folder).value ?? nil }

  /// Returns the stored name, which may be that of another program.
  @discardableResult
  static func store(_ name: String, inFolder folder: String) throws(SystemError) -> String {
    try Files.makeFolder(folder, mode: 0o700)
    let path = "\(folder)/\(fileName)"
    let temporary = "\(path).\(name)"
    try Files.replace(temporary, with: Array("\(name)\n".utf8), mode: 0o600)
    defer { unlink(temporary) }
    // It never replaces the name that another program has just stored.
    if guard_rename_new(AT_FDCWD, temporary, path) != 0 {
      guard errno == EEXIST else { throw SystemError() }
      if case .value(nil) = stored(inFolder: folder), rename(temporary, path) != 0 { throw SystemError() }
    }
    Files.synchronizeFolder(of: path)
    guard case .value(let stored?) = stored(inFolder: folder) else { throw SystemError(EIO) }
    return stored
  }

  static func random() -> String { "\(hostName)-\(String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16))" }

  /// The value is nil if the file is damaged.
  private static func stored(inFolder folder: String, _ file: String = fileName) -> Reading<String?> {
    Files.stored("\(folder)/\(file)".utf8, limit: 1 << 20).map { bytes in
      guard bytes.last == UInt8(ascii: "\n"), (2...maximumLength).contains(bytes.count) else { return nil }
      let name = bytes.dropLast()
      return name.allSatisfy { isValid($0) } ? String(decoding: name, as: UTF8.self) : nil
    }
  }

  /// The name that an earlier version stored for this host, or else for another one.
  private static func earlier(inFolder folder: String) -> String? {
    let start = fileName + "-"
    let names = Files.names(in: folder).value ?? []
    let files = [start + hostName] + names.filter { $0.hasPrefix(start) }
    return files.firstNonNil { stored(inFolder: folder, $0).value ?? nil }
  }

  private static var hostName: String {
    var system = utsname()
    guard uname(&system) == 0 else { return "device" }
    let bytes = withUnsafeBytes(of: system.nodename) { Array($0.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }) }
    let name = String(decoding: bytes.filter { isValid($0) }.prefix(maximumHostLength), as: UTF8.self)
    return name.isEmpty ? "device" : name.lowercased()
  }

  private static func isValid(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
  }
}
