import CFeedfall
import Glibc
import WaterfallEngine

final class TerminalDevice {
  let input: Int32
  let output: Int32
  let clock: any Clock
  let cookedModes: termios
  private(set) var isGone = false
  /// Bytes that wait for room; they are written before all others.
  private var held: ArraySlice<UInt8> = []
  private(set) var writtenByteCount = 0

  convenience init() throws(TerminalError) {
    let onStandardFiles = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    let input = onStandardFiles ? Self.ownDescription(of: STDIN_FILENO) : Self.openControlling()
    try self.init(input: input, output: onStandardFiles ? Self.ownDescription(of: STDOUT_FILENO) : input)
  }

  /// Adopts and later closes the descriptors, which may be equal.
  init(input: Int32, output: Int32, clock: any Clock = MonotonicClock()) throws(TerminalError) {
    (self.input, self.output, self.clock) = (input, output, clock)
    var modes = termios()
    guard input >= 0, output >= 0, tcgetattr(output, &modes) == 0 else {
      if input >= 0 { Glibc.close(input) }
      throw TerminalError(
        reason: "there is no terminal", advice: "Start feedfall in a terminal, or run feedfall --help")
    }
    cookedModes = modes
  }

  deinit {
    Glibc.close(input)
    if output != input { Glibc.close(output) }
  }

  /// Opens the same terminal again: a separate file description can be non-blocking without affecting other programs.
  private static func ownDescription(of descriptor: Int32) -> Int32 {
    var name = [CChar](repeating: 0, count: 256)
    var before = stat()
    var after = stat()
    if ttyname_r(descriptor, &name, name.count) == 0 {
      let opened = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      if opened >= 0 {
        if fstat(descriptor, &before) == 0, fstat(opened, &after) == 0, before.st_rdev == after.st_rdev {
          return opened
        }
        Glibc.close(opened)
      }
    }
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }

  private static func openControlling() -> Int32 { open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }

  // MARK: - Modes

  /// Stops this job until it is in the foreground. Returns false if a signal asks the program to end before that.
  func waitForForeground() -> Bool { guard_await_foreground(output) != 0 }

  func makeRaw() {
    var modes = cookedModes
    cfmakeraw(&modes)
    tcsetattr(output, TCSANOW, &modes)
  }

  func makeCooked() {
    guard guard_is_foreground(output) != 0 else { return }
    var modes = cookedModes
    tcsetattr(output, TCSANOW, &modes)
  }

  // MARK: - Size

  /// Cells, and the pixels of a cell; each is nil if the kernel does not know it.
  func measure() -> (cells: Size?, cell: Size?) { Self.window(of: output).map { Self.measure($0) } ?? (nil, nil) }

  static func size(of file: Int32) -> Size? { window(of: file).flatMap { measure($0).cells } }

  private static func window(of file: Int32) -> winsize? {
    var window = winsize()
    return ioctl(file, UInt(TIOCGWINSZ), &window) == 0 ? window : nil
  }

  var oversize: Size? {
    guard let window = Self.window(of: output) else { return nil }
    let size = Size(width: Int(window.ws_col), height: Int(window.ws_row))
    return size.width > Self.largest.width || size.height > Self.largest.height ? size : nil
  }

  static func measure(_ window: winsize) -> (cells: Size?, cell: Size?) {
    let columns = Int(window.ws_col)
    let rows = Int(window.ws_row)
    guard columns > 0, rows > 0 else { return (nil, nil) }
    let cell = Size(width: Int(window.ws_xpixel) / columns, height: Int(window.ws_ypixel) / rows)
    let cells = Size(width: min(columns, largest.width), height: min(rows, largest.height))
    return (cells, plausibleCell(cell))
  }

  /// The largest screen that is drawn, in cells. Larger ones are errors, and their canvas would not fit into memory.
  static let largest = Size(width: 1000, height: 500)
  /// In pixels.
  static let defaultCell = Size(width: 8, height: 16)

  static func plausibleCell(_ size: Size) -> Size? {
    (2...256).contains(size.width) && (2...512).contains(size.height) ? size : nil
  }

  // MARK: - Bytes

  func read() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 64 * 1024, !isGone, waitForInput(milliseconds: 0) {
      let count = Glibc.read(input, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 || ![EAGAIN, EINTR].contains(errno) {
        isGone = true
      } else if errno == EAGAIN {
        break
      }
    }
    return bytes
  }

  var isOutputPending: Bool { isHoldingBytes || !clock.wait(for: output, events: POLLOUT, milliseconds: 0) }

  func waitForInput(milliseconds: Int) -> Bool { clock.wait(for: input, events: POLLIN, milliseconds: milliseconds) }

  /// Drops the bytes not read within `limit` milliseconds. Signals do not end the wait: the bytes restore the terminal.
  func write(_ bytes: [UInt8], limit: Int) {
    offer(bytes)
    let end = clock.now + limit
    while isHoldingBytes, case let rest = end - clock.now, rest > 0 {
      _ = clock.wait(for: output, events: POLLOUT, milliseconds: rest)
      writeHeldBytes()
    }
    held = []
  }

  /// In milliseconds: without any progress, and in total. The terminal must not delay the program longer.
  private static let (stallLimit, sendLimit) = (200, 1_000)

  func send(_ bytes: [UInt8]) {
    offer(bytes)
    let end = clock.now + Self.sendLimit
    while isHoldingBytes, clock.now < end, clock.wait(for: output, events: POLLOUT, milliseconds: Self.stallLimit),
      guard_end_is_pending() == 0
    {
      writeHeldBytes()
    }
  }

  func offer(_ bytes: [UInt8]) {
    hold(bytes)
    writeHeldBytes()
  }

  func hold(_ bytes: [UInt8]) { held += bytes }

  var isHoldingBytes: Bool { !held.isEmpty && !isGone }
  var heldByteCount: Int { held.count }
  /// The number of bytes that are written or held.
  var byteCount: Int { writtenByteCount + held.count }

  func writeHeldBytes() {
    while !held.isEmpty, !isGone {
      let count = held.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count >= 0 {
        held.removeFirst(count)
        writtenByteCount += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        isGone = true
      }
    }
  }

  func dropHeldBytes(thenHolding bytes: [UInt8]) { held = bytes[...] }

  func removeHeldBytes(last count: Int) -> [UInt8] {
    defer { held.removeLast(min(count, held.count)) }
    return Array(held.suffix(count))
  }

  /// The clock for the terminal's time-outs; tests replace it.
  protocol Clock {
    /// Milliseconds since a fixed moment; never decreases.
    var now: Int { get }

    /// Returns false on a time-out.
    func wait(for descriptor: Int32, events: Int32, milliseconds: Int) -> Bool
  }

  struct MonotonicClock: Clock {
    var now: Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    func wait(for descriptor: Int32, events: Int32, milliseconds: Int) -> Bool {
      var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      return poll(&polled, 1, Int32(clamping: milliseconds)) > 0
    }
  }
}

/// The signals INT, TERM, HUP, QUIT, WINCH, TSTP and CONT as a descriptor instead of handlers.
///
/// Create it before any other thread starts: earlier threads do not inherit the signal mask.
public final class SignalInbox {
  /// The descriptor to poll; readable when a signal is pending.
  public let descriptor: Int32

  /// Blocks the signals in this thread and all later ones, ignores SIGPIPE, and opens the descriptor.
  public init() {
    guard_block_signals()
    descriptor = guard_signalfd()
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
  }

  /// Returns the number of the next pending signal, or nil if there is none.
  public func next() -> Int32? {
    let number = guard_signalfd_next(descriptor)
    return number == 0 ? nil : number
  }

  /// Ends the program with the signal's default action. Close the terminal first.
  public func dieBy(_ signal: Int32) -> Never { guard_die_by(signal) }
}
