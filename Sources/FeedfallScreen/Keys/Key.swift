import WaterfallEngine

/// A key, independent of the terminal's encoding.
public enum Key: Hashable, Sendable {
  /// A printable character; the space bar is `.character(" ")`.
  case character(Character)
  /// A lowercase letter or symbol with Control, as in `.control("d")`.
  case control(Character)
  case up, down, left, right
  case shiftLeft, shiftRight
  case pageUp, pageDown, home, end
  case enter, escape, tab, backTab, backspace, delete
  case function(Int)
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

  public init(_ kind: Kind, at position: Point) {
    self.kind = kind
    self.position = position
  }
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
  /// Whether the screen must be drawn again, because the terminal reported its cell size, background or picture support.
  public var isAppearanceChanged: Bool

  public init(events: [InputEvent] = [], isClosed: Bool = false, isAppearanceChanged: Bool = false) {
    self.events = events
    self.isClosed = isClosed
    self.isAppearanceChanged = isAppearanceChanged
  }
}

extension Key {
  /// The name in help texts, as in `^D`, `PgDn`, `⇧←`.
  public var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .control(" "): "^space"
    case .control(let character): "^\(character.uppercased())"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .shiftLeft: "⇧←"
    case .shiftRight: "⇧→"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "⇧Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .function(let number): "F\(number)"
    }
  }

  /// The notation in scripts that `keys(typed:)` parses, as in `<C-d>`.
  public var script: String {
    switch self {
    case .character(" "): "<Space>"
    case .character("<"): "<lt>"
    case .character(let character): String(character)
    case .control(let character): "<C-\(character == " " ? "Space" : String(character))>"
    case .up: "<Up>"
    case .down: "<Down>"
    case .left: "<Left>"
    case .right: "<Right>"
    case .shiftLeft: "<S-Left>"
    case .shiftRight: "<S-Right>"
    case .pageUp: "<PgUp>"
    case .pageDown: "<PgDn>"
    case .home: "<Home>"
    case .end: "<End>"
    case .enter: "<Enter>"
    case .escape: "<Esc>"
    case .tab: "<Tab>"
    case .backTab: "<S-Tab>"
    case .backspace: "<BS>"
    case .delete: "<Del>"
    case .function(let number): "<F\(number)>"
    }
  }
}
