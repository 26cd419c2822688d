import CFeedfallCurses
import FeedfallScreen
import FeedfallSystem

/// Create it after curses has started: it reads terminfo.
struct TerminalProfile {
  /// Key sequences in addition to those that all terminals share.
  let keys: InputDecoder.KeySequences
  let modesOn: [UInt8]
  let modesOff: [UInt8]
  /// Restores the screen after a crash, without curses.
  let restore: [UInt8]
  /// Moves the cursor below our text on terminals without an alternate screen.
  let afterScreen: [UInt8]
  /// Whether the terminal understands, or at least ignores, OSC and DEC queries.
  let isModern: Bool
  private let answersReports: Bool

  init(usesMouse: Bool, usesColor: Bool, name: String) {
    let mouse = Self.string("kmous")
    isModern = Self.isModern(name: name, hasMouse: mouse != nil)
    keys = Self.keyTable()
    answersReports =
      isModern || Self.string("u7") == Array("\u{1B}[6n".utf8) && Self.string("u9") == Self.attributeQuery

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

    let hasAlternateScreen = Self.string("rmcup") != nil
    let names = ["cnorm", "sgr0"] + (usesColor ? ["op"] : []) + [hasAlternateScreen ? "rmcup" : "clear"]
    let newLine = Array("\r\n".utf8)
    restore = modesOff + names.flatMap { Self.string($0) ?? [] } + newLine
    afterScreen = hasAlternateScreen ? [] : newLine
  }

  /// Clear the screen after these queries, because terminals print parts of those that they do not know. The last one
  /// (DA1) is answered by every terminal. GNU Screen receives the query for its kind (DA2) only if it may be tmux.
  func queries(isScreen: Bool, mayBeTmux: Bool = false) -> [UInt8] {
    guard answersReports else { return [] }
    guard isModern else { return WidthProbe.query + Self.attributeQuery }
    guard !isScreen else { return (mayBeTmux ? Self.kindQuery : []) + WidthProbe.query + Self.attributeQuery }
    return Self.kindQuery + Self.nameQueries + WidthProbe.query + Self.cellQuery
  }

  private static let kindQuery = Array("\u{1B}[>c".utf8)  // DA2
  /// XTVERSION, and the background.
  private static let nameQueries = Array("\u{1B}[>q\u{1B}]11;?\u{1B}\\".utf8)
  /// The first queries of a terminal that is not GNU Screen after all, without those that write on the screen.
  static let queriesOfTmux = nameQueries + cellQuery

  /// Only for terminals that have reported their name: some others print parts of these queries.
  static func queriesOfNamed(aboutColors: Bool) -> [UInt8] {
    Array("\u{1B}[?2026$p".utf8) + KeyboardProtocol.query + (aboutColors ? TerminalReport.colorQuery : [])
      + attributeQuery
  }

  /// Enters the screen again, without the other parts of `smcup`: these save the title or the cursor each time.
  static var screenOn: [UInt8] {
    let modes = ["1049", "1047", "47"].map { Array("\u{1B}[?\($0)h".utf8) }
    let start = string("smcup") ?? []
    return (modes.first { start.firstRange(of: $0) != nil } ?? []) + (string("civis") ?? [])
  }
  /// Ends a scroll region (DECSTBM) that a cut-off frame has left; moves the cursor to the first cell.
  static let resetScrollRegion = Array("\u{1B}[r".utf8)
  // Synchronized output: the terminal shows a frame in one step.
  static let beginSynchronized = Array("\u{1B}[?2026h".utf8)
  static let endSynchronized = Array("\u{1B}[?2026l".utf8)
  /// Saves the cursor and the attributes, which a frame that is cut may leave anywhere, and resets the attributes.
  static let saveCursor = Array("\u{1B}7\u{1B}[m".utf8)
  static let restoreCursor = Array("\u{1B}8".utf8)
  /// Every terminal answers this query (DSR 5) once it has processed all bytes before it.
  static let statusQuery = Array("\u{1B}[5n".utf8)
  static let attributeQuery = Array("\u{1B}[c".utf8)  // DA1
  static let cellQuery = Array("\u{1B}[16t".utf8) + attributeQuery
  static let outerQueries = passthroughStart + Array("\u{1B}\u{1B}[>q\u{1B}\u{1B}[c".utf8) + stringTerminator
  /// tmux passes the sequences up to the string terminator, with each ESC doubled, on to its terminal if
  /// `allow-passthrough` is on.
  static let passthroughStart = Array("\u{1B}Ptmux;".utf8)
  /// Queries the number of sixel colors. Only for terminals with sixels: on others the same final letter scrolls.
  static let sixelQueries = Array("\u{1B}[?1;1;0S\u{1B}[c".utf8)

  private static func isModern(name: String, hasMouse: Bool) -> Bool {
    guard !name.hasPrefix("linux") else { return false }
    let known = [
      "xterm", "tmux", "screen", "foot", "kitty", "alacritty", "rxvt", "st-", "wezterm", "ghostty", "vte",
    ]
    return hasMouse || nc_flag("XT") != 0 || known.contains { name.hasPrefix($0) }
  }

  static func string(_ name: String) -> [UInt8]? {
    guard let value = nc_string(name) else { return nil }
    let bytes = withoutPadding(Array(String(cString: value).utf8))
    return bytes.isEmpty ? nil : bytes
  }

  /// Removes delays, written `$<5>`, `$<20/>` or `$<1.5*>`.
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

  private static func keyTable() -> InputDecoder.KeySequences {
    let named: [(String, Key)] = [
      ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right),
      ("kLFT", .shiftLeft), ("kRIT", .shiftRight), ("khome", .home), ("kend", .end),
      ("kpp", .pageUp), ("knp", .pageDown), ("kdch1", .delete), ("kcbt", .backTab), ("kent", .enter),
    ]
    var table: InputDecoder.KeySequences = [:]
    for (name, key) in named + (1...12).map({ ("kf\($0)", Key.function($0)) }) {
      guard let sequence = string(name), sequence.count > 1, sequence[0] == 0x1B else { continue }
      table[sequence] = table[sequence] ?? key
    }
    return table
  }

  /// Values of `TERM` that other machines may lack, each with similar types, the best first.
  private static let typeAliases: [(prefix: String, types: [String])] = [
    ("xterm-ghostty", ["ghostty"]), ("xterm-kitty", ["kitty"]), ("ghostty", ["xterm-ghostty"]),
    ("kitty", ["xterm-kitty"]), ("alacritty", ["alacritty"]), ("foot", ["foot"]), ("wezterm", []),
    ("contour", ["contour"]), ("rio", []), ("st-", ["st-256color", "st"]), ("st", []), ("konsole", ["konsole"]),
    ("vte", ["vte"]), ("gnome", ["gnome"]), ("mlterm", ["mlterm"]), ("mintty", []), ("putty", ["putty"]),
    ("iterm2", []), ("iTerm", []), ("iterm", []), ("ms-terminal", []), ("nsterm", []), ("eterm-color", []),
    ("dtterm", []), ("rxvt", ["rxvt-256color", "rxvt"]), ("linux", ["linux"]), ("xterm", []),
  ]
  /// Terminals inside another terminal, which support fewer sequences than xterm.
  private static let multiplexerTypes = ["tmux": ["tmux-256color", "screen-256color"], "screen": ["screen-256color"]]
  private static let lastTypes = ["xterm-256color", "xterm"]

  static func types(for name: String) -> [String] {
    if let types = multiplexerTypes.first(where: { name.hasPrefix($0.key) })?.value {
      return [name] + types + ["screen"]
    }
    guard let alias = typeAliases.first(where: { name == $0.prefix || name.hasPrefix(dashed($0.prefix)) }) else {
      return [name]
    }
    return [name] + alias.types + (alias.prefix == "linux" ? [] : lastTypes)
  }

  private static func dashed(_ prefix: String) -> String { prefix.hasSuffix("-") ? prefix : prefix + "-" }

  /// kitty's keyboard protocol, which reports modifiers and Escape without ambiguity. It is switched on in terminals
  /// that have answered the query, on the alternate screen, which has its own stack of modes.
  struct KeyboardProtocol {
    var isSupported = false

    static let query = Array("\u{1B}[?u".utf8)

    // 1 reports unambiguous keys, 4 adds the keys of the standard layout.
    var push: [UInt8] { isSupported ? Array("\u{1B}[>5u".utf8) : [] }
    /// Changes the mode on top of the stack.
    var set: [UInt8] { isSupported ? Array("\u{1B}[=5u".utf8) : [] }
    var pop: [UInt8] { isSupported ? Array("\u{1B}[<u".utf8) : [] }
  }
}

extension Environment {
  /// Whether `COLORTERM` promises all colors. GNU Screen passes the outer terminal's value on without supporting them.
  var hasDirectColors: Bool {
    guard let colors = self["COLORTERM"] else { return false }
    let mayBeScreen = isScreen || self["TERM"]?.hasPrefix("screen") == true && self["TMUX"] == nil
    return (colors == "truecolor" || colors == "24bit") && !mayBeScreen
  }

  /// Whether the terminal seems to be GNU Screen. Inside tmux, and around it, there are the variables of both; tmux has
  /// its own type of terminal, unless that is configured as `screen`.
  var isScreen: Bool { self["STY"] != nil && (self["TMUX"] == nil || self["TERM"]?.hasPrefix("screen") == true) }

  /// `COLORFGBG` ends with the background, one of sixteen colors. The Linux console is black.
  var shade: Theme.Shade {
    let assumed = self["TERM"]?.hasPrefix("linux") == true ? Theme.Shade.dark : .unknown
    guard let number = self["COLORFGBG"]?.split(separator: ";").last.flatMap({ Int($0) }) else { return assumed }
    return ColorDepth.palette.indices.contains(number) ? Theme.Shade(of: ColorDepth.palette[number]) : assumed
  }
}

/// Measures how many cells a few characters take, by writing each and querying the column of the cursor (DSR 6). The
/// characters stay on the screen until it is cleared.
struct WidthProbe {
  enum Outcome: Equatable {
    case unknown
    /// It shows each byte as a character.
    case notUTF8
    case widths(TextWidths)
  }

  /// An ambiguous letter, a letter with a vowel sign, a sign of uncertain width, a line, and a dot.
  private static let samples = ["é", "का", "㊙", "─", "●"]
  static let query = Array((samples.map { "\r\($0)\u{1B}[6n" }.joined() + "\r").utf8)

  private(set) var outcome = Outcome.unknown
  private var widths: [Int] = []

  /// `column` counts from 1.
  mutating func add(column: Int) {
    if widths.count <= Self.samples.count { widths.append(column - 1) }
  }

  /// Call it when a later query is answered. Returns whether the widths of text have changed.
  mutating func finish() -> Bool {
    defer { widths = [] }
    guard widths.count == Self.samples.count, widths.allSatisfy({ (1...6).contains($0) }) else { return false }
    let before = outcome
    outcome = Self.outcome(of: widths)
    return outcome != before && (before != .unknown || outcome != .widths(TextWidths()))
  }

  private static func outcome(of widths: [Int]) -> Outcome {
    // Two bytes, and six, two of which may be controls.
    if widths[0] == 2, widths[1] >= 4 { return .notUTF8 }
    var found = TextWidths()
    found.marksTakeCells = widths[1] != 1
    found.ambiguousIsWide = [widths[0], widths[3], widths[4]].count { $0 == 2 } >= 2
    return .widths(found)
  }
}
