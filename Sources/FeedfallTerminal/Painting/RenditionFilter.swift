/// Removes every change of attributes and colors from curses' output that has no visible effect.
///
/// Curses resets attributes before each gap, repeats the background with each foreground, and selects a foreground for
/// blanks. The filter delays a change until a character needs it. At the end of `filter` the terminal has the rendition
/// that curses expects. Unknown sequences pass unchanged, and make the rendition unknown until a reset.
struct RenditionFilter {
  /// Whether 39 and 49 select the default colors.
  private let canUnsetColors: Bool
  /// Whether to remove sequences that select the default character set.
  private let dropsCharacterSet: Bool
  /// The terminal's sequences that reset the colors and everything, in any form.
  private let (resetColors, reset): ([UInt8], [UInt8])

  /// The rendition that curses expects; nil from an unknown SGR to the next reset.
  private var wanted: Rendition? = .plain
  private var shown: Rendition? = .plain

  /// - Parameters:
  ///   - resetColors: terminfo's `op`.
  ///   - reset: terminfo's `sgr0`.
  init(resetColors: [UInt8]?, reset: [UInt8]?) {
    canUnsetColors = resetColors == Array("\u{1B}[39;49m".utf8)
    dropsCharacterSet = reset == Array("\u{1B}(B\u{1B}[m".utf8)
    (self.resetColors, self.reset) = (resetColors ?? [], reset ?? [])
  }

  /// Returns the same frame with fewer bytes. Complexity: O(number of bytes).
  mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes[...]
      while let first = rest.first {
        let piece = first > Self.blank ? Self.letters(of: rest) : rest.prefix(Self.length(of: rest))
        process(piece, into: &result)
        rest = rest[piece.endIndex...]
      }
    }
    select(into: &result)
    return result
  }

  private mutating func process(_ piece: Piece, into result: inout [UInt8]) {
    let kind = Self.kind(of: piece)
    switch kind {
    case .rendition, .unknown:
      if wanted != nil, piece.elementsEqual(resetColors) {
        wanted?.foreground = .standard
        wanted?.background = .standard
        return
      }
      if kind == .rendition { return change(piece, into: &result) }
      return pass(piece, into: &result)
    case .characterSet where dropsCharacterSet: return
    case .independent: break
    case .blank:
      if let wanted, let shown, wanted.paintsBlanks(like: shown) { break }
      select(into: &result)
    case .characterSet, .dependent: select(into: &result)
    }
    result.append(contentsOf: piece)
  }

  private mutating func change(_ piece: Piece, into result: inout [UInt8]) {
    let parameters = piece.dropFirst(2).dropLast()
    let resets = parameters.prefix { $0 != UInt8(ascii: ";") }.allSatisfy { $0 == UInt8(ascii: "0") }
    if let next = (resets ? .plain : wanted)?.applying(parameters) {
      wanted = next
    } else {
      pass(piece, into: &result)
    }
  }

  /// Passes a sequence with an unknown effect, unless it is the terminal's own reset.
  private mutating func pass(_ piece: Piece, into result: inout [UInt8]) {
    select(into: &result)
    result.append(contentsOf: piece)
    let rendition = piece.elementsEqual(reset) ? Rendition.plain : nil
    (wanted, shown) = (rendition, rendition)
  }

  private mutating func select(into result: inout [UInt8]) {
    guard let wanted, wanted != shown else { return }
    if shown == nil { Rendition.plain.append(from: .plain, canUnsetColors: false, to: &result) }
    if wanted != shown ?? .plain {
      wanted.append(from: shown ?? .plain, canUnsetColors: canUnsetColors, to: &result)
    }
    shown = wanted
  }
}

extension RenditionFilter {
  private typealias Piece = UnsafeBufferPointer<UInt8>.SubSequence
  private enum Kind { case rendition, independent, blank, characterSet, dependent, unknown }

  private static let escape: UInt8 = 0x1B
  private static let blank = UInt8(ascii: " ")

  private static func kind(of piece: Piece) -> Kind {
    let first = piece[piece.startIndex]
    guard first == escape else {
      switch first {
      // A line feed at the bottom scrolls a blank row in.
      case blank, 0x0A: return .blank
      default: return first < blank ? .independent : .dependent
      }
    }
    guard piece.count >= 2 else { return .unknown }
    let second = piece[piece.startIndex + 1]
    let last = piece[piece.endIndex - 1]
    guard second == UInt8(ascii: "["), piece.count >= 3 else { return kind(ofEscape: second, final: last, piece.count) }
    let isPrivate = piece.count > 3 && !(0x30...0x3B).contains(piece[piece.startIndex + 2])
    return kind(ofFinal: last, isPrivate: isPrivate)
  }

  private static func kind(ofEscape second: UInt8, final: UInt8, _ count: Int) -> Kind {
    switch (second, count) {
    case (UInt8(ascii: "("), 3): final == UInt8(ascii: "B") ? .characterSet : .dependent
    case (UInt8(ascii: ")"), 3), (UInt8(ascii: "7"), 2): .dependent
    case (UInt8(ascii: "="), 2), (UInt8(ascii: ">"), 2), (UInt8(ascii: "H"), 2): .independent
    // They scroll at the edges.
    case (UInt8(ascii: "M"), 2), (UInt8(ascii: "D"), 2), (UInt8(ascii: "E"), 2): .blank
    default: .unknown
    }
  }

  private static func kind(ofFinal final: UInt8, isPrivate: Bool) -> Kind {
    switch final {
    case UInt8(ascii: "m"): isPrivate ? .dependent : .rendition
    case UInt8(ascii: "A")...UInt8(ascii: "I"), UInt8(ascii: "Z"), UInt8(ascii: "`"), UInt8(ascii: "a"),
      UInt8(ascii: "c")...UInt8(ascii: "i"), UInt8(ascii: "l"), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      .independent
    case UInt8(ascii: "J")...UInt8(ascii: "M"), UInt8(ascii: "P"), UInt8(ascii: "S"), UInt8(ascii: "T"),
      UInt8(ascii: "X"), UInt8(ascii: "@"):
      .blank
    case UInt8(ascii: "b"): .dependent
    default: .unknown
    }
  }

  /// Returns the characters up to the next blank, control or sequence.
  private static func letters(of bytes: Piece) -> Piece {
    var end = bytes.startIndex
    while end < bytes.endIndex, bytes[end] > blank { end += 1 }
    return bytes[..<end]
  }

  /// Returns the length of the blank, control or sequence at the start of `bytes`.
  private static func length(of bytes: Piece) -> Int {
    let start = bytes.startIndex
    guard bytes[start] == escape, bytes.count > 1 else { return 1 }
    var end = start + 1
    var middle: ClosedRange<UInt8> = 0x20...0x2F
    if bytes[end] == UInt8(ascii: "[") {
      end += 1
      middle = 0x20...0x3F
    }
    while end < bytes.endIndex, middle.contains(bytes[end]) { end += 1 }
    return min(end + 1, bytes.endIndex) - start
  }
}
