import FeedfallSystem
import FeedfallText
import FeedfallUserData
import Glibc
import Synchronization

/// Downloads a page by yt-dlp, or a stream by yt-dlp or ffmpeg, in a hidden folder beside the final file. The folder
/// remains after an interruption, and yt-dlp continues the files in it.
struct ProgramDownload: Sendable {
  let run: DownloadRun
  let address: DownloadAddress
  /// Whether to store the cover that yt-dlp finds.
  let wantsCover: Bool

  private static let limitHours = 24
  private static let maximumErrorByteCount = 4 << 20
  private static let stem = "video"
  private static let subtitleExtensions: Set<String> = ["vtt", "srt", "ass", "ssa", "ttml", "lrc"]
  private static let pictureExtensions: Set<String> = ["jpg", "jpeg", "png", "webp"]

  private struct Program {
    var name: String
    var path: String
    var words: [String]
    var input: [UInt8]
    /// Returns the progress that a line states.
    var progress: @Sendable (ArraySlice<UInt8>) -> DownloadProgressReport?
  }

  static func folderName(_ stem: String) -> String { ".\(stem).parts" }

  private var folderPath: String { run.folder.path(of: Self.folderName(run.stem)) }

  /// Returns the names of the complete files.
  func files() async throws(DownloadFailure) -> DownloadedFiles {
    let program = try program()
    do { try Files.makeFolder(folderPath, mode: 0o700) } catch { throw .folder(error, path: folderPath) }
    let lock = try LockedFile(folderPath, isFolder: true)
    try run.folder.checkSpace(for: nil)
    try await end(of: program)
    let files = try publish()
    run.folder.remove(Self.folderName(run.stem))
    withExtendedLifetime(lock) {}
    return files
  }

  // MARK: - The program

  private func program() throws(DownloadFailure) -> Program {
    if let path = run.tools.ytDlpPath { return ytDlp(path) }
    // Other users of the machine can read arguments, but not the pipe to yt-dlp.
    guard address.kind == .stream, !address.address.namesUser, address.headers?.authorization == nil else {
      throw .program("yt-dlp", .notInstalled(package: "yt-dlp"))
    }
    guard let path = run.tools.ffmpegPath else { throw .program("ffmpeg", .notInstalled(package: "ffmpeg")) }
    return ffmpeg(path)
  }

  /// The files have names that no page determines, apart from extensions and languages.
  private func ytDlp(_ path: String) -> Program {
    var words = [
      "--ignore-config", "--no-playlist", "--playlist-items", "1", "--no-warnings", "--quiet", "--progress",
      "--newline", "--progress-template",
      "download:%(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s",
      "--socket-timeout", "30", "--no-mtime", "--no-overwrites", "--no-cache-dir", "--abort-on-unavailable-fragments",
      "--write-subs", "--sub-langs", "all,-live_chat", "--paths", folderPath, "--output", "\(Self.stem).%(ext)s",
      "--batch-file", "-",
    ]
    if wantsCover { words.append("--write-thumbnail") }
    if let height = run.tools.maximumHeight { words += ["--format-sort", "res:\(height)"] }
    if let userAgent = address.headers?.userAgent { words += ["--user-agent", userAgent] }
    if let referrer = address.headers?.referrer { words += ["--add-headers", "Referer:\(referrer.text)"] }
    return Program(
      name: "yt-dlp", path: path, words: words, input: Array((address.address.text + "\n").utf8),
      progress: Self.ytDlpProgress)
  }

  /// Only http and https are allowed, because a list may name local files. The format needs no index at its end.
  private func ffmpeg(_ path: String) -> Program {
    var words = ["-nostdin", "-loglevel", "error", "-protocol_whitelist", "http,https,tcp,tls,crypto,httpproxy"]
    words += ["-rw_timeout", "30000000"]
    if let userAgent = address.headers?.userAgent { words += ["-user_agent", userAgent] }
    if let referrer = address.headers?.referrer { words += ["-referer", referrer.text] }
    words += ["-i", address.address.text, "-map", "0:V?", "-map", "0:a?", "-c", "copy", "-f", "matroska"]
    words += ["-progress", "pipe:1", "-y", "\(folderPath)/\(Self.stem).mkv"]
    return Program(name: "ffmpeg", path: path, words: words, input: [], progress: Self.ffmpegProgress)
  }

  private func end(of program: Program) async throws(DownloadFailure) {
    let helper = HelperProgram(
      path: program.path, timeLimitSeconds: Self.limitHours * 3_600, maximumByteCount: Self.maximumErrorByteCount)
    let reader = ProgressReader(parse: program.progress, report: run.progress) { [folder = run.folder] in
      (try? folder.checkSpace(for: nil)) != nil
    }
    let end = await helper.run(
      program.words.map { Array($0.utf8) }, input: program.input, reader: { reader.read($0) })
    switch end {
    case .ended(let answer) where answer.status == 0: return
    case .ended(let answer):
      try run.folder.checkSpace(for: nil)
      throw .program(program.name, .failed(status: answer.status, words: words(answer.errorOutput)))
    case .cancelled:
      if reader.isOutOfSpace { try run.folder.checkSpace(for: nil) }
      throw .cancelled
    case .notStarted(let reason): throw .program(program.name, .notStarted(reason: reason))
    case .timedOut, .printedTooMuch: throw .program(program.name, .timedOut(hours: Self.limitHours))
    }
  }

  /// Returns the last line of the errors, without passwords and folders.
  private func words(_ errorOutput: [UInt8]) -> String? {
    guard let line = errorOutput.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).last else { return nil }
    let text = cleanedLine(String(decoding: line, as: UTF8.self), limit: 20_000)
      .replacing("ERROR: ", with: "").replacing(address.address.text, with: address.address.description)
    let words = text.split(separator: " ").map { String($0).hidingPassword }.joined(separator: " ")
    return words.isEmpty ? nil : cleanedLine(words, limit: 200)
  }

  private static func numbers(_ line: ArraySlice<UInt8>) -> [Int?] {
    String(decoding: line, as: UTF8.self).split(separator: " ").map { word in
      Double(word).flatMap { $0.isFinite && (0..<1e15).contains($0) ? Int($0) : nil }
    }
  }

  private static func ytDlpProgress(_ line: ArraySlice<UInt8>) -> DownloadProgressReport? {
    let numbers = numbers(line)
    guard numbers.count == 3, let count = numbers[0] else { return nil }
    return (count, total: numbers[1] ?? numbers[2])
  }

  private static func ffmpegProgress(_ line: ArraySlice<UInt8>) -> DownloadProgressReport? {
    let start = Array("total_size=".utf8)
    guard line.starts(with: start), let count = numbers(line.dropFirst(start.count)).first ?? nil else { return nil }
    return (count, total: nil)
  }

  // MARK: - The files

  private func publish() throws(DownloadFailure) -> DownloadedFiles {
    let names = DownloadFolder.names(in: folderPath).filter { $0.hasPrefix(Self.stem + ".") && isRegular($0) }
    let videos = names.filter { FileExtension.isMedia(Self.pathExtension($0)) && $0.split(separator: ".").count == 2 }
    guard let video = videos.max(by: { size(of: $0) < size(of: $1) }), size(of: video) > 0 else {
      throw .program(address.kind == .page || run.tools.ytDlpPath != nil ? "yt-dlp" : "ffmpeg", .noFile)
    }
    let name = try run.folder.publish(
      folderPath + "/" + video, as: run.stem, Self.pathExtension(video), choose: run.choose)
    let stem = String(name.dropLast(Self.pathExtension(video).utf8.count + 1))
    var files = DownloadedFiles(name: name)
    for other in names where Self.isCompanion(other) {
      let end = String(other.dropFirst(Self.stem.count + 1))
      if guardedMove(other, to: "\(stem).\(end)") { files.companions.append("\(stem).\(end)") }
    }
    return files
  }

  private func guardedMove(_ name: String, to target: String) -> Bool {
    DownloadName.isPlain(target) && run.folder.move(folderPath + "/" + name, to: target)
  }

  private static func isCompanion(_ name: String) -> Bool {
    let end = pathExtension(name)
    return subtitleExtensions.contains(end) || pictureExtensions.contains(end)
  }

  private static func pathExtension(_ name: String) -> String {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  private func isRegular(_ name: String) -> Bool {
    var status = stat()
    return lstat(folderPath + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func size(of name: String) -> Int {
    var status = stat()
    return lstat(folderPath + "/" + name, &status) == 0 ? Int(status.st_size) : 0
  }
}

/// Splits the output of a program into lines and reports the progress in them.
private final class ProgressReader: Sendable {
  private struct State {
    var line: [UInt8] = []
    var isOutOfSpace = false
  }

  private let parse: @Sendable (ArraySlice<UInt8>) -> DownloadProgressReport?
  private let report: @Sendable (DownloadProgressReport) -> Void
  private let hasSpace: @Sendable () -> Bool
  private let state = Mutex(State())

  /// In bytes; the rest of a longer line is ignored.
  private static let maximumLineLength = 1_024

  init(
    parse: @escaping @Sendable (ArraySlice<UInt8>) -> DownloadProgressReport?,
    report: @escaping @Sendable (DownloadProgressReport) -> Void, hasSpace: @escaping @Sendable () -> Bool
  ) {
    self.parse = parse
    self.report = report
    self.hasSpace = hasSpace
  }

  var isOutOfSpace: Bool { state.withLock { $0.isOutOfSpace } }

  /// Returns false if the disk has no space.
  func read(_ output: ArraySlice<UInt8>) -> Bool {
    var last: DownloadProgressReport?
    state.withLock { state in
      for byte in output {
        if byte == 0x0A || byte == 0x0D {
          last = parse(state.line[...]) ?? last
          state.line = []
        } else if state.line.count < Self.maximumLineLength {
          state.line.append(byte)
        }
      }
    }
    if let last { report(last) }
    let isFull = !hasSpace()
    if isFull { state.withLock { $0.isOutOfSpace = true } }
    return !isFull
  }
}
