import FeedfallRecords
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Glibc

struct FileDownload: Sendable {
  let job: DownloadJob
  let address: DownloadAddress
  let index: Int

  /// The attempts that end without `leastGain` bytes beyond all earlier ones, one after the other.
  private static let maximumAttemptCount = 5
  private static let maximumRestartCount = 3
  /// In bytes. Prevents endless retries against a server that sends little data per attempt.
  private static let leastGain = 1 << 20
  /// In bytes. A shorter answer that is not the last one counts as an attempt that failed.
  private static let leastAnswer = 64 << 10
  /// In seconds; for a longer one the download waits in the queue.
  private static let longestPause = 120

  func file() async throws(DownloadFailure) -> StoredFile {
    let part = try DownloadPart(job, of: address.address, index)
    do throws(DownloadFailure) {
      try await complete(part)
      try part.synchronize()
      var isDoubtful = try await part.unpack()
      if !isDoubtful, part.hasUnstatedEnd {
        isDoubtful = await job.tools.isCut(
          part.contentPath, stated: job.entry.request.duration, statedByteCount: job.entry.request.byteCount)
      }
      let file = try job.folder.publish(
        try part.finished(), as: job.entry.stem,
        DownloadExtension.of(start: part.contentStart(), declared: part.declaredExtensions(address.address)),
        mayBeIncomplete: isDoubtful, choose: job.choose)
      part.removeRest()
      return file
    } catch {
      part.close(after: error)
      throw error
    }
  }

  private func complete(_ part: DownloadPart) async throws(DownloadFailure) {
    var (attemptCount, restartCount) = (0, 0)
    while true {
      let (before, highest) = (part.byteCount, part.highestByteCount)
      do throws(DownloadFailure) {
        try job.folder.checkSpace(for: part.missingByteCount)
        switch try await outcome(part) {
        case .complete: return
        case .incomplete: if part.byteCount - before < Self.leastAnswer { throw .tinyPieces }
        case .changed:
          restartCount += 1
          part.discard()
          guard restartCount < Self.maximumRestartCount else { throw .changing }
        }
      } catch {
        attemptCount = part.highestByteCount - highest >= Self.leastGain ? 0 : attemptCount + 1
        let pause = error.pause ?? 1 << min(attemptCount, 5)
        guard error.isTransient, attemptCount < (job.isProbe ? 1 : Self.maximumAttemptCount), pause <= Self.longestPause
        else { throw error }
        part.reportInterruption(FeedFailure(error).reason)
        await job.tools.pause(pause)
        if Task.isCancelled { throw .cancelled }
      }
    }
  }

  private func outcome(_ part: DownloadPart) async throws(DownloadFailure) -> DownloadPart.Outcome {
    let (start, validator) = part.begin()
    defer { part.saveFacts() }
    var request = FileRequest(address.address, headers: address.headers, start: start, validator: validator)
    request.allowsHTTP = job.allowsHTTP
    let head: FileHead
    do { head = try await job.tools.client.receive(request, into: part) } catch {
      // The disk or the server's headers may be the reason why the rest was refused.
      if let fault = part.fault, fault != .contradictory { throw fault }
      throw DownloadFailure(error, of: request)
    }
    if head.status == 401, address.headers?.authorization != nil {
      throw .web(.loginRefused, host: address.address.host)
    }
    return try part.outcome(head, host: address.address.host)
  }
}

extension DownloadTools {
  /// The lengths that feeds and lists of streams state are not exact.
  private static let toleratedShare = 0.05
  /// In seconds.
  private static let toleratedDuration = 3.0
  private static let probeLimitSeconds = 30

  /// - Parameter stated: the duration in seconds that the feed states; its size counts if nothing better is known.
  func isCut(_ path: String, stated: Int?, statedByteCount: Int? = nil) async -> Bool {
    if let isWhole = Self.hasWholeBoxes(path) { return !isWhole }
    if let isCut = await isCutByDuration(path, stated: stated) { return isCut }
    var status = stat()
    guard let statedByteCount, stat(path, &status) == 0 else { return false }
    return Double(status.st_size) < Double(statedByteCount) * (1 - Self.toleratedShare)
  }

  private func isCutByDuration(_ path: String, stated: Int?) async -> Bool? {
    guard let ffprobePath else { return nil }
    let helper = HelperProgram(
      path: ffprobePath, timeLimitSeconds: Self.probeLimitSeconds, maximumByteCount: 64 << 10)
    let words = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", "file:" + path]
    guard case .ended(let answer) = await helper.run(words.map { Array($0.utf8) }) else { return nil }
    guard answer.status == 0 else { return true }
    let text = String(decoding: answer.output.prefix { $0 > 0x20 }, as: UTF8.self)
    guard let stated = stated.map(Double.init), let duration = Double(text) else { return nil }
    return Self.isTooShort(duration, stated: stated)
  }

  static func isTooShort(_ duration: Double, stated: Double) -> Bool {
    duration < stated - max(toleratedDuration, stated * toleratedShare)
  }
}

/// The boxes of an MP4 file (ISO 14496-12, 4.2), whose sizes show whether its end is missing.
extension DownloadTools {
  private static let maximumBoxCount = 1_000_000

  /// Whether all boxes end within the file; nil for a file of another format.
  private static func hasWholeBoxes(_ path: String) -> Bool? {
    guard let descriptor = try? Files.openOwn(path, O_RDONLY) else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    func start(at place: Int) -> [UInt8] { (try? Files.read(descriptor: descriptor, at: place, count: 16)) ?? [] }
    guard start(at: 0).dropFirst(4).starts(with: "ftyp".utf8) else { return nil }
    var (place, hasIndex) = (0, false)
    for _ in 0..<maximumBoxCount {
      if place == status.st_size { return hasIndex }
      let head = start(at: place)
      guard let size = size(head, rest: Int(status.st_size) - place) else { return false }
      if ["moov", "moof"].contains(where: { head[4..<8].elementsEqual($0.utf8) }) { hasIndex = true }
      place += size
    }
    return nil
  }

  private static func size(_ head: [UInt8], rest: Int) -> Int? {
    guard head.count >= 8 else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    var (size, least) = (number(head[..<4]), UInt64(8))
    if size == 0 { return rest }
    if size == 1 {
      guard head.count >= 16 else { return nil }
      (size, least) = (number(head[8..<16]), 16)
    }
    return size >= least && size <= UInt64(rest) ? Int(size) : nil
  }
}
