import FeedfallSystem
import FeedfallText
import FeedfallUserData
import Glibc
import Synchronization

/// The logs of the user's records: each device appends to its own file, `DEVICE.jsonl`, and reads all of a folder.
///
/// Several programs may append to one log. An event is appended by one write and survives a crash of the program. A last
/// line without its newline is one that was not written completely; it is ended before the next is appended.
final class UserLog: Sendable {
  let folder: String
  /// The folder of this device alone.
  let stateFolder: String
  /// The name of this device.
  let device: String
  private let reader: UserLogReader
  /// The events that are not written yet, the oldest first.
  private let pending = Mutex<[UserEvent]>([])
  /// Is held during a write, which may wait for another program or a slow disk; `add` never waits for it.
  private let writer = Mutex(Writer())

  private struct Writer {
    /// Why the last write failed.
    var failure: String?
    /// In bytes; a larger log is compacted.
    var maximumLength = 4 << 20
  }

  private static let lockAttempts = 100
  /// In microseconds.
  private static let lockPause: UInt32 = 20_000

  /// The folder in which each device has its log is `sharedFolder`, or else the state folder. Returns nil if the
  /// environment names none.
  static func ofUser(sharedFolder: String?) -> UserLog? {
    guard let state = Environment.process.stateFolder.map({ $0 + "/feedfall" }) else { return nil }
    return UserLog(folder: sharedFolder ?? state, stateFolder: state)
  }

  /// Reads the user's records without adding any file; none if the environment names no folder.
  static func records(sharedFolder: String?) -> UserData {
    var data = UserData()
    let folder = sharedFolder ?? Environment.process.stateFolder.map { $0 + "/feedfall" }
    if let folder { UserLogReader(folder: folder, device: "").readAll(into: &data) }
    return data
  }

  /// - Parameter stateFolder: the folder with the name of the device, and with the resume positions of earlier versions.
  init(folder: String, stateFolder: String) {
    self.folder = folder
    self.stateFolder = stateFolder
    device = DeviceName.ofUser(inFolder: stateFolder)
    reader = UserLogReader(folder: folder, device: device)
    importResumePositions(from: stateFolder + "/resume")
  }

  /// Reads all logs.
  func load() -> UserData { records(reader) }

  /// Reads all logs again, for another purpose than the changes that `watch` reports.
  func records() -> UserData { records(UserLogReader(folder: folder, device: device)) }

  private func records(_ reader: UserLogReader) -> UserData {
    var data = UserData(device: device)
    // First, because they may be written meanwhile.
    let unwritten = pending.withLock { $0 }
    reader.readAll(into: &data)
    for event in unwritten { data.apply(event) }
    return data
  }

  /// Reports the changes of other programs and devices, from a thread that waits for them.
  func watch(_ report: @escaping @Sendable (UserData) -> Void) { reader.watch(report) }

  /// Adds events to those that the next `write` appends.
  func add(_ events: [UserEvent]) { pending.withLock { $0 += events } }

  /// Appends the added events. Returns the reason of a failure after a success; the events are retried with the next
  /// ones.
  func write() -> String? {
    writer.withLock { writer -> String? in
      let events = pending.withLock { $0 }
      guard !events.isEmpty else { return nil }
      do throws(SystemError) {
        try append(events.map(\.line).joined(), &writer)
        pending.withLock { $0.removeFirst(events.count) }
        writer.failure = nil
        return nil
      } catch {
        let reason = "\(cleanedLine(folder, limit: 200)): \(error.message)"
        defer { writer.failure = reason }
        return writer.failure == nil ? reason : nil
      }
    }
  }

  /// Appends the added events at the end of the program, and prints a message if they are lost.
  func writeLast() {
    _ = write()
    guard let reason = writer.withLock({ $0.failure }) else { return }
    printError("Could not save your last marks and positions: \(reason). Check the folder.")
  }

  /// The count of events that are not saved.
  var pendingCount: Int { pending.withLock { $0.count } }

  private var path: String { "\(folder)/\(device).jsonl" }

  private func append(_ lines: String, _ writer: inout Writer) throws(SystemError) {
    try Files.makeFolder(folder, mode: 0o700)
    let descriptor = try openLocked()
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError() }
    // Empty for an empty file.
    let last = try Files.read(descriptor: descriptor, at: max(0, status.st_size - 1), count: 1)
    let isTorn = !last.isEmpty && last != [UInt8(ascii: "\n")]
    let bytes = Array(((isTorn ? "\n" : "") + lines).utf8)
    try reader.append { () throws(SystemError) in
      try Files.write(bytes[...], to: descriptor)
      let end = Int(lseek(descriptor, 0, SEEK_CUR))
      return (UserLogReader.Place(inode: UInt(status.st_ino), offset: end), bytes.count)
    }
    guard fdatasync(descriptor) == 0 else { throw SystemError() }
    if status.st_size > writer.maximumLength { compact(descriptor, &writer) }
  }

  /// Opens the log with a shared lock, which excludes a compaction.
  private func openLocked() throws(SystemError) -> Int32 {
    for _ in 0..<Self.lockAttempts {
      let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard descriptor >= 0 else { throw SystemError() }
      do throws(SystemError) { try lock(descriptor) } catch {
        close(descriptor)
        throw error
      }
      if isAtPath(descriptor) { return descriptor }
      // A compaction has replaced the file.
      close(descriptor)
    }
    throw SystemError(EAGAIN)
  }

  /// Waits for the shared lock, at most about two seconds. Fails at once where the file system has no locks.
  private func lock(_ descriptor: Int32) throws(SystemError) {
    var attempts = 1
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
      let error = SystemError()
      guard error.number == EWOULDBLOCK || error.number == EINTR, attempts < Self.lockAttempts else { throw error }
      attempts += 1
      usleep(Self.lockPause)
    }
  }

  private func isAtPath(_ descriptor: Int32) -> Bool {
    var (opened, current) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && stat(path, &current) == 0 && opened.st_ino == current.st_ino
      && opened.st_dev == current.st_dev
  }

  /// Replaces the log by one with the last event of each field, if that is at most half as long; if not, the next
  /// attempt is at twice the length. Another program that holds the lock compacts the log later.
  private func compact(_ descriptor: Int32, _ writer: inout Writer) {
    var status = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isAtPath(descriptor), fstat(descriptor, &status) == 0 else {
      return
    }
    guard let lines = compactedLines(ofLength: status.st_size), 2 * lines.count <= status.st_size else {
      writer.maximumLength = 2 * status.st_size
      return
    }
    // The log stays as it is if there is no room for its copy.
    guard (try? Files.replace(path, with: lines, mode: 0o600)) != nil else { return }
    var new = stat()
    guard stat(path, &new) == 0, Int(new.st_size) == lines.count else { return }
    reader.replace(
      UserLogReader.Place(inode: UInt(status.st_ino), offset: Int(status.st_size)),
      by: UserLogReader.Place(inode: UInt(new.st_ino), offset: lines.count))
  }

  /// The lines that determine the records; nil if the log cannot be read to its end.
  private func compactedLines(ofLength length: Int) -> [UInt8]? {
    // An event in the future is kept with its time, and so is the one that wins until then.
    var (all, current) = (UserData(device: device), UserData(device: device))
    guard
      UserLogReader.read(path, of: device, from: nil, now: UserEvent.maximumTime, into: &all)?.offset == length,
      UserLogReader.read(path, of: device, from: nil, into: &current)?.offset == length
    else { return nil }
    let earlier = current.events.filter { event in
      event.time > 0 && all.time(of: event.value.field, of: event.key) != event.time
    }
    return Array((earlier + Array(all.events)).map(\.line).joined().utf8)
  }

  /// Imports the resume positions of earlier versions, once: then the file has another name.
  private func importResumePositions(from path: String) {
    guard let bytes = try? Files.read(path.utf8, limit: 8 << 20) else { return }
    add(UserEvent.events(ofResumeLines: String(decoding: bytes, as: UTF8.self), device: device))
    if write() == nil, pendingCount == 0 { rename(path, path + ".imported") }
    // The user has not seen the failure; the next one is reported.
    writer.withLock { $0.failure = nil }
  }
}

/// The name of this device, under which its log is stored.
enum DeviceName {
  private static let maximumHostLength = 32

  /// Returns the stored name, or stores and returns a new one. Hosts that share a home folder have different names.
  static func ofUser(inFolder folder: String) -> String {
    let host = hostName
    let path = "\(folder)/device-\(host)"
    if let stored = stored(path, host) { return stored }
    let name = "\(host)-\(String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16))"
    _ = try? Files.makeFolder(folder, mode: 0o700)
    store(name, path)
    // Another program may have been first.
    return stored(path, host) ?? name
  }

  private static func stored(_ path: String, _ host: String) -> String? {
    guard let bytes = try? Files.read(path.utf8, limit: 100), bytes.last == UInt8(ascii: "\n") else { return nil }
    let name = String(decoding: bytes.dropLast(), as: UTF8.self)
    return name.hasPrefix(host + "-") && isValid(name) ? name : nil
  }

  /// Stores a name unless there is a valid one.
  private static func store(_ name: String, _ path: String) {
    let temporary = "\(path).\(getpid())"
    guard (try? Files.replace(temporary, with: Array("\(name)\n".utf8), mode: 0o600)) != nil else { return }
    // A link never replaces the name that another program has just stored.
    if link(temporary, path) != 0, (try? Files.read(path.utf8, limit: 100))?.last != UInt8(ascii: "\n") {
      rename(temporary, path)
    }
    unlink(temporary)
  }

  /// Letters, digits and hyphens of the host's name.
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

  private static func isValid(_ name: String) -> Bool { name.utf8.allSatisfy { isValid($0) } }
}
