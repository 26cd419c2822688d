import FeedfallScreen

/// How a terminal can show pictures.
public enum PictureProtocol: Equatable, Sendable {
  /// By coloured characters alone.
  case cells
  /// Six rows of pixels at a time (DEC's sixel graphics), over the cells.
  case sixel
  /// kitty's graphics protocol: pictures that are placed over the cells.
  case kittyPlacements
  /// The same with characters that stand for parts of a picture: what happens to the characters happens to it.
  case kittyPlaceholders
}

/// What the terminal told of itself that matters for pictures.
struct TerminalIdentity: Equatable, Sendable {
  /// Its name and version (XTVERSION).
  private var name: String?
  /// The same of the terminal that tmux is shown in, which only answers where tmux lets the question through.
  private var outerName: String?
  /// Whether it was asked, and has not told it since.
  private var isOuterAsked = false
  var hasSixel = false
  /// How many colours a picture in sixels may have.
  var colorRegisters = 256

  /// Whether it is tmux that speaks.
  var isTmux: Bool { name?.hasPrefix("tmux") == true }

  mutating func take(name new: String) {
    guard isTmux, !new.hasPrefix("tmux") else {
      name = new
      return
    }
    outerName = new
    isOuterAsked = false
  }

  /// The terminal that tmux is shown in is asked, and may be another one than before.
  mutating func outerIsAsked() { isOuterAsked = true }

  /// All has been answered: one that has not told its name by now has none.
  mutating func allIsAnswered() {
    if isOuterAsked { outerName = nil }
    isOuterAsked = false
  }

  /// The protocol for this terminal and this person.
  func pictureProtocol(for choice: PictureChoice) -> PictureProtocol {
    switch choice {
    case .none, .cells, .symbols: .cells
    case .sixel: .sixel
    case .kitty: kitty ?? .kittyPlaceholders
    case .auto: kitty ?? (hasSixel && !isTmux ? .sixel : .cells)
    }
  }

  /// What a terminal of this name understands of kitty's protocol. Its own question is not asked: some say yes who know
  /// no placeholders, and some who know nothing of it write it on the screen.
  private var kitty: PictureProtocol? {
    guard let (program, version) = program else { return nil }
    switch program {
    case "ghostty": return .kittyPlaceholders
    case "kitty" where version >= Version(major: 0, minor: 28): return .kittyPlaceholders
    // Nobody would move them when tmux moves its panes.
    case "kitty" where !isTmux, "konsole" where !isTmux && version >= Version(major: 22, minor: 4):
      return .kittyPlacements
    default: return nil
    }
  }

  /// Whether it draws characters that are made of blocks itself, so that no font need have them.
  var drawsBlocks: Bool {
    guard let (program, _) = program else { return false }
    return ["kitty", "ghostty", "wezterm", "foot", "contour", "rio"].contains(program)
  }

  /// What shows the characters in the end, as far as it told.
  private var program: (name: String, version: Version)? {
    guard let name = isTmux ? outerName : name else { return nil }
    let program = name.prefix { $0 != "(" && $0 != " " }.lowercased()
    return (program, Version(name.dropFirst(program.count + 1)))
  }

  private struct Version: Comparable {
    var major = 0
    var minor = 0

    init(major: Int, minor: Int) {
      self.major = major
      self.minor = minor
    }

    /// The first two numbers of a text, 0 for those that are not there.
    init(_ text: Substring) {
      let numbers = text.split(separator: ".", omittingEmptySubsequences: false).prefix(2).map { part in
        Int(part.prefix { ("0"..."9").contains($0) }) ?? 0
      }
      if let first = numbers.first { major = first }
      if numbers.count > 1 { minor = numbers[1] }
    }

    static func < (one: Version, other: Version) -> Bool {
      (one.major, one.minor) < (other.major, other.minor)
    }
  }
}
