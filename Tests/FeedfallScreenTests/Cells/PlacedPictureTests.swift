import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct PlacedPictureTests {
  private func pixels() throws -> PixelBuffer {
    try #require(PixelBuffer(size: Size(width: 1, height: 1), bytes: [1, 2, 3]))
  }

  private func canvas() -> Canvas { Canvas(size: Size(width: 12, height: 6)) }

  private func parts(_ canvas: Canvas) -> [[Rect]] { canvas.visiblePictures.map(\.parts) }

  @Test func `a picture is visible where nothing is drawn over it`() throws {
    var drawn = canvas()
    drawn.place(try pixels(), id: 1, over: Rect(x: 2, y: 1, width: 6, height: 4))
    #expect(parts(drawn) == [[Rect(x: 2, y: 1, width: 6, height: 4)]])
    drawn.write("9:59", at: Point(x: 4, y: 4), style: Style(.badge))
    #expect(parts(drawn) == [[Rect(x: 2, y: 1, width: 6, height: 3), Rect(x: 2, y: 4, width: 2, height: 1)]])
    drawn.fill(drawn.bounds, style: .plain)
    #expect(drawn.visiblePictures.isEmpty)
  }

  @Test func `a clipped picture keeps its frame`() throws {
    var drawn = canvas()
    drawn.clip = Rect(x: 0, y: 1, width: 12, height: 5)
    drawn.place(try pixels(), id: 1, over: Rect(x: 8, y: -2, width: 9, height: 5))
    #expect(parts(drawn) == [[Rect(x: 8, y: 1, width: 4, height: 2)]])
    #expect(drawn.pictures.map(\.frame) == [Rect(x: 8, y: -2, width: 9, height: 5)])
    drawn.place(try pixels(), id: 2, over: Rect(x: 0, y: -9, width: 3, height: 9))
    #expect(drawn.pictures.count == 1)
  }

  @Test func `a later picture covers an earlier one`() throws {
    var drawn = canvas()
    drawn.place(try pixels(), id: 1, over: Rect(x: 0, y: 0, width: 4, height: 4))
    drawn.place(try pixels(), id: 2, over: Rect(x: 2, y: 0, width: 4, height: 4))
    #expect(parts(drawn) == [[Rect(x: 0, y: 0, width: 2, height: 4)], [Rect(x: 2, y: 0, width: 4, height: 4)]])
  }

  @Test func `a clipped picture does not cover another one outside of the clip`() throws {
    var drawn = canvas()
    drawn.place(try pixels(), id: 1, over: Rect(x: 0, y: 0, width: 4, height: 3))
    drawn.clip = Rect(x: 0, y: 3, width: 12, height: 3)
    drawn.place(try pixels(), id: 2, over: Rect(x: 0, y: 1, width: 4, height: 4))
    #expect(parts(drawn) == [[Rect(x: 0, y: 0, width: 4, height: 3)], [Rect(x: 0, y: 3, width: 4, height: 2)]])
  }

  @Test func `canvases with different pictures are not equal`() throws {
    var one = canvas()
    one.place(try pixels(), id: 1, over: Rect(x: 0, y: 0, width: 4, height: 4))
    var other = canvas()
    other.place(try pixels(), id: 1, over: Rect(x: 0, y: 0, width: 4, height: 4))
    #expect(one == other)
    other.isAtRest = true
    #expect(one != other)
    var third = canvas()
    third.place(try pixels(), id: 2, over: Rect(x: 0, y: 0, width: 4, height: 4))
    #expect(one != third)
    #expect(one.cells == third.cells)
  }

  @Test func `pictures inside of a faded area are faded`() throws {
    var drawn = canvas()
    let bright = try #require(PixelBuffer(size: Size(width: 1, height: 1), bytes: [255, 96, 0]))
    drawn.place(bright, id: 1, over: Rect(x: -1, y: 0, width: 4, height: 4))
    drawn.place(bright, id: 2, over: Rect(x: 4, y: 0, width: 4, height: 4))
    let plain = drawn
    drawn.fade(Rect(x: -1, y: 0, width: 5, height: 4))
    #expect(drawn.pictures.map(\.isFaded) == [true, false])
    #expect(drawn.pictures.map(\.shownPixels.bytes) == [[175, 96, 48], [255, 96, 0]])
    #expect(drawn.pictures != plain.pictures)
  }
}
