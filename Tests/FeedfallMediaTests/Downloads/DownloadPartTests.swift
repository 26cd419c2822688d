import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallMedia

@Suite(.hangLimit) struct DownloadPartTests {
  @Test func `a content range has a start and perhaps a total`() {
    #expect(DownloadPart.ContentRange("bytes 10-19/100").map { [$0.start, $0.total] } == [10, 100])
    #expect(DownloadPart.ContentRange("bytes 10-19/*").map { [$0.start, $0.total] } == [10, nil])
  }

  @Test(arguments: [
    "", "bytes", "bytes */100", "bytes 19-10/100", "bytes 0-100/100", "bytes -1-5/100", "bytes 1-5", "items 1-5/100",
    "bytes 99999999999999999999-5/100", "bytes 1-5/x",
  ])
  func `an invalid content range is refused`(text: String) {
    #expect(DownloadPart.ContentRange(text) == nil)
  }

  @Test(arguments: ["", "{", "[]", "{\"address\":1}", "{\"etag\":\"x\"}"])
  func `damaged facts about a part are ignored`(text: String) async throws {
    try await withFolder { folder in
      let path = folder + "/x.json"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(DownloadPart.Facts(readFrom: path) == nil)
    }
  }

  @Test func `files of the user with the names of a part and its facts are not deleted`() async throws {
    try await withFolder { folder in
      let paths = ["/a.part", "/a.part.json"].map { folder + $0 }
      for path in paths { try "mine".write(toFile: path, atomically: true, encoding: .utf8) }
      try DownloadFolder(path: folder).removeParts("a")
      for path in paths { #expect((try? fileBytes(of: path)) == Array("mine".utf8)) }
    }
  }

  @Test(arguments: 0..<20) func `only an answer with a slow minute is a trickle`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (fast, slow) = (DownloadPart.Trickle(), DownloadPart.Trickle())
    var (now, isFound) = (Int.random(in: -9...9, using: &random), false)
    for _ in 0..<200 {
      let pause = Int.random(in: 0...30, using: &random)
      now += pause
      let isFast = !fast.isFound(adding: pause * 70 + Int.random(in: 0...9, using: &random), at: now)
      #expect(isFast)
      isFound = slow.isFound(adding: Int.random(in: 0...(pause * 30), using: &random), at: now) || isFound
    }
    // The computer was suspended.
    let isFast = !fast.isFound(adding: 4_000, at: now + 9_999)
    #expect(isFound && isFast)
  }

  @Test func `facts about a part survive a program`() async throws {
    try await withFolder { folder in
      var facts = DownloadPart.Facts("a \"b\"", 3, try #require(WebAddress("https://a.example/%22")))
      (facts.receivedByteCount, facts.highestByteCount) = (7, 6)
      (facts.entityTag, facts.byteCount, facts.contentType) = (HeaderValue("\"\\x\""), 5, "video/mp4")
      try facts.write(to: folder + "/x.json")
      #expect(DownloadPart.Facts(readFrom: folder + "/x.json") == facts)
    }
  }
}
