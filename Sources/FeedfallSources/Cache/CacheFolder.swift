import FeedfallFeeds
import Glibc

/// The folder on disk that answers are kept in, for this person alone.
enum CacheFolder {
  /// `$XDG_CACHE_HOME/feedfall`, else `~/.cache/feedfall`, as the XDG Base Directory Specification has it: what is no
  /// absolute path counts as missing.
  static func path(environment: (String) -> String?) -> String? {
    func absolute(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let caches = absolute("XDG_CACHE_HOME") { return caches + "/feedfall" }
    return absolute("HOME").map { $0 + "/.cache/feedfall" }
  }

  /// Makes the folder where it is missing, with those that it lies in; an error number where that can't be done.
  static func make(_ path: String) -> Int32? {
    for (index, byte) in path.utf8.enumerated() where byte == UInt8(ascii: "/") && index > 0 {
      // One that is there already may lie in a folder that nobody may write to.
      mkdir(String(path.utf8.prefix(index)) ?? path, 0o700)
    }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return errno }
    var facts = stat()
    guard stat(path, &facts) == 0 else { return errno }
    guard facts.st_mode & S_IFMT == S_IFDIR else { return ENOTDIR }
    if facts.st_mode & 0o077 != 0 { chmod(path, 0o700) }
    return nil
  }

  /// Makes an empty file that nobody else may read; SQLite gives its other files the same mode. Leaves a file alone
  /// that is there, since closing it would end the locks that this program holds on it.
  static func makeFile(_ path: String) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { close(descriptor) } else { chmod(path, 0o600) }
  }

  /// What tells this file from another one that may take its place; nil where there is none.
  static func identity(of path: String) -> FileIdentity? {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return nil }
    return FileIdentity(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
  }
}

struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var number: UInt64
}
