import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9v\n YmFy ", "foobar"), ("Zg", "f"),
  ])
  func `Base64 is decoded`(text: String, expected: String) {
    #expect(Base64.decode(text) == Array(expected.utf8))
  }

  @Test(arguments: ["Z", "Zg===", "Zg=g", "Z-_=", "Zm9v!", "Zmé"])
  func `other text is refused`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
