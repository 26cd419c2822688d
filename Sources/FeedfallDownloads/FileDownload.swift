import FeedfallText
import FeedfallUserData
import FeedfallWeb

/// Downloads a file by HTTP and continues it after an interruption.
struct FileDownload: Sendable {
  let run: DownloadRun
  let address: DownloadAddress

  /// The attempts that end without `leastGain` new bytes, one after the other.
  private static let maximumAttemptCount = 5
  private static let maximumRestartCount = 3
  /// In bytes. Prevents endless retries against a server that sends little data per attempt.
  private static let leastGain = 1 << 20
  /// In bytes. A shorter answer that is not the last one counts as an attempt that failed.
  private static let leastAnswer = 64 << 10
  /// In seconds.
  private static let longestPause = 600

  /// Returns the complete file.
  func file() async throws(DownloadFailure) -> StoredFile {
    let part = try DownloadPart(run.stem, of: address.address, in: run.folder, progress: run.progress)
    do throws(DownloadFailure) {
      try await complete(part)
      try part.synchronize()
      let file = try run.folder.publish(
        try part.finished(), as: run.stem, pathExtension(of: part), choose: run.choose)
      part.removeFacts()
      return file
    } catch {
      part.close()
      throw error
    }
  }

  private func complete(_ part: DownloadPart) async throws(DownloadFailure) {
    var (attemptCount, restartCount) = (0, 0)
    while true {
      let before = part.byteCount
      do throws(DownloadFailure) {
        switch try await outcome(part) {
        case .complete: return
        case .incomplete where part.byteCount == before: throw .contradictory
        case .incomplete: if part.byteCount - before < Self.leastAnswer { throw .tinyPieces }
        case .changed:
          restartCount += 1
          part.discard()
          guard restartCount < Self.maximumRestartCount else { throw .changing }
        }
      } catch {
        attemptCount = part.byteCount - before >= Self.leastGain ? 0 : attemptCount + 1
        guard error.isTransient, attemptCount < Self.maximumAttemptCount else { throw error }
        part.reportInterruption(FeedFailure(error).reason)
        await run.tools.pause(pause(after: error, attemptCount))
        if Task.isCancelled { throw .cancelled }
      }
    }
  }

  private func outcome(_ part: DownloadPart) async throws(DownloadFailure) -> DownloadPart.Outcome {
    part.begin()
    let (start, validator) = part.start
    let request = FileRequest(address.address, headers: address.headers, start: start, validator: validator)
    let head: FileHead
    do { head = try await run.tools.client.receive(request, into: part) } catch {
      // The disk or the server's headers may be the reason why the rest was refused.
      if let fault = part.fault, fault != .contradictory { throw fault }
      throw error == .cancelled ? .cancelled : .web(error)
    }
    return try part.outcome(head)
  }

  /// Returns the pause in seconds that the server asked for, or a growing one.
  private func pause(after failure: DownloadFailure, _ attemptCount: Int) -> Int {
    if case .web(let web) = failure, case .after(let seconds) = web.retry { return min(seconds, Self.longestPause) }
    return 1 << min(attemptCount, 5)
  }

  private func pathExtension(of part: DownloadPart) -> String {
    FileExtension.ofMedia(mimeType: part.contentType) ?? FileExtension.ofMedia(at: address.address) ?? "mp4"
  }
}
