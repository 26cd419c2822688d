import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct MediaStartTests {
  @Test(arguments: [
    [0, 0, 0, 0x20] + Array("ftypisom".utf8), [0x1A, 0x45, 0xDF, 0xA3, 0x01], Array("OggS".utf8),
    Array("RIFF1234AVI LIST".utf8), [0x47] + [UInt8](repeating: 0, count: 187) + [0x47],
  ])
  func `a medium is recognized by its first bytes`(start: [UInt8]) {
    #expect(MediaStart.isMedium(start))
  }

  @Test(arguments: ["", "{", "#EXTM3U\n", "<rss>", "GIF89a", "RIFF1234WEBP", "Go"])
  func `other bytes are not the start of a medium`(text: String) {
    #expect(!MediaStart.isMedium(Array(text.utf8)))
  }
}
