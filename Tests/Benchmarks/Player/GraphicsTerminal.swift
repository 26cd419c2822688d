import CFeedfallPty
import FeedfallSystem
import Glibc
import Synchronization
import WaterfallEngine

/// A program in a pseudo-terminal that reads at once and answers like a terminal with graphics. Video frames in shared
/// memory are read and removed, as by kitty.
final class GraphicsTerminal: Sendable {
  enum Kind { case kitty, sixel, cells }

  struct Counts {
    var bytes = 0
    var frames = 0
    /// The size of the last frame in pixels; in cells it is zero.
    var frameSize = Size.zero
    /// When the last frame was complete, in milliseconds of the steady clock.
    var lastFrame = 0.0
    /// When other output than frames last arrived.
    var lastCells = 0.0
    var hasEnded = false
  }

  let process: pid_t
  private let master: Int32
  private let counts = Mutex(Counts())
  private let folder: String

  /// The size of a cell in pixels, which the terminal reports.
  static let cell = Size(width: 8, height: 16)

  init?(_ command: [String], kind: Kind, size: Size) {
    folder = "/tmp/feedfall-bench-\(getpid())-\(UInt32.random(in: .min ... .max))"
    var process: pid_t = 0
    let environment = [
      "TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8", "HOME=\(folder)",
      "XDG_CACHE_HOME=\(folder)/cache",
      "XDG_STATE_HOME=\(folder)/state", "PATH=/usr/local/bin:/usr/bin:/bin",
    ]
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    let master = pty_spawn(arguments, variables, Int32(size.height), Int32(size.width), &process)
    (self.process, self.master) = (process, master)
    guard master >= 0 else { return nil }
    let reader = TerminalReader(kind: kind, size: size)
    guard DetachedThread.start({ [self] in reader.read(from: master) { change in counts.withLock { change(&$0) } } })
    else { return nil }
  }

  var current: Counts { counts.withLock { $0 } }
  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  func resize(to size: Size) { pty_resize(master, Int32(size.height), Int32(size.width)) }

  /// Waits until the counts match; returns the time, or nil if they have not after `seconds`.
  func wait(seconds: Double = 10, until matches: (Counts) -> Bool) -> Double? {
    let start = steadyMilliseconds()
    while !matches(current) {
      guard steadyMilliseconds() - start < seconds * 1000, !current.hasEnded else { return nil }
      usleep(200)
    }
    return steadyMilliseconds() - start
  }

  /// Waits until no output has arrived for some time, at most ten seconds.
  func waitUntilQuiet(milliseconds: Double = 300) {
    _ = wait { steadyMilliseconds() - max($0.lastFrame, $0.lastCells) > milliseconds }
  }

  /// Quits with ^C and waits for the end. Returns whether the program has ended by itself and successfully, and the
  /// terminal echoes and collects lines as before.
  @discardableResult
  func end() -> Bool {
    type("\u{3}")
    _ = wait { $0.hasEnded }
    let hasEnded = current.hasEnded
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    _ = wait(seconds: 2) { $0.hasEnded }
    let isCooked = pty_is_cooked(master) == 1
    close(master)
    _ = system("rm -rf '\(folder)'")
    return hasEnded && status == 0 && isCooked
  }
}

/// Finds sequences in a program's output, and answers queries.
private struct TerminalReader {
  typealias Change = (inout GraphicsTerminal.Counts) -> Void

  private enum State {
    case text, escape, control
    /// A string up to ST: APC, DCS or OSC.
    case string, stringEscape
  }

  let kind: GraphicsTerminal.Kind
  let size: Size
  private var state = State.text
  /// The bytes of the current sequence after ESC; of strings at most `longest`.
  private var sequence: [UInt8] = []
  /// Whether the bytes belong to a video frame in cells: between saving and restoring the cursor.
  private var isInFrame = false
  private var answers: [UInt8] = []

  private static let longest = 512

  init(kind: GraphicsTerminal.Kind, size: Size) {
    self.kind = kind
    self.size = size
  }

  /// Reads until the program ends.
  func read(from master: Int32, _ change: (Change) -> Void) {
    var reader = self
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = pty_read(master, &piece, piece.count, -1), count >= 0 {
      reader.process(piece[..<count], change)
      if !reader.answers.isEmpty { _ = write(master, reader.answers, reader.answers.count) }
      reader.answers = []
    }
    change { $0.hasEnded = true }
  }

  private mutating func process(_ bytes: ArraySlice<UInt8>, _ change: (Change) -> Void) {
    change { $0.bytes += bytes.count }
    for byte in bytes { process(byte, change) }
  }

  private mutating func process(_ byte: UInt8, _ change: (Change) -> Void) {
    switch (state, byte) {
    case (.text, 0x1B): state = .escape
    case (.text, _): if !isInFrame { change { $0.lastCells = steadyMilliseconds() } }
    case (.escape, UInt8(ascii: "[")): begin(.control)
    case (.escape, UInt8(ascii: "_")), (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "]")):
      begin(.string)
      sequence.append(byte)
    case (.escape, _):
      state = .text
      if byte == UInt8(ascii: "7") { isInFrame = true }
      if byte == UInt8(ascii: "8") { endFrame(change) }
    case (.control, 0x40...): endControl(byte)
    case (.string, 0x1B): state = .stringEscape
    case (.stringEscape, UInt8(ascii: "\\")): endString(change)
    case (.stringEscape, _): state = .string
    case (.control, _), (.string, _): if sequence.count < Self.longest { sequence.append(byte) }
    }
  }

  private mutating func begin(_ new: State) {
    state = new
    sequence = []
  }

  private mutating func endFrame(_ change: (Change) -> Void) {
    if isInFrame, kind == .cells { count(Size.zero, change) }
    isInFrame = false
  }

  private func count(_ size: Size, _ change: (Change) -> Void) {
    change {
      $0.frames += 1
      $0.frameSize = size
      $0.lastFrame = steadyMilliseconds()
    }
  }

  private mutating func endControl(_ final: UInt8) {
    state = .text
    switch String(decoding: sequence + [final], as: UTF8.self) {
    case "c": answer(kind == .sixel ? "[?62;4c" : "[?62c")
    case "5n": answer("[0n")
    case "16t": answer("[6;\(GraphicsTerminal.cell.height);\(GraphicsTerminal.cell.width)t")
    case "14t":
      answer("[4;\(size.height * GraphicsTerminal.cell.height);\(size.width * GraphicsTerminal.cell.width)t")
    case ">q": if kind == .kitty { answer("P>|kitty(0.27.1)\u{1B}\\") }
    case "?2026$p": answer("[?2026;2$y")
    case "?1;1;0S": answer("[?1;0;256S")
    default: break
    }
  }

  private mutating func answer(_ text: String) { answers += Array("\u{1B}\(text)".utf8) }

  private mutating func endString(_ change: (Change) -> Void) {
    state = .text
    switch sequence.first {
    case UInt8(ascii: "_"): graphics(String(decoding: sequence.dropFirst(2), as: UTF8.self), change)
    case UInt8(ascii: "P"):
      // Sixels declare their size after the raster attributes' quotation mark.
      let parts = String(decoding: sequence, as: UTF8.self).split(separator: "\"", maxSplits: 1)
      guard kind == .sixel, parts.count == 2 else { break }
      let numbers = parts[1].prefix { $0 != "#" }.split(separator: ";").compactMap { Int($0) }
      count(numbers.count > 3 ? Size(width: numbers[2], height: numbers[3]) : .zero, change)
    default: break
    }
  }

  private mutating func graphics(_ command: String, _ change: (Change) -> Void) {
    let parts = command.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [Substring: Substring] = [:]
    for key in parts[0].split(separator: ",") { keys[key.prefix(1)] = key.dropFirst(2) }
    func number(_ key: Substring) -> Int { keys[key].flatMap { Int($0) } ?? 0 }
    if keys["t"] == "s", parts.count == 2 { shm_unlink(String(decoding: Base64.decode(parts[1].utf8), as: UTF8.self)) }
    switch keys["a"] {
    case "q": answer("_Gi=\(number("i"));OK\u{1B}\\")
    case "t", "T", "f":
      if keys["t"] == "s" { count(Size(width: number("s"), height: number("v")), change) }
    default: break
    }
  }
}

private enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func decode(_ text: Substring.UTF8View) -> [UInt8] {
    var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for letter in text {
      guard let value = letters.firstIndex(of: letter) else { break }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }
}
