import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct RenditionFilterTests {
  private func filtered(_ text: String, canUnsetColors: Bool = true, dropsCharacterSet: Bool = true) -> String {
    var filter = RenditionFilter(
      resetColors: canUnsetColors ? Array("\u{1B}[39;49m".utf8) : nil,
      reset: Array((dropsCharacterSet ? "\u{1B}(B\u{1B}[m" : "\u{1B}[m").utf8))
    return String(decoding: filter.filter(Array(text.utf8)), as: UTF8.self)
  }

  @Test func `an invisible reset is removed`() {
    #expect(
      filtered("\u{1B}[48;5;58m\u{1B}[9X\u{1B}[3;7H\u{1B}[49m\u{1B}[m\u{1B}[48;5;95m\u{1B}[9X\u{1B}[m")
        == "\u{1B}[48;5;58m\u{1B}[9X\u{1B}[3;7H\u{1B}[48;5;95m\u{1B}[9X\u{1B}[m")
  }

  @Test func `repeated colors are removed`() {
    #expect(
      filtered("\u{1B}[38;5;231m\u{1B}[48;5;23ma\u{1B}[39;49m\u{1B}[48;5;23mb\u{1B}[m")
        == "\u{1B}[38;5;231;48;5;23ma\u{1B}[39mb\u{1B}[m")
  }

  @Test func `a change of the foreground before blanks is removed`() {
    #expect(
      filtered("\u{1B}[31;42ma\u{1B}[39m \u{1B}[5X\u{1B}[31mb\u{1B}[m") == "\u{1B}[31;42ma \u{1B}[5Xb\u{1B}[m")
  }

  @Test func `the background is set before scrolling`() {
    let frame = "\u{1B}[42ma\u{1B}[m\u{1B}[2S\u{1B}[42mb\u{1B}[m\n\u{1B}[42mc\u{1B}[m"
    #expect(filtered(frame) == frame)
  }

  @Test func `colors are reset if 39 and 49 do not work`() {
    #expect(
      filtered("\u{1B}[31ma\u{1B}[mb\u{1B}[31;1mc\u{1B}[0;1md\u{1B}[m", canUnsetColors: false)
        == "\u{1B}[31ma\u{1B}[mb\u{1B}[1;31mc\u{1B}[0;1md\u{1B}[m")
  }

  @Test func `a frame ends with the rendition of curses`() {
    var filter = RenditionFilter(resetColors: Array("\u{1B}[39;49m".utf8), reset: Array("\u{1B}(B\u{1B}[m".utf8))
    #expect(filter.filter(Array("a\u{1B}[7m".utf8)) == Array("a\u{1B}[7m".utf8))
    #expect(filter.filter(Array("b\u{1B}[m".utf8)) == Array("b\u{1B}[m".utf8))
  }

  @Test func `unknown renditions pass until the next reset`() {
    let frame = "\u{1B}[1;4:3ma\u{1B}[31mb\u{1B}[0;32mc\u{1B}[m"
    #expect(filtered(frame) == "\u{1B}[1;4:3ma\u{1B}[31mb\u{1B}[m\u{1B}[32mc\u{1B}[m")
    #expect(
      filtered("\u{1B}[>4;1m\u{1B}[999m\u{1B}[38;5;300m\u{1B}[;ma")
        == "\u{1B}[>4;1m\u{1B}[999m\u{1B}[38;5;300m\u{1B}[ma")
  }

  @Test func `other sequences pass unchanged`() {
    for frame in [
      "\u{1B}G4x", "\u{1B}[22;0;0t", "\u{1B})0\u{0E}a\u{0F}", "\u{1B}=\u{1B}7\u{1B}8", "\u{1B}", "a\u{1B}[",
      "a\u{1B}[1",
    ] {
      #expect(filtered(frame) == frame)
    }
  }

  @Test func `the character set is removed only on request`() {
    #expect(filtered("\u{1B}(Ba") == "a")
    #expect(filtered("\u{1B}(Ba", dropsCharacterSet: false) == "\u{1B}(Ba")
  }

  @Test func `a color reset other than SGR ends the colors`() {
    var filter = RenditionFilter(resetColors: Array("\u{1B}[x".utf8), reset: Array("\u{1B}[m".utf8))
    let frame = "\u{1B}[33;41ma\u{1B}[x\u{1B}[33mb\u{1B}[33;41mc\u{1B}[x d\u{1B}[m"
    #expect(
      String(decoding: filter.filter(Array(frame.utf8)), as: UTF8.self)
        == "\u{1B}[33;41ma\u{1B}[0;33mb\u{1B}[41mc\u{1B}[m d")
  }

  @Test func `a reset with unknown parameters passes, and ends the rendition`() {
    var filter = RenditionFilter(resetColors: nil, reset: Array("\u{1B}[0;10m".utf8))
    let frame = "\u{1B}[31ma\u{1B}[0;10mb\u{1B}[31mc\u{1B}[m"
    #expect(String(decoding: filter.filter(Array(frame.utf8)), as: UTF8.self) == frame)
  }

  @Test func `after an unknown sequence a rendition is selected again`() {
    for unknown in ["\u{1B}8", "\u{1B}[x", "\u{1B}G4", "\u{1B}c", "\u{1B}[!p"] {
      let frame = "\u{1B}[31ma\(unknown)\u{1B}[31mb\u{1B}[m\u{1B}[31mc\u{1B}[m"
      #expect(filtered(frame) == frame)
    }
  }

  /// The visible result of a frame.
  private struct Shown: Equatable {
    var cells: [String] = []
    var rendition = RenditionFilter.Rendition.plain
  }

  private func shown(_ pieces: [String]) -> Shown {
    var shown = Shown()
    for piece in pieces {
      if piece.hasPrefix("\u{1B}["), piece.hasSuffix("m") {
        let parameters = Array(piece.utf8.dropFirst(2).dropLast())
        shown.rendition = parameters.withUnsafeBufferPointer { shown.rendition.applying($0[...]) } ?? .plain
      } else {
        var look = shown.rendition
        if piece == " " || piece.hasSuffix("X") {
          if look.attributes & 1 << 7 == 0 { look.foreground = .standard }
          look.attributes &= ~0b1110
        }
        shown.cells.append(piece.hasSuffix("H") ? piece : "\(piece) \(look)")
      }
    }
    return shown
  }

  /// Splits a frame into characters and sequences.
  private func pieces(_ text: String) -> [String] {
    var pieces: [String] = []
    var isInside = false
    for scalar in text.unicodeScalars {
      if isInside { pieces[pieces.count - 1].unicodeScalars.append(scalar) } else { pieces.append(String(scalar)) }
      if scalar == "\u{1B}" { isInside = true } else if isInside, scalar.properties.isAlphabetic { isInside = false }
    }
    return pieces
  }

  @Test(arguments: [true, false]) func `a filtered frame looks the same`(canUnsetColors: Bool) {
    var random = SeededGenerator(seed: 1)
    let parts = [
      "a", "é", " ", "\u{1B}[4X", "\u{1B}[2;3H", "\u{1B}[m", "\u{1B}[0;7m", "\u{1B}[1m", "\u{1B}[2m", "\u{1B}[4m",
      "\u{1B}[7m", "\u{1B}[31m", "\u{1B}[97m", "\u{1B}[48;5;58m", "\u{1B}[38;5;231m", "\u{1B}[48;2;1;20;255m",
      "\u{1B}[39;49m", "\u{1B}[49m", "\u{1B}[27m", "\u{1B}[22m",
    ]
    for _ in 0..<3000 {
      let frame = (0..<Int.random(in: 1...24, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      let text = frame.joined()
      let result = filtered(text, canUnsetColors: canUnsetColors)
      #expect(shown(pieces(result)) == shown(frame), "\(text.debugDescription)")
    }
  }
}
