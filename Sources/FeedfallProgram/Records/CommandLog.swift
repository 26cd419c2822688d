import FeedfallApp
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// The file with the commands that the user has typed, one per line, the last one at the end. Commands are appended; a
/// long file is truncated, but only if it can be read.
final class CommandLog: Sendable {
  private let path: String
  private let writer = Mutex(())

  static let maximumCount = AppSettings.maximumCommandCount
  /// In characters; longer commands are not stored.
  private static let maximumLength = 2_000
  /// In bytes; longer commands are not stored.
  private static let maximumByteCount = 8_000
  /// In bytes. Contains the last commands however long they are.
  private static let readLength = 2 * maximumCount * (maximumByteCount + 1)

  /// Uses `commands` in the state folder; nil if the environment names none.
  static func ofUser() -> CommandLog? {
    Environment.process.stateFolder.map { CommandLog(path: $0 + "/feedfall/commands") }
  }

  init(path: String) { self.path = path }

  /// The last stored commands, each once. Lines that are too long or contain control characters are skipped.
  var texts: [String] { stored?.texts ?? [] }

  /// Returns nil if the file cannot be read.
  private var stored: (texts: [String], lineCount: Int)? {
    guard let bytes = try? lastBytes else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    var known: Set<[UInt8]> = []
    let texts = lines.reversed().filter { Self.isStorable($0) && known.insert(Array($0.utf8)).inserted }
    return (texts.prefix(Self.maximumCount).reversed(), lines.count)
  }

  private var lastBytes: [UInt8] {
    get throws(SystemError) {
      let descriptor = try Files.openOwn(path, O_RDONLY)
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SystemError() }
      let start = max(0, status.st_size - Self.readLength)
      let bytes = try Files.read(descriptor: descriptor, at: start, count: min(status.st_size, Self.readLength))
      // The first line may be cut.
      return start == 0 ? bytes : Array(bytes.drop { $0 != UInt8(ascii: "\n") })
    }
  }

  /// If the file cannot be written, it stays as it is.
  func add(_ text: String) {
    guard Self.isStorable(text) else { return }
    writer.withLock { _ in
      let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
      _ = try? Files.makeFolder(String(folder), mode: 0o700)
      guard let lock = try? Files.lock(path) else { return }
      defer { Files.unlock(lock) }
      guard (try? append(text)) != nil, let stored, stored.lineCount > 2 * Self.maximumCount else { return }
      try? Files.replace(path, with: Array(stored.texts.map { $0 + "\n" }.joined().utf8), mode: 0o600)
    }
  }

  private func append(_ text: String) throws(SystemError) {
    let isNew = !Files.exists(path)
    let descriptor = try Files.openOwn(path, O_RDWR | O_APPEND | O_CREAT)
    defer { close(descriptor) }
    let start = try Files.hasTornLine(descriptor) ? "\n" : ""
    try Files.write(Array((start + text + "\n").utf8)[...], to: descriptor)
    try Files.synchronize(descriptor)
    if isNew { Files.synchronizeFolder(of: path) }
  }

  private static func isStorable(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= maximumByteCount && text.count <= maximumLength
      && cleanedLine(text, limit: maximumLength) == text
  }
}
