import CFeedfall
import CFeedfallPty
import Glibc
import TestSupport
import Testing

/// The guard's handlers and signals belong to the whole process.
@Suite(.hangLimit, .serialized) struct GuardTests {
  private func crash(by signal: Int32) throws -> (output: String, status: Int32, isCooked: Bool) {
    try crash { pty_crash(signal, 0, "<restored>", "<said>", &$0) }
  }

  private func crash(
    _ start: (inout pid_t) -> Int32
  ) throws -> (output: String, status: Int32, isCooked: Bool) {
    var child: pid_t = 0
    let terminal = start(&child)
    try #require(terminal >= 0)
    defer { close(terminal) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      // Blocks until the child ends.
      let count = pty_read(terminal, &buffer, buffer.count, -1)
      guard count >= 0 else { break }
      output += buffer[..<count]
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return (String(decoding: output, as: UTF8.self), status, pty_is_cooked(terminal) == 1)
  }

  @Test(
    arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] + [
      SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSYS, SIGSTKFLT, SIGIO, SIGPWR, 34, 64,
    ])
  func `a signal that ends the program restores the terminal and keeps its number`(signal: Int32) throws {
    let (output, status, isCooked) = try crash(by: signal)
    #expect(output == "drawn<restored><said>")
    #expect(status & 0x7F == signal)
    #expect(isCooked)
  }

  @Test func `a crash while the guard is being armed restores the terminal`() throws {
    let restore = String(repeating: "<restored>", count: 1000)
    for _ in 0..<5 {
      let (output, status, _) = try crash { pty_crash_while_arming(restore, &$0) }
      let isWhole = output.hasPrefix(restore)
      #expect(isWhole)
      #expect(status & 0x7F == SIGABRT)
    }
  }

  @Test(arguments: [(0, true), (1, true), (40_000, true), (65_526, true), (65_527, false), (200_000, false)])
  func `a removal for which there is no room is left out, and the rest restores the terminal`(
    count: Int, isWritten: Bool
  ) throws {
    let (output, _, isCooked) = try crash { pty_crash(SIGABRT, count, "<restored>", "<said>", &$0) }
    let isExpected = output == "drawn" + String(repeating: "r", count: isWritten ? count : 0) + "<restored><said>"
    #expect(isExpected && isCooked, "\(output.utf8.count)")
  }

  @Test func `a wake-up is readable until it is drained`() throws {
    let descriptor = guard_eventfd()
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    func isReadable() -> Bool {
      var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&one, 1, 0) == 1
    }
    #expect(!isReadable())
    guard_eventfd_post(descriptor)
    guard_eventfd_post(descriptor)
    #expect(isReadable())
    guard_eventfd_drain(descriptor)
    #expect(!isReadable())
    guard_eventfd_drain(descriptor)
  }

  private func run(_ arguments: String...) -> Int32 {
    var argv = arguments.map { strdup($0) } + [nil]
    defer { for argument in argv { free(argument) } }
    let none = [Int32](repeating: Int32(GUARD_NULL), count: 3)
    var watchdog: pid_t = 0
    let descriptor = guard_spawn_watched(&argv, nil, none, 3, GUARD_WORKER, &watchdog)
    return descriptor < 0 ? -1 : guard_await_watched(descriptor, watchdog)
  }

  @Test func `a child's status is returned`() {
    #expect(run("sh", "-c", "exit 3") == 3 << 8)
    #expect(run("sh", "-c", "kill -9 $$") == 9)
  }

  @Test func `a missing program is an error`() {
    #expect(run("no-such-program-anywhere") == -1)
    #expect(errno == ENOENT)
  }

  @Test func `a child gets default signals and no other descriptors`() {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    #expect(run("sh", "-c", "grep -q 'SigBlk:.0000000000000000' /proc/self/status") == 0)
    #expect(run("sh", "-c", "grep -q 'SigIgn:.*[0-9a-f]*0000$' /proc/self/status") == 0)
    #expect(run("sh", "-c", "for f in 3 4 5 6 7 8 9; do [ ! -e /proc/$$/fd/$f ] || exit 1; done") == 0)
  }

  @Test func `the watchdog leaves a descendant that does not die to the system`() async throws {
    try await withFolder { folder in
      try await onThread {
        let line = "setsid sleep 1000 & echo $! > \(folder)/new; mv \(folder)/new \(folder)/id; wait"
        let words: [String] = ["sh", "-c", line]
        var argv = words.map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        let none = [Int32](repeating: Int32(GUARD_NULL), count: 3)
        var watchdog: pid_t = 0
        let descriptor = guard_spawn_watched(&argv, nil, none, 3, GUARD_WORKER, &watchdog)
        var id: pid_t?
        try blockUntil("the program runs") {
          id = (try? fileBytes(of: "\(folder)/id")).flatMap { pid_t(String(decoding: $0.dropLast(), as: UTF8.self)) }
          return id != nil
        }
        let child = try #require(id)
        // Some systems forbid it.
        let isTraced = pty_trace(child) == 0
        shutdown(descriptor, Int32(SHUT_RDWR))
        _ = guard_await_watched(descriptor, watchdog)
        if isTraced { pty_untrace(child) }
        #expect(!isRunning(child))
      }
    }
  }
}
