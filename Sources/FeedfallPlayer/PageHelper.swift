import FeedfallSystem
import FeedfallText
import Glibc

/// Calls yt-dlp for mpv with the user's settings. mpv starts this program in its place; the environment has the
/// settings, and the address of a page with a secret, because all users of the machine can read mpv's arguments.
public enum PageHelper {
  private static let helper = "FEEDFALL_PAGE_HELPER"
  private static let address = "FEEDFALL_PAGE_ADDRESS"
  private static let timeLimitSeconds = 120
  private static let maximumByteCount = 32 << 20

  static func variables(_ ytDlp: YtDlp, secretPage: String?) -> [String: String] {
    var variables = [helper: ytDlp.text]
    variables[address] = secretPage
    return variables
  }

  /// Ends this process with the output of yt-dlp if mpv has started it in its place. The last argument is the address.
  public static func runIfRequested(_ arguments: [String]) {
    guard let text = Environment.process[helper], let ytDlp = YtDlp(text: text) else { return }
    let secretPage = Environment.process[address]
    // Neither yt-dlp nor its children need these variables.
    unsetenv(helper)
    unsetenv(address)
    guard arguments.count >= 2, arguments[arguments.count - 2] == "--", let page = secretPage ?? arguments.last else {
      exit(EXIT_FAILURE)
    }
    switch output(of: ytDlp, Array(arguments.dropLast(2)), page: page) {
    case .success(let output):
      exit((try? Files.write(output[...], to: STDOUT_FILENO)) == nil ? EXIT_FAILURE : EXIT_SUCCESS)
    case .failure(let failure):
      _ = try? Files.write(Array("\(failure.line)\n".utf8)[...], to: STDERR_FILENO)
      exit(EXIT_FAILURE)
    }
  }

  private typealias Failure = MPVMessage.PageFailure

  private static func output(of ytDlp: YtDlp, _ words: [String], page: String) -> Result<[UInt8], Failure> {
    var result = Result<[UInt8], Failure>.failure(Failure(reason: ""))
    for readsConfiguration in [true, false] {
      let call: YtDlp.Call
      do throws(YtDlp.Obstacle) { call = try ytDlp.call(readsConfiguration: readsConfiguration) } catch {
        return .failure(Failure(reason: error.reason, advice: error.advice))
      }
      let program = call.program(timeLimitSeconds: timeLimitSeconds, maximumByteCount: maximumByteCount)
      switch program.runAndWait(call.arguments(words), input: YtDlp.input(page)) {
      case .ended(let answer) where isObject(answer.output): return .success(answer.output)
      case .ended(let answer):
        // The first failure counts: without the user's configuration, cookies may be missing.
        if readsConfiguration { result = .failure(failure(answer, ytDlp, page)) }
        guard answer.blamesConfiguration, ytDlp.mayIgnoreConfiguration else { return result }
      case .timedOut: return .failure(Failure(reason: "yt-dlp gave no answer in \(timeLimitSeconds) s"))
      case .printedTooMuch: return .failure(Failure(reason: "yt-dlp printed more than \(maximumByteCount >> 20) MB"))
      case .notStarted(let reason): return .failure(Failure(reason: "yt-dlp could not be started: \(reason)"))
      case .cancelled: return result
      }
    }
    return result
  }

  private static func isObject(_ output: [UInt8]) -> Bool {
    output.first { $0 > 0x20 } == UInt8(ascii: "{") && output.last { $0 > 0x20 } == UInt8(ascii: "}")
  }

  private static func failure(_ answer: HelperProgram.Answer, _ ytDlp: YtDlp, _ page: String) -> Failure {
    let failure = WebAddress(page).flatMap { ytDlp.failure(answer, hiding: $0) }
    guard let failure else { return Failure(reason: "yt-dlp found no video on the page") }
    return Failure(reason: "yt-dlp failed: \(YtDlp.shown(failure.words))", advice: failure.cure?.advice)
  }
}
