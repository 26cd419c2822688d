/// A cell of the screen: 20 bytes without padding, so that rows can be compared as memory.
public struct Cell: Hashable, Sendable, BitwiseCopyable {
  public var glyph: Glyph
  public var style: Style

  public init(_ glyph: Glyph = .blank, _ style: Style = .plain) { (self.glyph, self.style) = (glyph, style) }
}

/// The style of a cell: its role and, for cells of covers, its own colors.
public struct Style: Hashable, Sendable, BitwiseCopyable {
  public var role: Role
  // Optional colors would have padding, and equal cells could differ as memory.
  private var flags: UInt8 = 0
  private var foregroundColor: RGB = .black
  private var backgroundColor: RGB = .black

  public init(_ role: Role, foreground: RGB? = nil, background: RGB? = nil) {
    (self.role, self.foreground, self.background) = (role, foreground, background)
  }

  public static let plain = Style(.plain)

  /// The character's color; nil for the role's color.
  public var foreground: RGB? {
    get { flags & 1 != 0 ? foregroundColor : nil }
    set {
      foregroundColor = newValue ?? .black
      flags = newValue == nil ? flags & ~1 : flags | 1
    }
  }

  /// The background's color; nil for the role's color.
  public var background: RGB? {
    get { flags & 2 != 0 ? backgroundColor : nil }
    set {
      backgroundColor = newValue ?? .black
      flags = newValue == nil ? flags & ~2 : flags | 2
    }
  }

  mutating func fade() {
    foreground = foreground?.faded
    background = background?.faded
    if flags & 3 == 0, role != .badge { role = .dim }
  }

  /// Whether the cell belongs to the video (see `Canvas.reserve`). Drawing clears it.
  public internal(set) var isReserved: Bool {
    get { flags & 8 != 0 }
    set { flags = newValue ? flags | 8 : flags & ~8 }
  }

  /// See `Canvas.link`. Drawing clears it.
  var isLinked: Bool {
    get { flags & 16 != 0 }
    set { flags = newValue ? flags | 16 : flags & ~16 }
  }

  /// A picture may cover the cell (see `Canvas.place`). Drawing clears it.
  var isUnderPicture: Bool {
    get { flags & 4 != 0 }
    set { flags = newValue ? flags | 4 : flags & ~4 }
  }
}

/// The meaning of a part of the screen. Only the terminal's theme maps roles to colors.
public enum Role: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case plain, dim, frame, title, selected, selection, selectedRow, match, cover, badge, error, warning, success
  case progress, tab, selectedTab, status, hint, alert, key, link, heading, segment

  /// The role's name in the configuration.
  public var name: String {
    switch self {
    case .plain: "text"
    case .selectedTab: "selected-tab"
    case .selectedRow: "selected-row"
    default: "\(self)"
    }
  }

  /// For the manual.
  public var meaning: String {
    switch self {
    case .plain: "text; its background is that of the screen"
    case .dim: "text of less importance, and watched videos"
    case .frame: "lines between and around parts of the screen"
    case .title: "titles of cards"
    case .selected: "the title of the selected card"
    case .selection: "the frame of the selected card"
    case .selectedRow: "the selected row of a list"
    case .match: "text that a search has found"
    case .cover: "placeholders of covers"
    case .badge: "the length on a cover"
    case .error: "failures"
    case .warning: "warnings"
    case .success: "reports of success"
    case .progress: "progress bars"
    case .tab: "tabs"
    case .selectedTab: "the tab that is shown"
    case .status: "the status line; its background is also that of `hint`"
    case .hint: "the keys in the status line"
    case .alert: "messages about failures and questions"
    case .key: "names of keys, and the played part of a video"
    case .link: "addresses"
    case .heading: "headings"
    case .segment: "a part of a video to skip"
    }
  }

  /// Whether themes have a background for the role's text.
  public var hasBackground: Bool {
    switch self {
    case .plain, .selectedRow, .match, .badge, .selectedTab, .status, .hint, .alert: true
    default: false
    }
  }
}

extension Slice<UnsafeMutableBufferPointer<Cell>> {
  /// Fills the memory with a cell, four at a time, because the bytes of four cells are five vectors.
  func fill(with cell: Cell) {
    precondition(MemoryLayout<Cell>.stride == 20)
    guard var next = UnsafeMutableBufferPointer(rebasing: self).baseAddress else { return }
    let end = next + count
    let vectors = withUnsafeBytes(of: (cell, cell, cell, cell)) { four in
      func vector(_ index: Int) -> SIMD4<UInt32> { four.loadUnaligned(fromByteOffset: index * 16, as: SIMD4.self) }
      return (vector(0), vector(1), vector(2), vector(3), vector(4))
    }
    while next + 4 <= end {
      let target = UnsafeMutableRawPointer(next)
      target.storeBytes(of: vectors.0, as: SIMD4.self)
      target.storeBytes(of: vectors.1, toByteOffset: 16, as: SIMD4.self)
      target.storeBytes(of: vectors.2, toByteOffset: 32, as: SIMD4.self)
      target.storeBytes(of: vectors.3, toByteOffset: 48, as: SIMD4.self)
      target.storeBytes(of: vectors.4, toByteOffset: 64, as: SIMD4.self)
      next += 4
    }
    while next < end {
      next.pointee = cell
      next += 1
    }
  }
}

/// Compares cells as memory, which is correct because cells have no unused bytes.
func haveSameBytes(_ one: Span<Cell>, _ other: Span<Cell>) -> Bool {
  guard one.count == other.count else { return false }
  if one.isIdentical(to: other) { return true }
  let (one, other) = (one.bytes, other.bytes)
  var offset = 0
  // Without an early exit inside the block, many bytes are compared at a time.
  while offset + 128 <= one.byteCount {
    var difference: UInt64 = 0
    for step in 0..<16 { difference |= one.word(at: offset + step * 8) ^ other.word(at: offset + step * 8) }
    if difference != 0 { return false }
    offset += 128
  }
  while offset < one.byteCount {
    if one.byte(at: offset) != other.byte(at: offset) { return false }
    offset += 1
  }
  return true
}

extension RawSpan {
  // Any eight bytes are an integer and the offset is checked, so these loads are safe.
  func word(at offset: Int) -> UInt64 { unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self) }
  func byte(at offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}

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
