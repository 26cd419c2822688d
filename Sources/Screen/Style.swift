/// What a piece of the screen means; a theme gives each role its colours, so that nothing else knows any.
public enum Role: UInt8, CaseIterable, Sendable {
  case plain
  case dim
  case frame
  case title
  case selected
  case match
  case meta
  case cover
  case badge
  case header
  case footer
  case status
  case alert
  case key
  case link
  case heading
}

/// A colour of 8 bits a channel.
public struct RGB: Hashable, Sendable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// How a cell looks: its role and, for the cells of a cover, colours of its own.
public struct Style: Hashable, Sendable {
  public var role: Role
  /// The colours that a cover's cell carries; nil leaves them to the role.
  public var foreground: RGB?
  public var background: RGB?

  public init(_ role: Role, foreground: RGB? = nil, background: RGB? = nil) {
    self.role = role
    self.foreground = foreground
    self.background = background
  }

  public static let plain = Style(.plain)
}
