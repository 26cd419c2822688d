import CFeedfall
import FeedfallText
import Glibc
import Synchronization

/// The environment variables of the process, or those of a test.
package struct Environment: Sendable {
  private let find: @Sendable (String) -> String?
  private let findPath: @Sendable (String) -> String?

  /// A variable that is not UTF-8 counts as unset: a repaired path would lead to another folder.
  package static let process = Environment {
    getenv($0).flatMap { String(validatingCString: $0) }
  } path: {
    getenv($0).flatMap { PathAlias.path(Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))[...]) }
  }

  package init(_ find: @escaping @Sendable (String) -> String?) { self.init(find, path: find) }

  /// - Parameter path: finds a path that may be valid only while the program runs.
  private init(_ find: @escaping @Sendable (String) -> String?, path: @escaping @Sendable (String) -> String?) {
    (self.find, findPath) = (find, path)
  }

  package init(_ variables: [String: String]) { self.init { variables[$0] } }

  package subscript(name: String) -> String? { find(name).nonEmpty }

  package var isRemote: Bool { self["SSH_CONNECTION"] != nil || self["SSH_TTY"] != nil }

  package func folder(_ name: String) -> String? { self[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
}

/// The user's folders by the XDG Base Directory Specification; nil without an absolute path in the variable or `HOME`.
/// Those of the configuration and the state may be aliases of folders whose names are not UTF-8. SQLite refuses such an
/// alias for the cache, and others may be stored and need a path that lasts.
extension Environment {
  package var home: String? { folder("HOME") }
  package var configurationFolder: String? { folder("XDG_CONFIG_HOME", inHome: ".config") }
  package var cacheFolder: String? { folder("XDG_CACHE_HOME") ?? home.map { $0 + "/.cache" } }
  package var stateFolder: String? { folder("XDG_STATE_HOME", inHome: ".local/state") }

  /// The folder for videos: that of `XDG_VIDEOS_DIR` in the environment or in `user-dirs.dirs`, else `~/Videos`.
  package var videosFolder: String? { userFolder("XDG_VIDEOS_DIR") ?? home.map { $0 + "/Videos" } }

  /// The folder of a variable, else of a line such as `XDG_VIDEOS_DIR="$HOME/Films"` in `user-dirs.dirs`.
  package func userFolder(_ name: String) -> String? {
    if let folder = folder(name) { return folder }
    let start = "\(name)=\""
    let limit = 64 << 10
    guard let home, let path = configurationFolder.map({ $0 + "/user-dirs.dirs" }),
      let bytes = try? Files.read(path.utf8, limit: limit),
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last(where: { $0.hasPrefix(start) })
    else { return nil }
    let value = line.dropFirst(start.count).prefix { $0 != "\"" }
    let folder = value.hasPrefix("$HOME/") ? home + value.dropFirst(5) : String(value)
    // xdg-user-dirs disables a folder by naming the home folder itself.
    return folder.hasPrefix("/") && folder != home && folder != home + "/" ? folder : nil
  }

  private func folder(_ name: String, inHome path: String) -> String? {
    pathOfFolder(name) ?? pathOfFolder("HOME").map { "\($0)/\(path)" }
  }

  private func pathOfFolder(_ name: String) -> String? {
    findPath(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

package enum ProgramArguments {
  /// The arguments of `main`. Swift's own need /proc.
  private static var pointers: [UnsafeMutablePointer<CChar>] {
    var count: Int32 = 0
    guard let words = guard_arguments(&count) else {
      return (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }
    }
    return (1..<max(1, Int(count))).compactMap { words[$0] }
  }

  /// Overwrites arguments, which all users of the machine can read, with shorter texts; nil keeps one.
  package static func hide(_ replacement: (String) -> String?) {
    for argument in pointers {
      guard let text = replacement(String(cString: argument)) else { continue }
      let length = strlen(argument)
      memset(argument, Int32(UInt8(ascii: " ")), length)
      for (index, byte) in text.utf8.prefix(length).enumerated() { argument[index] = CChar(bitPattern: byte) }
    }
  }

  /// An argument that is not UTF-8 but names a file is replaced by an alias.
  package static var words: [String] {
    pointers.map { argument in
      String(validatingCString: argument)
        ?? PathAlias.path(toFile: Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
        ?? String(cString: argument)
    }
  }
}

/// The clock of the system, which the user may set.
package enum SystemClock {
  /// In milliseconds since 1970.
  package static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }

  /// The offsets of the user's time zone from UTC in seconds, each with the time in seconds since 1970 from which it
  /// applies, for 1970 to 2040. One that applies for less than 20 days may be missing. Takes 0.2 ms.
  package static var zoneOffsets: [(start: Int, offset: Int)] {
    tzset()
    var offsets = [(start: 0, offset: offset(at: 0))]
    for time in stride(from: 0, through: 71 * 365 * 86_400, by: 20 * 86_400) {
      let (last, offset) = (offsets[offsets.count - 1].offset, offset(at: time))
      guard offset != last else { continue }
      // The first time with another offset than the last one.
      var (low, high) = (time - 20 * 86_400, time)
      while high - low > 1 {
        let middle = (low + high) / 2
        if self.offset(at: middle) == last { low = middle } else { high = middle }
      }
      offsets.append((high, offset))
    }
    return offsets
  }

  private static func offset(at seconds: Int) -> Int {
    var (time, parts) = (seconds, tm())
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
  }
}

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

/// Whether a battery discharges and has less than this percentage left (Linux,
/// Documentation/ABI/testing/sysfs-class-power). May block for some milliseconds.
package func isBatteryLow(below percent: Int, in root: String = "/sys/class/power_supply") -> Bool {
  let (maximumCount, maximumLength) = (64, 4_096)
  func text(of file: String, in supply: String) -> String? {
    guard let bytes = try? Files.read("\(root)/\(supply)/\(file)".utf8, limit: maximumLength) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
  guard case .value(let names) = Files.names(in: root) else { return false }
  return names.prefix(maximumCount).contains { name in
    // Those of mice and keyboards have the scope "Device".
    text(of: "type", in: name) == "Battery" && text(of: "scope", in: name) != "Device"
      && text(of: "status", in: name) == "Discharging"
      && text(of: "capacity", in: name).flatMap { Int($0) }.map { $0 < percent } == true
  }
}
