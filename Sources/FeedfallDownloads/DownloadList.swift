import FeedfallDocuments
import FeedfallSystem
import FeedfallText
import FeedfallUserData
import Glibc
import Synchronization

/// The list of downloads in a file, which several programs share: waiting ones, so that the next program continues
/// them, and complete ones.
///
/// Each change reads the file, changes it and replaces it atomically, while a lock excludes other programs.
package final class DownloadList: Sendable {
  /// Nil for a list in memory.
  private let path: String?
  private let memory = Mutex<[DownloadEntry]>([])

  private static let maximumByteCount = 32 << 20
  static let maximumEntryCount = 20_000

  package init(path: String?) { self.path = path }

  /// The list in the state folder; in memory if the environment names none.
  package static func ofUser(_ environment: Environment = .process) -> DownloadList {
    DownloadList(path: environment.stateFolder.map { $0 + "/feedfall/downloads.json" })
  }

  /// Reads the entries; none from a damaged file.
  func entries() -> [DownloadEntry] {
    memory.withLock { memory in ((try? stored()) ?? []) + memory }
  }

  /// The states of the downloads, of which some video files may have disappeared.
  package var states: [VideoKey: DownloadState] {
    Dictionary(entries().compactMap { entry in entry.listedState.map { (entry.key, $0) } }) { $1 }
  }

  /// Finds an entry.
  func entry(of key: VideoKey) throws(DownloadFailure) -> DownloadEntry? {
    do throws(SystemError) {
      return try memory.withLock { memory throws(SystemError) in try (stored() + memory).first { $0.key == key } }
    } catch {
      throw .list(error)
    }
  }

  /// Changes the entries and returns the result of the change.
  func update<Value>(_ change: (inout [DownloadEntry]) -> Value) throws(DownloadFailure) -> Value {
    do {
      return try memory.withLock { memory throws(SystemError) -> Value in
        let lock = try openLock()
        defer { if lock >= 0 { Files.unlock(lock) } }
        let before = try stored()
        var entries = before + memory
        let value = change(&entries)
        memory = path == nil ? entries : entries.filter { !$0.isStorable }
        let after = path == nil ? [] : entries.filter(\.isStorable).suffix(Self.maximumEntryCount)
        if let path, before != Array(after) { try write(Array(after), to: path) }
        return value
      }
    } catch {
      throw .list(error)
    }
  }

  /// A list that cannot be read must not be replaced.
  private func stored() throws(SystemError) -> [DownloadEntry] {
    guard let path else { return [] }
    do { return Self.entries(in: try Files.read(path.utf8, limit: Self.maximumByteCount)) ?? [] } catch {
      switch error {
      case .system(let error) where error.number == ENOENT: return []
      case .system(let error): throw error
      case .notRegular: throw SystemError(EINVAL)
      case .tooLarge: throw SystemError(EFBIG)
      }
    }
  }

  /// Returns nil if the file is not a list.
  private static func entries(in bytes: [UInt8]) -> [DownloadEntry]? {
    guard let object = JSONObject(document: bytes), object["downloads"] != nil else { return nil }
    var keys: Set<VideoKey> = []
    return object.objects("downloads", limit: maximumEntryCount).compactMap(DownloadEntry.init)
      .filter { keys.insert($0.key).inserted }
  }

  private func write(_ entries: [DownloadEntry], to path: String) throws(SystemError) {
    setAsideDamaged(path)
    let lines = entries.map(\.line.text).joined(separator: ",\n")
    try Files.replace(path, with: Array("{\"downloads\":[\n\(lines)\n]}\n".utf8), mode: 0o600, forcesMode: true)
  }

  /// Renames a file that is not a list, so that nothing in it is lost.
  private func setAsideDamaged(_ path: String) {
    guard let bytes = try? Files.read(path.utf8, limit: Self.maximumByteCount), !bytes.isEmpty,
      Self.entries(in: bytes) == nil
    else { return }
    rename(path, path + ".damaged")
  }

  /// Returns a descriptor that excludes other programs until it is closed; -1 without a file.
  private func openLock() throws(SystemError) -> Int32 {
    guard let path else { return -1 }
    if let end = path.lastIndex(of: "/") { try Files.makeFolder(String(path[..<end]), mode: 0o700) }
    return try Files.lock(path)
  }
}
