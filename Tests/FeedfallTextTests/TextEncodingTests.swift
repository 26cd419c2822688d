import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct TextEncodingTests {
  @Test(arguments: [
    ("koi8_r", [0xF0], "П"), ("x-cp1250", [0x9A], "š"), ("x-cp1251", [0xCF], "П"), ("x-cp1253", [0xE1], "α"),
    ("x-cp1254", [0xFD], "ı"), ("x-cp1255", [0xE0], "א"), ("x-cp1256", [0xC7], "ا"), ("x-cp1257", [0xE0], "ą"),
    ("x-mac-cyrillic", [0x8F], "П"), ("x-mac-ukrainian", [0xA2], "Ґ"), ("windows-949", [0xC7, 0xD1], "한"),
    ("ksc5601", [0xC7, 0xD1], "한"), ("x-euc-jp", [0xC6, 0xFC], "日"), ("csbig5", [0xA4, 0xA4], "中"),
    ("dos-874", [0xA1], "ก"),
    ("iso-8859-8-e", [0xE0], "א"), ("logical", [0xE0], "א"), ("visual", [0xE0], "א"), ("chinese", [0xD6, 0xD0], "中"),
    ("GB_2312", [0xD6, 0xD0], "中"), ("l9", [0xA4], "€"), ("iso_8859-2:1987", [0xE6], "ć"), ("cp866", [0x8F], "П"),
    ("csiso2022jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"), ("unicode11utf8", [0xC3, 0xA9], "é"),
    ("ansi_x3.4-1968", [0x80], "€"), ("cp-1251", [0xCF], "П"), ("win-1251", [0xCF], "П"), ("windows_1250", [0x9A], "š"),
    ("ibm850", [0x82], "é"), ("l2", [0xE6], "ć"), ("cyrillic", [0xBF], "П"), ("greek8", [0xE1], "α"),
    ("hebrew", [0xE0], "א"), ("koi8-r", [0xF0], "П"), ("csmacintosh", [0x8E], "é"), ("windows-1251", [0xCF], "П"),
    ("windows-31j", [0x93, 0xFA], "日"), ("ms932", [0x93, 0xFA], "日"), ("iso-8859-16", [0xA4], "€"),
  ])
  func `a label of the web denotes its encoding`(label: String, bytes: [UInt8], text: String) throws {
    let encoding = try #require(TextEncoding(name: label))
    #expect(encoding.utf8Bytes(of: bytes[...]).map { String(decoding: $0, as: UTF8.self) } == text)
  }

  @Test(arguments: [
    ("windows-1258", [0x61, 0x41], "aA"), ("big5", [0x88, 0x66], "Ê"), ("windows-1258", [0xE3], "ă"),
    ("tcvn5712-1", [0x61], "a"),
  ])
  func `a letter at the end that could combine with the next one is kept`(label: String, bytes: [UInt8], text: String)
    throws
  {
    let encoding = try #require(TextEncoding(name: label))
    #expect(encoding.utf8Bytes(of: bytes[...]).map { String(decoding: $0, as: UTF8.self) } == text)
  }

  @Test func `every label has an encoding that the C library knows`() {
    for row in TextEncoding.labelRows {
      for label in row.labels.split(separator: " ") {
        #expect(TextEncoding(name: String(label))?.utf8Bytes(of: [0x61]) == [0x61], "\(label)")
      }
    }
  }
}
