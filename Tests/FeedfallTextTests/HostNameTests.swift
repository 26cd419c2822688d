import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct HostNameTests {
  @Test(arguments: [
    "bücher.example", "例え.テスト", "例え.example", "straße.example", "пример.рф", "παράδειγμα.ελ", "हिन्दी.example",
    "한국어.example", "中文.example:8080", "ไทย.example", "a-1.bücher.example", "tiếng-việt.example",
  ])
  func `a name of one script is shown beyond ASCII`(host: String) throws {
    let address = try #require(WebAddress("http://me:pw@\(host)/xn--x?xn--y"))
    #expect(address.text.utf8.allSatisfy { $0 < 0x80 })
    #expect(address.description == "http://me:•••@\(host)/xn--x?xn--y")
    #expect(host.hasPrefix(address.shownHost))
  }

  @Test(arguments: [
    // All Cyrillic before a Latin ending, Cyrillic and Latin in one label, dotless i, IPA, Greek before Latin.
    "аррӏе.example", "pаypal.example", "ıcloud.example", "ɡoogle.example", "ραγ.example", "中文film.example",
    "שלום.example", "مثال.example", "ノ例え〇.example", "a・b.example", "пример.παράδειγμα",
    "xn--zzzzzzz9999.example", "xn--.example", "xn--a.example", "xn--example-.example", "xn--bcher-kva8445foa.example",
  ])
  func `a name that could be mistaken for another one is shown in ASCII`(host: String) throws {
    let address = try #require(WebAddress("http://\(host)/"))
    #expect(address.shownHost == address.host && address.description == address.text)
  }

  @Test func `a converted label has at most 63 bytes, and a converted name 253`() {
    func isAccepted(_ host: String) -> Bool { WebAddress("http://\(host)/") != nil }
    #expect(isAccepted(String(repeating: "ü", count: 50) + ".example"))
    #expect(!isAccepted(String(repeating: "ü", count: 64) + ".example"))
    #expect(!isAccepted(String(repeating: "ü.", count: 200) + "example"))
    #expect(!isAccepted(String(repeating: "ü", count: 4_000)))
    #expect(!isAccepted(String(repeating: "%C3%BC", count: 1_300)))
    #expect(isAccepted(String(repeating: "a.", count: 126) + "a"))
  }

  @Test(arguments: 0..<300) func `every form of a name leads to the same address`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "Z", "0", "-", "_", ".", "。", "ü", "Ü", "u\u{308}", "ß", "例", "テ", "р", "а", "ρ", "ς", "ह", "\u{94D}", "क",
      "ا", "ש", "\u{200C}", "\u{200D}", "①", "Ａ", "／", "℀", "%C3%BC", "%41", "%2E", "%2F", "%", "xn--", "❤", "\u{301}",
      "：", "한", "\u{1F4A9}", "ſ", "K",
    ]
    let host = (0..<Int.random(in: 1...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
    guard let address = WebAddress("http://\(host)/x") else { return }
    let isPrintable = address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    #expect(isPrintable && address.path == "/x", "\(host)")
    let marks = Set("abcdefghijklmnopqrstuvwxyz0123456789-._")
    #expect(address.host.allSatisfy(marks.contains), "\(host)")
    #expect(WebAddress(address.text) == address)
    #expect(WebAddress("http://\(address.shownHost)/x") == address, "\(host)")
  }
}
