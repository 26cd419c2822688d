import FeedfallPlaying
import FoundationEssentials
import Glibc
import Synchronization

/// The file in which stands where videos were left off, for this person alone. Several programs may write to it: each
/// puts in what has changed with it, and leaves the rest.
final class ResumeFile: Sendable {
  private let path: String
  private let state: Mutex<State>

  private struct State {
    /// What the file and this program agreed on last.
    var agreed: ResumeRecords
    var newest: ResumeRecords
  }

  private static let maximumByteCount = 8 << 20

  /// `$XDG_STATE_HOME/feedfall/resume`, else `~/.local/state/feedfall/resume`, as the XDG Base Directory Specification
  /// has it; nil where the environment names no folder.
  static var ofPerson: ResumeFile? {
    func absolute(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let folder = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
    return folder.map { ResumeFile(path: $0 + "/feedfall/resume") }
  }

  init(path: String) {
    self.path = path
    let records = Self.read(path) ?? ResumeRecords()
    state = Mutex(State(agreed: records, newest: records))
  }

  /// As they are known now.
  var records: ResumeRecords { state.withLock { $0.newest } }

  /// Notes what `write()` is to write.
  func note(_ records: ResumeRecords) { state.withLock { $0.newest = records } }

  /// Writes what has changed since the last time; the file is whole at any time. Where it cannot be written, what is
  /// known stays for the next time.
  func write() {
    state.withLock { state in
      guard state.newest != state.agreed else { return }
      makeFolder()
      let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard lock >= 0 else { return }
      defer { close(lock) }
      // Others hold it for a moment only.
      guard (0..<50).contains(where: { _ in flock(lock, LOCK_EX | LOCK_NB) == 0 || usleep(10_000) != 0 }) else {
        return
      }
      guard var together = Self.read(path) else { return }
      together.merge(changesFrom: state.agreed, to: state.newest)
      if replace(with: Array(together.lines.utf8)) { state.agreed = state.newest }
    }
  }

  /// Nil where there is something that could not be read, which is to stay as it is.
  private static func read(_ path: String) -> ResumeRecords? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT ? ResumeRecords() : nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < maximumByteCount {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0 { return nil }
      if count == 0 { break }
      bytes += piece[..<count]
    }
    return ResumeRecords(lines: String(decoding: bytes, as: UTF8.self))
  }

  private func makeFolder() {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    try? FileManager.default.createDirectory(
      atPath: "/" + folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func replace(with bytes: [UInt8]) -> Bool {
    let temporary = "\(path).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    let isWhole = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    guard isWhole, rename(temporary, path) == 0 else {
      unlink(temporary)
      return false
    }
    return true
  }
}
