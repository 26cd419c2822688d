/// The contents of a cell: a base character and up to three combining marks, packed into 12 bytes.
public struct Glyph: Hashable, Sendable, BitwiseCopyable {
  /// The base's Unicode scalar value; 0 is the right half of a wide character.
  public var base: UInt32
  // Two halves: a `UInt64` would be aligned to eight bytes and make every cell a fifth larger.
  private var lowMarks: UInt32
  private var highMarks: UInt32

  public init(base: UInt32, marks: UInt64 = 0) {
    self.base = base
    lowMarks = UInt32(truncatingIfNeeded: marks)
    highMarks = UInt32(truncatingIfNeeded: marks >> 32)
  }

  public init(_ scalar: Unicode.Scalar) { self.init(base: scalar.value) }

  /// Up to three combining marks of 21 bits each, the first in the lowest bits; 0 is none.
  public var marks: UInt64 {
    get { UInt64(highMarks) << 32 | UInt64(lowMarks) }
    set { self = Glyph(base: base, marks: newValue) }
  }

  public static let blank = Glyph(base: 0x20)
  /// The right half of a wide character, which is in the cell to the left.
  public static let continuation = Glyph(base: 0)
  static let ellipsis = Glyph(base: 0x2026)
  /// U+FFFD, shown instead of unsupported characters.
  public static let replacement = Glyph(base: 0xFFFD)

  /// Whether this is the right half of a wide character.
  public var isContinuation: Bool { base == 0 }

  /// Whether the base takes two cells.
  public var isWide: Bool {
    // A shortcut: nothing below Hangul is wide, and covers consist of many block elements.
    if base < 0x1100 || (0x2500...0x25FC).contains(base) { return false }
    var kind = ScalarTable.Lookup()
    return kind(base) == .wide
  }

  /// The base and its marks as Unicode scalars; empty for the right half of a wide character.
  public var scalars: [Unicode.Scalar] {
    let values = [base] + Self.markShifts.map { UInt32(truncatingIfNeeded: marks >> $0) & 0x1F_FFFF }
    return values.filter { $0 != 0 }.compactMap(Unicode.Scalar.init)
  }

  private static let markShifts: [UInt64] = [0, 21, 42]

  func append(to text: inout String.UnicodeScalarView) {
    if marks == 0 {
      if let scalar = Unicode.Scalar(base) { text.append(scalar) }
    } else {
      text.append(contentsOf: scalars)
    }
  }

  /// Adds a combining mark; a fourth is ignored.
  mutating func addMark(_ value: UInt32) {
    for shift in Self.markShifts where (marks >> shift) & 0x1F_FFFF == 0 {
      marks |= UInt64(value & 0x1F_FFFF) << shift
      return
    }
  }
}
