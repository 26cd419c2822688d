/// What a piece of the screen means; a theme gives each role its colours, so that nothing else knows any.
public enum Role: UInt8, CaseIterable, Sendable, BitwiseCopyable {
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

  /// The letter that stands for the role in drawings of a screen; no two are the same.
  public var letter: Character {
    switch self {
    case .plain: "p"
    case .dim: "d"
    case .frame: "f"
    case .title: "t"
    case .selected: "s"
    case .match: "m"
    case .meta: "i"
    case .cover: "c"
    case .badge: "b"
    case .header: "h"
    case .footer: "o"
    case .status: "u"
    case .alert: "a"
    case .key: "k"
    case .link: "l"
    case .heading: "g"
    }
  }
}
