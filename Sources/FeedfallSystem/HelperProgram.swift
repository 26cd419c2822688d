/// Another program that is run for what it prints: bounded in time and size, and gone, with all that it started, as soon
/// as nobody waits for it any more.
package struct HelperProgram: Sendable {
  let path: String
  package let timeLimitSeconds: Int
  /// The most bytes that it may print.
  package let maximumByteCount: Int

  package init(path: String, timeLimitSeconds: Int, maximumByteCount: Int) {
    self.path = path
    self.timeLimitSeconds = timeLimitSeconds
    self.maximumByteCount = maximumByteCount
  }

  /// Runs it with these arguments, none of which goes through a shell; ends at once when its task is cancelled.
  package func run(_ arguments: [[UInt8]]) async -> ProgramEnd {
    let run = ProgramRun(self, arguments)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isStarted = DetachedThread.start { continuation.resume(returning: run.toTheEnd()) }
        if !isStarted { continuation.resume(returning: .notStarted(reason: "there is no thread to wait with")) }
      }
    } onCancel: {
      run.cancel()
    }
  }
}

/// How the run of a program ended.
package enum ProgramEnd: Equatable, Sendable {
  case ended(ProgramAnswer)
  case notStarted(reason: String)
  /// It was ended, because its time was over.
  case tookTooLong
  /// It was ended, because it printed too much.
  case printedTooMuch
  case cancelled
}

/// What a program that ended by itself has left.
package struct ProgramAnswer: Equatable, Sendable {
  /// Its exit status; 128 and the number of the signal that ended it.
  package var status: Int
  /// Its standard output.
  package var output: [UInt8]
  /// The end of its standard error.
  package var complaint: [UInt8]

  package init(status: Int, output: [UInt8], complaint: [UInt8]) {
    self.status = status
    self.output = output
    self.complaint = complaint
  }
}
