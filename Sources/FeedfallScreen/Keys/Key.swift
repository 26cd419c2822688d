import WaterfallEngine

/// A key with the modifiers that are held, independent of the terminal's encoding.
public struct Key: Hashable, Sendable {
  public enum Base: Hashable, Sendable {
    /// A printable character; the space bar is `.character(" ")`.
    case character(Character)
    case up, down, left, right
    case pageUp, pageDown, home, end
    case enter, escape, tab, backspace, delete
    case function(Int)
  }

  /// The bits are those of xterm's and kitty's sequences.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let shift = Modifiers(rawValue: 1)
    public static let alt = Modifiers(rawValue: 2)
    public static let control = Modifiers(rawValue: 4)
    public static let `super` = Modifiers(rawValue: 8)
    public static let hyper = Modifiers(rawValue: 16)
    public static let meta = Modifiers(rawValue: 32)
    /// The prefix `g`, typed before the key; no terminal reports it.
    public static let go = Modifiers(rawValue: 64)
  }

  public var base: Base
  /// For a character, Shift is part of the character, as in `A`. With Control, the character is lowercase.
  public var modifiers: Modifiers

  public init(_ base: Base, _ modifiers: Modifiers = []) { (self.base, self.modifiers) = (base, modifiers) }

  /// The character that the key types; nil for other keys and with modifiers.
  public var typed: Character? {
    if case .character(let character) = base, modifiers.isEmpty { character } else { nil }
  }

  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  /// A lowercase letter or symbol with Control, as in `.control("d")`.
  public static func control(_ character: Character) -> Key { Key(.character(character), .control) }
  public static func alt(_ character: Character) -> Key { Key(.character(character), .alt) }
  /// A key after the prefix `g`.
  public static func go(_ character: Character) -> Key { Key(.character(character), .go) }
  public static func function(_ number: Int) -> Key { Key(.function(number)) }

  public static var up: Key { Key(.up) }
  public static var down: Key { Key(.down) }
  public static var left: Key { Key(.left) }
  public static var right: Key { Key(.right) }
  public static var shiftLeft: Key { Key(.left, .shift) }
  public static var shiftRight: Key { Key(.right, .shift) }
  public static var pageUp: Key { Key(.pageUp) }
  public static var pageDown: Key { Key(.pageDown) }
  public static var home: Key { Key(.home) }
  public static var end: Key { Key(.end) }
  public static var enter: Key { Key(.enter) }
  public static var escape: Key { Key(.escape) }
  public static var tab: Key { Key(.tab) }
  public static var backTab: Key { Key(.tab, .shift) }
  public static var backspace: Key { Key(.backspace) }
  public static var delete: Key { Key(.delete) }
}

/// A mouse event at a cell of the screen.
public struct MouseEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case press
    /// Movement with the button held.
    case drag
    case release
    case wheelUp, wheelDown
  }
  public var kind: Kind
  public var position: Point

  public init(_ kind: Kind, at position: Point) { (self.kind, self.position) = (kind, position) }
}

/// The user's input.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Pasted text (bracketed paste).
  case paste(String)
}

/// The result of reading from the terminal once.
public struct TerminalInput: Equatable, Sendable {
  /// The user's input, in order.
  public var events: [InputEvent]
  /// Whether the terminal is gone for good.
  public var isClosed: Bool
  /// Whether the screen must be drawn again, because the terminal reported its cell size, background or picture
  /// support.
  public var isAppearanceChanged: Bool

  public init(events: [InputEvent] = [], isClosed: Bool = false, isAppearanceChanged: Bool = false) {
    (self.events, self.isClosed, self.isAppearanceChanged) = (events, isClosed, isAppearanceChanged)
  }
}

extension Key {
  /// In the order of names. The names are prefixes in help texts.
  static let modifierNames: [(modifier: Modifiers, name: String, letter: Character)] = [
    (.go, "g", "G"), (.hyper, "Hyper-", "H"), (.meta, "Meta-", "T"), (.super, "Super-", "D"), (.alt, "Alt-", "A"),
    (.control, "^", "C"), (.shift, "⇧", "S"),
  ]

  /// The name in help texts, as in `^D`, `PgDn`, `⇧←`, `Alt-b`.
  public var name: String {
    let held = modifierNames.map(\.name).joined()
    guard case .character(let character) = base, character != " " else { return held + base.name }
    return held + (modifiers.contains(.control) ? character.uppercased() : String(character))
  }

  /// The notation in scripts that `keys(typed:)` parses, as in `<C-d>`.
  public var script: String {
    if let typed, typed != " ", typed != "<" { return String(typed) }
    return "<" + modifierNames.map { "\($0.letter)-" }.joined() + base.script + ">"
  }

  private var modifierNames: [(modifier: Modifiers, name: String, letter: Character)] {
    modifiers.isEmpty ? [] : Self.modifierNames.filter { modifiers.contains($0.modifier) }
  }
}

extension Key.Base {
  fileprivate var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .function(let number): "F\(number)"
    }
  }

  var script: String {
    switch self {
    case .character(" "): "Space"
    case .character("<"): "lt"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .backspace: "BS"
    default: name
    }
  }
}
