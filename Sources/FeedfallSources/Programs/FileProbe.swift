import FeedfallFeeds
import FeedfallSystem
import FeedfallText

/// ffprobe, which reports the streams of a video file (ffmpeg.org/ffprobe.html).
struct FileProbe: Sendable {
  private let program: HelperProgram

  /// Returns nil if ffprobe is not installed.
  init?() {
    guard let path = InstalledPrograms.path(of: "ffprobe") else { return nil }
    self.init(path: path)
  }

  init(path: String) {
    program = HelperProgram(path: path, timeLimitSeconds: 15, maximumByteCount: 4 << 20)
  }

  /// A file can name others, as a playlist does. Only local files are opened then.
  private static let words = [
    "-v", "error", "-protocol_whitelist", "file", "-of", "json", "-show_format", "-show_streams",
  ]

  func complete(_ video: Video) async throws(FeedFailure) -> Video {
    guard let file = video.playbackURL?.file else { return video }
    let words = Self.words.map { Array($0.utf8) } + [Array("file:".utf8) + file.path]
    let answer = try await program.answer(to: words, of: .ffprobe)
    guard answer.status == 0 else {
      let words = Self.errorMessage(answer.errorOutput)
      throw FeedFailure(.program(.ffprobe, .failed(status: answer.status, words: words, isFinal: true)))
    }
    return try FeedDecoder.decodeFileFacts(answer.output, completing: video)
  }

  /// Returns the message without the file name, for example of `file:/a/b.mp4: Invalid data found`.
  private static func errorMessage(_ errorOutput: [UInt8]) -> String? {
    let line = errorOutput.split(separator: 0x0A).last ?? []
    let words = cleanedLine(String(decoding: line, as: UTF8.self), limit: 4_000)
    return words.split(separator: ": ").last.map { String($0.prefix(200)) }
  }
}

extension HelperProgram {
  /// Runs a program; throws if it did not end on its own.
  func answer(
    to arguments: [[UInt8]], input: [UInt8] = [], of program: SourceFailure.Program
  ) async throws(FeedFailure) -> ProgramAnswer {
    switch await run(arguments, input: input) {
    case .ended(let answer): return answer
    case .notStarted(let reason): throw FeedFailure(.program(program, .notStarted(reason: reason)))
    case .timedOut: throw FeedFailure(.program(program, .timedOut(seconds: timeLimitSeconds)))
    case .printedTooMuch: throw FeedFailure(.program(program, .tooLargeOutput(limit: maximumByteCount)))
    case .cancelled: throw .cancelled
    }
  }
}
