import FeedfallSystem
import FeedfallText

/// The user's login for a source: a name, and the program that prints the password.
public struct SourceLogin: Equatable, Sendable {
  public var user: String?
  /// Such as `pass show cloud`; `CommandWords` splits it.
  public var passwordCommand: String

  public init(user: String? = nil, passwordCommand: String) {
    (self.user, self.passwordCommand) = (user, passwordCommand)
  }

  private static let passwords = ObtainedValues<String>()

  /// The first line that the program prints. It runs once for all sources with the same command, and again after
  /// `forgetPassword`. A failure is not stored. The error output is not shown: it may contain the password.
  func password() async throws(FeedFailure) -> String {
    try await Self.passwords.value(of: passwordCommand, by: printedPassword)
  }

  /// Lets the program run again after a server has refused the password. Another source may know a newer one.
  func forgetPassword(where isRefused: (String) -> Bool) { Self.passwords.forget(passwordCommand, where: isRefused) }

  private func printedPassword() async throws(FeedFailure) -> String {
    guard let words = CommandWords.split(passwordCommand) else {
      throw .password("the password command is not valid", advice: "check its quotation marks")
    }
    guard let path = words[0].hasPrefix("/") ? words[0] : InstalledPrograms.path(of: words[0]) else {
      throw .password("the password command \(cleanedLine(words[0], limit: 80)) is not installed")
    }
    let program = HelperProgram(
      .userCommand, path: path, timeLimitSeconds: Self.timeLimitSeconds, maximumByteCount: Self.maximumByteCount)
    switch await program.run(words.dropFirst().map { Array($0.utf8) }) {
    case .cancelled: throw .cancelled
    case .notStarted(let reason): throw .password("the password command could not be started: \(reason)")
    case .timedOut:
      throw .password(
        "the password command did not end in \(Self.timeLimitSeconds) s",
        advice: "it must not ask questions in the terminal")
    case .printedTooMuch: throw .password("the password command printed more than 4 KB")
    case .ended(let answer):
      guard answer.status == 0 else {
        throw .password(
          "the password command ended with status \(answer.status)", advice: "run it in a terminal to see the reason")
      }
      return try Self.firstLine(answer.output)
    }
  }

  private static let timeLimitSeconds = 10
  private static let maximumByteCount = 4_096

  private static func firstLine(_ output: [UInt8]) throws(FeedFailure) -> String {
    let line = output.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw .password("the password command printed no password") }
    guard !line.contains(where: { $0 < 0x20 || $0 == 0x7F }), let text = String(validating: line, as: UTF8.self) else {
      throw .unreadablePassword
    }
    return text
  }
}

extension FeedFailure {
  static let unreadablePassword = password("the password contains control characters or is not UTF-8")

  fileprivate static func password(_ reason: String, advice: String = "check password-command") -> FeedFailure {
    FeedFailure(.permanent, reason, advice: advice)
  }
}
