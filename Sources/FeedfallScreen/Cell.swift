/// One cell of the screen: 20 plain bytes, none of them unused, so that rows are compared as memory.
public struct Cell: Hashable, Sendable, BitwiseCopyable {
  public var glyph: Glyph
  public var style: Style

  public init(_ glyph: Glyph = .blank, _ style: Style = .plain) {
    self.glyph = glyph
    self.style = style
  }
}
