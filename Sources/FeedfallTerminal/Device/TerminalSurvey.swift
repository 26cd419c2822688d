import CFeedfallCurses
import FeedfallSystem
import WaterfallEngine

/// The facts about a terminal that are known without opening or asking it. Do not create one while a terminal is open.
public struct TerminalSurvey: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// `TERM` is not set, or "dumb".
    case none
    /// This machine's terminfo has neither the type nor a similar one.
    case unknown
    /// The type that is used; without a position of the cursor it cannot be.
    case known(String, canMoveCursor: Bool)
  }

  public enum Multiplexer: Equatable, Sendable { case tmux, screen }

  public enum Colors: Equatable, Sendable {
    case none
    case indexed(Int)
    case direct
  }

  /// The value of `TERM`; empty if it is not set.
  public var name = ""
  public var kind = Kind.none
  public var colors = Colors.none
  /// Whether `NO_COLOR` is set.
  public var refusesColors = false
  public var multiplexer: Multiplexer?
  /// The way of showing pictures by the terminal's variables; nil if only its answers decide.
  public var pictures: PictureProtocol?
  /// Whether there is a locale with UTF-8.
  public var hasUTF8 = true
  /// Nil if no standard file is a terminal, or if its size is not known.
  public var size: Size?
  public var isTerminal = false

  public init() {}

  /// Surveys the terminal of this process.
  public static var current: TerminalSurvey {
    var survey = TerminalSurvey(Environment.process) { type in
      guard nc_load_entry(type) != 0 else { return nil }
      defer { nc_unload_entry() }
      return (nc_string("cup") != nil, Int(nc_number("colors")))
    }
    survey.hasUTF8 = nc_use_utf8() != 0
    for file in [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO] where isatty(file) == 1 && !survey.isTerminal {
      survey.isTerminal = true
      survey.size = TerminalDevice.size(of: file)
    }
    return survey
  }

  /// The width of the terminal on standard output, and the sequences that begin and end bold text, empty without any.
  public typealias OutputStyle = (columns: Int, bold: String, plain: String)

  /// Nil if standard output is not a terminal. Do not call it while a terminal is open.
  public static var outputStyle: OutputStyle? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    let columns = TerminalDevice.size(of: STDOUT_FILENO)?.width ?? 80
    for type in TerminalProfile.types(for: Environment.process["TERM"] ?? "") where nc_load_entry(type) != 0 {
      defer { nc_unload_entry() }
      guard let bold = TerminalProfile.string("bold"), let plain = TerminalProfile.string("sgr0") else { break }
      return (columns, String(decoding: bold, as: UTF8.self), String(decoding: plain, as: UTF8.self))
    }
    return (columns, "", "")
  }

  /// The number of colors is -1 without any.
  typealias Entry = (canMoveCursor: Bool, colorCount: Int)

  init(_ environment: Environment, entry: (String) -> Entry?) {
    name = environment["TERM"] ?? ""
    refusesColors = environment["NO_COLOR"] != nil
    multiplexer = environment["TMUX"] != nil ? .tmux : environment.isScreen ? .screen : nil
    pictures = Self.pictures(environment)
    guard name != "", name != "dumb" else { return }
    kind = .unknown
    for type in TerminalProfile.types(for: name) {
      guard let entry = entry(type) else { continue }
      kind = .known(type, canMoveCursor: entry.canMoveCursor)
      colors = Self.colors(entry, environment)
      return
    }
  }

  private static func colors(_ entry: Entry, _ environment: Environment) -> Colors {
    switch ColorDepth(colors: entry.colorCount) {
    case .none: .none
    case .direct: .direct
    case .eight, .sixteen, .indexed: environment.hasDirectColors ? .direct : .indexed(entry.colorCount)
    }
  }

  private static func pictures(_ environment: Environment) -> PictureProtocol? {
    if environment["TMUX"] != nil { return nil }
    if environment.isScreen || environment["TERM"]?.hasPrefix("linux") == true { return .cells }
    let isKitty = environment["KITTY_WINDOW_ID"] != nil || environment["TERM"] == "xterm-kitty"
    let isGhostty = environment["TERM_PROGRAM"] == "ghostty" || environment["TERM"] == "xterm-ghostty"
    return isKitty || isGhostty ? .kittyPlaceholders : nil
  }
}
