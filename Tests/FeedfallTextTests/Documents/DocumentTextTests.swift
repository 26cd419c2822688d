import TestSupport
import Testing

@testable import FeedfallText

private func text(_ bytes: [UInt8]) -> String { String(decoding: DocumentText.utf8Bytes(bytes), as: UTF8.self) }

@Suite(.hangLimit) struct DocumentTextTests {
  private let words = "<?xml version='1.0'?><a>Größe – ελ</a>"

  @Test func `UTF-16 and UTF-32 are detected by byte order mark and by pattern`() {
    func units<Unit: FixedWidthInteger>(_ units: [Unit], isBig: Bool) -> [UInt8] {
      units.flatMap { unit in
        let bytes = (0..<(Unit.bitWidth / 8)).map { UInt8(truncatingIfNeeded: unit >> Unit($0 * 8)) }
        return isBig ? bytes.reversed() : bytes
      }
    }
    let short = Array(words.utf16)
    let long = words.unicodeScalars.map(\.value)
    for isBig in [true, false] {
      #expect(text(units([0xFEFF] + short, isBig: isBig)) == words)
      #expect(text(units(short, isBig: isBig)) == words)
      #expect(text(units([0xFEFF] + long, isBig: isBig)) == words)
      #expect(text(units(long, isBig: isBig)) == words)
    }
  }

  @Test(arguments: [
    ("windows-1251", [0xCF, 0xF0, 0xE8], "При"), ("koi8-r", [0xF0, 0xD2, 0xC9], "При"),
    ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"), ("EUC-JP", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
    ("gb2312", [0xD6, 0xD0], "中"), ("Big5", [0xA4, 0xA4], "中"), ("euc-kr", [0xC7, 0xD1], "한"),
    ("ISO-8859-1", [0xE9, 0x80], "é€"), ("iso-8859-2", [0xE6], "ć"), ("utf-8", [0xE9], "é"), ("nonsense", [0xE9], "é"),
    ("ISO-2022-JP", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"), ("utf-16", [0xE9], "é"),
  ]) func `text is converted from the declared encoding`(name: String, bytes: [UInt8], expected: String) {
    let start = "<?xml version=\"1.0\" encoding=\"\(name)\"?><a>"
    #expect(text(Array(start.utf8) + bytes + Array("</a>".utf8)) == start + expected + "</a>")
  }

  @Test func `valid UTF-8 is UTF-8 despite another declaration`() {
    let text = "<?xml version='1.0' encoding='ISO-8859-1'?><a>Brøndby</a>"
    #expect(FeedfallTextTests.text(Array(text.utf8)) == text)
  }

  @Test func `a text in UTF-8 may contain a few stray bytes`() {
    let start = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>Brøndby kører på græs ".utf8)
    #expect(text(start + [0xE9]).hasSuffix("Brøndby kører på græs é"))
  }

  @Test func `invalid bytes become a replacement character`() {
    let start = Array("<?xml version='1.0' encoding='Shift_JIS'?>".utf8)
    #expect(text(start + [0x93, 0xFA, 0xFF, 0x41]).hasSuffix("日\u{FFFD}A"))
    #expect(text([0xEF, 0xBB, 0xBF, 0x41]) == "A")
    #expect(text([]) == "")
    #expect(text([0xFF, 0xFE, 0x41]) == "")
  }
}
