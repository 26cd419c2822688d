import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct SourcePrefixTests {
  @Test(arguments: SourcePrefix.allCases)
  func `a prefix and the rest are split`(prefix: SourcePrefix) {
    let parts = SourcePrefix.split(prefix.rawValue + "rest:x")
    #expect(parts?.prefix == prefix && parts?.rest == "rest:x")
    #expect(SourcePrefix.split(prefix.rawValue)?.rest.isEmpty == true)
  }

  @Test(arguments: ["", "yt-dlp", "yt-dlp.example:80", "https://a.example/yt-dlp:x", "/yt-dlp:x"])
  func `other sources have no prefix`(text: String) {
    #expect(SourcePrefix.split(text) == nil)
  }

  @Test func `yt-dlp needs a web address`() {
    #expect(SourcePrefix.ytDlp.address("a.example/talks") != nil)
    #expect(SourcePrefix.ytDlp.address("file:///etc/passwd") == nil)
    #expect(SourcePrefix.ytDlp.address("") == nil)
  }

  @Test(arguments: [
    (SourcePrefix.davs, "https://a.example/b"), (.dav, "http://a.example/b"), (.webDAV, "https://a.example/b"),
    (.plainWebDAV, "http://a.example/b"), (.googleReader, "https://a.example/b"),
    (.plainGoogleReader, "http://a.example/b"),
  ])
  func `a prefix for a server determines the scheme`(prefix: SourcePrefix, address: String) {
    #expect(prefix.address("a.example/b")?.text == address)
    #expect(prefix.address("") == nil && prefix.address("/etc/passwd") == nil)
  }
}
