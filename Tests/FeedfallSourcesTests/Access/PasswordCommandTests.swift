import FeedfallText
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
}
