import FeedfallRecords
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct DownloadNameTests {
  private func stem(_ title: String, _ id: String = "films.example abcd1234") -> String {
    DownloadName.stem(title: title, key: VideoKey(text: id))
  }

  @Test func `a name has the title and the ID`() {
    #expect(stem("Big Buck Bunny") == "Big Buck Bunny [abcd1234]")
  }

  @Test(arguments: ["../../etc/passwd", "..", "/", "a/b", "\u{0}\u{1B}[31m\n", "", ". hidden", "a\\b:c*d?e\"f<g>h|i"])
  func `a name leads nowhere`(title: String) {
    let name = stem(title)
    #expect(DownloadName.isPlain(name) && name.hasSuffix(" [abcd1234]"))
    #expect(!name.contains { "/\\:*?\"<>|\u{0}\u{1B}\n".contains($0) })
  }

  @Test(arguments: [String(repeating: "x", count: 300), String(repeating: "👨‍👩‍👧‍👦ä語", count: 100)])
  func `a long title is cut between characters`(title: String) {
    let name = stem(title)
    #expect(DownloadName.numbered(name, 999).utf8.count + ".webm".utf8.count <= 200)
    #expect(title.hasPrefix(name.dropLast(" [abcd1234]".count)) && name.utf8.count > 140)
  }

  @Test func `an ID that is an address becomes a hash, which is the same in every run`() {
    #expect(stem("Film", "https://films.example/a/b?c=../d") == "Film [5488da1e]")
    #expect(stem("Film", "https://films.example/1") != stem("Film", "https://films.example/2"))
    #expect(stem("Film", "films.example 1") != stem("Film", "other.example 1"))
  }

  @Test(arguments: ["", ".", "..", ".part", "a/b", "a\u{0}b", String(repeating: "x", count: 256)])
  func `names that are not plain are refused`(name: String) {
    #expect(!DownloadName.isPlain(name))
  }
}
