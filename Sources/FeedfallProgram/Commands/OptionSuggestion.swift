import ArgumentParser
import FeedfallText

extension ParsableArguments {
  /// The names of all options except --help, read from the help.
  static var optionNames: [String] {
    let words = helpMessage().split { " \n,;/[]()=<>".contains($0) }
    return words.filter { $0.hasPrefix("--") && $0 != "--help" }.map { String($0.dropFirst(2)) }
  }

  /// The name of the option that a misspelled one probably means; nil if none is similar.
  static func similarOption(to name: String) -> String? { similarName(to: name, among: optionNames) }

  /// Names an option that is similar to an unknown one, if there is one.
  static func messageWithSuggestion(for error: any Error) -> String {
    let (message, full) = (message(for: error), fullMessage(for: error))
    guard let option = unknownOption(in: message) else { return full }
    let suggestion = similarOption(to: option).map { " Did you mean '--\($0)'?" } ?? ""
    return full.replacing(message, with: "Unknown option '--\(option)'.\(suggestion)", maxReplacements: 1)
  }

  private static func unknownOption(in message: String) -> String? {
    guard message.hasPrefix("Unknown option '--") else { return nil }
    return message.split(separator: "'").dropFirst().first?.dropFirst(2).split(separator: "=").first.map(String.init)
  }
}
