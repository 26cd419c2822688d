import FeedfallFeeds
import FeedfallSystem

/// yt-dlp, which finds the videos in the pages of many sites (github.com/yt-dlp/yt-dlp).
struct YtDlp: Sendable {
  /// It asks a site several times for one page, and some let it wait.
  static let timeLimitSeconds = 60

  private let program: HelperProgram

  init(path: String) {
    program = HelperProgram(path: path, timeLimitSeconds: Self.timeLimitSeconds, maximumByteCount: 32 << 20)
  }

  /// What lies at an address: of a list the entries in this range, which are counted from 0.
  func list(at address: WebAddress, _ entries: Range<Int>) async throws(FeedFailure) -> YtDlpList {
    let range = "\(entries.lowerBound + 1):\(entries.upperBound)"
    let words = ["-J", "--flat-playlist", "-I", range, "--no-warnings", "--ignore-config", "--", address.text]
    switch await program.run(words.map { Array($0.utf8) }) {
    case .ended(let answer):
      // It may have failed at one of many entries; what it has printed of the others counts.
      if let list = FeedDecoder.decodeYtDlp(answer.output) { return list }
      throw Self.failure(answer)
    case .notStarted(let reason): throw FeedFailure(.permanent, "yt-dlp could not be started: \(reason)")
    case .timedOut: throw FeedFailure(.temporary, "yt-dlp gave no answer in \(Self.timeLimitSeconds) s")
    case .printedTooMuch: throw FeedFailure(.permanent, "yt-dlp's answer is larger than 32 MB")
    case .cancelled: throw .cancelled
    }
  }

  static func failure(_ answer: ProgramAnswer) -> FeedFailure {
    guard let words = lastError(answer.errorOutput) else {
      return answer.status == 0
        ? FeedFailure(.permanent, "yt-dlp's answer tells of no video")
        : FeedFailure(.temporary, "yt-dlp ended with status \(answer.status) and said nothing")
    }
    let isFinal = words.hasPrefix("Unsupported URL")
    return FeedFailure(isFinal ? .permanent : .temporary, "yt-dlp says: \(words)")
  }

  /// The last line that begins with `ERROR:`, without that.
  private static func lastError(_ errorOutput: [UInt8]) -> String? {
    let start = Array("ERROR:".utf8)
    let lines = complaint.split { $0 == 0x0A || $0 == 0x0D }
    guard let line = lines.last(where: { $0.starts(with: start) }) else { return nil }
    let words = cleanedLine(String(decoding: line.dropFirst(start.count), as: UTF8.self), limit: 200)
    return words.isEmpty ? nil : words
  }
}

extension FeedFailure {
  static let noYtDlp = FeedFailure(
    .permanent, "yt-dlp is needed to read this page and is not installed", advice: "install it: apt install yt-dlp")
}
