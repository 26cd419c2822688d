import Glibc

/// What to name when the program is ended by a fault.
enum CrashNote {
  // A signal's handler may take no lock; these programs have one thread, and the line is set before it can be read.
  nonisolated(unsafe) private static var line: [UInt8] = []

  static func name(_ path: String?) {
    if line.isEmpty { for fault in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT] { signal(fault, say) } }
    line = path.map { Array("feedfall-bench: it ended at \($0)\n".utf8) } ?? []
  }

  private static let say: @convention(c) (Int32) -> Void = { fault in
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    signal(fault, SIG_DFL)
    raise(fault)
  }
}
