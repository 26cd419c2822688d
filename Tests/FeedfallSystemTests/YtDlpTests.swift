import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct YtDlpTests {
  /// A yt-dlp that prints its arguments and the files that it inherits.
  private func withProgram(_ body: (_ ytDlp: YtDlp, _ folder: String) throws -> Void) async throws {
    try await withFolder { folder in
      let script = """
        [ "$1" = --version ] && { echo 2026.10.26; exit; }
        for word in "$@"; do printf '<%s>' "$word"; done
        for file in /proc/self/fd/3 /proc/self/fd/4; do [ -e $file ] && { echo; cat $file; }; done
        """
      try body(YtDlp(program: try writeScript(script, to: folder + "/yt-dlp")), folder)
    }
  }

  private func output(_ call: YtDlp.Call) -> String {
    let program = call.program(timeLimitSeconds: 60, maximumByteCount: 1 << 20)
    guard case .ended(let answer) = program.runAndWait(call.words.map { Array($0.utf8) }) else { return "not ended" }
    return String(decoding: answer.output, as: UTF8.self)
  }

  @Test func `without settings there is no argument`() async throws {
    try await withProgram { ytDlp, _ in
      let call = try ytDlp.call()
      #expect(call.words.prefix(2) == ["--paths", "home:/dev/null"] && !call.words.contains("--ignore-config"))
      #expect(call.files.allSatisfy { String(decoding: $0, as: UTF8.self).hasPrefix("'--js-runtimes'") })
      #expect(call.words.contains("--config-locations") == !call.files.isEmpty)
      #expect(try ytDlp.call(readsConfiguration: false).words.contains("--ignore-config"))
    }
  }

  @Test func `settings reach the program in a file that no other user can read`() async throws {
    try await withProgram { ytDlp, folder in
      var ytDlp = ytDlp
      ytDlp.arguments = ["--proxy", "http://ann:it's@127.0.0.1:9"]
      ytDlp.cookiesFromBrowser = "firefox"
      let cookies = folder + "/cookies.txt"
      try "# Netscape HTTP Cookie File\n".write(toFile: cookies, atomically: false, encoding: .utf8)
      ytDlp.cookies = cookies
      let call = try ytDlp.call()
      #expect(call.words.suffix(2) == ["--config-locations", "/proc/self/fd/4"])
      let output = output(call)
      #expect(output.contains("<--config-locations></proc/self/fd/4>\n# Netscape HTTP Cookie File\n\n'--proxy'\n"))
      #expect(output.contains(#"'http://ann:it'\''s@127.0.0.1:9'"#))
      #expect(output.contains("'--cookies-from-browser'\n'firefox'\n'--cookies'\n'/proc/self/fd/3'\n"))
      #expect(YtDlp(text: ytDlp.text) == ytDlp)
    }
  }

  @Test func `faulty settings and unreadable cookies prevent each call`() async throws {
    try await withProgram { ytDlp, folder in
      var faulty = ytDlp
      faulty.isFaulty = true
      #expect(throws: YtDlp.Obstacle.faulty) { try faulty.call() }
      #expect(YtDlp(text: faulty.text)?.isFaulty == true)
      var cookies = ytDlp
      for (path, reason) in [(folder, "it is not a file"), (folder + "/none", "No such file or directory")] {
        cookies.cookies = path
        do throws(YtDlp.Obstacle) {
          _ = try cookies.call()
          Issue.record("no obstacle: \(path)")
        } catch { #expect(error.reason.hasSuffix(reason) && error.advice.contains("[yt-dlp]")) }
      }
      #expect(throws: YtDlp.Obstacle.notInstalled) { try YtDlp(program: folder + "/other").call() }
    }
  }

  @Test func `a version is asked once until the program changes`() async throws {
    try await withFolder { folder in
      func install(_ version: String) throws -> String {
        try writeScript("echo >> '\(folder)/asked'; echo \(version)", to: folder + "/yt-dlp")
      }
      func askedCount() -> Int { (try? String(contentsOfFile: folder + "/asked", encoding: .utf8).count) ?? 0 }
      let path = try install("2023.03.04")
      for _ in 0..<3 {
        let installation = try #require(YtDlpInstallation(path, cache: folder, asksAll: true))
        #expect(installation.version?.description == "2023.03.04" && !installation.knowsRuntimes)
      }
      #expect(askedCount() == 1)
      _ = try install("2026.10.26.232828")
      let installation = try #require(YtDlpInstallation(path, cache: folder, asksAll: true))
      #expect(installation.version?.description == "2026.10.26.232828" && installation.knowsRuntimes)
      #expect(askedCount() == 2)
      #expect(try String(contentsOfFile: folder + "/programs", encoding: .utf8).contains("2026.10.26.232828\n"))
    }
  }

  @Test func `a chosen proxy has precedence, and one in the arguments is known`() async throws {
    try await withProgram { ytDlp, _ in
      var ytDlp = ytDlp
      ytDlp.arguments = ["--proxy", "http://a.example:1", "--proxy=socks5://127.0.0.1:9050"]
      #expect(ytDlp.ownProxy?.isPlainHTTP == false)
      ytDlp.proxy = ""
      #expect(ytDlp.ownProxy == nil && YtDlp(text: ytDlp.text) == ytDlp)
      let options = String(decoding: try #require(try ytDlp.call().files.last), as: UTF8.self)
      #expect(options.contains("'--proxy=socks5://127.0.0.1:9050'\n'--proxy'\n''\n"))
    }
  }

  @Test(arguments: ["--ignore-config", "none"])
  func `a refused configuration is a fault, unless the arguments are refused too`(accepted: String) async throws {
    try await withFolder { folder in
      let script = """
        case " $* " in *' \(accepted) '*) exit ;; esac
        echo 'yt-dlp: error: no such option: --bogus' >&2; exit 2
        """
      var ytDlp = YtDlp(program: try writeScript(script, to: folder + "/yt-dlp"))
      #expect(ytDlp.optionFault?.fault == (accepted == "none" ? nil : .refused(reason: "no such option: --bogus")))
      #expect(ytDlp.optionFault?.isOfConfiguration != false)
      ytDlp.readsConfiguration = false
      #expect(ytDlp.optionFault == nil)
    }
  }

  @Test(
    arguments: [
      ("exec sleep 600", YtDlp.OptionFault.noAnswer, true), ("exec yes", .printedTooMuch, true),
      ("exec yes", .printedTooMuch, false),
    ])
  func `a program that hangs or prints too much is a fault, of the configuration if it works without that`(
    end: String, fault: YtDlp.OptionFault, isOfConfiguration: Bool
  ) async throws {
    try await withFolder { folder in
      let script = "case \" $* \" in *' \(isOfConfiguration ? "--ignore-config" : "none") '*) exit ;; esac; \(end)"
      let ytDlp = YtDlp(program: try writeScript(script, to: folder + "/yt-dlp"))
      let found = ytDlp.optionFault
      #expect(found?.fault == fault && found?.isOfConfiguration == isOfConfiguration)
    }
  }

  @Test func `a folder is no program`() async throws {
    try await withFolder { folder in
      #expect(YtDlpInstallation(folder) == nil && !YtDlp(program: folder).isInstalled)
    }
  }

  @Test func `a program without an answer differs from one without a version`() async throws {
    try await withFolder { folder in
      for (script, isSilent) in [("exec sleep 600", true), ("echo hello", false)] {
        let path = try writeScript(script, to: folder + "/yt-dlp")
        let installation = try #require(YtDlpInstallation(path, asksAll: true))
        #expect(installation.isSilent == isSilent && installation.version == nil)
      }
    }
  }

  // MARK: - Arguments

  @Test(arguments: [
    ["--proxy", "socks5://127.0.0.1:9050"], ["-4"], ["-f", "best"], ["--format=best", "--no-mtime"],
    ["--extractor-args", "youtube:player_client=web"], ["--user-agent", "a b"], ["--netrc"], ["-4", "-pSECRET-J"], [],
  ])
  func `arguments that change no output are accepted`(arguments: [String]) {
    #expect(YtDlp.refusal(among: arguments) == nil)
  }

  @Test(arguments: [
    (["-o", "x"], 0, YtDlp.Refusal.ownOption("-o")), (["-ox"], 0, .ownOption("-ox")),
    (["--proxy", "http://a.example", "--exec=rm"], 2, .ownOption("--exec")), (["--pri", "x"], 0, .ownOption("--pri")),
    (["-J"], 0, .ownOption("-J")), (["-4J"], 0, .ownOption("-4J")),
    (["--extract-audio"], 0, .ownOption("--extract-audio")), (["--cookies", "x"], 0, .ownOption("--cookies")),
    (["--"], 0, .ownOption("--")),
    (["https://a.example/"], 0, .notAnOption), (["--format=best", "x"], 1, .notAnOption),
    (["--user-agent", "a\nb"], 1, .control),
  ])
  func `arguments that would break a call are refused`(arguments: [String], index: Int, refusal: YtDlp.Refusal) {
    let found = YtDlp.refusal(among: arguments)
    #expect(found?.index == index && found?.reason == refusal)
  }

  // MARK: - Failures

  @Test(arguments: [
    (
      "[youtube] x: Sign in to confirm you’re not a bot. Use --cookies-from-browser or --cookies for the authentication.",
      YtDlpCure.needsCookies
    ),
    ("[youtube] x: Sign in to confirm your age. Use --cookies-from-browser or --cookies", .needsCookies),
    ("[vimeo] 1: This video is only available for registered users. Use --cookies-from-browser", .needsCookies),
    ("[youtube] x: Private video. Sign in if you've been granted access to this video. Use --cookies", .isPrivate),
    (
      "[youtube] x: Join this channel to get access to members-only content like this video. Use --cookies",
      .needsMembership
    ),
    ("[youtube] x: Video unavailable. This video has been removed by the uploader", .isRemoved),
    ("[youtube] x: The uploader has not made this video available in your country", .isBlockedInCountry),
    ("[youtube] x: Premieres in 3 hours", .isPremiere),
    ("[youtube] x: This live event will begin in 2 days.", .isPremiere),
    ("[youtube] x: HTTP Error 429: Too Many Requests", .tooManyRequests),
    ("[youtube] x: The current session has been rate-limited by YouTube for up to an hour", .tooManyRequests),
    ("no such option: --js-runtimes", .wrongArgument),
    ("could not find firefox cookies database in '/home/a/.mozilla'", .unreadableCookies),
    ("'/proc/self/fd/3' does not look like a Netscape format cookies file", .unreadableCookies),
    ("[youtube] x: Requested format is not available. Use --list-formats", .lacksRuntime),
    ("[youtube] x: Remote components challenge solver script (deno) were skipped", .lacksScripts),
    ("[youtube] x: Unable to extract uploader id; please report this issue on https://github.com", .tooOld),
  ])
  func `a message of yt-dlp leads to its cure`(words: String, cure: YtDlpCure) {
    #expect(YtDlpCure(words, nil) == cure)
    #expect(!cure.advice.isEmpty && cure.advice.first?.isLowercase == true)
  }

  @Test func `an unknown message has no cure`() {
    #expect(YtDlpCure("[generic] Unable to download webpage: Connection refused", nil) == nil)
    for words in [
      "Unsupported URL: https://shop.example/requires-purchase", "[x] private video: Connection refused",
    ] { #expect(YtDlpCure(words, nil) == nil, "\(words)") }
    #expect(YtDlpCure("[youtube] a429bcdefgh: Video unavailable", nil) == .isRemoved)
    #expect(YtDlpCure("config location /x does not exist", nil) == .wrongArgument)
    #expect(YtDlpCure("[youtube] 429design inside: upcoming purchase could not find it", nil) == nil)
  }

  @Test func `the last error is found among warnings, without passwords`() throws {
    let address = try #require(WebAddress("https://ann:secret@a.example/v"))
    let lines = "WARNING: a\nERROR: first\nERROR: [x] https://ann:secret@a.example/v is \u{1B}[31mgone\nhint\n"
    #expect(YtDlp.lastError(Array(lines.utf8), hiding: address) == "[x] https://ann:•••@a.example/v is [31mgone")
    #expect(YtDlp.lastError(Array("yt-dlp: error: no such option: -Q".utf8), hiding: address) == "no such option: -Q")
    #expect(YtDlp.lastError(Array("WARNING: b\nERROR:".utf8), hiding: address) == nil)
  }
}
