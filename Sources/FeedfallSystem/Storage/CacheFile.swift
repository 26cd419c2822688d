import FeedfallText
import Glibc

/// The content of a database file in the cache folder, to be used by one thread at a time.
package protocol CacheStore {
  /// For example `pages.sqlite`.
  static var fileName: String { get }
  /// The name of the content in messages, such as `pages`.
  static var contents: String { get }

  /// Opens or creates the file at a path. Throws `outdated` or `damaged` if it has other tables.
  init(path: String, maximumByteCount: Int) throws(DatabaseError)
}

extension UnixTime {
  /// The last plausible time in a file, in seconds since 1970; sums of smaller ones do not overflow.
  package static let latestStored = 1 << 40
}

extension Database {
  /// Evicts the least recently used rows of a table, a tenth more than necessary, unless there is room for further
  /// bytes. Fails as `damaged` if a size is negative or the sum overflows. The table has the columns `used_at` and
  /// `byte_count`; `overhead` is the bytes of a row besides the latter.
  package func evict(
    from table: String, overhead: Int = 0, limit: Int, for byteCount: Int
  ) throws(DatabaseError) -> Bool {
    // In an addition, a text would count as a number.
    let size = overhead == 0 ? "sum(byte_count)" : "sum(byte_count + \(overhead))"
    let row = try first("SELECT \(size), min(byte_count) FROM \(table)") { row in
      (isEmpty: row.isNull(0), used: row.integer(0), least: row.integer(1))
    }
    guard let row, !row.isEmpty else { return false }
    guard let used = row.used, let least = row.least, least >= 0 else {
      throw DatabaseError(.damaged, "it holds impossible sizes")
    }
    guard used > limit - byteCount else { return false }
    try run(
      """
      DELETE FROM \(table) WHERE rowid IN (SELECT rowid FROM (
        SELECT rowid, \(size) OVER (ORDER BY used_at DESC, rowid DESC) AS total FROM \(table)) WHERE total > ?)
      """, .integer(max(0, limit - limit / 10 - byteCount)))
    return true
  }
}

/// A database file of a cache. It is opened on first use and replaced if it is damaged, or without a notice if it is of
/// an older version of the program. If it cannot be created, the cache is disabled.
package struct CacheFile<Store: CacheStore> {
  private enum Location {
    case file(path: String)
    /// The environment names no folder; the user has not been notified yet.
    case unknown
    case disabled
  }
  private var location: Location
  private var store: Store?
  /// The device and the number of the open file.
  private var identity: [UInt64]?
  private let maximumByteCount: Int
  private var setAsideCount = 0
  private var pastNotices: Set<String> = []
  private var notice: String?

  /// After this number of damaged files the disk itself counts as damaged.
  private static var maximumSetAsideCount: Int { 2 }

  /// Disables the cache on disk.
  package init() {
    location = .disabled
    maximumByteCount = 0
  }

  /// Uses a file in a folder. Nil disables the cache, with a notice.
  package init(folder: String?, maximumByteCount: Int) {
    location = folder.map { .file(path: $0 + "/" + Store.fileName) } ?? .unknown
    self.maximumByteCount = maximumByteCount
  }

  /// Returns the result of work with the file; nil if the cache is disabled or the work failed.
  package mutating func use<Result>(_ work: (Store) throws(DatabaseError) -> Result) -> Result? {
    // The second attempt uses a new file in place of a damaged or outdated one.
    for _ in 0..<2 {
      do throws(DatabaseError) {
        guard let store = try opened() else { return nil }
        return try work(store)
      } catch {
        handle(error)
        guard [.damaged, .outdated].contains(error.kind) else { return nil }
      }
    }
    return nil
  }

  package mutating func dequeueNotice() -> String? {
    defer { notice = nil }
    return notice
  }

  private mutating func opened() throws(DatabaseError) -> Store? {
    switch location {
    case .file(let path):
      // Writes to a deleted file succeed, but would be lost.
      if store == nil || Self.identity(of: path) != identity { try open(path) }
    case .unknown:
      location = .disabled
      notify("Could not open the cache: neither XDG_CACHE_HOME nor HOME names a folder. Set one of them.")
    case .disabled: break
    }
    return store
  }

  private static func identity(of path: String) -> [UInt64]? {
    var status = stat()
    return lstat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  private mutating func open(_ path: String) throws(DatabaseError) {
    store = nil
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
    do throws(SystemError) {
      try Files.makeCacheFolder(folder)
    } catch {
      throw DatabaseError(.unusable, error.message)
    }
    // The user may have replaced the folder by a link, but a link in the place of the file is not followed.
    let resolved = (Files.absolutePath(folder) ?? folder) + "/" + Store.fileName
    // SQLite would open the journal of another file if this one were replaced meanwhile, and fails at once, without its
    // time-out, if another program sets the journal mode of a new file.
    try Self.alone(with: path) { () throws(DatabaseError) in
      try Files.makeCacheFile(path)
      identity = Self.identity(of: path)
      store = try Store(path: resolved, maximumByteCount: maximumByteCount)
    }
  }

  /// Runs `work` while no other program opens or replaces the file. Throws `busy` after four seconds.
  private static func alone<Result>(
    with path: String, _ work: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    var lock: Int32?
    do throws(SystemError) { lock = try Files.lock(path) } catch {
      // Where no lock can be created, nothing is excluded.
      if error.number == EWOULDBLOCK { throw DatabaseError(.busy, error.message) }
    }
    defer { if let lock { Files.unlock(lock) } }
    return try work()
  }

  private mutating func handle(_ error: DatabaseError) {
    guard case .file(let path) = location else { return }
    let (name, contents) = (cleanedLine(path, limit: 120), Store.contents)
    if [.unusable, .noLibrary].contains(error.kind), let error = SystemError.ofMissingDescriptors() {
      location = .disabled
      return notify("Could not open the cache: \(error.message). Raise the limit with ulimit -n.")
    }
    switch error.kind {
    case .busy: return
    case .damaged: setAside(path, name)
    case .outdated: discard(path, name)
    case .full: notify("Could not store new \(contents) in the cache: the disk is full. Free some space.")
    case .unusable where store != nil:
      notify(
        "Could not store new \(contents) in the cache: \(name): \(cleanedLine(error.message, limit: 80)). "
          + "Check whether the file is writable.")
    case .unusable:
      location = .disabled
      notify(
        "Could not open the cache: \(name): \(cleanedLine(error.message, limit: 80)). "
          + "Set XDG_CACHE_HOME to a writable folder.")
    case .noLibrary:
      location = .disabled
      notify("Could not open the cache: libsqlite3 is not installed. Install it: apt install libsqlite3-0.")
    }
  }

  /// Renames a damaged file, unless another program has done so already.
  private mutating func setAside(_ path: String, _ name: String) {
    store = nil
    guard setAsideCount < Self.maximumSetAsideCount else {
      location = .disabled
      return
    }
    let isRenamed = removeWithJournal(path) { rename(path, path + ".damaged") == 0 }
    if isRenamed != nil { setAsideCount += 1 }
    switch isRenamed {
    case nil: break
    case false?:
      location = .disabled
      notify("Could not replace the cache: \(name) is damaged and cannot be renamed. Remove it.")
    case true?:
      notify("The cached \(Store.contents) were damaged and have been discarded. The old file is \(name).damaged.")
    }
  }

  private mutating func discard(_ path: String, _ name: String) {
    store = nil
    guard removeWithJournal(path, { unlink(path) == 0 }) == false else { return }
    location = .disabled
    notify("Could not replace the cache: \(name) is outdated and cannot be removed. Remove it.")
  }

  /// Removes the file by `remove`, and before it the journal, which SQLite would read as a part of the next file: after
  /// the removal, another program may have created one with a journal of its own. Returns whether `remove` succeeded;
  /// nil if another program has replaced the file or is doing so.
  private func removeWithJournal(_ path: String, _ remove: () -> Bool) -> Bool? {
    // Otherwise both of two programs might find the old file before either removes it.
    try? Self.alone(with: path) { () throws(DatabaseError) -> Bool? in
      guard Self.identity(of: path) == identity else { return nil }
      unlink(path + "-wal")
      unlink(path + "-shm")
      return remove()
    }
  }

  /// Queues a message. Each message is shown once.
  package mutating func notify(_ text: String) {
    if pastNotices.insert(text).inserted { notice = text }
  }
}

extension Files {
  package static func makeCacheFolder(_ path: String) throws(SystemError) {
    if try Files.makeFolder(path, mode: 0o700) & 0o077 != 0 { chmod(path, 0o700) }
  }

  /// Creates an empty file that only the user can read; SQLite gives its other files the same mode. An existing file is
  /// not opened, because closing it would release the locks that this process has on it. It must belong to the user and
  /// be no link, which could lead to any other file.
  fileprivate static func makeCacheFile(_ path: String) throws(DatabaseError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return
    }
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: throw DatabaseError(.unusable, "it is a symbolic link")
    default: throw DatabaseError(.unusable, "it is not a file")
    }
    guard status.st_uid == geteuid() else { throw DatabaseError(.unusable, "it belongs to another user") }
    fchmodat(AT_FDCWD, path, 0o600, AT_SYMLINK_NOFOLLOW)
  }
}
