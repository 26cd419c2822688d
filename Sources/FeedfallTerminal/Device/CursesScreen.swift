import CFeedfall
import CFeedfallCurses
import FeedfallScreen
import FeedfallSystem
import Glibc
import WaterfallEngine

/// Opens, enters and leaves the screen by curses, which writes nothing on it.
final class CursesScreen {
  private let output: CapturedOutput
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>

  init() throws(TerminalError) {
    let name = Environment.process["TERM"] ?? ""
    guard name != "", name != "dumb" else {
      throw TerminalError(
        reason: "TERM is \(name == "" ? "not set" : "dumb"), so the terminal has no screen",
        advice: "Start feedfall in a terminal, or set TERM to the terminal's type")
    }
    guard nc_use_utf8() != 0 else {
      throw TerminalError(reason: "the locale is not UTF-8", advice: "Set LC_ALL to C.UTF-8")
    }
    guard let output = CapturedOutput() else {
      throw TerminalError(reason: SystemError().message, advice: "Close other programs")
    }
    var opened: OpaquePointer?
    for type in TerminalProfile.types(for: name) where opened == nil {
      opened = nc_newterm(type, output.stream, output.stream)
    }
    guard let screen = opened, let window = nc_stdscr() else {
      throw TerminalError(
        reason: "terminal type '\(Self.printable(name))' is not known",
        advice: "Set TERM to a known type such as xterm-256color, or install ncurses-term")
    }
    guard TerminalProfile.string("cup") != nil else {
      delscreen(screen)
      throw TerminalError(
        reason: "terminal type '\(Self.printable(name))' cannot move the cursor",
        advice: "Set TERM to the terminal's type")
    }
    (self.output, self.screen, self.window) = (output, screen, window)
    nonl()
    typeahead(-1)
    leaveok(window, true)
    curs_set(0)
    // Curses has already set a scrolling region from LINES or terminfo. `enter` sets it again with the actual size,
    // which curses would override while these variables exist.
    unsetenv("LINES")
    unsetenv("COLUMNS")
    endwin()
    _ = output.drain()
  }

  private static func printable(_ name: String) -> String {
    String(
      String.UnicodeScalarView(name.unicodeScalars.prefix(40).filter { (0x21...0x7E).contains($0.value) }))
  }

  func close() { delscreen(screen) }

  var size: Size { Size(width: Int(nc_cols()), height: Int(nc_lines())) }

  func resize(to size: Size) { resize_term(Int32(clamping: size.height), Int32(clamping: size.width)) }

  func leave() -> [UInt8] {
    endwin()
    return output.drain()
  }

  func enter() -> [UInt8] {
    werase(window)
    nc_clear_next()
    wnoutrefresh(window)
    doupdate()
    let clear = TerminalProfile.string("clear") ?? []
    let sequence = clear[(clear.lastIndex(of: 0x1B) ?? 0)...]
    return sequence.isEmpty ? output.drain() : output.drain().replacing(sequence, with: [UInt8]())
  }
}

private final class CapturedOutput {
  let stream: UnsafeMutablePointer<FILE>
  private let descriptor: Int32

  init?() {
    descriptor = guard_memory_file()
    guard descriptor >= 0, let stream = fdopen(descriptor, "w+") else { return nil }
    self.stream = stream
  }

  deinit { fclose(stream) }

  func drain() -> [UInt8] {
    fflush(stream)
    let length = Int(lseek(descriptor, 0, SEEK_CUR))
    guard length > 0 else { return [] }
    lseek(descriptor, 0, SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, length, 0))
    }
  }
}

/// The user's settings for the terminal.
public struct TerminalOptions: Equatable, Sendable {
  /// Whether the program receives clicks and the wheel; otherwise the terminal's own selection works.
  public var usesMouse = true
  /// Whether colours are used; otherwise only bold, dim, reverse and underline are.
  public var usesColor = true
  public var theme = ThemeSettings()
  /// How pictures are shown.
  public var pictures = PictureChoice.auto
  /// How videos are shown.
  public var video = VideoChoice.auto

  public init() {}
}

public struct TerminalError: Error, Equatable, Sendable {
  /// One line: what failed, why, and what to do.
  public let message: String

  init(reason: String, advice: String) { message = "Could not open the screen: \(reason). \(advice)." }
}
