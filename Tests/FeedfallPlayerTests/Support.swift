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

/// Returns the running programs among the descendants of a process that were started under this name, in ascending
/// order.
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
        if isRunning(child), programName(of: child) == name { found.append(child) }
      }
    }
  }
  return found.sorted()
}

/// The last part of the path with which a process was started.
private func programName(of process: pid_t) -> String? {
  let path = bytes(ofFile: "/proc/\(process)/cmdline")?.prefix { $0 != 0 }
  return path?.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
}

func openFiles(of process: pid_t) -> [String] {
  guard let folder = opendir("/proc/\(process)/fd") else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    var target = [CChar](repeating: 0, count: 4096)
    let count = withUnsafePointer(to: entry.pointee.d_name) { name in
      let name = String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      return readlink("/proc/\(process)/fd/\(name)", &target, target.count)
    }
    if count > 0 { names.append(String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)) }
  }
  return names
}
