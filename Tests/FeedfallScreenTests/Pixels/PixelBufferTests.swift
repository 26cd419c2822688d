import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct PixelBufferTests {
  @Test func `pixels are stored row by row`() throws {
    let picture = try #require(PixelBuffer(size: Size(width: 2, height: 2), bytes: Array(0..<12)))
    #expect(picture[1, 0] == RGB(red: 3, green: 4, blue: 5))
    #expect(picture[0, 1] == RGB(red: 6, green: 7, blue: 8))
  }

  @Test(arguments: [(0, 1, 0), (2, 2, 11), (2, 2, 13), (-1, -1, 3), (70_000, 1, 210_000)])
  func `a wrong number of bytes is rejected`(width: Int, height: Int, count: Int) {
    #expect(PixelBuffer(size: Size(width: width, height: height), bytes: Array(repeating: 0, count: count)) == nil)
  }
}
