import FeedfallSystem
import Glibc

/// The hidden folder beside the final file in which programs download. It is locked, remains after an interruption, and
/// is used by its descriptor, because another program may have replaced it. Each identity has its own folder in it: a
/// program would append to the parts of another video, and a fallback must not delete those of the address that failed.
struct PartsFolder: Sendable {
  private let path: String
  private let lock: LockedFile

  /// Programs nest their folders less.
  private static let maximumDepth = 8

  static func name(_ stem: String) -> String { ".\(stem).parts" }

  init(_ path: String) throws(DownloadFailure) {
    do { try Files.makeFolder(path, mode: 0o700) } catch { throw .folder(error, path: path) }
    (self.path, lock) = (path, try LockedFile(path, isFolder: true))
  }

  init?(existing path: String) throws(DownloadFailure) {
    guard let lock = try LockedFile(existing: path, isFolder: true) else { return nil }
    (self.path, self.lock) = (path, lock)
  }

  struct Parts: Sendable {
    fileprivate let folder: LockedFile

    var names: [String] { DownloadFolder.names(in: folder.descriptor) }

    func file(_ name: String) -> DownloadFolder.FinishedFile? {
      var status = stat()
      guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, let mark = StoredFile.Mark(status)
      else { return nil }
      return DownloadFolder.FinishedFile(folder: folder.descriptor, name: name, mark: mark)
    }

    /// Deletes links, pipes and devices that others have put there, because a program would write to them.
    fileprivate func removeLinks() {
      for name in names {
        var status = stat()
        guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: continue
        case S_IFREG where status.st_nlink == 1: continue
        default: unlinkat(folder.descriptor, name, 0)
        }
      }
    }
  }

  func parts(_ identity: String) throws(DownloadFailure) -> Parts {
    let path = "\(path)/\(identity)"
    do { try Files.makeFolder(path, mode: 0o700) } catch { throw .folder(error, path: path) }
    let parts = Parts(folder: try LockedFile(path, isFolder: true))
    parts.removeLinks()
    return parts
  }

  func remove() {
    if Self.clear(lock.descriptor, depth: 0), lock.isAt(path) { rmdir(path) }
  }

  private static func clear(_ folder: Int32, depth: Int) -> Bool {
    while true {
      let names = DownloadFolder.names(in: folder)
      if names.isEmpty { return true }
      guard names.count(where: { remove($0, in: folder, depth) }) > 0 else { return false }
    }
  }

  private static func remove(_ name: String, in folder: Int32, _ depth: Int) -> Bool {
    if unlinkat(folder, name, 0) == 0 || unlinkat(folder, name, AT_REMOVEDIR) == 0 { return true }
    let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { return false }
    defer { close(inner) }
    return depth < maximumDepth && clear(inner, depth: depth + 1) && unlinkat(folder, name, AT_REMOVEDIR) == 0
  }
}
