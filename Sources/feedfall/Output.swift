import FeedfallSystem
import FeedfallText
import Glibc

// Arguments, paths and messages of libraries can contain anything, so all text for standard output and standard error
// goes through these functions.

/// Writes text to standard output without characters that would control the terminal. Hides the function of the standard
/// library, so that no output bypasses this one.
func print(_ text: String, terminator: String = "\n") {
  Swift.print(harmlessText(text), terminator: terminator)
}

/// Flushes standard output. On failure, prints an error message and returns false.
func finishPrinting() -> Bool {
  if fflush(nil) == 0 { return true }
  printError("Could not write the output: \(SystemError().message). Check where it is written to.")
  return false
}

/// Writes a message in one line to standard error: what failed, why, and what to do.
func printError(_ message: String) {
  writeError("feedfall: " + String(message.map { $0.isNewline ? " " : $0 }) + "\n")
}

/// Writes text to standard error without characters that would control the terminal.
func writeError(_ text: String) {
  try? Files.write(Array(harmlessText(text).utf8)[...], to: STDERR_FILENO)
}
