import FeedfallSystem
import FeedfallText
import Glibc
import Synchronization

// Arguments, paths and messages of libraries can contain anything, so all text for standard output and standard error
// goes through these functions. No other code writes there, so no failure is lost.

/// After the first failed write all further text is dropped.
struct OutputBuffer {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private(set) var failure: SystemError?

  private static let maximumByteCount = 64 << 10

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  mutating func append(_ text: String) {
    guard failure == nil else { return }
    bytes += text.utf8
    if bytes.count >= Self.maximumByteCount { flush() }
  }

  mutating func flush() {
    guard failure == nil, !bytes.isEmpty else { return }
    do { try Files.write(bytes[...], to: descriptor) } catch { failure = error }
    bytes.removeAll(keepingCapacity: true)
  }
}

private let standardOutput = Mutex(OutputBuffer(STDOUT_FILENO))
private let standardError = Mutex(OutputBuffer(STDERR_FILENO))
private let isTerminal = isatty(STDOUT_FILENO) == 1

/// On a terminal at once. Hides the function of the standard library, so that no output bypasses this one.
func print(_ text: String, terminator: String = "\n") {
  standardOutput.withLock { output in
    output.append(harmlessText(text))
    output.append(terminator)
    if isTerminal { output.flush() }
  }
}

/// Writes at once and as it is: the caller has cleaned it.
func printUnchanged(_ text: String) {
  standardOutput.withLock { output in
    output.append(text)
    output.flush()
  }
}

/// Returns false if any text so far could not be written.
@discardableResult
func flushOutput() -> Bool {
  standardOutput.withLock { output in
    output.flush()
    return output.failure == nil
  }
}

/// Returns `status`, or a failure if text is lost. A closed pipe is none: its reader has read enough.
func finishPrinting(_ status: Int32) -> Int32 {
  flushOutput()
  if let failure = loss(of: standardOutput) {
    printError("Could not write the output: \(failure.message). Check its destination.")
  }
  return loss(of: standardOutput) == nil && loss(of: standardError) == nil ? status : ExitStatus.failure
}

private func loss(of buffer: borrowing Mutex<OutputBuffer>) -> SystemError? {
  buffer.withLock { $0.failure }.flatMap { $0.number == EPIPE ? nil : $0 }
}

extension String {
  var asColumn: String {
    contains { $0.isNewline || $0 == "\t" } ? String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) : self
  }
}

/// Writes a message in one line to standard error: what failed, why, and what to do.
func printError(_ message: String) {
  writeError("feedfall: " + String(message.map { $0.isNewline ? " " : $0 }) + "\n")
}

/// Writes text to standard error without characters that would control the terminal, after all output so far.
func writeError(_ text: String) {
  flushOutput()
  standardError.withLock { errors in
    errors.append(harmlessText(text))
    errors.flush()
  }
}

/// Returns nil if the user agrees, else the exit status. Without a terminal, the user cannot answer.
func refusal(of question: String, isGiven: Bool) -> Int32? {
  if isGiven { return nil }
  guard isatty(STDIN_FILENO) == 1 else {
    printError("\(question) Nothing was removed: standard input is not a terminal. Add --yes.")
    return ExitStatus.usage
  }
  writeError("\(question) [y/N] ")
  let answer = readLine()?.lowercased() ?? ""
  return ["y", "yes"].contains(answer) ? nil : ExitStatus.failure
}
