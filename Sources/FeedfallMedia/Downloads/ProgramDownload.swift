import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

/// Downloads a page by yt-dlp, or a stream by yt-dlp or ffmpeg, in a hidden folder beside the final file. The folder
/// remains after an interruption, and yt-dlp continues the files in it.
struct ProgramDownload: Sendable {
  let job: DownloadJob
  let address: DownloadAddress
  let wantsCover: Bool

  private static let limitHours = 24
  private static let maximumErrorByteCount = 4 << 20
  private static let subtitleExtensions: Set<String> = ["vtt", "srt", "ass", "ssa", "ttml", "lrc"]
  private static let pictureExtensions: Set<String> = ["jpg", "jpeg", "png", "webp"]

  private struct Program {
    var name: String
    var path: String
    var stem: String
    var words: [String]
    var input: [UInt8]
    /// Files in memory for the program.
    var files: [[UInt8]] = []
    var variables: [String: String]
    var reader: Reader
  }

  private var folderPath: String { job.folder.path(of: PartsFolder.name(job.entry.stem)) }

  func files() async throws(DownloadFailure) -> DownloadJob.Output {
    let program = try await program()
    let folder = try PartsFolder(folderPath)
    let parts = try folder.parts(identity(program.name))
    try job.folder.checkSpace(for: nil)
    do throws(DownloadFailure) { try await end(of: program) } catch {
      guard error.obstacle == nil, let outage = await job.tools.outage(address) else { throw error }
      throw .web(outage, host: address.address.host)
    }
    let files = try publish(program, from: parts)
    folder.remove()
    return files
  }

  /// In pixels; nil for any.
  private var maximumHeight: Int? {
    if case .height(let height)? = job.entry.request.quality { height } else { job.tools.maximumHeight }
  }

  private var isAudio: Bool { job.entry.request.quality == .audio }

  /// The program, the height and a hash of the address, which may contain a secret. Parts of another identity are not
  /// continued, since they may have another resolution.
  private func identity(_ program: String) -> String {
    let height = isAudio ? "audio" : maximumHeight.map { "\($0)" } ?? "any"
    let hash = String(FNV1a.hash(address.address.withoutUser.text), radix: 16)
    return "\(program)-\(height)-\(hash)"
  }

  private func partsPath(_ program: String) -> String { "\(folderPath)/\(identity(program))" }

  // MARK: - The program

  private var ytDlp: YtDlp {
    var ytDlp = job.tools.ytDlp.rules(for: address.address)
    ytDlp.proxy = proxies.chosen(for: address.address)
    return ytDlp
  }

  private func program() async throws(DownloadFailure) -> Program {
    switch await ytDlp.prepared() {
    case .success(let call): return program(call)
    case .failure(.notInstalled): break
    case .failure(let obstacle): throw .program("yt-dlp", .notUsable(obstacle))
    }
    // Other users of the machine can read arguments, but not the pipe to yt-dlp.
    guard address.kind == .stream, !address.address.namesUser, address.headers?.authorization == nil,
      proxies.proxy(for: address.address)?.isPlainHTTP != false
    else { throw .program("yt-dlp", .notInstalled(package: "yt-dlp")) }
    guard let path = job.tools.ffmpegPath else { throw .program("ffmpeg", .notInstalled(package: "ffmpeg")) }
    return ffmpeg(path)
  }

  /// The address with the login of its source. Unlike a header, yt-dlp sends it to no other server.
  private var loginAddress: WebAddress {
    let page = pageItem?.page ?? address.address
    guard case .basic(let user, let password) = address.headers?.authorization else { return page }
    return page.naming(user: user, password: password)
  }

  /// In seconds.
  private var timeout: Int { Int(min(job.tools.client.timeoutSeconds, 3_600).rounded(.up)) }
  private var pageItem: (page: WebAddress, number: Int)? { address.kind == .page ? address.address.item : nil }

  /// The files have names that no page determines, apart from extensions and languages.
  private func program(_ call: YtDlp.Call) -> Program {
    let stem = "video"
    var words = [
      "--no-playlist", "--playlist-items", "\(pageItem?.number ?? 1)", "--no-warnings", "--quiet",
      // The user's configuration may have the opposites.
      "--no-simulate", "--no-keep-video",
      "--progress", "--newline", "--progress-template",
      "download:%(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s",
      "--socket-timeout", "\(timeout)", "--no-mtime", "--no-overwrites", "--no-cache-dir",
      "--abort-on-unavailable-fragments",
      "--write-subs", "--sub-langs", "all,-live_chat", "--paths", partsPath("yt-dlp"), "--output", "\(stem).%(ext)s",
    ]
    if wantsCover { words.append("--write-thumbnail") }
    if isAudio {
      // ffmpeg removes the picture if there is no separate audio.
      words += ["--format", "bestaudio/best"] + (job.tools.ffmpegPath == nil ? [] : ["--extract-audio"])
    } else if let height = maximumHeight {
      words += ["--format-sort", "res:\(height)"]
    }
    if let userAgent = address.headers?.userAgent { words += ["--user-agent", userAgent] }
    if let referrer = address.headers?.referrer { words += ["--add-headers", "Referer:\(referrer.forStorage.text)"] }
    return Program(
      name: "yt-dlp", path: call.path, stem: stem, words: call.words + words + ["--batch-file", "-"],
      input: YtDlp.input(loginAddress.text), files: call.files, variables: proxies.variables(for: address.address),
      reader: reader(.ytDlp))
  }

  /// Only http and https are allowed, because a list may name local files. The format needs no index at its end.
  /// Warnings are included: ffmpeg skips a missing segment with one, and then ends with status 0.
  private func ffmpeg(_ path: String) -> Program {
    var words = ["-nostdin", "-hide_banner", "-nostats", "-loglevel", "level+info"]
    let protocols = "http,https,tcp,tls,crypto,httpproxy"
    var options = [(name: "rw_timeout", value: "\(timeout)000000")]
    if let userAgent = address.headers?.userAgent { options.append(("user_agent", userAgent)) }
    if let referrer = address.headers?.referrer { options.append(("referer", referrer.text)) }
    var input = ""
    if address.address.hasSecret || address.headers?.referrer?.hasSecret == true {
      words += ["-protocol_whitelist", "pipe," + protocols, "-f", "concat", "-safe", "0", "-i", "pipe:0"]
      input = Self.list(of: address.address, options)
    } else {
      words += ["-protocol_whitelist", protocols] + options.flatMap { ["-" + $0.name, $0.value] }
      words += ["-i", address.address.text]
    }
    words += (isAudio ? [] : ["-map", "0:V?"]) + ["-map", "0:a?", "-c", "copy", "-f", "matroska"]
    words += ["-progress", "pipe:1", "-y", "\(partsPath("ffmpeg"))/stream.\(isAudio ? "mka" : "mkv")"]
    return Program(
      name: "ffmpeg", path: path, stem: "stream", words: words, input: Array(input.utf8),
      variables: proxies.variablesForFFmpeg(for: address.address), reader: reader(.ffmpeg))
  }

  /// A list for standard input (ffmpeg.org/ffmpeg-formats.html#concat): unlike arguments, other users cannot read it.
  private static func list(of address: WebAddress, _ options: [(name: String, value: String)]) -> String {
    func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }
    let lines = ["ffconcat version 1.0", "file \(quoted(address.text))"]
    return (lines + options.map { "option \($0.name) \(quoted($0.value))" }).joined(separator: "\n") + "\n"
  }

  private var proxies: Proxies { job.tools.client.proxies.rules(for: address.address) }

  private func reader(_ language: Reader.Language) -> Reader {
    Reader(language, report: job.progress) { [folder = job.folder] in folder.shortage }
  }

  private func end(of program: Program) async throws(DownloadFailure) {
    var helper = HelperProgram(
      path: program.path, timeLimitSeconds: Self.limitHours * 3_600, maximumByteCount: Self.maximumErrorByteCount)
    (helper.variables, helper.files) = (program.variables, program.files)
    let reader = program.reader
    let end = await helper.run(
      program.words.map { Array($0.utf8) }, input: program.input, reader: { reader.read($0) },
      errorReader: { reader.readErrors($0) })
    switch end {
    case .ended(let answer) where answer.status == 0:
      if let gap = reader.gap { throw .incompleteStream(words: gap.message.flatMap(words).map(YtDlp.shown)) }
    case .ended(let answer):
      try job.folder.checkSpace(for: nil)
      let words = reader.lastError.flatMap(words)
      let cure = program.name == "yt-dlp" ? words.flatMap { ytDlp.cure(for: $0) } : nil
      throw .program(program.name, .failed(status: answer.status, words: words.map(YtDlp.shown), cure: cure))
    case .cancelled:
      throw reader.shortage ?? .cancelled
    case .notStarted(let reason): throw .program(program.name, .notStarted(reason: reason))
    case .timedOut, .printedTooMuch: throw .program(program.name, .timedOut(hours: Self.limitHours))
    }
  }

  private func words(_ line: String) -> String? {
    let text = cleanedLine(line, limit: 20_000)
      .replacing("ERROR: ", with: "").replacing(address.address.text, with: address.address.description)
    let words = text.split(separator: " ").map { String($0).hidingPassword }.joined(separator: " ")
    return words.isEmpty ? nil : words
  }

  // MARK: - The files

  private func publish(_ program: Program, from parts: PartsFolder.Parts) throws(DownloadFailure) -> DownloadJob.Output
  {
    let files = parts.names.filter { $0.hasPrefix(program.stem + ".") }.compactMap(parts.file)
    let videoFiles = files.filter {
      FileExtension.isMedia(Self.pathExtension($0.name)) && $0.name.split(separator: ".").count == 2
    }
    guard let videoFile = videoFiles.max(by: { $0.mark.byteCount < $1.mark.byteCount }), videoFile.mark.byteCount > 0
    else { throw .program(program.name, .noFile) }
    let pathExtension = Self.pathExtension(videoFile.name)
    let published = try job.folder.publish(videoFile, as: job.entry.stem, pathExtension, choose: job.choose)
    let stem = String(published.name.dropLast(pathExtension.utf8.count + 1))
    var all = DownloadJob.Output(videoFile: published)
    for other in files
    where Self.subtitleExtensions.contains(Self.pathExtension(other.name)) || Self.isPicture(other.name) {
      let name = "\(stem).\(other.name.dropFirst(program.stem.count + 1))"
      if DownloadName.isPlain(name), let file = job.folder.move(other, to: name) { all.companions.append(file) }
    }
    return all
  }

  static func isPicture(_ name: String) -> Bool { pictureExtensions.contains(pathExtension(name)) }

  private static func pathExtension(_ name: String) -> String {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  /// Reads the progress that a program prints, and the messages that show whether a stream is complete.
  final class Reader: Sendable {
    enum Language: Sendable { case ytDlp, ffmpeg }

    struct Gap: Equatable, Sendable {
      /// The message of the program; nil if the stream is only shorter than its list states.
      var message: String?
    }

    private struct State {
      var output = LineSplitter(maximumLength: 4_096)
      var errors = LineSplitter(maximumLength: 4_096)
      var shortage: DownloadFailure?
      var lastError: String?
      var gapMessage: String?
      /// In seconds, as the list of the stream states.
      var statedDuration: Double?
      /// In seconds, of the file so far.
      var duration: Double?
    }

    private let language: Language
    private let report: @Sendable (DownloadProgress) -> Void
    private let findShortage: @Sendable () -> DownloadFailure?
    private let state = Mutex(State())

    /// Messages of ffmpeg about a part of a stream that it skips (hls.c, dashdec.c, http.c).
    private static let gapMessages = [
      "Failed to open segment", "Failed to open fragment", "Failed to open an initialization section",
      "Stream ends prematurely", "failed too many times", "segments ahead, expired from playlist",
      // A connection that is reset within a segment is noticed only by its last packet (mpegts.c).
      "PES packet size mismatch",
    ]

    init(
      _ language: Language, report: @escaping @Sendable (DownloadProgress) -> Void,
      findShortage: @escaping @Sendable () -> DownloadFailure?
    ) {
      (self.language, self.report, self.findShortage) = (language, report, findShortage)
    }

    var shortage: DownloadFailure? { state.withLock { $0.shortage } }
    var lastError: String? { state.withLock { $0.lastError } }

    /// Nil for a stream that is complete as far as the program has said.
    var gap: Gap? {
      state.withLock { state in
        if let message = state.gapMessage { return Gap(message: message) }
        guard let stated = state.statedDuration, let duration = state.duration else { return nil }
        return DownloadTools.isTooShort(duration, stated: stated) ? Gap(message: nil) : nil
      }
    }

    // MARK: - Output

    /// Returns false if the disk has no space.
    func read(_ output: ArraySlice<UInt8>) -> Bool {
      let progress = state.withLock { state in
        state.output.lines(in: output).reduce(nil as DownloadProgress?) { parse($1, &state) ?? $0 }
      }
      if let progress { report(progress) }
      guard let shortage = findShortage() else { return true }
      state.withLock { $0.shortage = shortage }
      return false
    }

    private func parse(_ line: [UInt8], _ state: inout State) -> DownloadProgress? {
      switch language {
      case .ytDlp:
        let numbers = Self.numbers(line[...])
        guard numbers.count == 3, let count = numbers[0] else { return nil }
        return DownloadProgress(byteCount: count, totalByteCount: numbers[1] ?? numbers[2])
      case .ffmpeg:
        if let microseconds = Self.number("out_time_us=", line) { state.duration = Double(microseconds) / 1_000_000 }
        return Self.number("total_size=", line).map { DownloadProgress(byteCount: $0) }
      }
    }

    private static func number(_ name: StaticString, _ line: [UInt8]) -> Int? {
      let name = Array(name.description.utf8)
      return line.starts(with: name) ? numbers(line.dropFirst(name.count)).first ?? nil : nil
    }

    private static func numbers(_ line: ArraySlice<UInt8>) -> [Int?] {
      String(decoding: line, as: UTF8.self).split(separator: " ").map { word in
        Double(word).flatMap { $0.isFinite && (0..<1e15).contains($0) ? Int($0) : nil }
      }
    }

    // MARK: - Messages

    /// Always returns true: messages end no download.
    func readErrors(_ output: ArraySlice<UInt8>) -> Bool {
      state.withLock { state in
        for line in state.errors.lines(in: output) where !line.isEmpty {
          handle(String(decoding: line, as: UTF8.self), &state)
        }
      }
      return true
    }

    private func handle(_ line: String, _ state: inout State) {
      guard language == .ffmpeg else {
        state.lastError = line
        return
      }
      if let stated = Self.statedDuration(line) { state.statedDuration = state.statedDuration ?? stated }
      let levels = ["[error] ", "[fatal] ", "[panic] "]
      if let level = levels.first(where: line.contains) { state.lastError = line.replacing(level, with: "") }
      if state.gapMessage == nil, Self.gapMessages.contains(where: line.contains) {
        state.gapMessage = line.split(separator: "] ").last.map { String($0) }
      }
    }

    /// The seconds in a line such as `[info]   Duration: 00:01:30.50, start: 0.000000`.
    private static func statedDuration(_ line: String) -> Double? {
      let words = line.split(separator: " ")
      guard words.count > 2, words[0] == "[info]", words[1] == "Duration:" else { return nil }
      let parts = words[2].split { $0 == ":" || $0 == "," }.map { Double($0) }
      guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else { return nil }
      return hours * 3_600 + minutes * 60 + seconds
    }
  }
}
