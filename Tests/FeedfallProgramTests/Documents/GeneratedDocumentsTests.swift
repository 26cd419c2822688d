import FeedfallSystem
import Foundation
import TestSupport
import Testing

@testable import FeedfallApp
@testable import FeedfallProgram

/// The documents that list declarations of the program. `RECORD=1 swift test --filter GeneratedDocumentsTests` writes
/// them.
@Suite(.hangLimit, .serialized) struct GeneratedDocumentsTests {
  private static func documents() throws -> [(path: String, text: String)] {
    let manual = try ManualTables.documents()
    let pages = try ManPages.pages(from: Dictionary(uniqueKeysWithValues: manual))
    return try manual + pages + Completions().scripts()
  }

  @Test func `the documents are current`() throws {
    for (path, text) in try Self.documents() {
      let file = packageRoot + "/" + path
      if ProcessInfo.processInfo.environment["RECORD"] != nil {
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        continue
      }
      let old = (try? ManualTables.read(path)) ?? ""
      let lines = zip(text.split(separator: "\n"), old.split(separator: "\n"))
      let difference = lines.first { $0 != $1 }.map { "“\($0)” instead of “\($1)”" } ?? "other lines at its end"
      let isCurrent = text == old
      #expect(isCurrent, "\(path) should have \(difference); RECORD=1 swift test writes it")
    }
  }

  @Test func `each table of keys is that of a keymap`() throws {
    let keys = try ManualTables.read("Resources/manual/keys.md")
    #expect(keys.components(separatedBy: "| keys | action |").count == Layer.inHelp.count + 1)
  }

  private static let pages = ["feedfall.1", "feedfall.5", "feedfall-filters.7"]

  @Test(.enabled(if: InstalledPrograms.path(of: "mandoc") != nil, "mandoc is not installed"), arguments: pages)
  func `mandoc accepts a page without a remark`(page: String) throws {
    #expect(try output(of: "mandoc -Tlint \(page) 2>&1") == "")
  }

  @Test(.enabled(if: InstalledPrograms.path(of: "man") != nil, "man-db is not installed"), arguments: pages)
  func `man accepts a page without a warning`(page: String) throws {
    #expect(try output(of: "LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z \(page) 2>&1 >/dev/null") == "")
  }

  private func output(of command: String) throws -> String {
    guard let pipe = popen("cd '\(packageRoot)/Resources/man' && \(command)", "re") else {
      throw TestFailure("no shell for \(command)")
    }
    defer { pclose(pipe) }
    var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { text += buffer[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}
