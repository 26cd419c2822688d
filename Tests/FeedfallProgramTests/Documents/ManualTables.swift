import FeedfallSystem
import Foundation
import TestSupport

@testable import FeedfallApp
@testable import FeedfallFilters
@testable import FeedfallProgram
@testable import FeedfallScreen

/// A table of a document that lists declarations of the program.
private struct GeneratedTable {
  var heading: String
  /// The titles of the two columns.
  var head: String
  var rows: [(term: String, meaning: String)]

  private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }

  /// The document with these rows below the heading and the head of the table, in place of those that are there.
  func replacing(in document: String) throws -> String {
    guard let start = document.firstRange(of: "\n## \(heading)\n"),
      let head = document[start.upperBound...].firstRange(of: "\(head)\n|---|---|\n"),
      !document[start.upperBound..<head.lowerBound].contains("\n## ")
    else { throw TestFailure("there is no table “\(head)” below “## \(heading)”") }
    let rest = document[head.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
    let lines = rows.map { "| \(Self.escaped($0.term)) | \(Self.escaped($0.meaning)) |\n" }
    return document[..<head.upperBound] + lines.joined()
      + rest.drop { $0.hasPrefix("|") }.joined(separator: "\n")
  }
}

/// The documents with tables of declarations: options, commands, keys, conditions, colors and topics.
enum ManualTables {
  static func read(_ path: String) throws -> String {
    String(decoding: try fileBytes(of: packageRoot + "/" + path), as: UTF8.self)
  }

  /// The path and the current text of each document.
  static func documents() throws -> [(path: String, text: String)] {
    try [
      ("Resources/manual/commands.md", commands()), ("Resources/manual/configuration.md", configuration()),
      ("Resources/manual/filters.md", filters), ("Resources/manual/keys.md", keys), ("README.md", topics()),
    ].map { path, tables in
      (path, try tables.reduce(try read(path)) { text, table in try table.replacing(in: text) })
    }
  }

  private static func code(_ text: String) -> String { "`\(text)`" }

  private static func commands() throws -> [GeneratedTable] {
    let words =
      CommandVocabulary.Word.allCases.map { (code($0.usage), $0.row.help) }
      + LiveOptionValues.words.map { (code($0.usage), $0.help) }
    let all = try CommandDeclaration.all()
    let shared = Set(try CommandDeclaration.browser.get().options.map(\.name))
    return [
      GeneratedTable(heading: "In the program", head: "| command | action |", rows: words),
      GeneratedTable(
        heading: "In a shell", head: "| command | action |",
        rows: all.map { (code("feedfall \($0.name)\($0.command.usage)"), $0.command.abstract.phrase) }),
      GeneratedTable(
        heading: "Command options", head: "| option | meaning |",
        rows: all.flatMap { $0.command.rows(prefix: "\($0.name) ", except: shared) }),
    ]
  }

  private static func configuration() throws -> [GeneratedTable] {
    func keys(_ keys: [(String, String)]) -> [(term: String, meaning: String)] { keys.map { (code($0.0), $0.1) } }
    return [
      GeneratedTable(heading: "Sources", head: "| key | meaning |", rows: keys(Configuration.Source.keyMeanings)),
      GeneratedTable(heading: "Views", head: "| key | meaning |", rows: keys(Configuration.View.keyMeanings)),
      GeneratedTable(heading: "yt-dlp", head: "| key | meaning |", rows: keys(YtDlp.keyMeanings)),
      GeneratedTable(
        heading: "Options", head: "| option | meaning |", rows: try CommandDeclaration.browser.get().rows()),
      GeneratedTable(heading: "Colors", head: "| color | use |", rows: colors),
    ]
  }

  private static var colors: [(term: String, meaning: String)] {
    [("`accent`", "`selection`, `progress`, `key` and `link` at once")]
      + Role.allCases.map { role in
        let names = [role.name] + (role.hasBackground ? ["\(role.name)-background"] : [])
        return (names.map(code).joined(separator: ", "), role.meaning)
      }
  }

  private static let filters = [
    GeneratedTable(
      heading: "Conditions", head: "| condition | videos |",
      rows: FilterLanguage.examples.map { (code($0.text), $0.meaning) })
  ]

  private static let keys = Layer.inHelp.map { Keymaps.standard[$0] }.map { section in
    GeneratedTable(
      heading: section.title, head: "| keys | action |", rows: section.lines.map { (code($0.keys), $0.help) })
  }

  private static func topics() throws -> [GeneratedTable] {
    let names = HelpCommand.Topic.all.map(\.name)
    return [
      GeneratedTable(
        heading: "Manual", head: "| topic | contents |",
        rows: try names.map { name in
          let path = "Resources/manual/\(name).md"
          let title = try read(path).prefix { $0 != "\n" }
          return ("[\(name)](\(path))", String(title.drop { $0 != ":" }.dropFirst(2)))
        })
    ]
  }
}
