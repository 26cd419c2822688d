/// Takes out of what curses writes every change of attributes and colours that no cell shows.
///
/// Curses says everything for every cell that it comes to: it resets before a gap, names the background anew beside
/// each foreground, and says with which colour of letters a blank is written. Here a change waits until something is
/// written that would look different without it. At the end of `filter` the terminal is in the rendition that curses
/// believes it to be in. Sequences that are not ECMA-48's pass as they are.
struct RenditionFilter {
  /// Whether 39 and 49 give the usual colours back.
  let canUnsetColors: Bool
  /// Whether the sequences that select the usual character set say nothing new, and are left out.
  let dropsCharacterSet: Bool

  /// What curses wants; nil once it said something that we do not know, until it resets.
  private var wanted: Rendition? = .plain
  private var shown: Rendition? = .plain

  init(canUnsetColors: Bool, dropsCharacterSet: Bool) {
    self.canUnsetColors = canUnsetColors
    self.dropsCharacterSet = dropsCharacterSet
  }

  /// The same frame with fewer bytes. O(bytes).
  mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes[...]
      while let first = rest.first {
        let piece = first > Self.blank ? Self.letters(of: rest) : rest.prefix(Self.length(of: rest))
        take(piece, into: &result)
        rest = rest[piece.endIndex...]
      }
    }
    show(into: &result)
    return result
  }

  private mutating func take(_ piece: Piece, into result: inout [UInt8]) {
    switch Self.kind(of: piece) {
    case .rendition: return change(piece, into: &result)
    case .characterSet where dropsCharacterSet: return
    case .independent: break
    case .blank:
      if let wanted, let shown, wanted.paintsBlanks(like: shown) { break }
      show(into: &result)
    case .characterSet, .dependent: show(into: &result)
    }
    result.append(contentsOf: piece)
  }

  private mutating func change(_ piece: Piece, into result: inout [UInt8]) {
    let parameters = piece.dropFirst(2).dropLast()
    let resets = parameters.prefix { $0 != UInt8(ascii: ";") }.allSatisfy { $0 == UInt8(ascii: "0") }
    if let next = (resets ? .plain : wanted)?.applying(parameters) {
      wanted = next
    } else {
      show(into: &result)
      result.append(contentsOf: piece)
      wanted = nil
      shown = nil
    }
  }

  /// Tells the terminal what curses wants, if it is not so yet.
  private mutating func show(into result: inout [UInt8]) {
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
      // A line feed at the bottom scrolls, and a blank row comes in.
      case blank, 0x0A...0x0C: return .blank
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

  /// The characters up to the next blank, control or sequence.
  private static func letters(of bytes: Piece) -> Piece {
    var end = bytes.startIndex
    while end < bytes.endIndex, bytes[end] > blank { end += 1 }
    return bytes[..<end]
  }

  /// How many bytes the blank, control or sequence takes that `bytes` begin with.
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
