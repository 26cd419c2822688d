import Glibc

/// Names the current file on standard error if the program crashes.
enum CrashNote {
  // A signal handler must not lock. The program has one thread, which sets the line before the handler.
  nonisolated(unsafe) private static var line: [UInt8] = []

  static func name(_ path: String?) {
    if line.isEmpty { for fault in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT] { signal(fault, writeLine) } }
    line = path.map { Array("feedfall-bench: crashed at \($0)\n".utf8) } ?? []
  }

  private static let writeLine: @convention(c) (Int32) -> Void = { fault in
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    signal(fault, SIG_DFL)
    raise(fault)
  }
}
