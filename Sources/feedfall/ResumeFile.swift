import FeedfallPlaying
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// The file with the resume positions of videos, readable only by the user. Several processes may write to it: each
/// merges only its own changes. A damaged file is renamed to `resume.damaged` before the first write.
final class ResumeFile: Sendable {
  private let path: String
  private let notify: @Sendable (String) -> Void
  private let state: Mutex<State>

  private struct State {
    /// The records that this process last read or wrote.
    var saved: ResumeRecords
    var newest: ResumeRecords
  }

  private static let maximumByteCount = 8 << 20

  /// `$XDG_STATE_HOME/feedfall/resume`; nil if the environment names no folder.
  static func ofUser(notify: @escaping @Sendable (String) -> Void) -> ResumeFile? {
    Environment.process.stateFolder.map { ResumeFile(path: $0 + "/feedfall/resume", notify: notify) }
  }

  /// - Parameter notify: is called with a message to the user when a damaged file was renamed.
  init(path: String, notify: @escaping @Sendable (String) -> Void) {
    self.path = path
    self.notify = notify
    let records = (try? Self.read(path)) ?? ResumeRecords()
    state = Mutex(State(saved: records, newest: records))
  }

  /// The newest records, including those not yet written.
  var records: ResumeRecords { state.withLock { $0.newest } }

  /// Sets the records for the next `write()`.
  func update(_ records: ResumeRecords) { state.withLock { $0.newest = records } }

  /// Writes the changes since the last successful write.
  func write() {
    state.withLock { state in
      guard state.newest != state.saved else { return }
      do {
        try merge(state)
        state.saved = state.newest
      } catch {}
    }
  }

  private func merge(_ state: State) throws(SystemError) {
    try Files.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), mode: 0o700)
    let lock = try Self.lock(path + ".lock")
    defer { close(lock) }
    var merged = try readOrSetAside()
    merged.merge(changesFrom: state.saved, to: state.newest)
    try Files.replace(path, with: Array(merged.lines.utf8), mode: 0o600, forcesMode: true)
  }

  /// Returns the records; none if the file is damaged, which is then renamed.
  private func readOrSetAside() throws(SystemError) -> ResumeRecords {
    do {
      return try Self.read(path)
    } catch {
      guard error == .tooLarge else { throw SystemError(EIO) }
      let damaged = path + ".damaged"
      guard rename(path, damaged) == 0 else { throw SystemError() }
      notify(
        "Could not read the resume positions: the file is larger than 8 MB. Positions are stored in a new file; the old file is "
          + cleanedLine(damaged, limit: 200) + ".")
      return ResumeRecords()
    }
  }

  /// Acquires the lock and returns its descriptor. Waits at most 0.5 s for other processes.
  private static func lock(_ path: String) throws(SystemError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError() }
    for _ in 0..<50 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
      usleep(10_000)
    }
    close(descriptor)
    throw SystemError(EWOULDBLOCK)
  }

  /// Returns the records, empty if there is no file. A file that cannot be read must not be replaced.
  private static func read(_ path: String) throws(FileError) -> ResumeRecords {
    do {
      return ResumeRecords(lines: String(decoding: try Files.read(path.utf8, limit: maximumByteCount), as: UTF8.self))
    } catch {
      guard error == .system(SystemError(ENOENT)) else { throw error }
      return ResumeRecords()
    }
  }
}
