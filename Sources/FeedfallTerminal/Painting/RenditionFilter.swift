/// Removes every change of attributes and colors from curses' output that has no visible effect.
///
/// Curses resets attributes before each gap, repeats the background with each foreground, and selects a foreground for
/// blanks. The filter delays a change until a character needs it. At the end of `filter` the terminal has the rendition
/// that curses expects. Sequences outside of ECMA-48 pass unchanged.
struct RenditionFilter {
  /// Whether 39 and 49 select the default colors.
  let canUnsetColors: Bool
  /// Whether to remove sequences that select the default character set.
  let dropsCharacterSet: Bool

  /// The rendition that curses expects; nil from an unknown SGR to the next reset.
  private var wanted: Rendition? = .plain
  private var shown: Rendition? = .plain

  init(canUnsetColors: Bool, dropsCharacterSet: Bool) {
    self.canUnsetColors = canUnsetColors
    self.dropsCharacterSet = dropsCharacterSet
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
    switch Self.kind(of: piece) {
    case .rendition: return change(piece, into: &result)
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
      select(into: &result)
      result.append(contentsOf: piece)
      wanted = nil
      shown = nil
    }
  }

  /// Selects the wanted rendition, unless the terminal has it already.
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
  private enum Kind { case rendition, independent, blank, characterSet, dependent }

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
    guard piece.count >= 3 else { return .dependent }
    let second = piece[piece.startIndex + 1]
    let last = piece[piece.endIndex - 1]
    guard second == UInt8(ascii: "[") else {
      let isSet = piece.count == 3 && second == UInt8(ascii: "(") && last == UInt8(ascii: "B")
      return isSet ? .characterSet : .dependent
    }
    let isPrivate = piece.count > 3 && !(0x30...0x3B).contains(piece[piece.startIndex + 2])
    return kind(ofFinal: last, isPrivate: isPrivate)
  }

  private static func kind(ofFinal final: UInt8, isPrivate: Bool) -> Kind {
    switch final {
    case UInt8(ascii: "m"): isPrivate ? .dependent : .rendition
    case UInt8(ascii: "A")...UInt8(ascii: "D"), UInt8(ascii: "G"), UInt8(ascii: "H"), UInt8(ascii: "d"),
      UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "r"):
      .independent
    case UInt8(ascii: "J")...UInt8(ascii: "M"), UInt8(ascii: "P"), UInt8(ascii: "S"), UInt8(ascii: "T"),
      UInt8(ascii: "X"), UInt8(ascii: "@"):
      .blank
    default: .dependent
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
