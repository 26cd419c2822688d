import TestSupport

/// Runs the program in terminals that differ from xterm.
enum TerminalCases {
  /// Starts the program, answers its first queries, and returns all that it writes until it is ended by `q`.
  static func written(_ environment: [String: String]) async throws -> String {
    try await onThread {
      let terminal = try ScriptedTerminal(Feedfall.path, environment: environment)
      var written = try terminal.waitFor("\u{1B}[c")
      written += try terminal.waitFor("Elephants Dream")
      terminal.type("\u{1B}[?62cq")
      return try written + terminal.waitFor("\u{1B}[?1049l")
    }
  }

  /// Runs a shell command, and returns its output up to the line with its status.
  static func inShell(_ command: String, answers: String, keys: String? = nil) async throws -> String {
    try await onThread {
      let terminal = try ScriptedTerminal("/bin/sh", "-c", "\(command); echo status=$?.")
      var written = try terminal.waitFor("\u{1B}[c")
      terminal.type(answers)
      if let keys {
        written += try terminal.waitFor("Elephants Dream")
        terminal.type(keys)
      }
      return try written + terminal.waitFor("status=") + terminal.waitFor(".")
    }
  }

  static let program = "'\(Feedfall.path)'"
}
