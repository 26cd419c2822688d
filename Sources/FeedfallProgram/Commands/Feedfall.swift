import ArgumentParser
import CFeedfall
import FeedfallPlayer
import FeedfallSystem
import FeedfallText
import Glibc

/// The entry point. Calls without options skip the argument parser, which saves startup time.
package enum Feedfall {
  package static func main() {
    guard_open_standard_files()
    guard guard_has_memory() == 1 else { endWithoutMemory() }
    let arguments = ProgramArguments.words
    ProgramArguments.hide { text in
      guard text.utf8.contains(where: { "@=".utf8.contains($0) }) else { return nil }
      let harmless = text.removingSecrets.hidingPassword.replacing("•••", with: "*")
      return harmless == text ? nil : harmless
    }
    if arguments.first == MPVHost.word { MPVHost.run(arguments.dropFirst()) }
    PageHelper.runIfRequested(arguments)
    if arguments == [UserConfiguration.namesWord] { finish(UserConfiguration.printNames()) }
    if let word = arguments.first.flatMap(FeedfallCommand.Word.init) { run(word.command, arguments.dropFirst()) }
    if isPlain(arguments) { finish(FeedfallCommand.browse(arguments)) }
    run(FeedfallCommand.self, arguments[...])
  }

  /// Allocates no memory.
  private static func endWithoutMemory() -> Never {
    let message: StaticString =
      "feedfall: Could not start: the limits of this process leave too little memory. Raise them with ulimit -v and -d.\n"
    _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
    exit(ExitStatus.failure)
  }

  /// Exits after a message about files that could not be locked: the commands have worked without locks.
  private static func finish(_ status: Int32) -> Never {
    let status = finishPrinting(status)
    if let path = Files.unlockedPath {
      let name = cleanedLine(path, limit: 200)
      printError(
        "Could not lock \(name): the file system does not support locks. Run only one feedfall on this folder at a time."
      )
    }
    exit(status)
  }

  private static func isPlain(_ arguments: [String]) -> Bool {
    guard let source = arguments.first else { return true }
    return arguments.count == 1 && !source.isEmpty && (source == "-" || !source.hasPrefix("-"))
  }

  /// Help and version go to standard output with status 0, usage errors to standard error with status 2.
  private static func run<Command: ExitingCommand>(_ type: Command.Type, _ arguments: ArraySlice<String>) -> Never {
    do {
      let command = try Command.parse(Array(arguments))
      finish(command.run())
    } catch {
      let message = Command.messageWithSuggestion(for: error).replacing("': Write", with: "'. Write")
      if Command.exitCode(for: error) == .success {
        print(message)
        exit(finishPrinting(ExitStatus.success))
      }
      // The options after a mistyped command are those of the command.
      let first = Array(arguments.prefix(1))
      if type == FeedfallCommand.self,
        let status = FeedfallCommand.refusal(
          of: first, UserConfiguration(file: ConfigurationFile()).selection(named: first))
      {
        finish(status)
      }
      writeError(message + "\n")
      exit(ExitStatus.usage)
    }
  }
}

enum ExitStatus {
  static let success: Int32 = 0
  /// A source could not be loaded, the output could not be written, or the terminal has disappeared.
  static let failure: Int32 = 1
  /// The arguments are invalid, a file to change has a fault, or the terminal is unusable.
  static let usage: Int32 = 2
}

/// A command whose `run()` returns the exit status. What it has printed is flushed afterwards, and a failure reported.
protocol ExitingCommand: ParsableCommand {
  func run() -> Int32
}
