import ArgumentParser
import Foundation

@testable import FeedfallProgram

/// The arguments and options of a command, as the argument parser describes them.
struct CommandDeclaration: Decodable {
  let abstract: String
  let arguments: [Argument]

  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    private struct Name: Decodable { let name: String }

    enum Completion {
      case any
      case choice([String])
      case folder, file, name
    }

    private struct CompletionKind: Decodable {
      struct List: Decodable { let values: [String] }
      struct Other: Decodable {}

      let list: List?
      let directory, file, shellCommand: Other?
    }

    let kind: Kind
    let isOptional: Bool
    let isRepeating: Bool
    let abstract: String
    private let valueName: String
    private let names: [Name]?
    private let completionKind: CompletionKind?

    /// Without dashes; empty for a positional argument.
    var name: String { names?.last?.name ?? "" }
    var completion: Completion {
      guard let kind = completionKind else { return .any }
      if let list = kind.list { return .choice(list.values) }
      return kind.directory != nil ? .folder : kind.file != nil ? .file : kind.shellCommand != nil ? .name : .any
    }

    /// The value as the manual shows it: `N`, `dark|light`.
    var shownValue: String { valueName.contains("|") ? valueName : valueName.uppercased() }

    /// In a list: without a capital letter and a full stop.
    var meaning: String { abstract.phrase }
  }

  private struct Tool: Decodable { let command: CommandDeclaration }

  init(_ command: any ParsableArguments.Type) throws {
    self = try JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)).command
  }

  static let browser = Result { try CommandDeclaration(FeedfallCommand.self) }

  /// Each command with its name, in the order of the help.
  static func all() throws -> [(name: String, command: CommandDeclaration)] {
    try FeedfallCommand.Word.allCases.map { ($0.rawValue, try CommandDeclaration($0.command)) }
  }

  /// `[SOURCE...]`, `WORD...`
  var usage: String {
    arguments.filter { $0.kind == .positional }.map { argument in
      let name = argument.shownValue + (argument.isRepeating ? "..." : "")
      return argument.isOptional ? " [\(name)]" : " \(name)"
    }.joined()
  }

  var options: [Argument] { arguments.filter { $0.kind != .positional && !["help", "version"].contains($0.name) } }

  /// The options in a table; a flag and its inversion share a row.
  func rows(prefix: String = "", except names: Set<String> = []) -> [(term: String, meaning: String)] {
    var rows: [(term: String, meaning: String)] = []
    for option in options where !names.contains(option.name) {
      if let last = rows.last, option.name.hasPrefix("no-"), last.term == "`\(prefix)--\(option.name.dropFirst(3))`" {
        rows[rows.count - 1].term += ", `--\(option.name)`"
      } else {
        let value = option.kind == .option ? " \(option.shownValue)" : ""
        rows.append(("`\(prefix)--\(option.name)\(value)`", option.meaning))
      }
    }
    return rows
  }
}

extension String {
  /// A sentence without its capital letter and its full stop.
  var phrase: String { prefix(1).lowercased() + dropFirst().prefix(count - (hasSuffix(".") ? 2 : 1)) }
}
