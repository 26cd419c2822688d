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
