import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct BytesTests {
  @Test func `a byte is found at its first place in any range`() {
    var random = SeededGenerator(seed: 11)
    let values: [UInt8] = [0, 1, 2, 0x7F, 0x80, 0x81, 0xFF]
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...40, using: &random)
      let bytes = (0..<count).map { _ in values.randomElement(using: &random) ?? 0 }
      let start = Int.random(in: 0...count, using: &random)
      let range = start..<Int.random(in: start...count, using: &random)
      let byte = bytes.randomElement(using: &random) ?? 0
      #expect(bytes.firstIndex(of: byte, in: range) == bytes[range].firstIndex(of: byte))
    }
  }

  @Test func `texts of any length are compared by their bytes, and searched for an ASCII character`() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<5_000 {
      // A precomposed letter and its decomposition are equal strings.
      let pieces = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        ["a", "~", "é", "e\u{301}"].randomElement(using: &random) ?? ""
      }
      var other = pieces
      if let place = other.indices.randomElement(using: &random), random.chance(2, in: 3) {
        other[place] = ["a", "é", "e\u{301}"].randomElement(using: &random) ?? ""
      }
      let (left, right) = (pieces.joined(), other.joined())
      #expect((ExactText(left) == ExactText(right)) == (Array(left.utf8) == Array(right.utf8)))
      #expect(left.contains(ascii: UInt8(ascii: "~")) == left.utf8.contains(UInt8(ascii: "~")))
    }
  }

  @Test(arguments: [("", 3, ""), ("abc", 2, "ab"), ("abc", 9, "abc"), ("é", 2, "é"), ("abc", 0, "")])
  func `the first bytes of a text are copied`(text: String, count: Int, expected: String) {
    #expect([UInt8](first: count, of: text) == Array(expected.utf8))
  }

  @Test func `hexadecimal numbers are padded to a number of digits`() {
    #expect(
      (0 as UInt8).hexadecimal(digitCount: 2) == "00" && (0xABC as UInt32).hexadecimal(digitCount: 8) == "00000abc")
    #expect(
      UInt64.max.hexadecimal(digitCount: 4) == "ffffffffffffffff" && (5 as UInt).hexadecimal(digitCount: 0) == "5")
  }

  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9v\n YmFy ", "foobar"), ("Zg", "f"),
  ])
  func `Base64 is decoded`(text: String, expected: String) {
    #expect(Base64.decode(text) == Array(expected.utf8))
  }

  @Test(arguments: ["Z", "Zg===", "Zg=g", "Z-_=", "Zm9v!", "Zmé"])
  func `invalid Base64 is rejected`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
