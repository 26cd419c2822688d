import FeedfallSystem
import Glibc

/// The hidden folder beside the final file in which a program downloads. It is locked, remains after an interruption,
/// and is used by its descriptor, because another program may have replaced it.
struct PartsFolder: Sendable {
  let path: String
  private let lock: LockedFile

  /// The name of the file with the identity of the parts.
  private static let identityName = "feedfall-parts"
  private static let maximumIdentityByteCount = 1_000

  static func name(_ stem: String) -> String { ".\(stem).parts" }

  /// Opens or creates a folder. Parts of another identity are deleted, because a program would append to them.
  init(_ path: String, identity: String) throws(DownloadFailure) {
    do { try Files.makeFolder(path, mode: 0o700) } catch { throw .folder(error, path: path) }
    (self.path, lock) = (path, try LockedFile(path, isFolder: true))
    let file = "\(path)/\(Self.identityName)"
    let known = try? Files.read(file.utf8, limit: Self.maximumIdentityByteCount)
    guard known != Array(identity.utf8) else { return }
    guard clear() else { throw .file(SystemError(ENOTEMPTY), path: path) }
    do { try Files.replace(file, with: Array(identity.utf8), mode: 0o600) } catch { throw .file(error, path: file) }
  }

  /// Opens a folder if it exists; returns nil if there is none.
  init?(existing path: String) throws(DownloadFailure) {
    guard let lock = try LockedFile(existing: path, isFolder: true) else { return nil }
    (self.path, self.lock) = (path, lock)
  }

  var names: [String] { DownloadFolder.names(in: lock.descriptor) }

  /// Returns nil unless the name is that of a regular file.
  func file(_ name: String) -> FinishedFile? {
    var status = stat()
    guard fstatat(lock.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, let mark = FileMark(status) else {
      return nil
    }
    return FinishedFile(folder: lock.descriptor, name: name, mark: mark)
  }

  /// Deletes the folder with its files.
  func remove() {
    if clear(), lock.isAt(path) { rmdir(path) }
  }

  /// Deletes all files; returns whether the folder is empty.
  private func clear() -> Bool {
    while true {
      let names = names
      if names.isEmpty { return true }
      guard names.count(where: remove) > 0 else { return false }
    }
  }

  private func remove(_ name: String) -> Bool {
    unlinkat(lock.descriptor, name, 0) == 0 || unlinkat(lock.descriptor, name, AT_REMOVEDIR) == 0
  }
}
