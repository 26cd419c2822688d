import FeedfallCore
import FeedfallSystem
import FeedfallText
import Synchronization

/// The file with the commands that the user has typed, one a line, the last one at the end.
final class CommandLog: Sendable {
  private let path: String
  private let writer = Mutex(())

  private static let maximumByteCount = 1 << 20
  static let maximumCount = 500
  /// In characters; longer commands are not stored.
  private static let maximumLength = 2_000

  /// Uses `commands` in the state folder; nil if the environment names none.
  static func ofUser() -> CommandLog? {
    Environment.process.stateFolder.map { CommandLog(path: $0 + "/feedfall/commands") }
  }

  init(path: String) { self.path = path }

  /// The stored commands. Lines that are too long or contain control characters are skipped; so is a file that is too
  /// large.
  var texts: [String] {
    guard let bytes = try? Files.read(path.utf8, limit: Self.maximumByteCount) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    return lines.filter(Self.isStorable).suffix(Self.maximumCount)
  }

  /// Adds a command; one that is stored already moves to the end. If the file cannot be written, it stays as it is.
  func add(_ text: String) {
    guard Self.isStorable(text) else { return }
    writer.withLock { _ in
      let lines = (texts.filter { $0 != text } + [text]).suffix(Self.maximumCount)
      let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
      _ = try? Files.makeFolder(String(folder), mode: 0o700)
      try? Files.replace(path, with: Array(lines.map { $0 + "\n" }.joined().utf8), mode: 0o600)
    }
  }

  private static func isStorable(_ text: String) -> Bool {
    !text.isEmpty && text.count <= maximumLength && cleanedLine(text, limit: maximumLength) == text
  }
}
