import FeedfallRecords
import FeedfallText
import FeedfallWeb

/// Downloads a file by HTTP and continues it after an interruption.
struct FileDownload: Sendable {
  let run: DownloadRun
  let address: DownloadAddress
  /// The place of the address among those of the video.
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
    let part = try DownloadPart(run, of: address.address, index)
    do throws(DownloadFailure) {
      try await complete(part)
      try part.synchronize()
      let isCut = try await part.unpack()
      let isDoubtful =
        isCut
        ? true
        : part.hasUnstatedEnd
          ? await run.tools.isCut(part.contentPath, stated: run.duration, statedByteCount: run.statedByteCount) : false
      var file = try run.folder.publish(
        try part.finished(), as: run.stem,
        DownloadExtension.of(start: part.contentStart(), declared: part.declaredExtensions(address.address))
      ) { file throws(DownloadFailure) in
        var file = file
        file.mayBeIncomplete = isDoubtful
        try run.choose(file)
      }
      file.mayBeIncomplete = isDoubtful
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
        try run.folder.checkSpace(for: part.missingByteCount)
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
        guard error.isTransient, attemptCount < (run.isProbe ? 1 : Self.maximumAttemptCount), pause <= Self.longestPause
        else { throw error }
        part.reportInterruption(FeedFailure(error).reason)
        await run.tools.pause(pause)
        if Task.isCancelled { throw .cancelled }
      }
    }
  }

  private func outcome(_ part: DownloadPart) async throws(DownloadFailure) -> DownloadPart.Outcome {
    let (start, validator) = part.begin()
    defer { part.saveFacts() }
    var request = FileRequest(address.address, headers: address.headers, start: start, validator: validator)
    request.allowsHTTP = run.allowsHTTP
    let head: FileHead
    do { head = try await run.tools.client.receive(request, into: part) } catch {
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
