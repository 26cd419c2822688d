import FeedfallSystem
import FeedfallText
import Glibc

/// The contents of a database file in the cache folder; one thread at a time may use it.
package protocol CacheStore {
  /// As in `pages.sqlite`.
  static var fileName: String { get }
  /// The contents in a message to the user, as in `pages`.
  static var contents: String { get }

  /// Opens or makes the file at a path; fails as `damaged` where it holds other tables.
  init(path: String, maximumByteCount: Int) throws(DatabaseError)
}

extension UnixTime {
  /// The last plausible time in a file, in seconds since 1970; sums of smaller ones do not overflow.
  package static let latestStored = 1 << 40
}

extension Database {
  /// The first column of a query for a sum of sizes, whose second one is the smallest of them; 0 where there are none.
  /// Fails as `damaged` where a size is negative or the sum too large for any file.
  package func totalByteCount(_ query: String) throws(DatabaseError) -> Int {
    let row = try first(query) { row in (row.isNull(0), sum: row.integer(0), least: row.integer(1)) }
    guard let row, !row.0 else { return 0 }
    guard let sum = row.sum, let least = row.least, least >= 0 else {
      throw DatabaseError(.damaged, "it holds impossible sizes")
    }
    return sum
  }
}

/// A database file of a cache: opened when it is first needed, replaced by a new one where it is damaged, and disabled
/// where there can be none.
package struct CacheFile<Store: CacheStore> {
  private enum Location {
    case file(path: String)
    /// The environment names no folder, which the user has not been notified of.
    case unknown
    case disabled
  }
  private var location: Location
  private var store: Store?
  private var identity: FileIdentity?
  private let maximumByteCount: Int
  private var setAsideCount = 0
  private var pastNotices: Set<String> = []
  /// A message that the user has not seen yet.
  private var notice: String?

  /// After more damaged files than this the disk itself counts as damaged.
  private static var maximumSetAsideCount: Int { 2 }

  /// Disables the cache on disk.
  package init() {
    location = .disabled
    maximumByteCount = 0
  }

  /// Places the file in a folder; nil disables the cache with a notice to the user.
  package init(folder: String?, maximumByteCount: Int) {
    location = folder.map { .file(path: $0 + "/" + Store.fileName) } ?? .unknown
    self.maximumByteCount = maximumByteCount
  }

  /// Returns the result of work with the file; nil where there is none, or the work failed.
  package mutating func use<Result>(_ work: (Store) throws(DatabaseError) -> Result) -> Result? {
    // The second attempt is for a new file in the place of a damaged one.
    for _ in 0..<2 {
      do throws(DatabaseError) {
        guard let store = try opened() else { return nil }
        return try work(store)
      } catch {
        handle(error)
        guard error.kind == .damaged else { return nil }
      }
    }
    return nil
  }

  /// Returns a message that the user has not seen yet, once.
  package mutating func dequeueNotice() -> String? {
    defer { notice = nil }
    return notice
  }

  /// The open file; nil where the cache is disabled.
  private mutating func opened() throws(DatabaseError) -> Store? {
    switch location {
    case .file(let path):
      // A deleted file still takes writes, which would be lost.
      if store == nil || FileIdentity(of: path) != identity { try open(path) }
    case .unknown:
      location = .disabled
      notify("nothing is kept on disk: neither XDG_CACHE_HOME nor HOME names a folder; set one")
    case .disabled: break
    }
    return store
  }

  private mutating func open(_ path: String) throws(DatabaseError) {
    store = nil
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
    do throws(SystemError) {
      try CacheFolder.make(folder)
    } catch {
      throw DatabaseError(.unusable, error.message)
    }
    try CacheFolder.makeFile(path)
    identity = FileIdentity(of: path)
    // The user may have replaced the folder by a link, but a link in the place of the file is not followed.
    let resolved = (Files.absolutePath(folder) ?? folder) + "/" + Store.fileName
    store = try Store(path: resolved, maximumByteCount: maximumByteCount)
  }

  // MARK: failures

  private mutating func handle(_ error: DatabaseError) {
    guard case .file(let path) = location else { return }
    let (name, contents) = (cleanedLine(path, limit: 120), Store.contents)
    if [.unusable, .noLibrary].contains(error.kind), let error = SystemError.ofMissingDescriptors() {
      location = .disabled
      return notify("nothing is kept on disk: \(error.message); raise the limit with ulimit -n")
    }
    switch error.kind {
    case .busy: return
    case .damaged: setAside(path, name)
    case .full: notify("new \(contents) are not kept on disk: it is full; make room on it")
    case .unusable where store != nil:
      notify("new \(contents) are not kept on disk: \(name) can't be written: \(cleanedLine(error.message, limit: 80))")
    case .unusable:
      location = .disabled
      notify(
        "nothing is kept on disk: \(name) can't be used: \(cleanedLine(error.message, limit: 80)); "
          + "set XDG_CACHE_HOME to a folder that can be written")
    case .noLibrary:
      location = .disabled
      notify(
        "nothing is kept on disk: the library libsqlite3 is not installed; install it, as in: apt install libsqlite3-0")
    }
  }

  /// Renames a damaged file, unless another program has done so already.
  private mutating func setAside(_ path: String, _ name: String) {
    store = nil
    setAsideCount += 1
    guard setAsideCount <= Self.maximumSetAsideCount else {
      location = .disabled
      return
    }
    guard FileIdentity(of: path) == identity else { return }
    guard rename(path, path + ".damaged") == 0 else {
      location = .disabled
      return notify("nothing is kept on disk: \(name) is damaged and can't be moved; remove it")
    }
    // SQLite would read them as a part of the new file.
    unlink(path + "-wal")
    unlink(path + "-shm")
    notify("the \(Store.contents) kept on disk were damaged, and begin anew; the old file is \(name).damaged")
  }

  /// Shows the user a message, once.
  package mutating func notify(_ text: String) {
    if pastNotices.insert(text).inserted { notice = text }
  }
}

/// The folder of a cache, which only this user may read.
package enum CacheFolder {
  package static func make(_ path: String) throws(SystemError) {
    if try Files.makeFolder(path, mode: 0o700) & 0o077 != 0 { chmod(path, 0o700) }
  }

  /// Makes an empty file that only this user may read; SQLite gives its other files the same mode. An existing file is
  /// not opened, since closing it would release the locks that this process holds on it. It must be a file of this
  /// user's: a link could lead to any other file, which would be overwritten.
  fileprivate static func makeFile(_ path: String) throws(DatabaseError) {
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

/// Tells a file from a later one at the same path.
private struct FileIdentity: Equatable, Sendable {
  private var device: UInt64
  private var number: UInt64

  /// Nil where there is no file.
  init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
