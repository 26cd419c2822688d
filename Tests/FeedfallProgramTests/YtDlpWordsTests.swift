import FeedfallSystem
import FeedfallText
import Foundation
import Glibc
import TestSupport
import Testing

@testable import FeedfallProgram

/// The section of `feedfall doctor` about yt-dlp.
@Suite(.hangLimit) struct YtDlpWordsTests {
  private func words(
    _ script: String, _ proxies: Proxies = Proxies(),
    change: (inout YtDlp, _ folder: String) throws -> Void = { _, _ in }
  ) async throws -> DoctorCommand.YtDlpWords {
    try await withFolder { folder in
      var ytDlp = YtDlp(program: try writeScript(script, to: folder + "/yt-dlp"))
      try change(&ytDlp, folder)
      return DoctorCommand.YtDlpWords(ytDlp, proxies)
    }
  }

  @Test func `a program without an answer is to be run by hand, not to be installed again`() async throws {
    let faults = try await words("exec sleep 600").faults
    #expect(faults.count == 1 && faults[0].contains(" gave no answer in 5 s. Run "))
    #expect(!faults[0].contains("Install"))
    let other = try await words("echo hello").faults
    #expect(other.count == 1 && other[0].contains(" does not say its version. Install it again: "))
  }

  @Test(arguments: [true, false])
  func `a flood of output while yt-dlp reads its options is a fault`(isOfConfiguration: Bool) async throws {
    let harmless = isOfConfiguration ? "--ignore-config" : "--version"
    let script = "case \" $* \" in *' --version '*|*' \(harmless) '*) echo 2026.10.26; exit ;; esac; exec yes"
    let faults = try await words(script).faults
    #expect(faults.count == 1)
    let start = isOfConfiguration ? "configuration: yt-dlp printed more than 1 MB with its own. " : "program: "
    #expect(faults.first?.hasPrefix(start) == true && faults.first?.contains("printed more than 1 MB") == true)
  }

  @Test func `a folder is not a program`() async throws {
    let words = try await words("") { $0.program = $1 }
    #expect(words.faults.count == 1 && words.faults[0].hasSuffix("is not a program. Correct program below [yt-dlp]."))
  }

  @Test func `a proxy in the arguments is shown without its password, unless the user has chosen another one`()
    async throws
  {
    func facts(_ proxies: Proxies) async throws -> [String] {
      try await words("echo 2026.10.26", proxies) { ytDlp, _ in
        ytDlp.arguments = ["--proxy", "http://ann:secret@127.0.0.1:9"]
      }.facts
    }
    let shown = try await facts(Proxies())
    #expect(shown.contains("proxy: 127.0.0.1:9, by arguments below [yt-dlp]"))
    #expect(!shown.contains { $0.contains("secret") })
    let chosen = ProxyAddress("socks5://127.0.0.1:8", setting: "proxy")
    #expect(try await facts(Proxies().replacing(chosen)).contains("proxy: 127.0.0.1:8"))
  }

  @Test func `a file with cookies that no call reads is a fault`() async throws {
    for (byteCount, faultCount) in [(1_000, 0), (16 << 20, 0), ((16 << 20) + 1, 1)] {
      let faults = try await words("echo 2026.10.26") { ytDlp, folder in
        let path = folder + "/cookies.txt"
        guard FileManager.default.createFile(atPath: path, contents: nil), chmod(path, 0o600) == 0,
          truncate(path, byteCount) == 0
        else { throw TestFailure("\(path) could not be written") }
        ytDlp.cookies = path
      }.faults
      #expect(faults.count == faultCount, "\(byteCount)")
      #expect(faults.allSatisfy { $0.contains("is larger than 16 MB") })
    }
  }
}
