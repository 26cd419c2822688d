import Glibc

/// The programs that the machine has.
package enum InstalledPrograms {
  /// The path of a program that can be run, looked for as a shell does.
  package static func path(of name: String) -> String? {
    guard let search = getenv("PATH").map({ String(cString: $0) }) else { return nil }
    for folder in search.split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    return nil
  }
}

/// Calls `body` with the words as a C argument vector; a word ends where it holds a zero.
package func withArguments<Result>(
  _ words: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = words.map { strdup($0.cString) }
  pointers.append(nil)
  defer { for pointer in pointers { free(pointer) } }
  return body(&pointers)
}
