import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// ffprobe (ffmpeg.org/ffprobe.html). A file is read again only after it has changed.
final class FileProbe: Sendable {
  private let program: HelperProgram
  private let answers = Mutex<[Version: Result<[UInt8], FeedFailure>]>([:])

  private struct Version: Hashable {
    var file: FileAddress
    var byteCount: Int
    var modifiedSeconds: Int
    var modifiedNanoseconds: Int

    init?(_ file: FileAddress) {
      var status = stat()
      guard stat(file.path.cString, &status) == 0 else { return nil }
      self.file = file
      byteCount = Int(status.st_size)
      modifiedSeconds = status.st_mtim.tv_sec
      modifiedNanoseconds = status.st_mtim.tv_nsec
    }
  }

  private static let maximumAnswerCount = 1_000
  /// Longer outputs are not stored; files with many chapters have them.
  private static let maximumStoredByteCount = 16 << 10

  static let installed = InstalledPrograms.path(of: "ffprobe").map { FileProbe(path: $0) }

  init(path: String) { program = HelperProgram(path: path, timeLimitSeconds: 15, maximumByteCount: 4 << 20) }

  /// Keeps ffmpeg and ffprobe from opening other files: formats that refer to files, such as playlists, are excluded.
  static let inputWords = [
    "-v", "error", "-protocol_whitelist", "file", "-format_whitelist",
    "matroska,mov,avi,mpegts,mpeg,ogg,flv,asf,rm,mxf,nut,ivf,dv,wtv,mpegvideo,m4v,h264,hevc,obu,wav,w64,aiff,caf,mp3,flac,"
      + "aac,ac3,eac3,dts,amr,ape,wv,tta,au,gif",
  ]

  func complete(_ video: Video) async throws(FeedFailure) -> Video {
    guard let file = video.playbackURL?.file else { return video }
    return try await facts(of: file).completing(video)
  }

  /// The picture is nil for a sound without a cover.
  func picture(of file: FileAddress) async throws(FeedFailure) -> (picture: FileFacts.Picture?, seconds: Int?) {
    let facts = try await facts(of: file)
    return (facts.picture, facts.duration?.seconds)
  }

  private func facts(of file: FileAddress) async throws(FeedFailure) -> FileFacts {
    let version = Version(file)
    if let version, let answer = answers.withLock({ $0[version] }) { return try FileFacts(answer.get()) }
    if version?.byteCount == 0 { throw .emptyFile(cleanedLine(file.name, limit: 80)) }
    let options = Self.inputWords + ["-of", "json", "-show_format", "-show_streams"]
    let words = options.map { Array($0.utf8) } + [Array("file:".utf8) + file.path]
    let answer = try await program.answer(to: words, of: .ffprobe)
    let facts = Result(catching: { () throws(FeedFailure) -> FileFacts in
      guard answer.status == 0 else {
        throw .failed(.ffprobe, status: answer.status, words: Self.errorMessage(answer.errorOutput))
      }
      return try FileFacts(answer.output)
    })
    store(facts.map { _ in answer.output }, version)
    return try facts.get()
  }

  private func store(_ answer: Result<[UInt8], FeedFailure>, _ version: Version?) {
    guard let version else { return }
    if case .success(let output) = answer, output.count > Self.maximumStoredByteCount { return }
    answers.withLock { answers in
      if answers.count >= Self.maximumAnswerCount { answers = [:] }
      answers[version] = answer
    }
  }

  /// Without the file name, for example of `file:/a/b.mp4: Invalid data found`.
  static func errorMessage(_ errorOutput: [UInt8]) -> String? {
    let line = errorOutput.split(separator: 0x0A).last ?? []
    let words = cleanedLine(String(decoding: line, as: UTF8.self), limit: 4_000)
    return words.split(separator: ": ").last.map { String($0.prefix(200)) }
  }
}

extension HelperProgram {
  /// Throws if the program did not end on its own.
  func answer(
    to arguments: [[UInt8]], input: [UInt8] = [], of program: SourceProgram
  ) async throws(FeedFailure) -> HelperProgram.Answer {
    switch await run(arguments, input: input) {
    case .ended(let answer): return answer
    case .notStarted(let reason): throw .notStarted(program, reason: reason)
    case .timedOut: throw .timedOut(program, seconds: timeLimitSeconds)
    case .printedTooMuch: throw .tooLargeOutput(of: program, limit: maximumByteCount)
    case .cancelled: throw .cancelled
    }
  }
}
