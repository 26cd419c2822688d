import Glibc
import Synchronization

/// Paths for files whose names are not UTF-8, which text cannot hold. They are valid while this process runs, also for
/// its children. They must not be stored.
package enum PathAlias {
  private static let known = Mutex<[[UInt8]: String]>([:])

  private static var start: String { "/proc/\(getpid())/fd/" }

  /// Returns a path, with an alias for its last existing folder if need be; nil if a missing part is not UTF-8.
  package static func path(_ bytes: ArraySlice<UInt8>) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if let alias = path(toFile: Array(bytes)) { return alias }
    guard let end = bytes.lastIndex(of: UInt8(ascii: "/")), end > bytes.startIndex,
      let name = String(validating: bytes[end...], as: UTF8.self)
    else { return nil }
    return path(bytes[..<end]).map { $0 + name }
  }

  package static func path(toFile bytes: [UInt8]) -> String? {
    known.withLock { known in
      if let path = known[bytes] { return path }
      // The descriptor stays open as long as the process runs.
      let descriptor = open(bytes.cString, pathOnly | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let path = start + "\(descriptor)"
      known[bytes] = path
      return path
    }
  }

  /// Returns the absolute path that an alias stands for; nil for other paths.
  package static func target(of path: String) -> [UInt8]? {
    path.hasPrefix(start) ? Files.absolutePathBytes(path) : nil
  }

  /// `O_PATH` of Linux, which Glibc declares only for `_GNU_SOURCE`.
  private static let pathOnly: Int32 = 0o10_000_000
}
