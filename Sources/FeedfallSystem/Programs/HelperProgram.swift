import CFeedfall
import Glibc
import Synchronization

/// Another program that is run for its output, with limits on time and size. It ends as soon as its task is cancelled
/// or this process ends.
package struct HelperProgram: Sendable {
  package enum Kind: Sendable {
    /// All its descendants end with it.
    case worker
    /// A worker that decodes data of a stranger. Its memory is limited to 256 MB, and its processor time to
    /// `decoderSeconds`: then it is killed.
    case decoder
    /// A command of the user, which may leave daemons behind, such as gpg-agent. Its process group ends only if it is
    /// ended early.
    case userCommand

    fileprivate var child: guard_child {
      switch self {
      case .worker: GUARD_WORKER
      case .decoder: GUARD_DECODER
      case .userCommand: GUARD_COMMAND
      }
    }
  }

  package static let decoderSeconds = Int(GUARD_DECODER_SECONDS)

  private let path: String
  private let kind: Kind
  /// While the computer is suspended, the time stands still.
  package let timeLimitSeconds: Int
  package let maximumByteCount: Int
  /// The environment variables that differ from those of this process.
  package var variables: [String: String] = [:]
  /// Files in memory that the program inherits as descriptors from 3. Other users cannot read them.
  package var files: [[UInt8]] = []

  package init(_ kind: Kind = .worker, path: String, timeLimitSeconds: Int, maximumByteCount: Int) {
    (self.path, self.kind, self.timeLimitSeconds) = (path, kind, timeLimitSeconds)
    self.maximumByteCount = maximumByteCount
  }

  /// Runs the program without a shell; `input` is its standard input, as a file. A reader receives the output piece by
  /// piece, on a thread of the run, in place of the answer; then the output has no limit. If it returns false, the
  /// program is cancelled.
  package func run(
    _ arguments: [[UInt8]], input: [UInt8] = [], reader: Reader? = nil, errorReader: Reader? = nil
  ) async -> End {
    let lifeline = Lifeline()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isStarted = DetachedThread.start {
          continuation.resume(returning: untilEnd(lifeline, arguments, input, reader, errorReader))
        }
        if !isStarted { continuation.resume(returning: .notStarted(reason: "no thread could be started")) }
      }
    } onCancel: {
      lifeline.cancel()
    }
  }

  package func runAndWait(_ arguments: [[UInt8]], input: [UInt8] = []) -> End {
    untilEnd(Lifeline(), arguments, input, nil, nil)
  }

  package typealias Reader = @Sendable (ArraySlice<UInt8>) -> Bool

  package enum End: Equatable, Sendable {
    case ended(Answer)
    case notStarted(reason: String)
    case timedOut
    case printedTooMuch
    case cancelled
  }

  package struct Answer: Equatable, Sendable {
    /// The exit status, or 128 plus the number of the signal that ended it.
    package var status: Int
    package var output: [UInt8]
    /// The last part of its standard error.
    package var errorOutput: [UInt8]
  }

  private final class Lifeline: Sendable {
    /// Shutting down the descriptor ends the program and its group.
    let state = Mutex((descriptor: nil as Int32?, isCancelled: false))

    /// Ends the program now, or as soon as it has started. Can be called from any thread.
    func cancel() {
      state.withLock { state in
        state.isCancelled = true
        if let descriptor = state.descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
      }
    }
  }

  private static let errorByteCount = 16 << 10

  private func untilEnd(
    _ lifeline: Lifeline, _ arguments: [[UInt8]], _ input: [UInt8], _ reader: Reader?, _ errorReader: Reader?
  ) -> End {
    guard var output = Output(limit: maximumByteCount, reader: reader),
      var errors = Output(limit: Self.errorByteCount, reader: errorReader),
      let files = MemoryFiles([input] + files),
      let (descriptor, watchdog) = start(
        lifeline, arguments,
        [files.descriptors[0], output.writingEnd, errors.writingEnd] + files.descriptors.dropFirst())
    else { return .notStarted(reason: SystemError().message) }
    output.closeWritingEnd()
    errors.closeWritingEnd()
    let forcedEnd = readOutput(descriptor, &output, &errors, limitsErrors: errorReader == nil)
    if forcedEnd != nil { shutdown(descriptor, Int32(SHUT_RDWR)) }
    // From here on the descriptor's number may be reused.
    let isCancelled = lifeline.state.withLock { state in
      state.descriptor = nil
      return state.isCancelled
    }
    let status = guard_await_watched(descriptor, watchdog)
    if isCancelled { return .cancelled }
    if let forcedEnd { return forcedEnd }
    guard status >= 0 else { return .notStarted(reason: SystemError().message) }
    return .ended(
      Answer(status: Self.exitStatus(status), output: output.bytes, errorOutput: errors.bytes))
  }

  private func start(
    _ lifeline: Lifeline, _ arguments: [[UInt8]], _ files: [Int32]
  ) -> (descriptor: Int32, watchdog: pid_t)? {
    lifeline.state.withLock { state in
      var watchdog: pid_t = 0
      let descriptor = withArguments([Array(path.utf8)] + arguments) { words in
        withEnvironment(variables) { environment in
          guard_spawn_watched(words, environment, files, Int32(files.count), kind.child, &watchdog)
        }
      }
      guard descriptor >= 0 else { return nil }
      state.descriptor = descriptor
      if state.isCancelled { shutdown(descriptor, Int32(SHUT_RDWR)) }
      return (descriptor, watchdog)
    }
  }

  private func readOutput(
    _ descriptor: Int32, _ output: inout Output, _ errors: inout Output, limitsErrors: Bool
  ) -> End? {
    let deadline = SuspendingClock.now + .seconds(timeLimitSeconds)
    while true {
      let left = deadline - .now
      guard left > .zero else { return .timedOut }
      var polled = [descriptor, output.readingEnd, errors.readingEnd].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      poll(&polled, nfds_t(polled.count), Int32(clamping: Int(left / .milliseconds(1)) + 1))
      let hasEnded = polled[0].revents != 0
      if hasEnded || polled[1].revents != 0 { output.drain() }
      if hasEnded || polled[2].revents != 0 { errors.drain() }
      if output.isRefused || errors.isRefused { return .cancelled }
      let hasTooManyErrors = limitsErrors && errors.readByteCount > maximumByteCount
      if output.isTooLong || hasTooManyErrors { return .printedTooMuch }
      if hasEnded { return nil }
    }
  }

  private static func exitStatus(_ waitStatus: Int32) -> Int {
    let signal = waitStatus & 0x7f
    return Int(signal == 0 ? waitStatus >> 8 & 0xff : 128 + signal)
  }

  /// Files in memory, which other users cannot read.
  private struct MemoryFiles: ~Copyable {
    /// Those of empty files are closed.
    private(set) var descriptors: [Int32] = []

    /// The child gets them at lower numbers; placing one must not replace another.
    private static let lowestDescriptor: Int32 = 16

    /// Returns nil if the process has no descriptors or the system no memory left; `errno` has the reason.
    init?(_ contents: [[UInt8]]) {
      for bytes in contents {
        guard let descriptor = Self.descriptor(of: bytes) else { return nil }
        descriptors.append(descriptor)
      }
    }

    private static func descriptor(of bytes: [UInt8]) -> Int32? {
      if bytes.isEmpty { return Int32(GUARD_NULL) }
      let low = guard_memory_file()
      guard low >= 0 else { return nil }
      let file = fcntl(low, F_DUPFD_CLOEXEC, lowestDescriptor)
      close(low)
      guard file >= 0 else { return nil }
      if bytes.withUnsafeBytes({ (try? Files.write($0, to: file, at: 0)) != nil }) { return file }
      close(file)
      return nil
    }

    deinit {
      for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    }
  }

  private struct Output: ~Copyable {
    /// -1 after the end of the pipe.
    private(set) var readingEnd: Int32
    private(set) var writingEnd: Int32
    private(set) var bytes: [UInt8] = []
    private(set) var readByteCount = 0
    private(set) var isRefused = false
    private let limit: Int
    private let reader: Reader?

    private static let pieceByteCount = 64 << 10

    /// Returns nil if the process has no descriptors left; `errno` has the reason.
    init?(limit: Int, reader: Reader? = nil) {
      guard let (reading, writing) = makePipe() else { return nil }
      _ = fcntl(reading, F_SETFL, O_NONBLOCK)
      readingEnd = reading
      writingEnd = writing
      (self.limit, self.reader) = (limit, reader)
    }

    deinit {
      if readingEnd >= 0 { close(readingEnd) }
      if writingEnd >= 0 { close(writingEnd) }
    }

    var isTooLong: Bool { reader == nil && readByteCount > limit }

    mutating func closeWritingEnd() {
      close(writingEnd)
      writingEnd = -1
    }

    /// Reads the bytes in the pipe, at most about the limit per call.
    mutating func drain() {
      var piece = [UInt8](repeating: 0, count: Self.pieceByteCount)
      var drainedCount = 0
      while readingEnd >= 0, drainedCount <= limit {
        let count = read(readingEnd, &piece, piece.count)
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { return }
        guard count > 0 else {
          close(readingEnd)
          readingEnd = -1
          return
        }
        drainedCount += count
        append(piece[..<count])
      }
    }

    private mutating func append(_ piece: ArraySlice<UInt8>) {
      readByteCount += piece.count
      if let reader {
        isRefused = isRefused || !reader(piece)
        return
      }
      bytes += piece
      if bytes.count > limit { bytes.removeFirst(bytes.count - limit) }
    }
  }
}

package enum CommandWords {
  /// Splits a command at its blanks. Quotation marks and the backslash have their meaning in a shell; nothing else has
  /// one, such as `$`, `~`, `*` or `|`. Nil if a quotation mark is open at the end or there is no word.
  package static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = text.makeIterator()
    while let character = characters.next() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""):
        guard let next = characters.next() else { return nil }
        if quote != nil, next != "\"", next != "\\" { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(next)
      case (_, character): quote = nil
      case ("\"", nil), ("'", nil):
        quote = character
        word = word ?? ""
      case (" ", nil), ("\t", nil):
        words += [word].compactMap { $0 }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    words += [word].compactMap { $0 }
    return quote == nil && words.first?.isEmpty == false ? words : nil
  }
}
