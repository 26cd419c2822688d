import CFeedfallGuard
import Glibc
import Synchronization

/// One run of a program, on a thread that waits for it.
final class ProgramRun: Sendable {
  private let program: HelperProgram
  private let arguments: [[UInt8]]
  private let state = Mutex(State())

  private struct State {
    /// Ends the program and all that it started when it is shut down.
    var lifeline: Int32?
    var isCancelled = false
  }

  init(_ program: HelperProgram, _ arguments: [[UInt8]]) {
    self.program = program
    self.arguments = arguments
  }

  /// Ends the program now, or as soon as it has started; from any thread.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if let lifeline = state.lifeline { shutdown(lifeline, Int32(SHUT_RDWR)) }
    }
  }

  /// Runs it, and blocks the thread until it has ended.
  func toTheEnd() -> ProgramEnd {
    guard var output = ProgramOutput(keeping: program.maximumByteCount),
      var errors = ProgramOutput(keeping: Self.complaintByteCount)
    else { return .notStarted(reason: systemMessage(errno)) }
    guard let (lifeline, keeper) = start(output.writingEnd, errors.writingEnd) else {
      return .notStarted(reason: systemMessage(errno))
    }
    output.closeWritingEnd()
    errors.closeWritingEnd()
    let cut = watch(lifeline, &output, &errors)
    if cut != nil { shutdown(lifeline, Int32(SHUT_RDWR)) }
    // The descriptor's number may be another's from here on.
    let isCancelled = state.withLock { state in
      state.lifeline = nil
      return state.isCancelled
    }
    let status = guard_await_kept(lifeline, keeper)
    if isCancelled { return .cancelled }
    if let cut { return cut }
    guard status >= 0 else { return .notStarted(reason: systemMessage(errno)) }
    return .ended(
      ProgramAnswer(status: Self.exitStatus(status), output: output.bytes, complaint: errors.bytes))
  }

  private static let complaintByteCount = 16 << 10

  private func start(_ output: Int32, _ errors: Int32) -> (lifeline: Int32, keeper: pid_t)? {
    state.withLock { state in
      var keeper: pid_t = 0
      let words = [Array(program.path.utf8)] + arguments
      let lifeline = withArguments(words) {
        guard_spawn_kept($0, [Int32(GUARD_NULL), output, errors], 3, &keeper)
      }
      guard lifeline >= 0 else { return nil }
      state.lifeline = lifeline
      if state.isCancelled { shutdown(lifeline, Int32(SHUT_RDWR)) }
      return (lifeline, keeper)
    }
  }

  /// Takes in what is printed until the program has ended, or gives why it has to.
  private func watch(
    _ lifeline: Int32, _ output: inout ProgramOutput, _ errors: inout ProgramOutput
  ) -> ProgramEnd? {
    let deadline = ContinuousClock.now + .seconds(program.timeLimitSeconds)
    while true {
      let left = deadline - .now
      guard left > .zero else { return .tookTooLong }
      var watched = [lifeline, output.readingEnd, errors.readingEnd].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&watched, nfds_t(watched.count), Int32(clamping: Int(left / .milliseconds(1)) + 1))
      let hasEnded = watched[0].revents != 0
      if hasEnded || watched[1].revents != 0 { output.takeIn() }
      if hasEnded || watched[2].revents != 0 { errors.takeIn() }
      if output.isOverfull || errors.takenByteCount > program.maximumByteCount { return .printedTooMuch }
      if hasEnded { return nil }
    }
  }

  private static func exitStatus(_ waitStatus: Int32) -> Int {
    let signal = waitStatus & 0x7f
    return Int(signal == 0 ? waitStatus >> 8 & 0xff : 128 + signal)
  }
}
