import CFeedfallGuard
import CFeedfallPty
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct `Small parts` {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `Base64 follows RFC 4648`(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == Array(encoded.utf8))
  }

  @Test func `padding is left out of terminfo strings`() {
    let padded = Array("\u{1B}[m\u{F}$<2>a$<1.5*/>b$<c$".utf8)
    #expect(TerminalProfile.withoutPadding(padded) == Array("\u{1B}[m\u{F}ab$<c$".utf8))
  }

  @Test func `sizes that cannot be are not believed`() {
    func measure(_ columns: UInt16, _ rows: UInt16, _ width: UInt16 = 0, _ height: UInt16 = 0) -> (
      Size?, Size?
    ) {
      TerminalDevice.measure(winsize(ws_row: rows, ws_col: columns, ws_xpixel: width, ws_ypixel: height))
    }
    #expect(measure(0, 0) == (nil, nil))
    #expect(measure(80, 24) == (Size(width: 80, height: 24), nil))
    #expect(measure(80, 24, 800, 480) == (Size(width: 80, height: 24), Size(width: 10, height: 20)))
    #expect(measure(80, 24, 80, 65535) == (Size(width: 80, height: 24), nil))
    #expect(measure(65535, 65535) == (Size(width: 1000, height: 1000), nil))
  }
}

/// The guard's handlers and signals belong to the whole process.
@Suite(.hangLimit, .serialized) struct `The guard` {
  private func crash(by signal: Int32) throws -> (output: String, status: Int32, isCooked: Bool) {
    try crash { pty_crash(signal, "<restored>", "<said>", &$0) }
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
      // Until the child ends.
      let count = pty_read(terminal, &buffer, buffer.count, -1)
      guard count >= 0 else { break }
      output += buffer[..<count]
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return (String(decoding: output, as: UTF8.self), status, pty_is_cooked(terminal) == 1)
  }

  @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE])
  func `gives the terminal back and dies by the true signal`(signal: Int32) throws {
    let (output, status, isCooked) = try crash(by: signal)
    #expect(output == "drawn<restored><said>")
    #expect(status & 0x7F == signal)
    #expect(isCooked)
  }

  @Test func `gives the terminal back also while what that takes is noted anew`() throws {
    let note = String(repeating: "<restored>", count: 1000)
    for _ in 0..<5 {
      let (output, status, _) = try crash { pty_crash_while_arming(note, &$0) }
      let isWhole = output.hasPrefix(note)
      #expect(isWhole)
      #expect(status & 0x7F == SIGABRT)
    }
  }

  @Test func `a wake-up is readable until it is taken`() throws {
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
    var keeper: pid_t = 0
    let descriptor = guard_spawn_kept(&argv, none, 3, &keeper)
    return descriptor < 0 ? -1 : guard_await_kept(descriptor, keeper)
  }

  @Test func `a child's status comes back`() {
    #expect(run("sh", "-c", "exit 3") == 3 << 8)
    #expect(run("sh", "-c", "kill -9 $$") == 9)
  }

  @Test func `a child that does not exist is an error`() {
    #expect(run("no-such-program-anywhere") == -1)
    #expect(errno == ENOENT)
  }

  @Test func `a child gets default signals and no foreign descriptors`() {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    #expect(run("sh", "-c", "grep -q 'SigBlk:.0000000000000000' /proc/self/status") == 0)
    #expect(run("sh", "-c", "grep -q 'SigIgn:.*[0-9a-f]*0000$' /proc/self/status") == 0)
    #expect(run("sh", "-c", "for f in 3 4 5 6 7 8 9; do [ ! -e /proc/$$/fd/$f ] || exit 1; done") == 0)
  }
}
