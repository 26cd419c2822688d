import ArgumentParser
import FeedSources
import Glibc
import VideoFeed

/// Where the program starts. The plainest calls need no argument parser, and so do not wait for one.
@main
enum Feedfall {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let source = plainSource(arguments) {
      exit(Browse(source: source.name, options: ViewOptions(), feed: SourceOptions()).run())
    }
    do {
      var command = try FeedfallCommand.parseAsRoot(arguments)
      if let command = command as? any ExitingCommand { exit(command.run()) }
      try command.run()
    } catch {
      leave(with: error)
    }
  }

  /// The source of a call without any option: `feedfall` or `feedfall SOURCE`.
  private static func plainSource(_ arguments: [String]) -> (name: String?, Void)? {
    switch arguments.count {
    case 0: return (nil, ())
    case 1:
      let argument = arguments[0]
      let isSubcommand = FeedfallCommand.subcommandNames.contains(argument)
      return argument.isEmpty || argument.hasPrefix("-") && argument != "-" || isSubcommand ? nil : (argument, ())
    default: return nil
    }
  }

  /// Help and the version go to standard output with status 0, a wrong call to standard error with status 2.
  private static func leave(with error: any Error) -> Never {
    let message = FeedfallCommand.fullMessage(for: error)
    if FeedfallCommand.exitCode(for: error) == .success {
      print(message)
      exit(ExitStatus.success)
    }
    complain(message)
    exit(ExitStatus.usage)
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

/// Writes one line for a person to standard error.
func complain(_ message: String) {
  let line = message.hasSuffix("\n") ? message : message + "\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
}
