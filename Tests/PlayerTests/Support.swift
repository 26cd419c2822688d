import Glibc
import Programs
import Testing

/// The bytes of a file; nil where there is none.
func bytes(ofFile path: String) -> [UInt8]? {
  guard let file = fopen(path, "re") else { return nil }
  defer { fclose(file) }
  var all: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&piece, 1, piece.count, file), count > 0 { all += piece[..<count] }
  return all
}

/// The package's own folder.
let packageRoot = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

/// Runs a test with a new folder that is taken away afterwards.
func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let folder = "/tmp/feedfall-player-\(getpid())-\(UInt64.random(in: .min ... .max))"
  mkdir(folder, 0o700)
  defer { _ = system("rm -rf '\(folder)'") }
  return try await body(folder)
}

func write(_ text: String, to path: String) throws {
  let file = try #require(fopen(path, "we"))
  fputs(text, file)
  fclose(file)
}

/// Writes a program for the shell by another process, since one that is open for writing cannot be started; gives its
/// path.
func writeScript(_ lines: String, to path: String) throws -> String {
  let writer = try #require(popen("cat > '\(path)' && chmod 700 '\(path)'", "we"))
  fputs("#!/bin/sh\n\(lines)\n", writer)
  try #require(pclose(writer) == 0)
  return path
}

/// The running programs of this name that a process has started, or those that it has started, in their order.
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

/// A process that has ended and was not reaped does not run.
func isRunning(_ id: pid_t) -> Bool {
  guard let facts = bytes(ofFile: "/proc/\(id)/stat") else { return false }
  let state = String(decoding: facts, as: UTF8.self).split(separator: ")").last?.split(separator: " ").first
  return state != nil && state != "Z"
}

/// A program of the package, beside the one that runs the tests.
func builtProgram(_ name: String) -> String {
  var path = [CChar](repeating: 0, count: 4_096)
  let length = max(0, readlink("/proc/self/exe", &path, path.count - 1))
  let own = String(decoding: path.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/" + name
}
