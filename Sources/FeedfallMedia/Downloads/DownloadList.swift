import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// The list of waiting and complete downloads in a file, which several programs share: each change reads and replaces
/// it under a lock. Entries and members that this version does not read are written back as they are.
package final class DownloadList: Sendable {
  /// Nil for a list in memory.
  let path: String?
  private let memory = Mutex<[DownloadEntry]>([])

  private static let maximumByteCount = 32 << 20
  static let maximumEntryCount = 20_000

  package init(path: String?) { self.path = path }

  /// The list in the state folder; in memory if the environment names none.
  package static func ofUser(_ environment: Environment = .process) -> DownloadList {
    DownloadList(path: environment.stateFolder.map { $0 + "/feedfall/downloads.json" })
  }

  func entries() throws(DownloadFailure) -> [DownloadEntry] {
    try memory.withLock { memory throws(DownloadFailure) in try stored().entries + memory }
  }

  func entry(of key: VideoKey) throws(DownloadFailure) -> DownloadEntry? {
    try entries().first { $0.key == key }
  }

  package struct Loaded: Sendable {
    /// Video files of complete downloads may be missing.
    package var states: [VideoKey: DownloadState] = [:]
    package var requests: [DownloadRequest] = []
    /// The reason why downloads are missing: the file cannot be read, or was damaged.
    package var fault: DownloadFailure?
  }

  /// Reads the states, and repairs a damaged file.
  package func load() -> Loaded {
    var loaded = Loaded()
    do throws(DownloadFailure) {
      let contents = try stored()
      let entries = contents.entries + memory.withLock { $0 }
      loaded.requests = entries.map(\.request)
      loaded.states = Dictionary(entries.compactMap { entry in entry.listedState.map { (entry.key, $0) } }) { $1 }
      if contents.isDamaged { loaded.fault = try repair() }
    } catch {
      loaded.fault = error
    }
    return loaded
  }

  func update<Value>(_ change: (inout [DownloadEntry]) -> Value) throws(DownloadFailure) -> Value {
    try memory.withLock { memory throws(DownloadFailure) -> Value in
      let lock = try openLock()
      defer { if lock >= 0 { Files.unlock(lock) } }
      let contents = try stored()
      let before = contents.entries
      var entries = before + memory
      let value = change(&entries)
      let after = path == nil ? [] : entries.filter(\.isStorable)
      if let path, before != after || contents.isDamaged {
        _ = try write(contents.bytes(of: after), contents, to: path)
      }
      memory = path == nil ? entries : entries.filter { !$0.isStorable }
      return value
    }
  }

  // MARK: - The file

  private func stored() throws(DownloadFailure) -> Contents {
    guard let path else { return Contents([]) }
    switch Files.stored(path.utf8, limit: Self.maximumByteCount) {
    case .none: return Contents([])
    case .value(let bytes): return Contents(bytes)
    case .unreadable(let error): throw .unreadableList(error, path: path)
    }
  }

  /// Returns where the damaged file is now; nil if another program has repaired it meanwhile.
  private func repair() throws(DownloadFailure) -> DownloadFailure? {
    let lock = try openLock()
    defer { if lock >= 0 { Files.unlock(lock) } }
    let contents = try stored()
    guard let path, contents.isDamaged else { return nil }
    return try write(contents.bytes(of: contents.entries), contents, to: path).map { .damagedList(path: $0) }
  }

  /// Returns where a damaged file is now; nil for an intact one.
  private func write(_ bytes: [UInt8], _ contents: Contents, to path: String) throws(DownloadFailure) -> String? {
    do throws(SystemError) {
      // A longer one could not be read again.
      guard bytes.count <= Self.maximumByteCount else { throw SystemError(EFBIG) }
      let aside = contents.isDamaged ? try Files.setAside(path, staysUntilReplaced: true) : nil
      do throws(SystemError) { try Files.replace(path, with: bytes, mode: 0o600, forcesMode: true) } catch {
        if let aside { _ = Files.exists(path) ? unlink(aside) : rename(aside, path) }
        throw error
      }
      return aside
    } catch {
      throw .list(error)
    }
  }

  /// Returns a descriptor that excludes other programs until it is closed; -1 without a file.
  private func openLock() throws(DownloadFailure) -> Int32 {
    guard let path else { return -1 }
    do throws(SystemError) {
      if let end = path.lastIndex(of: "/") { try Files.makeFolder(String(path[..<end]), mode: 0o700) }
      return try Files.lock(path)
    } catch {
      throw .list(error)
    }
  }

  struct Contents {
    private struct Record {
      var line: ArraySlice<UInt8>
      /// Nil for a record of a later version, and for a second one with the same key.
      var entry: DownloadEntry?
      var repeatedKey: VideoKey?
    }

    private var records: [Record] = []
    private var members: [ArraySlice<UInt8>] = []
    /// Whether the file is no list, or the end of one is missing.
    private(set) var isDamaged = false

    /// The maximum number of attempts to parse an entry whose end is missing.
    private static let maximumCutCount = 64

    init(_ bytes: [UInt8]) {
      guard !bytes.isEmpty else { return }
      var lines: [ArraySlice<UInt8>]
      if let value = JSONValue(document: bytes), let object = value.object, let list = object["downloads"],
        let all = Self.elements(of: list), bytes[value.source.endIndex...].allSatisfy(\.isWhiteSpace)
      {
        members = object.members(except: ["downloads"])
        lines = all
      } else {
        isDamaged = true
        lines = Self.lines(ofDamaged: bytes)
      }
      var keys: Set<VideoKey> = []
      for line in lines {
        let entry = JSONObject(document: Array(line)).flatMap(DownloadEntry.init)
        let isFirst = entry.map { keys.insert($0.key).inserted } == true
        records.append(Record(line: line, entry: isFirst ? entry : nil, repeatedKey: isFirst ? nil : entry?.key))
      }
    }

    var entries: [DownloadEntry] { records.compactMap(\.entry) }

    /// The bytes of a file with these entries and the records of later versions. Unchanged entries stay as they are.
    func bytes(of entries: [DownloadEntry]) -> [UInt8] {
      let known = Dictionary(records.compactMap { record in record.entry.map { ($0.key, record) } }) { first, _ in first
      }
      let lines = entries.map { entry in
        known[entry.key].flatMap { $0.entry == entry ? Array($0.line) : nil } ?? entry.line
      }
      // Otherwise a second record of a removed download would bring it back.
      let keys = Set(entries.map(\.key))
      let others = records.filter { $0.entry == nil && $0.repeatedKey.map(keys.contains) ?? true }.map {
        Array($0.line)
      }
      let start = members.flatMap { Array($0) + [UInt8(ascii: ",")] }
      return Array("{".utf8) + start + Array("\"downloads\":[\n".utf8)
        + Array((lines + others).joined(separator: ",\n".utf8)) + Array("\n]}\n".utf8)
    }

    // MARK: - Parsing

    /// The elements of an array as they are written; nil unless all of it is valid.
    private static func elements(of list: JSONValue) -> [ArraySlice<UInt8>]? {
      guard let elements = list.elements(limit: .max) else { return nil }
      let end = elements.last?.source.endIndex ?? list.source.startIndex + 1
      let rest = list.source[end...]
      return rest.last == UInt8(ascii: "]") && rest.dropLast().allSatisfy(\.isWhiteSpace) ? elements.map(\.source) : nil
    }

    /// The valid entries of a file with a hole or without its end. The program writes each on a line of its own.
    private static func lines(ofDamaged bytes: [UInt8]) -> [ArraySlice<UInt8>] {
      bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
        guard line.first == UInt8(ascii: "{"), !line.starts(with: "{\"downloads\"".utf8) else { return nil }
        let line = Array(line)
        if let value = JSONValue(document: line), isEntry(value.source) { return value.source }
        return withoutCutMember(line)
      }
    }

    private static func isEntry(_ line: ArraySlice<UInt8>) -> Bool {
      JSONObject(document: Array(line)).flatMap(DownloadEntry.init) != nil
    }

    /// The members of an entry before its cut end, if they suffice.
    private static func withoutCutMember(_ line: [UInt8]) -> ArraySlice<UInt8>? {
      let commas = line.indices.reversed().lazy.filter { line[$0] == UInt8(ascii: ",") }.prefix(maximumCutCount)
      return commas.map { line[..<$0] + [UInt8(ascii: "}")] }.first(where: isEntry)
    }
  }
}
