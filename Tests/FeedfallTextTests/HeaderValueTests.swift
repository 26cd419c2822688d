import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct HeaderValueTests {
  @Test(arguments: ["W/\"1 odd, tag\"", "yesterday, or so", "Grüße", "GoogleLogin auth=a/b"])
  func `a value is sent unchanged`(text: String) { #expect(HeaderValue(text)?.text == text) }

  @Test(arguments: [
    "", "a\r\nX-Other: b", "a\nb", "a\rb", "a\0b", "\u{1B}[m", "a\tb", "\u{7F}", "\u{85}", "\u{FFFD}",
    String(repeating: "x", count: HeaderValue.maximumByteCount + 1),
  ])
  func `a value that would end its line or be changed is rejected`(text: String) { #expect(HeaderValue(text) == nil) }

  @Test(arguments: 0..<20 as Range<UInt64>) func `no value has a control character`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let scalars = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
        UnicodeScalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0xFF : 0xFFFF), using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      let isHarmless =
        !text.isEmpty && scalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{FFFD}" }
      #expect(HeaderValue(text)?.text == (isHarmless ? text : nil))
    }
  }

  @Test func `hexadecimal numbers are padded to a number of digits`() {
    #expect(
      (0 as UInt8).hexadecimal(digitCount: 2) == "00" && (0xABC as UInt32).hexadecimal(digitCount: 8) == "00000abc")
    #expect(
      UInt64.max.hexadecimal(digitCount: 4) == "ffffffffffffffff" && (5 as UInt).hexadecimal(digitCount: 0) == "5")
  }
}
