import WaterfallEngine

/// One key as a person means it, whatever bytes the terminal sent.
public enum Key: Hashable, Sendable {
  /// A printable character; the space bar is `.character(" ")`.
  case character(Character)
  /// A letter (lower case) or symbol held with Control, as in `.control("d")`.
  case control(Character)
  case up, down, left, right
  case shiftLeft, shiftRight
  case pageUp, pageDown, home, end
  case enter, escape, tab, backTab, backspace, delete
  case function(Int)
}

/// What a mouse did, at a cell of the screen.
public struct MouseEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case press
    /// It has moved with its button held.
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

/// What reaches the program from the person at the terminal.
public enum InputEvent: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Text pasted in one piece (bracketed paste).
  case paste(String)
}
