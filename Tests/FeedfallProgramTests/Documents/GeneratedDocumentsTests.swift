import Foundation
import TestSupport
import Testing

@testable import FeedfallApp
@testable import FeedfallProgram

/// The documents that list declarations of the program. `RECORD=1 swift test --filter GeneratedDocumentsTests` writes
/// them.
@Suite(.hangLimit, .serialized) struct GeneratedDocumentsTests {
  @Test func `the documents are current`() throws {
    for (path, text) in try ManualTables.documents() {
      let file = packageRoot + "/" + path
      if ProcessInfo.processInfo.environment["RECORD"] != nil {
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        continue
      }
      let (lines, old) = (text.split(separator: "\n"), (try? ManualTables.read(path))?.split(separator: "\n") ?? [])
      let difference = zip(lines, old).first { $0 != $1 }.map { "“\($0)” instead of “\($1)”" } ?? "another length"
      #expect(lines == old, "\(path) should have \(difference); RECORD=1 swift test writes it")
    }
  }

  @Test func `each table of keys is that of a keymap`() throws {
    let keys = try ManualTables.read("Resources/manual/keys.md")
    #expect(keys.components(separatedBy: "| keys | action |").count == KeymapSection.all.count + 1)
  }
}
