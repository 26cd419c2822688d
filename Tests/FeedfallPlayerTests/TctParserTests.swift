import FeedfallScreen
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallPlayer

@Suite(.hangLimit) struct TctParserTests {
  /// Two rows of three cells.
  private static let picture: [[(upper: RGB, lower: RGB)]] = (0..<2).map { row in
    (0..<3).map { column in
      let shade = UInt8(row * 100 + column * 10)
      return (RGB(red: shade, green: 1, blue: 255), RGB(red: 0, green: shade + 5, blue: 9))
    }
  }

  private static func stream(_ picture: [[(upper: RGB, lower: RGB)]], at origin: Point = .zero, end: String = "\n")
    -> [UInt8]
  {
    var text = ""
    for (row, cells) in picture.enumerated() {
      text += "\u{1B}[\(origin.y + row);\(origin.x)f"
      for cell in cells {
        text += "\u{1B}[48;2;\(cell.upper.red);\(cell.upper.green);\(cell.upper.blue)m"
        text += "\u{1B}[38;2;\(cell.lower.red);\(cell.lower.green);\(cell.lower.blue)m▄"
      }
      text += "\u{1B}[0m"
    }
    return Array((text + end).utf8)
  }

  private func parser(_ width: Int, _ height: Int) -> ParserBox { ParserBox(Size(width: width, height: height)) }

  @Test func `half blocks become two pixels each`() throws {
    let parser = self.parser(3, 2)
    let picture = try #require(parser.parse(Self.stream(Self.picture)))
    #expect(picture.size == Size(width: 3, height: 4))
    for (row, cells) in Self.picture.enumerated() {
      for (column, cell) in cells.enumerated() {
        #expect(picture[column, row * 2] == cell.upper)
        #expect(picture[column, row * 2 + 1] == cell.lower)
      }
    }
  }

  @Test(arguments: ["\n", "\r\n\u{1B}[?2026l"])
  func `the stream may be split anywhere`(end: String) {
    let stream =
      Array("\u{1B}[?25l\u{1B}[2J".utf8) + Self.stream(Self.picture, end: end) + Self.stream(Self.picture, end: end)
    let whole = self.parser(3, 2)
    let expected = whole.parse(stream)
    #expect(expected != nil)
    for cut in 0...stream.count {
      let parser = self.parser(3, 2)
      let first = parser.parse(Array(stream[..<cut]))
      #expect((parser.parse(Array(stream[cut...])) ?? first) == expected, "cut at \(cut)")
    }
    let slow = self.parser(3, 2)
    #expect(stream.compactMap { slow.parse([$0]) } == [expected, expected].compactMap { $0 })
  }

  @Test func `a narrower frame is centered on black`() throws {
    let parser = self.parser(7, 2)
    _ = parser.parse(Self.stream([[(RGB, RGB)]](repeating: Array(repeating: (.white, .white), count: 7), count: 2)))
    let picture = try #require(parser.parse(Self.stream(Self.picture, at: Point(x: 2, y: 0))))
    #expect(picture[1, 0] == .black)
    #expect(picture[2, 0] == Self.picture[0][0].upper)
    #expect(picture[4, 3] == Self.picture[1][2].lower)
    #expect(picture[5, 3] == .black)
    #expect(picture.content == Rect(x: 2, y: 0, width: 3, height: 4))
  }

  @Test func `a frame of another size is dropped`() {
    let parser = self.parser(3, 4)
    #expect(parser.parse(Self.stream(Self.picture)) == nil)
    #expect(parser.parse(Self.stream(Self.picture, at: Point(x: 0, y: 1))) != nil)
    parser.resize(to: Size(width: 30, height: 20))
    #expect(parser.parse(Self.stream(Self.picture, at: Point(x: 0, y: 1))) == nil)
  }

  @Test func `a frame with a missing cell is dropped, and the next one is not`() throws {
    let stream = Self.stream(Self.picture)
    let firstCellEnd = try #require(stream.firstIndex(of: 0x84)) + 1
    for missing in firstCellEnd..<stream.count {
      let parser = self.parser(3, 2)
      #expect(parser.parse(Array(stream[missing...])) == nil)
      #expect(parser.parse(stream) != nil)
    }
  }

  @Test func `random input never exceeds the buffers`() {
    var numbers = SeededGenerator(seed: 1)
    let pieces = [
      "\u{1B}[", "999999999999999999;", "5;5f", "▄", "\n", "48;2;1;2;3m", "\u{1B}", "m", "\u{7F}", "x", "-", "2J", "▀",
    ]
    let parser = self.parser(4, 3)
    for _ in 0..<2_000 {
      let text = (0..<20).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
      if let picture = parser.parse(Array(text.utf8)) { #expect(picture.bytes.count == 4 * 6 * 3) }
    }
    _ = parser.parse([0x1B, UInt8(ascii: "[")] + [UInt8](repeating: UInt8(ascii: "1"), count: 1 << 20))
    #expect(parser.parser.rest.count <= 64)
    #expect(
      parser.parse(
        Array("\n".utf8)
          + Self.stream([[(RGB, RGB)]](repeating: Array(repeating: (.white, .black), count: 4), count: 3))) != nil)
  }

  @Test(.needsShared("recordings/mpv-0.40-tct.bin"))
  func `a recorded stream of mpv 0_40 is parsed completely, wherever it is split`() throws {
    let stream = try #require(bytes(ofFile: sharedFolder + "/recordings/mpv-0.40-tct.bin"))
    try expectWhole(stream, Size(width: 20, height: 5))
  }

  @Test(.withMPV) func `a stream of the installed mpv is parsed completely, wherever it is split`() async throws {
    try await withFolder { folder in
      let options = "--no-config --no-terminal --ao=null --vo=tct --vo-tct-width=20 --vo-tct-height=6 --frames=6"
      try #require(system("mpv \(options) '\(Clips.wide)' > '\(folder)/stream' </dev/null") == 0)
      try expectWhole(try #require(bytes(ofFile: "\(folder)/stream")), Size(width: 20, height: 6))
    }
  }

  private func expectWhole(_ stream: [UInt8], _ size: Size) throws {
    let ends = stream.indices.filter { stream[$0] == UInt8(ascii: "\n") }
    try #require(ends.count > 2)
    let slow = ParserBox(size)
    let pictures = stream.compactMap { slow.parse([$0]) }
    #expect(pictures.count == ends.count)
    #expect(Set(pictures[0].bytes).count > 10)
    let two = Array(stream[...ends[1]])
    for cut in 0...two.count {
      let parser = ParserBox(size)
      let first = parser.parse(Array(two[..<cut]))
      #expect((parser.parse(Array(two[cut...])) ?? first) == pictures[1])
    }
  }
}

/// A parser that can be used within an expectation.
private final class ParserBox {
  private(set) var parser = TctParser()

  init(_ size: Size) {
    resize(to: size)
  }

  func resize(to size: Size) { parser.resize(to: size) }

  func parse(_ bytes: [UInt8]) -> PixelBuffer? { bytes.withUnsafeBytes { parser.parse($0) } }
}
