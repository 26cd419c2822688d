import FeedfallFeeds
import FeedfallStorage
import FeedfallSystem
import Glibc

/// What a database file in the folder of what is kept holds; one thread at a time may use it.
package protocol CacheStore {
  /// As in `pages.sqlite`.
  static var fileName: String { get }
  /// What a person calls what is kept in it, as in `pages`.
  static var contents: String { get }

  /// Opens the file at a path or begins a new one; fails as `damaged` where it holds something else.
  init(path: String, maximumByteCount: Int) throws(DatabaseError)
}

/// A file of what is kept: opened when it is first needed, begun anew where it is damaged, done without where there can
/// be none.
package struct CacheFile<Store: CacheStore> {
  private enum Place {
    case file(String)
    /// No folder is named for it.
    case nowhere
    /// Nothing is to be kept on disk, or nothing can be.
    case none
  }
  private var place: Place
  private var store: Store?
  private var identity: FileIdentity?
  private let maximumByteCount: Int
  private var setAsideCount = 0
  private var said: Set<String> = []
  /// What a person has not been told yet.
  private var notice: String?

  /// A file of which more than this many were damaged is on a disk that is.
  private static var maximumSetAsideCount: Int { 2 }

  /// Nothing on disk.
  package init() {
    place = .none
    maximumByteCount = 0
  }

  /// A file in a folder; nil is a folder that should be there and is not.
  package init(folder: String?, maximumByteCount: Int) {
    place = folder.map { .file($0 + "/" + Store.fileName) } ?? .nowhere
    self.maximumByteCount = maximumByteCount
  }

  /// Works with the file; nil where there is none to work with, or the work could not be done.
  package mutating func use<Result>(_ work: (Store) throws(DatabaseError) -> Result) -> Result? {
    // The second time for a file that was begun anew.
    for _ in 0..<2 {
      do throws(DatabaseError) {
        guard let store = try opened() else { return nil }
        return try work(store)
      } catch {
        meet(error)
        guard error.kind == .damaged else { return nil }
      }
    }
    return nil
  }

  /// What a person has not been told yet, once.
  package mutating func takeNotice() -> String? {
    defer { notice = nil }
    return notice
  }

  /// The open file; nil where nothing is kept on disk.
  private mutating func opened() throws(DatabaseError) -> Store? {
    switch place {
    case .file(let path):
      // Who clears caches takes the file away, and what is written into one without a name is lost.
      if store == nil || CacheFolder.identity(of: path) != identity { try open(path) }
    case .nowhere:
      place = .none
      say("nothing is kept on disk: neither XDG_CACHE_HOME nor HOME names a folder; set one")
    case .none: break
    }
    return store
  }

  private mutating func open(_ path: String) throws(DatabaseError) {
    let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex))
    store = nil
    if let error = CacheFolder.make(folder) {
      throw DatabaseError(.unusable, SystemError(error).message)
    }
    CacheFolder.makeFile(path)
    identity = CacheFolder.identity(of: path)
    store = try Store(path: path, maximumByteCount: maximumByteCount)
  }

  // MARK: what goes wrong

  private mutating func meet(_ error: DatabaseError) {
    guard case .file(let path) = place else { return }
    let (name, contents) = (cleanedLine(path, limit: 120), Store.contents)
    switch error.kind {
    case .busy: return
    case .damaged: setAside(path, name)
    case .full: say("new \(contents) are not kept on disk: it is full; make room on it")
    case .unusable where store != nil:
      say("new \(contents) are not kept on disk: \(name) can't be written: \(cleanedLine(error.message, limit: 80))")
    case .unusable:
      place = .none
      say(
        "nothing is kept on disk: \(name) can't be used: \(cleanedLine(error.message, limit: 80)); "
          + "set XDG_CACHE_HOME to a folder that can be written")
    case .noLibrary:
      place = .none
      say(
        "nothing is kept on disk: the library libsqlite3 is not installed; install it, as in: apt install libsqlite3-0")
    }
  }

  /// Puts a damaged file out of the way, where no other program has done so already.
  private mutating func setAside(_ path: String, _ name: String) {
    store = nil
    setAsideCount += 1
    guard setAsideCount <= Self.maximumSetAsideCount else {
      place = .none
      return
    }
    guard CacheFolder.identity(of: path) == identity else { return }
    guard rename(path, path + ".damaged") == 0 else {
      place = .none
      return say("nothing is kept on disk: \(name) is damaged and can't be moved; remove it")
    }
    // Left there they would be taken for a part of the new file.
    unlink(path + "-wal")
    unlink(path + "-shm")
    say("the \(Store.contents) kept on disk were damaged, and begin anew; the old file is \(name).damaged")
  }

  /// Has a person told something, once.
  mutating func say(_ text: String) {
    if said.insert(text).inserted { notice = text }
  }
}
