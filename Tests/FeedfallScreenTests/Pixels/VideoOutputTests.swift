import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct VideoOutputTests {
  private let cell = Size(width: 8, height: 16)

  @Test func `frames have the pixels of their cells`() {
    let size = VideoOutput.pixels.frameSize(forCells: Size(width: 45, height: 13), cellSize: cell)
    #expect(size == Size(width: 360, height: 208))
    #expect(VideoOutput.cells.frameSize(forCells: Size(width: 45, height: 13), cellSize: cell) == nil)
  }

  @Test func `large areas are reduced in proportion`() throws {
    let size = try #require(VideoOutput.pixels.frameSize(forCells: Size(width: 480, height: 135), cellSize: cell))
    #expect(size == Size(width: 1920, height: 1080))
    let wide = try #require(VideoOutput.pixels.frameSize(forCells: Size(width: 1000, height: 10), cellSize: cell))
    #expect(wide.width <= 4096 && wide.width * wide.height <= 1920 * 1080)
    #expect(abs(wide.width * 160 - wide.height * 8000) < 8000)
  }

  @Test func `encoded frames have at most as many pixels as 480 by 270`() throws {
    let small = VideoOutput.encodedPixels.frameSize(forCells: Size(width: 45, height: 13), cellSize: cell)
    #expect(small == Size(width: 360, height: 208))
    let large = VideoOutput.encodedPixels.frameSize(forCells: Size(width: 240, height: 67), cellSize: cell)
    #expect(large == Size(width: 481, height: 268))
    #expect(VideoOutput.none(.off).frameSize(forCells: Size(width: 45, height: 13), cellSize: cell) == nil)
  }

  @Test(arguments: [Size(width: 8, height: 2), Size(width: 0, height: 0), Size(width: -1, height: 20)])
  func `cells of hardly any pixels have no frames`(cell: Size) {
    #expect(VideoOutput.pixels.frameSize(forCells: Size(width: 45, height: 13), cellSize: cell) == nil)
  }
}
