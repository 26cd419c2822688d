import CFeedfall
import Glibc

package enum InstalledPrograms {
  /// Returns the path of an executable in `PATH`; relative folders in `PATH` are skipped.
  package static func path(of name: String) -> String? {
    searchFolders().lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Whether the path leads to an executable file, unlike a folder, which the system counts as executable.
  static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return access(path, X_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func searchFolders() -> [String] {
    guard let search = getenv("PATH") else { return [] }
    let bytes = UnsafeRawBufferPointer(start: search, count: strlen(search))
    return bytes.split(separator: UInt8(ascii: ":")).compactMap { folder in
      folder.first == UInt8(ascii: "/") ? PathAlias.path(Array(folder)[...]) : nil
    }
  }

  /// Returns the paths of an executable in `PATH` and then in the folders where installers put programs, each file once.
  package static func paths(of name: String) -> [String] {
    let home = Environment.process.home
    let usual = [".local/bin", "bin", ".deno/bin", ".volta/bin"].compactMap { folder in home.map { "\($0)/\(folder)" } }
    var files: [(device: dev_t, number: ino_t)] = []
    return (searchFolders() + usual + ["/usr/local/bin", "/usr/bin", "/snap/bin"]).compactMap { folder in
      let path = "\(folder)/\(name)"
      var status = stat()
      guard access(path, X_OK) == 0, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        !files.contains(where: { $0 == (status.st_dev, status.st_ino) })
      else { return nil }
      files.append((status.st_dev, status.st_ino))
      return path
    }
  }

  /// A path of this program for its children. It is valid even after an upgrade has replaced the program's file.
  package static let ownPath = "/proc/self/exe"

  /// Starts a program in its own session, without files, and does not wait for it.
  package static func startDetached(_ path: String, _ arguments: [String]) {
    withArguments(([path] + arguments).map { Array($0.utf8) }) { _ = guard_spawn_detached($0) }
  }
}

/// Calls `body` with the words as a C argument vector. A word ends at its first zero.
package func withArguments<Result>(
  _ words: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  withCStrings(words) { pointers in
    var vector = pointers + [nil]
    return body(&vector)
  }
}

/// Calls `body` with C strings, which are valid until it returns; nil stays nil. A text ends at its first zero. They
/// are one Swift array, because a copy by the C library is null without memory, and would silently leave out a word, a
/// header or a login.
package func withCStrings<Result>(_ texts: [[UInt8]?], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
  var starts: [Int?] = []
  var bytes: [CChar] = []
  for text in texts {
    starts.append(text == nil ? nil : bytes.count)
    if let text { bytes += text.cString }
  }
  return bytes.withUnsafeMutableBufferPointer { buffer in
    body(starts.map { start in start.flatMap { start in buffer.baseAddress.map { $0 + start } } })
  }
}

/// Calls `body` with the environment of this process, with other values for some variables; nil for no other values.
package func withEnvironment<Result>(
  _ variables: [String: String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Result
) -> Result {
  guard !variables.isEmpty else { return body(nil) }
  var entries: [[UInt8]] = []
  var entry = environ
  while let text = entry.pointee {
    let bytes = Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    if variables[name] == nil { entries.append(bytes) }
    entry += 1
  }
  entries += variables.map { Array("\($0.key)=\($0.value)".utf8) }
  return withArguments(entries, body)
}

/// Creates a pipe that child processes do not inherit; nil if the process has no descriptors left.
package func makePipe() -> (reading: Int32, writing: Int32)? {
  var ends: [Int32] = [-1, -1]
  guard guard_pipe(&ends) == 0 else { return nil }
  return (ends[0], ends[1])
}
