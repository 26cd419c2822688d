import FeedfallSystem
import Glibc

extension Browse {
  /// The file or FIFO to which the program reports that it is idle, so that tests need no fixed delays.
  ///
  /// Each line is the number of input events (keys, mouse, paste) since the start. A FIFO needs a reader before the program
  /// starts: `exec 7<>/tmp/idle`; then `head -n 1 /tmp/idle` prints 0 once the first page is shown.
  struct IdleFile {
    struct OpenError: Error {
      var message: String
    }

    static let variable = "FEEDFALL_IDLE"

    /// Stays open until the program ends.
    private let descriptor: Int32

    /// Opens the file that `FEEDFALL_IDLE` names; nil when the variable is unset or empty.
    static func fromEnvironment() throws(OpenError) -> IdleFile? {
      guard let path = Environment.process[variable] else { return nil }
      return try IdleFile(path: path)
    }

    init(path: String) throws(OpenError) {
      let flags = O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC
      var descriptor = open(path, flags)
      // A FIFO must exist already: Linux may refuse O_CREAT for another user's FIFO in /tmp.
      if descriptor < 0, errno == ENOENT { descriptor = open(path, flags | O_CREAT, 0o600) }
      guard descriptor >= 0 else { throw OpenError(message: Self.message(path: path, error: errno)) }
      self.descriptor = descriptor
    }

    private static func message(path: String, error: Int32) -> String {
      let failure = "Could not open \(path), which \(variable) names"
      if error == ENXIO { return "\(failure): no process reads this FIFO. Open it for reading first." }
      return "\(failure): \(SystemError(error).message). Name a file that can be written, or unset \(variable)."
    }

    /// Writes a line; drops it if it cannot be written at once.
    func write(inputCount: Int) {
      let line = Array("\(inputCount)\n".utf8)
      _ = Glibc.write(descriptor, line, line.count)
    }
  }
}
