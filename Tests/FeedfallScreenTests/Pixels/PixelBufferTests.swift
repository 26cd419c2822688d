import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct PixelBufferTests {
  @Test(arguments: [(0, 1, 0), (2, 2, 11), (2, 2, 13), (-1, -1, 3), (70_000, 1, 210_000)])
  func `a wrong number of bytes is rejected`(width: Int, height: Int, count: Int) {
    #expect(PixelBuffer(size: Size(width: width, height: height), bytes: Array(repeating: 0, count: count)) == nil)
  }

  @Test func `a letterbox is filled except for rows with text`() throws {
    var bytes = [UInt8](repeating: 0, count: 4 * 4 * 3)
    // The picture itself is black at its edges, and there is text below it.
    bytes[(1 * 4 + 1) * 3] = 9
    bytes[(3 * 4 + 2) * 3] = 200
    let content = Rect(x: 1, y: 1, width: 2, height: 2)
    var picture = try #require(PixelBuffer(size: Size(width: 4, height: 4), bytes: bytes, content: content))
    let ground = RGB(red: 1, green: 2, blue: 3)
    picture.fillLetterbox(with: ground)
    for y in 0..<4 {
      for x in 0..<4 {
        let isFilled = !content.contains(Point(x: x, y: y)) && y != 3
        #expect((picture[x, y] == ground) == isFilled, "\(x), \(y)")
      }
    }
    #expect(picture[2, 3].red == 200)
  }
}
