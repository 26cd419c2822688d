import FeedfallFeeds
import FeedfallSystem
import FeedfallText

/// ffprobe, which reports the streams of a video file (ffmpeg.org/ffprobe.html).
struct FileProbe: Sendable {
  private let program: HelperProgram

  /// Nil where it is not installed.
  init?() {
    guard let path = InstalledPrograms.path(of: "ffprobe") else { return nil }
    self.init(path: path)
  }

  init(path: String) {
    program = HelperProgram(path: path, timeLimitSeconds: 15, maximumByteCount: 4 << 20)
  }

  /// A file may name others, as a playlist does: only files on this machine are opened then.
  private static let words = [
    "-v", "error", "-protocol_whitelist", "file", "-of", "json", "-show_format", "-show_streams",
  ]

  func complete(_ video: Video) async throws(FeedFailure) -> Video {
    guard let file = video.playbackURL?.file else { return video }
    switch await program.run(Self.words.map { Array($0.utf8) } + [Array("file:".utf8) + file.path]) {
    case .ended(let answer) where answer.status == 0:
      return try FeedDecoder.decodeFileFacts(answer.output, completing: video)
    case .ended(let answer): throw Self.failure(answer)
    case .notStarted(let reason): throw FeedFailure(.permanent, "ffprobe could not be started: \(reason)")
    case .timedOut: throw FeedFailure(.temporary, "ffprobe gave no answer in \(program.timeLimitSeconds) s")
    case .printedTooMuch: throw FeedFailure(.permanent, "ffprobe's answer is larger than 4 MB")
    case .cancelled: throw .cancelled
    }
  }

  /// The reason without the name, as in `file:/a/b.mp4: Invalid data found when processing input`.
  private static func failure(_ answer: ProgramAnswer) -> FeedFailure {
    let line = answer.errorOutput.split(separator: 0x0A).last ?? []
    let words = cleanedLine(String(decoding: line, as: UTF8.self), limit: 4_000)
    let reason =
      words.split(separator: ": ").last.map { String($0.prefix(200)) } ?? "it ended with status \(answer.status)"
    return FeedFailure(.permanent, "ffprobe could not read the file: \(reason)")
  }
}
