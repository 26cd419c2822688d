import Foundation
import TestSupport
import Testing

@testable import FeedfallScreen
@testable import FeedfallTerminal

/// Runs the program in terminals that differ from xterm.
enum TerminalCases {
  /// Starts the program, answers its first queries, and returns all that it writes until it is ended by `q`, once it
  /// has written a text.
  static func written(
    _ environment: [String: String], answers: String = "\u{1B}[?62c", upTo text: String? = nil
  ) async throws -> String {
    try await onThread {
      let terminal = try ScriptedTerminal(Feedfall.path, environment: environment)
      var written = try terminal.waitFor("\u{1B}[c")
      written += try terminal.waitFor("Elephants Dream")
      terminal.type(answers)
      if let text { written += try terminal.waitFor(text) }
      terminal.type("q")
      return try written + terminal.waitFor("\u{1B}[?1049l")
    }
  }

  /// Runs a shell command, and returns its output up to the line with its status.
  static func inShell(
    _ command: String, environment: [String: String] = [:], answers: String? = nil, keys: String? = nil
  ) async throws -> String {
    try await onThread {
      let terminal = try ScriptedTerminal("/bin/sh", "-c", "\(command); echo status=$?.", environment: environment)
      var written = ""
      if let answers {
        written += try terminal.waitFor("\u{1B}[c")
        terminal.type(answers)
      }
      if let keys {
        written += try terminal.waitFor("Elephants Dream")
        terminal.type(keys)
      }
      return try written + terminal.waitFor("status=") + terminal.waitFor(".")
    }
  }

  static let program = "'\(Feedfall.path)'"

  /// Whether no line begins with a closing sign or ends with an opening one.
  static func keepsSigns(_ text: String, widths: ClosedRange<Int> = 12...60) -> Bool {
    widths.allSatisfy { width in
      TextWidths().wrapped(text, width: width, maximumLines: .max).allSatisfy { line in
        line.first.map { "，。、：；！？）」』】〉》”’％ー々…".contains($0) } != true
          && line.last.map { "（「『【〈《“‘￥".contains($0) } != true
      }
    }
  }

  static func probed(_ columns: Int...) -> WidthProbe.Outcome {
    var probe = WidthProbe()
    for column in columns { probe.add(column: column) }
    _ = probe.finish()
    return probe.outcome
  }
}
