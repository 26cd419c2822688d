/// What becomes of each character of a text from outside.
enum TextRules {
  enum Fate {
    case keep
    /// A mark that lies on the character before it: kept, but only few in a row.
    case mark
    case joiner
    case blank
    case lineBreak
    case drop
  }

  /// Control characters (C0, C1), those that turn the text round, those that are not seen, private ones and
  /// noncharacters go; white space becomes a blank or a line break.
  static func fate(of scalar: Unicode.Scalar) -> Fate {
    let value = scalar.value
    if value < 0x7F { return value >= 0x20 ? (value == 0x20 ? .blank : .keep) : control(value) }
    if value < 0xA0 { return value == 0x85 ? .lineBreak : .drop }
    if value < 0x300 { return value == 0xA0 ? .blank : value == 0xAD ? .drop : .keep }
    if (0x3400...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value) { return .keep }
    if isInvisible(value) { return .drop }
    switch value {
    case 0x2028, 0x2029: return .lineBreak
    case 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: return .blank
    case 0x200C, 0x200D: return .joiner
    case 0xE0020...0xE007F: return .mark
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: return .mark
    case .privateUse, .surrogate, .control: return .drop
    // Those of Arabic and Syriac are signs round a number or a word; the later ones only steer how others look.
    case .format: return value <= 0x8E2 ? .keep : .drop
    default: return .keep
    }
  }

  private static func control(_ value: UInt32) -> Fate {
    switch value {
    case 0x09, 0x0B, 0x0C: .blank
    case 0x0A, 0x0D: .lineBreak
    default: .drop
    }
  }

  private static func isInvisible(_ value: UInt32) -> Bool {
    switch value {
    case 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E,
      0x2060...0x206F,
      0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFC, 0xFDD0...0xFDEF, 0xE0000...0xE001F, 0xE0080...0xE00FF,
      0xE01F0...0xE0FFF:
      true
    default:
      value & 0xFFFE == 0xFFFE
    }
  }
}
