import CFeedfallCurses
import FeedfallScreen

/// What terminfo and the environment tell about the terminal; read after curses has begun.
struct TerminalProfile {
  /// What its key sequences mean, beyond those that all terminals share.
  let keys: KeySequences
  /// Switches on what we use: application cursor keys, mouse, bracketed paste.
  let modesOn: [UInt8]
  /// Switches it off again.
  let modesOff: [UInt8]
  /// Gives the screen back when curses itself cannot do it any more.
  let restore: [UInt8]
  /// What brings the next program's text below ours, where there is no second screen to leave.
  let afterScreen: [UInt8]
  /// Whether it understands the newer operating system commands.
  let isModern: Bool

  init(usesMouse: Bool, usesColor: Bool, name: String) {
    let mouse = Self.string("kmous")
    isModern = Self.isModern(name: name, hasMouse: mouse != nil)
    keys = Self.keyTable()

    var on = Self.string("smkx") ?? []
    var off: [UInt8] = []
    if usesMouse, mouse != nil {
      on += Array("\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h".utf8)
      off += Array("\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l".utf8)
    }
    if isModern {
      on += Array("\u{1B}[?2004h".utf8)
      off += Array("\u{1B}[?2004l".utf8)
    }
    modesOn = on
    modesOff = off + (Self.string("rmkx") ?? [])

    var restore = modesOff
    let hasOwnScreen = Self.string("rmcup") != nil
    for name in ["cnorm", "sgr0"] + (usesColor ? ["op"] : []) + [hasOwnScreen ? "rmcup" : "clear"] {
      restore += Self.string(name) ?? []
    }
    let newLine = Array("\r\n".utf8)
    self.restore = restore + newLine
    afterScreen = hasOwnScreen ? [] : newLine
  }

  /// Asks for background, synchronized output, the size of a cell, and what else there is to know; the last answer
  /// comes from every terminal.
  func queries(aboutColors: Bool, aboutName: Bool) -> [UInt8] {
    guard isModern else { return [] }
    return Array("\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p".utf8) + (aboutName ? Self.nameQuery : [])
      + (aboutColors ? DeviceControlReport.colorQuery : []) + Self.cellQuery
  }

  private static let nameQuery = Array("\u{1B}[>q".utf8)
  /// Asks for the size of a cell, and then what every terminal answers.
  static let cellQuery = Array("\u{1B}[16t\u{1B}[c".utf8)
  /// Asks the terminal that tmux is shown in for its name.
  static let outerQueries = Passthrough.wrapped("\u{1B}[>q\u{1B}[c")
  /// Asks how many colours sixels may have; elsewhere the same letter scrolls.
  static let sixelQueries = Array("\u{1B}[?1;1;0S\u{1B}[c".utf8)

  /// Whether the terminal's name or abilities say that unknown questions do no harm.
  private static func isModern(name: String, hasMouse: Bool) -> Bool {
    guard !name.hasPrefix("linux") else { return false }
    let known = [
      "xterm", "tmux", "screen", "foot", "kitty", "alacritty", "rxvt", "st-", "wezterm", "ghostty", "vte",
    ]
    return hasMouse || nc_flag("XT") != 0 || known.contains { name.hasPrefix($0) }
  }

  /// A terminfo string without its padding; nil when the terminal has none.
  static func string(_ name: String) -> [UInt8]? {
    guard let value = nc_string(name) else { return nil }
    let bytes = withoutPadding(Array(String(cString: value).utf8))
    return bytes.isEmpty ? nil : bytes
  }

  /// Leaves out delays, written `$<5>`, `$<20/>` or `$<1.5*>`.
  static func withoutPadding(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "$"), rest.dropFirst().first == UInt8(ascii: "<"),
        let end = rest.firstIndex(of: UInt8(ascii: ">"))
      {
        rest = rest[(end + 1)...]
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static func keyTable() -> KeySequences {
    let named: [(String, Key)] = [
      ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right),
      ("kLFT", .shiftLeft), ("kRIT", .shiftRight), ("khome", .home), ("kend", .end),
      ("kpp", .pageUp), ("knp", .pageDown), ("kdch1", .delete), ("kcbt", .backTab), ("kent", .enter),
    ]
    var table = KeySequences()
    func add(_ name: String, _ key: Key) {
      guard let sequence = string(name), sequence.count > 1, sequence[0] == 0x1B else { return }
      table.add(sequence, key)
    }
    for (name, key) in named { add(name, key) }
    for number in 1...12 { add("kf\(number)", .function(number)) }
    return table
  }
}
