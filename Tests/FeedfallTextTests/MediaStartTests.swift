import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct MediaStartTests {
  private static func repeated(_ frame: [UInt8], length: Int) -> [UInt8] {
    let whole = frame + [UInt8](repeating: 0x55, count: length - frame.count)
    return whole + whole
  }

  @Test(arguments: [
    [0, 0, 0, 0x20] + Array("ftypisom".utf8), [0x1A, 0x45, 0xDF, 0xA3, 0x01], Array("OggS".utf8),
    Array("RIFF1234AVI LIST".utf8), Array("FORM1234AIFF".utf8), Array("FORM1234AIFC".utf8), Array("wvpk".utf8),
    [0x47] + [UInt8](repeating: 0, count: 187) + [0x47], [0x47] + [UInt8](repeating: 0, count: 203) + [0x47],
    [0, 0, 0, 0, 0x47] + [UInt8](repeating: 0, count: 191) + [0x47], [0x06, 0x0E, 0x2B, 0x34, 2, 5, 1, 1],
    repeated([0xFF, 0xFB, 0x90, 0x64], length: 417), repeated([0xFF, 0xF3, 0x40, 0xC4], length: 104),
    repeated([0xFF, 0xFD, 0x84, 0x00], length: 384), repeated([0xFF, 0xFF, 0x18, 0x00], length: 48),
    repeated([0xFF, 0xF1, 0x50, 0x40, 0x1D, 0x5F], length: 234), repeated([0x0B, 0x77, 0, 0, 0x14, 0x40], length: 768),
    repeated([0x0B, 0x77, 0x01, 0x7F, 0x34, 0x80], length: 768),
  ])
  func `a medium is recognized by its first bytes`(start: [UInt8]) {
    #expect(MediaStart.isMedium(start))
    #expect(MediaStart.isMedium(start, fileExtension: "") && MediaStart.isMedium(start, fileExtension: "txt"))
  }

  @Test(arguments: [
    "", "{", "#EXTM3U\n", "<rss>", "GIF89a", "RIFF1234WEBP", "Go", "FORM1234ILBM", "caffè", "MAC address", ".rating {",
    "G" + String(repeating: " ", count: 300), String(repeating: "G", count: 300),
    "#EXTGRP:" + String(repeating: "G", count: 300) + "é\n",
  ])
  func `other bytes are not the start of a medium, also in a file with the name of one`(text: String) {
    #expect(!MediaStart.isMedium(Array(text.utf8)))
    #expect(!MediaStart.isMedium(Array(text.utf8), fileExtension: "ts"))
  }

  @Test func `a frame without a second one does not make a sound`() {
    for head: [UInt8] in [
      [0xFF, 0xFB, 0x90, 0x64], [0xFF, 0xFE, 0x3C, 0], [0x0B, 0x77, 0, 0, 0x14, 0x40], [0xFF, 0xF1],
    ] {
      for count in [1, 300, 416, 417, 2_000] {
        let start = head + [UInt8](repeating: 0, count: count)
        #expect(!MediaStart.isMedium(start))
        #expect(MediaStart.isMedium(start, fileExtension: "mp3"), "the name says it")
      }
    }
  }

  @Test(arguments: ["mp3", "aac", "ac3", "aiff", "m2ts", "mxf", "dts", "opus", "wv", "ts", "mp4"])
  func `the name of a medium suffices unless the file is a text`(fileExtension: String) {
    #expect(MediaStart.isMedium([0x81, 0, 1, 2], fileExtension: fileExtension))
    #expect(!MediaStart.isMedium([], fileExtension: fileExtension))
    #expect(!MediaStart.isMedium(Array("export const é = 1\n".utf8), fileExtension: fileExtension))
    #expect(!MediaStart.isMedium([0x81, 0, 1, 2], fileExtension: "bin"))
  }

  @Test func `random bytes are no medium, and texts never`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...600, using: &random)
      let text = (0..<count).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
      #expect(!MediaStart.isMedium(text, fileExtension: "mp3"))
      let head: [UInt8] = [[0xFF, 0xFB], [0x0B, 0x77], [0xFF, 0xF1], []].randomElement(using: &random) ?? []
      let bytes = head + (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      #expect(!MediaStart.isMedium(bytes))
    }
  }
}
