import Glibc

/// Asks before videos or files are removed.
enum Confirmation {
  /// Returns nil if the user agrees, else the exit status. Without a terminal, the user cannot answer.
  ///
  /// - Parameter isGiven: whether the user has agreed by an option.
  static func refusal(of question: String, isGiven: Bool) -> Int32? {
    if isGiven { return nil }
    guard isatty(STDIN_FILENO) == 1 else {
      printError("\(question) Nothing was removed: standard input is not a terminal. Add --yes.")
      return ExitStatus.usage
    }
    writeError("\(question) [y/N] ")
    let answer = readLine()?.lowercased() ?? ""
    return ["y", "yes"].contains(answer) ? nil : ExitStatus.failure
  }
}
