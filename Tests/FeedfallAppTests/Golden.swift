import FeedfallScreen
import Foundation
import Synchronization
import TestSupport
import Testing

/// Screens as text files: the characters, then the role of every cell. `RECORD=1 swift test` records them.
///
/// A run of all tests fails if no test has read one of the files.
enum Golden {
  private static let folder = packageRoot + "/Tests/FeedfallAppTests/Golden/"
  private static let usedNames = Mutex<Set<String>>([])

  static func expect(_ name: String, _ canvas: Canvas, sourceLocation: SourceLocation = #_sourceLocation) {
    findsUnusedFiles
    usedNames.withLock { _ = $0.insert(name + ".txt") }
    let path = folder + name + ".txt"
    let screen = canvas.text + "\n" + String(repeating: "=", count: canvas.size.width) + "\n" + canvas.roles + "\n"
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try? screen.write(toFile: path, atomically: true, encoding: .utf8)
      return
    }
    guard let golden = try? String(contentsOfFile: path, encoding: .utf8) else {
      Issue.record("\(path) is missing; RECORD=1 swift test writes it", sourceLocation: sourceLocation)
      return
    }
    if screen != golden {
      Issue.record("\(name).txt differs. Recorded:\n\(golden)\nDrawn:\n\(screen)", sourceLocation: sourceLocation)
    }
  }

  /// Only the end of the process is known to be after all tests.
  private static let findsUnusedFiles: Void = {
    let runsSomeTests = CommandLine.arguments.contains { $0.hasPrefix("--filter") || $0.hasPrefix("--skip") }
    if !runsSomeTests { atexit { Golden.failIfFilesAreUnused() } }
  }()

  private static func failIfFilesAreUnused() {
    // FeedfallTerminalTests reads the table of themes.
    let used = usedNames.withLock { $0.union(["themes.txt"]) }
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let unused = files.filter { $0.hasSuffix(".txt") && !used.contains($0) }.sorted()
    guard !unused.isEmpty else { return }
    print("✘ no test reads these files in \(folder): \(unused.joined(separator: ", "))")
    fflush(nil)
    _exit(1)
  }
}
