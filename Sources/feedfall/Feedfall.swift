import ArgumentParser
import CFeedfallGuard
import FeedfallFeeds
import FeedfallPlayer
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Glibc

/// The entry point. Calls without options skip the argument parser, which saves startup time.
@main
enum Feedfall {
  static func main() {
    guard_open_standard_files()
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case MPVHost.word: MPVHost.run(arguments.dropFirst())
    case ListCommand.word: run(ListCommand.self, arguments.dropFirst())
    case RenderCommand.word: run(RenderCommand.self, arguments.dropFirst())
    case ProbeCommand.word: run(ProbeCommand.self, arguments.dropFirst())
    case ImportCommand.word: run(ImportCommand.self, arguments.dropFirst())
    case ExportCommand.word: run(ExportCommand.self, arguments.dropFirst())
    case _ where isPlain(arguments):
      exit(browse(arguments))
    default: run(FeedfallCommand.self, arguments[...])
    }
  }

  private static func browse(_ arguments: [String]) -> Int32 {
    withConfiguration { configuration in
      Browse(
        selection: configuration.selection(named: arguments), options: configuration.viewOptions(),
        feed: configuration.sourceOptions()
      ).run()
    }
  }

  /// Returns whether the arguments are empty or a single source, so that there are no options to parse.
  private static func isPlain(_ arguments: [String]) -> Bool {
    guard let source = arguments.first else { return true }
    return arguments.count == 1 && !source.isEmpty && (source == "-" || !source.hasPrefix("-"))
  }

  /// Parses the arguments, runs the command and exits. Help and version go to standard output with status 0, usage
  /// errors to standard error with status 2.
  private static func run<Command: ExitingCommand>(_ type: Command.Type, _ arguments: ArraySlice<String>) -> Never {
    do {
      let command = try Command.parse(Array(arguments))
      exit(command.run())
    } catch {
      let message = withoutFarSuggestion(Command.fullMessage(for: error)).replacing("': Write", with: "'. Write")
      if Command.exitCode(for: error) == .success {
        print(message)
        exit(ExitStatus.success)
      }
      writeError(message + "\n")
      exit(ExitStatus.usage)
    }
  }
}

/// Removes the option that the argument parser suggests if it hardly resembles the unknown one.
func withoutFarSuggestion(_ message: String) -> String {
  guard let start = message.firstRange(of: " Did you mean ") else { return message }
  let rest = message[start.upperBound...]
  guard let end = rest.firstIndex(of: "?") else { return message }
  let unknown = message[..<start.lowerBound].split(separator: " ").last ?? ""
  func name(_ text: some StringProtocol) -> String { String(text.filter { $0.isLetter || $0.isNumber }) }
  let suggestion = name(rest[..<end])
  // Typing mistakes rarely affect the first letter.
  guard name(unknown).first != suggestion.first || similarName(to: name(unknown), among: [suggestion]) == nil else {
    return message
  }
  return String(message[..<start.lowerBound]) + message[rest.index(after: end)...]
}

/// The program's exit statuses.
enum ExitStatus {
  static let success: Int32 = 0
  /// A source could not be loaded, the output could not be written, or the terminal has disappeared.
  static let failure: Int32 = 1
  /// The arguments or the configuration are invalid, or the terminal cannot be used.
  static let usage: Int32 = 2
}

/// A command whose `run()` returns the exit status.
protocol ExitingCommand: ParsableCommand {
  func run() -> Int32
}
