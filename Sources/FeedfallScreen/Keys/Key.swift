import WaterfallEngine

/// A key with the modifiers that are held, independent of the terminal's encoding.
public struct Key: Hashable, Sendable, ExpressibleByUnicodeScalarLiteral {
  public enum Base: Hashable, Sendable {
    /// A printable character; the space bar is `.character(" ")`.
    case character(Character)
    case up, down, left, right
    case pageUp, pageDown, home, end
    case enter, escape, tab, backspace, delete
    case function(Int)

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

  /// The key that types a character, as in `"j"`.
  public init(unicodeScalarLiteral character: Character) { self.init(.character(character)) }

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

  public static let (up, down, left, right) = (Key(.up), Key(.down), Key(.left), Key(.right))
  public static let (shiftLeft, shiftRight) = (Key(.left, .shift), Key(.right, .shift))
  public static let (pageUp, pageDown, home, end) = (Key(.pageUp), Key(.pageDown), Key(.home), Key(.end))
  public static let (enter, escape, tab, backTab) = (Key(.enter), Key(.escape), Key(.tab), Key(.tab, .shift))
  public static let (backspace, delete) = (Key(.backspace), Key(.delete))

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

  /// An invalid key in a script.
  public struct ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The invalid text, as in `<Entr>`.
    public let written: String

    public var description: String {
      let names = namedBases.map { "<\($0.script)>" }.joined(separator: " ")
      return "\(excerpt(of: written, width: 40)) is not a key. Write characters, \(names) <F1> to <F\(lastFunction)>, "
        + "with modifiers as in <C-a> <A-b> <S-Left>."
    }
  }
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
  /// Whether the screen must be drawn again, because the cell size, background or picture support was reported.
  public var isAppearanceChanged: Bool

  public init(events: [InputEvent] = [], isClosed: Bool = false, isAppearanceChanged: Bool = false) {
    (self.events, self.isClosed, self.isAppearanceChanged) = (events, isClosed, isAppearanceChanged)
  }
}

/// Parses a script of keys such as `jj<Enter><C-d>`. A character is its own key, and names are in angle brackets, in
/// upper or lower case; `<lt>` is `<`. `C-`, `A-` and others before a name hold modifiers.
public func keys(typed script: String) throws(Key.ScriptError) -> [Key] {
  var keys: [Key] = []
  var rest = Substring(script)
  while let first = rest.popFirst() {
    guard first == "<" else {
      keys.append(try key(character: first))
      continue
    }
    guard let end = rest.firstIndex(of: ">") else { throw Key.ScriptError(written: "<" + rest) }
    keys.append(try key(named: rest[..<end]))
    rest = rest[rest.index(after: end)...]
  }
  return keys
}

private let lastFunction = 24

private let namedBases: [Key.Base] = [
  .enter, .escape, .character(" "), .tab, .backspace, .delete, .up, .down, .left, .right, .pageUp, .pageDown, .home,
  .end, .character("<"),
]

private func key(character: Character) throws(Key.ScriptError) -> Key {
  guard character.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
    throw Key.ScriptError(written: character.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())
  }
  return .character(character)
}

private func key(named written: Substring) throws(Key.ScriptError) -> Key {
  var modifiers: Key.Modifiers = []
  var name = written
  while let modifier = modifier(before: name) {
    modifiers.insert(modifier)
    name = name.dropFirst(2)
  }
  guard let base = base(named: name, modifiers) else { throw Key.ScriptError(written: "<\(written)>") }
  return Key(base, modifiers)
}

private func modifier(before name: Substring) -> Key.Modifiers? {
  guard name.dropFirst().first == "-", let letter = name.first?.uppercased() else { return nil }
  return Key.modifierNames.first { String($0.letter) == letter }?.modifier
}

private func base(named name: Substring, _ modifiers: Key.Modifiers) -> Key.Base? {
  let wanted = name.lowercased()
  if let base = namedBases.first(where: { $0.script.lowercased() == wanted }) {
    // Shift and a character are another character.
    if case .character = base, modifiers == .shift { return nil }
    return base
  }
  if let number = (1...lastFunction).first(where: { wanted == "f\($0)" }) { return .function(number) }
  guard !modifiers.isEmpty, name.count == 1, let character = name.first else { return nil }
  guard modifiers.contains(.control) else { return modifiers.contains(.shift) ? nil : .character(character) }
  return wanted.first.flatMap { "abcdefghijklmnopqrstuvwxyz@[\\]^_?".contains($0) ? .character($0) : nil }
}
