import FeedfallSystem
import Glibc
import TestSupport
import Testing

/// Returns the bytes of a file; nil if it cannot be opened.
func bytes(ofFile path: String) -> [UInt8]? {
  guard let file = fopen(path, "re") else { return nil }
  defer { fclose(file) }
  var all: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&piece, 1, piece.count, file), count > 0 { all += piece[..<count] }
  return all
}

func write(_ text: String, to path: String) throws {
  let file = try #require(fopen(path, "we"))
  fputs(text, file)
  fclose(file)
}

/// Returns the running processes of this name among the descendants of a process, in ascending order.
func descendants(of ancestor: pid_t, named name: String) -> [pid_t] {
  var found: [pid_t] = []
  var parents = [ancestor]
  while let parent = parents.popLast() {
    guard let tasks = opendir("/proc/\(parent)/task") else { continue }
    defer { closedir(tasks) }
    while let entry = readdir(tasks) {
      let task = withUnsafePointer(to: entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      let list = bytes(ofFile: "/proc/\(parent)/task/\(task)/children") ?? []
      for child in String(decoding: list, as: UTF8.self).split(separator: " ").compactMap({ pid_t($0) }) {
        parents.append(child)
        if isRunning(child), bytes(ofFile: "/proc/\(child)/comm") == Array("\(name)\n".utf8) { found.append(child) }
      }
    }
  }
  return found.sorted()
}
