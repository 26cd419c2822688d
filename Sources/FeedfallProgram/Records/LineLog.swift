import FeedfallApp
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// A file of this device to which programs append lines. Once it is long, it is replaced by the lines that are still
/// needed, but only if it can be read.
final class LineLog: Sendable {
  private let path: String
  /// Of lines; a longer file is replaced.
  private let maximumCount: Int
  /// In bytes; longer lines are not stored.
  private let maximumLength: Int
  /// In bytes. Of a longer file, only the end is read.
  private let readLength: Int
  private let needed: @Sendable ([String]) -> [String]
  private let writer = Mutex(())

  init(
    path: String, maximumCount: Int, maximumLength: Int, readLength: Int,
    needed: @escaping @Sendable ([String]) -> [String]
  ) {
    (self.path, self.maximumCount, self.maximumLength) = (path, maximumCount, maximumLength)
    (self.readLength, self.needed) = (readLength, needed)
  }

  var lines: [String] { (try? lastBytes).map { neededLines(of: $0.bytes) } ?? [] }

  private func neededLines(of bytes: [UInt8]) -> [String] {
    needed(bytes.split(separator: Self.lineFeed).map { String(decoding: $0, as: UTF8.self) })
  }

  private static let lineFeed = UInt8(ascii: "\n")

  private var lastBytes: (bytes: [UInt8], isWhole: Bool) {
    get throws(SystemError) {
      let descriptor = try Files.openOwn(path, O_RDONLY)
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SystemError() }
      let start = max(0, status.st_size - readLength)
      let bytes = try Files.read(descriptor: descriptor, at: start, count: min(status.st_size, readLength))
      // The first line may be cut.
      return (start == 0 ? bytes : Array(bytes.drop { $0 != Self.lineFeed }), start == 0)
    }
  }

  /// If the file cannot be written, it stays as it is.
  func add(_ lines: [String]) {
    let lines = lines.filter { $0.utf8.count <= maximumLength && !$0.contains("\n") }
    guard !lines.isEmpty else { return }
    writer.withLock { _ in
      let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
      _ = try? Files.makeFolder(String(folder), mode: 0o700)
      guard let lock = try? Files.lock(path) else { return }
      defer { Files.unlock(lock) }
      guard (try? append(lines.map { $0 + "\n" }.joined())) != nil, let (bytes, isWhole) = try? lastBytes,
        !isWhole || bytes.count(where: { $0 == Self.lineFeed }) > maximumCount
      else { return }
      let lines = neededLines(of: bytes)
      try? Files.replace(path, with: Array(lines.map { $0 + "\n" }.joined().utf8), mode: 0o600)
    }
  }

  private func append(_ text: String) throws(SystemError) {
    let isNew = !Files.exists(path)
    let descriptor = try Files.openOwn(path, O_RDWR | O_APPEND | O_CREAT)
    defer { close(descriptor) }
    let start = try Files.hasTornLine(descriptor) ? "\n" : ""
    try Files.write(Array((start + text).utf8)[...], to: descriptor)
    try Files.synchronize(descriptor)
    if isNew { Files.synchronizeFolder(of: path) }
  }

  static var stateFolder: String? { Environment.process.stateFolder.map { $0 + "/feedfall" } }

  /// Each once, the last one at the end.
  static func commands(inFolder folder: String) -> LineLog {
    let (count, length) = (AppSettings.maximumCommandCount, 8_000)
    return LineLog(
      path: folder + "/commands", maximumCount: 2 * count, maximumLength: length, readLength: 2 * count * (length + 1),
      needed: neededCommands)
  }

  /// Texts that are too long or contain control characters are skipped.
  private static func neededCommands(_ lines: [String]) -> [String] {
    let maximumLength = 2_000
    var known: Set<[UInt8]> = []
    let texts = lines.reversed().filter {
      !$0.isEmpty && $0.count <= maximumLength && cleanedLine($0, limit: maximumLength) == $0
        && known.insert(Array($0.utf8)).inserted
    }
    return texts.prefix(AppSettings.maximumCommandCount).reversed()
  }

  static func undo(inFolder folder: String) -> LineLog {
    let length = UndoHistory.maximumLineLength
    return LineLog(path: folder + "/undo", maximumCount: 400, maximumLength: length, readLength: 4 * length) {
      UndoHistory.needed($0, now: SystemClock.milliseconds)
    }
  }
}
