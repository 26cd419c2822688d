import FeedfallScreen

/// The ways of showing pictures.
public enum PictureProtocol: Equatable, Sendable {
  /// Coloured characters only.
  case cells
  /// DEC's sixel graphics, drawn over the cells.
  case sixel
  /// kitty's graphics protocol with pictures placed over the cells.
  case kittyPlacements
  /// kitty's graphics protocol with placeholder characters: the picture moves, and is covered, like text.
  case kittyPlaceholders
}

/// The terminal's answers that decide how pictures are shown.
struct TerminalIdentity: Equatable, Sendable {
  /// XTVERSION.
  private var name: String?
  /// That of the terminal around tmux, which answers only if tmux passes the query on.
  private var outerName: String?
  /// Whether the outer terminal has not answered the last query.
  private var isOuterNameDue = false
  var hasSixel = false
  var colorRegisters = 256

  var isTmux: Bool { name?.hasPrefix("tmux") == true }
  var isKnown: Bool { name != nil }

  mutating func setName(_ new: String) {
    guard isTmux, !new.hasPrefix("tmux") else {
      name = new
      return
    }
    outerName = new
    isOuterNameDue = false
  }

  /// Call it when the outer terminal is queried; it may have changed.
  mutating func beginOuterQuery() { isOuterNameDue = true }

  /// Call it when all queries are answered: an outer terminal without an answer has no name.
  mutating func endQueries() {
    if isOuterNameDue { outerName = nil }
    isOuterNameDue = false
  }

  func pictureProtocol(for choice: PictureChoice) -> PictureProtocol {
    switch choice {
    case .none, .cells, .symbols: .cells
    case .sixel: .sixel
    case .kitty: kitty ?? .kittyPlaceholders
    case .auto: kitty ?? (hasSixel && !isTmux ? .sixel : .cells)
    }
  }

  /// The supported form of kitty's protocol, by the terminal's name. The protocol's own query is not used: some
  /// terminals answer yes without supporting placeholders, and some print it on the screen.
  private var kitty: PictureProtocol? {
    guard let (program, version) = program else { return nil }
    switch program {
    case "ghostty": return .kittyPlaceholders
    case "kitty" where version >= (0, 28): return .kittyPlaceholders
    // tmux does not move placements together with its panes.
    case "kitty" where !isTmux, "konsole" where !isTmux && version >= (22, 4):
      return .kittyPlacements
    default: return nil
    }
  }

  /// Whether frames of a video can replace the pixels of an image in kitty's protocol; nil for terminals that must not
  /// be asked for the protocol, because they may print the query on the screen.
  var replacesPixels: Bool? {
    guard !isTmux, let (program, version) = program else { return nil }
    switch program {
    case "kitty" where version >= (0, 20): return true
    case "ghostty": return version >= (1, 4)
    case "konsole" where version >= (22, 4), "wezterm": return false
    default: return nil
    }
  }

  /// The finest block characters that the terminal draws itself, without a font; eighths, which nearly every font has,
  /// if that is not known. alacritty and Windows Terminal do not report their names.
  var glyphs: BlockGlyphs {
    guard let (program, version) = program else { return .eighths }
    switch program {
    // tmux may not know the width of octants.
    case "kitty" where !isTmux && version >= (0, 40): return .octants
    case "ghostty" where !isTmux && version >= (1, 2): return .octants
    case "foot" where !isTmux && version >= (1, 20): return .octants
    // Its version is a date.
    case "wezterm" where version < (20_210_814, 0): return .eighths
    case "kitty", "ghostty", "wezterm", "foot", "contour", "rio": return .sextants
    default: return .eighths
    }
  }

  private var program: (name: String, version: (major: Int, minor: Int))? {
    guard let name = isTmux ? outerName : name else { return nil }
    let program = name.prefix { $0 != "(" && $0 != " " }.lowercased()
    return (program, Self.version(name.dropFirst(program.count + 1)))
  }

  /// Missing numbers are 0.
  private static func version(_ text: Substring) -> (major: Int, minor: Int) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).prefix(2).map { part in
      Int(part.prefix { ("0"..."9").contains($0) }) ?? 0
    }
    return (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0)
  }

  enum State: Equatable {
    case unknown
    case named
    /// GNU Screen, which prints parts of queries that it does not know: by the environment, or by its answer.
    case screen

    /// The kinds that DA2 reports of GNU Screen and tmux.
    private static let (screenKind, tmuxKind) = (83, 84)
    /// Since then, alacritty ignores all queries. It does not report its name.
    private static let alacritty = (kind: 0, version: 1300)

    enum Queries: Equatable { case ofName, ofNamed }

    init(isScreen: Bool) { self = isScreen ? .screen : .unknown }

    mutating func handle(kind: Int, version: Int) -> Queries? {
      switch kind {
      case Self.screenKind:
        self = .screen
        return nil
      // The environment is that of the GNU Screen around tmux.
      case Self.tmuxKind where self == .screen:
        self = .unknown
        return .ofName
      case Self.alacritty.kind where version >= Self.alacritty.version: return handleName()
      default: return nil
      }
    }

    mutating func handleName() -> Queries? {
      guard self == .unknown else { return nil }
      self = .named
      return .ofNamed
    }
  }
}
