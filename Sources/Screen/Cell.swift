/// What one cell shows: a base character and up to three combining marks, packed so that cells are plain bytes.
public struct Glyph: Hashable, Sendable {
  /// The base's Unicode scalar value; 0 marks the right half of a wide character.
  public var base: UInt32
  /// Up to three combining marks, 21 bits each, the first in the lowest bits; 0 is none.
  public var marks: UInt64

  public init(base: UInt32, marks: UInt64 = 0) {
    self.base = base
    self.marks = marks
  }

  public init(_ scalar: Unicode.Scalar) {
    self.init(base: scalar.value)
  }

  public static let blank = Glyph(" ")
  /// The right half of a wide character; the cell to its left holds the character.
  public static let continuation = Glyph(base: 0)
}

/// One cell of the screen.
public struct Cell: Hashable, Sendable {
  public var glyph: Glyph
  public var style: Style

  public init(_ glyph: Glyph = .blank, _ style: Style = .plain) {
    self.glyph = glyph
    self.style = style
  }
}
