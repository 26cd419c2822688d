import ArgumentParser
import CFeedfallGuard
import FeedfallFeeds
import FeedfallSources
import FeedfallText
import Glibc

/// Where the program starts. The plainest calls need no argument parser, and so do not wait for one.
@main
enum Feedfall {
  static func main() {
    guard_open_standard_files()
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
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
        sources: configuration.sources(named: arguments), options: ViewOptions(configuration),
        feed: SourceOptions(configuration)
      ).run()
    }
  }

  /// Whether there is nothing to parse: no argument at all, or a source alone.
  private static func isPlain(_ arguments: [String]) -> Bool {
    guard let source = arguments.first else { return true }
    return arguments.count == 1 && !source.isEmpty && (source == "-" || !source.hasPrefix("-"))
  }

  /// Help and the version go to standard output with status 0, a wrong call to standard error with status 2.
  private static func run<Command: ExitingCommand>(_ type: Command.Type, _ arguments: ArraySlice<String>) -> Never {
    do {
      let command = try Command.parse(Array(arguments))
      exit(command.run())
    } catch {
      let message = Command.fullMessage(for: error)
      if Command.exitCode(for: error) == .success {
        print(message)
        exit(ExitStatus.success)
      }
      complain(message)
      exit(ExitStatus.usage)
    }
  }
}

/// The program's exit statuses.
enum ExitStatus {
  static let success: Int32 = 0
  /// Not all that was asked for could be loaded.
  static let failure: Int32 = 1
  /// The call was wrong, or the terminal cannot be used.
  static let usage: Int32 = 2
}

/// A command that says with which status the program ends.
protocol ExitingCommand: ParsableCommand {
  func run() -> Int32
}

/// Hands on all that was printed; false, and a line for a person, where it could not be written.
func finishPrinting() -> Bool {
  if fflush(nil) == 0 { return true }
  complain("feedfall: the output could not be written: \(String(cString: strerror(errno)))")
  return false
}

/// Writes one line for a person to standard error.
func complain(_ message: String) {
  let line = message.hasSuffix("\n") ? message : message + "\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
