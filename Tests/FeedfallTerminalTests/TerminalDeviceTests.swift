import FeedfallText
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct TerminalDeviceTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `Base64 follows RFC 4648`(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == Array(encoded.utf8))
  }

  @Test func `padding is removed from terminfo strings`() {
    let padded = Array("\u{1B}[m\u{F}$<2>a$<1.5*/>b$<c$".utf8)
    #expect(TerminalProfile.withoutPadding(padded) == Array("\u{1B}[m\u{F}ab$<c$".utf8))
  }

  @Test func `implausible sizes are ignored`() {
    func measure(_ columns: UInt16, _ rows: UInt16, _ width: UInt16 = 0, _ height: UInt16 = 0) -> (
      Size?, Size?
    ) {
      TerminalDevice.measure(winsize(ws_row: rows, ws_col: columns, ws_xpixel: width, ws_ypixel: height))
    }
    #expect(measure(0, 0) == (nil, nil))
    #expect(measure(80, 24) == (Size(width: 80, height: 24), nil))
    #expect(measure(80, 24, 800, 480) == (Size(width: 80, height: 24), Size(width: 10, height: 20)))
    #expect(measure(80, 24, 80, 65535) == (Size(width: 80, height: 24), nil))
    #expect(measure(65535, 65535) == (Size(width: 1000, height: 500), nil))
    #expect(measure(30000, 30000) == (Size(width: 1000, height: 500), nil))
  }
}
