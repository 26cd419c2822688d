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
    try await Self.passwords.value(of: passwordCommand) { () async throws(FeedFailure) in
      try await printedPassword()
    }
  }

  /// Lets the program run again after a server has refused the password. Another source may know a newer one.
  func forgetPassword(where isRefused: (String) -> Bool) { Self.passwords.forget(passwordCommand, where: isRefused) }

  private func printedPassword() async throws(FeedFailure) -> String {
    guard let words = CommandWords.split(passwordCommand) else { throw FeedFailure(.password(.invalidCommand)) }
    guard let path = words[0].hasPrefix("/") ? words[0] : InstalledPrograms.path(of: words[0]) else {
      throw FeedFailure(.password(.notInstalled(words[0])))
    }
    let program = HelperProgram(
      .userCommand, path: path, timeLimitSeconds: Self.timeLimitSeconds, maximumByteCount: Self.maximumByteCount)
    switch await program.run(words.dropFirst().map { Array($0.utf8) }) {
    case .cancelled: throw .cancelled
    case .notStarted(let reason): throw FeedFailure(.password(.notStarted(reason: reason)))
    case .timedOut: throw FeedFailure(.password(.timedOut(seconds: Self.timeLimitSeconds)))
    case .printedTooMuch: throw FeedFailure(.password(.tooLong))
    case .ended(let answer):
      guard answer.status == 0 else { throw FeedFailure(.password(.failed(status: answer.status))) }
      return try Self.firstLine(answer.output)
    }
  }

  private static let timeLimitSeconds = 10
  private static let maximumByteCount = 4_096

  private static func firstLine(_ output: [UInt8]) throws(FeedFailure) -> String {
    let line = output.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw FeedFailure(.password(.empty)) }
    guard !line.contains(where: { $0 < 0x20 || $0 == 0x7F }), let text = String(validating: line, as: UTF8.self) else {
      throw FeedFailure(.password(.unreadable))
    }
    return text
  }
}

extension SourceFailure {
  enum PasswordFault: Equatable, Sendable {
    case invalidCommand
    case notInstalled(String)
    case notStarted(reason: String)
    case timedOut(seconds: Int)
    case tooLong
    case failed(status: Int)
    case empty
    /// The password is not text on one line.
    case unreadable
  }
}

extension FeedFailure {
  init(ofPassword fault: SourceFailure.PasswordFault) {
    let (reason, advice) =
      switch fault {
      case .invalidCommand: ("the password command is not valid", "check its quotation marks")
      case .notInstalled(let name):
        ("the password command \(cleanedLine(name, limit: 80)) is not installed", "check password-command")
      case .notStarted(let reason): ("the password command could not be started: \(reason)", "check password-command")
      case .timedOut(let seconds):
        ("the password command did not end in \(seconds) s", "it must not ask questions in the terminal")
      case .tooLong: ("the password command printed more than 4 KB", "check password-command")
      case .failed(let status):
        ("the password command ended with status \(status)", "run it in a terminal to see the reason")
      case .empty: ("the password command printed no password", "check password-command")
      case .unreadable: ("the password contains control characters or is not UTF-8", "check password-command")
      }
    self.init(.permanent, reason, advice: advice)
  }
}
