import FeedfallText
import Glibc
import TestSupport
import Testing

@testable import FeedfallSources

@Suite(.hangLimit) struct PasswordCommandTests {
  private func password(_ lines: String, _ words: String = "") async throws -> Result<String, FeedFailure> {
    try await withFolder { folder in
      let path = try writeScript(lines, to: "\(folder)/secret")
      let login = SourceLogin(passwordCommand: "'\(path)' \(words)")
      return await .of { () async throws(FeedFailure) in try await login.password() }
    }
  }

  @Test func `the password is the first line of the output`() async throws {
    #expect(try await password(#"printf 'p ü:%s\nnote\n' "$1""#, "'$HOME x'") == .success("p ü:$HOME x"))
    #expect(try await password(#"printf 'a\r\nb'"#) == .success("a"))
  }

  @Test(arguments: [
    ("exit 3", "the password command ended with status 3"), ("true", "the password command printed no password"),
    ("echo; echo x", "the password command printed no password"),
    (#"printf 'a\033b'"#, "the password contains control characters or is not UTF-8"),
    (#"printf 'a\377'"#, "the password contains control characters or is not UTF-8"),
    ("yes", "the password command printed more than 4 KB"),
    ("echo s3cret; echo s3cret >&2; exit 1", "the password command ended with status 1"),
  ])
  func `a failure names its reason, not the output`(lines: String, reason: String) async throws {
    #expect(try await password(lines).failure?.reason == reason)
  }

  @Test func `a command that is not installed is reported`() async {
    let login = SourceLogin(passwordCommand: "no-such-program-a1")
    let failure = await Result.of { () async throws(FeedFailure) in try await login.password() }.failure
    #expect(failure?.reason == "the password command no-such-program-a1 is not installed")
  }

  /// Logins of several users with one command, which counts its runs and prints the content of the file `key`.
  private func withLogins(
    _ body: (_ logins: [SourceLogin], _ folder: String, _ runs: () throws -> Int) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let path = try writeScript("echo >> '\(folder)/runs'; cat '\(folder)/key'", to: "\(folder)/secret")
      let logins = ["anna", "bob", nil].map { SourceLogin(user: $0, passwordCommand: "'\(path)'") }
      try await body(logins, folder) { try fileBytes(of: "\(folder)/runs").count }
    }
  }

  @Test func `sources with the same command share one run of it`() async throws {
    try await withLogins { logins, folder, runs in
      try writeFile("s3cret\n", to: "\(folder)/key")
      async let one = logins[0].password()
      async let other = logins[1].password()
      #expect(try await [one, other, logins[2].password()] == ["s3cret", "s3cret", "s3cret"])
      #expect(try runs() == 1)
    }
  }

  @Test func `a refused password is requested again once, by the first source that needs it`() async throws {
    try await withLogins { logins, folder, runs in
      try writeFile("old\n", to: "\(folder)/key")
      #expect(try await logins[0].password() == "old")
      try writeFile("new\n", to: "\(folder)/key")
      for login in logins {
        login.forgetPassword { $0 == "old" }
        #expect(try await login.password() == "new")
      }
      #expect(try runs() == 2)
    }
  }

  @Test func `a failure is not kept`() async throws {
    try await withLogins { logins, folder, _ in
      let failure = await Result.of { () async throws(FeedFailure) in try await logins[0].password() }.failure
      #expect(failure?.reason == "the password command ended with status 1")
      try writeFile("s3cret\n", to: "\(folder)/key")
      #expect(try await logins[1].password() == "s3cret")
    }
  }

  @Test func `an agent that the command starts keeps running`() async throws {
    try await withFolder { folder in
      let path = try writeScript(
        "setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $! > '\(folder)/agent'; echo s3cret",
        to: "\(folder)/secret")
      #expect(try await SourceLogin(passwordCommand: "'\(path)'").password() == "s3cret")
      let agent = try #require(Int32(String(decoding: fileBytes(of: "\(folder)/agent").dropLast(), as: UTF8.self)))
      #expect(isRunning(agent))
      kill(agent, SIGKILL)
    }
  }
}
