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
  private let folder: String
  private let device: String
  private let reader: UserLogReader
  private let state = Mutex(State())

  private struct State {
    /// The events that are not written yet, the oldest first.
    var pending: [UserEvent] = []
    /// Why the last write failed.
    var failure: String?
  }

  /// In bytes; a larger log is compacted.
  private static let maximumLength = 4 << 20

  /// The folder in which each device has its log is `sharedFolder`, or else the state folder. Returns nil if the
  /// environment names none.
  static func ofUser(sharedFolder: String?) -> UserLog? {
    guard let state = Environment.process.stateFolder.map({ $0 + "/feedfall" }) else { return nil }
    return UserLog(folder: sharedFolder ?? state, stateFolder: state)
  }

  /// - Parameter stateFolder: the folder with the name of the device, and with the resume positions of earlier versions.
  init(folder: String, stateFolder: String) {
    self.folder = folder
    device = DeviceName.ofUser(inFolder: stateFolder)
    reader = UserLogReader(folder: folder)
    importResumePositions(from: stateFolder + "/resume")
  }

  /// Reads all logs.
  func load() -> UserData {
    var data = UserData(device: device)
    reader.readAll(into: &data)
    state.withLock { state in for event in state.pending { data.apply(event) } }
    return data
  }

  /// Reports the changes of other programs and devices, from a thread that waits for them.
  func watch(_ report: @escaping @Sendable (UserData) -> Void) { reader.watch(report) }

  /// Adds events to those that the next `write` appends.
  func add(_ events: [UserEvent]) { state.withLock { $0.pending += events } }

  /// Appends the added events. Returns the reason of a failure after a success; the events are retried with the next
  /// ones.
  func write() -> String? {
    state.withLock { state -> String? in
      guard !state.pending.isEmpty else { return nil }
      do throws(SystemError) {
        try append(state.pending.map(\.line).joined())
        state.pending = []
        state.failure = nil
        return nil
      } catch {
        defer { state.failure = error.message }
        return state.failure == nil ? error.message : nil
      }
    }
  }

  /// Appends the added events at the end of the program, and prints a message if they are lost.
  func writeLast() {
    _ = write()
    guard let reason = state.withLock({ $0.failure }) else { return }
    let folder = cleanedLine(folder, limit: 200)
    printError("Could not save the last marks and positions in \(folder): \(reason). Check the folder.")
  }

  /// The count of events that are not saved.
  var pendingCount: Int { state.withLock { $0.pending.count } }

  private var path: String { "\(folder)/\(device).jsonl" }

  private func append(_ lines: String) throws(SystemError) {
    try Files.makeFolder(folder, mode: 0o700)
    let descriptor = try openLocked()
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError() }
    // Empty for an empty file.
    let last = try Files.read(descriptor: descriptor, at: max(0, status.st_size - 1), count: 1)
    let isTorn = !last.isEmpty && last != [UInt8(ascii: "\n")]
    try Files.write(Array(((isTorn ? "\n" : "") + lines).utf8)[...], to: descriptor)
    guard fdatasync(descriptor) == 0 else { throw SystemError() }
    if status.st_size > Self.maximumLength { compact(descriptor) }
  }

  /// Opens the log with a shared lock, which excludes a compaction.
  private func openLocked() throws(SystemError) -> Int32 {
    while true {
      let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard descriptor >= 0 else { throw SystemError() }
      guard flock(descriptor, LOCK_SH) == 0, isAtPath(descriptor) else {
        // A compaction has replaced the file.
        close(descriptor)
        continue
      }
      return descriptor
    }
  }

  private func isAtPath(_ descriptor: Int32) -> Bool {
    var (opened, current) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && stat(path, &current) == 0 && opened.st_ino == current.st_ino
      && opened.st_dev == current.st_dev
  }

  /// Replaces the log by one with the last event of each field, if that is at most half as long. Another program that
  /// holds the lock compacts the log later.
  private func compact(_ descriptor: Int32) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isAtPath(descriptor) else { return }
    var data = UserData()
    guard let length = UserLogReader.read(path, of: device, from: nil, into: &data)?.offset else { return }
    let lines = Array(data.events.map(\.line).joined().utf8)
    guard 2 * lines.count <= length else { return }
    // The log stays as it is if there is no room for its copy.
    try? Files.replace(path, with: lines, mode: 0o600)
  }

  /// Imports the resume positions of earlier versions, once: then the file has another name.
  private func importResumePositions(from path: String) {
    guard let bytes = try? Files.read(path.utf8, limit: 8 << 20) else { return }
    add(UserEvent.events(ofResumeLines: String(decoding: bytes, as: UTF8.self), device: device))
    if write() == nil, pendingCount == 0 { rename(path, path + ".imported") }
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
    let bytes = withUnsafeBytes(of: system.nodename) { $0.prefix { $0 != 0 && $0 != UInt8(ascii: ".") } }
    let name = String(decoding: bytes.filter { isValid($0) }.prefix(maximumHostLength), as: UTF8.self)
    return name.isEmpty ? "device" : name.lowercased()
  }

  private static func isValid(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
  }

  private static func isValid(_ name: String) -> Bool { name.utf8.allSatisfy { isValid($0) } }
}
