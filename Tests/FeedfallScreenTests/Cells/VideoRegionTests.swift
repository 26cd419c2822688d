import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct VideoRegionTests {
  private func canvas(_ frame: Rect) -> Canvas {
    var canvas = Canvas(size: Size(width: 20, height: 10))
    canvas.fill(canvas.bounds, with: Glyph("x"), style: .plain)
    canvas.reserve(frame)
    return canvas
  }

  @Test func `a reserved frame is blank and belongs to the video`() throws {
    let frame = Rect(x: 2, y: 1, width: 10, height: 5)
    let video = try #require(canvas(frame).video)
    #expect(video.frame == frame)
    #expect(video.parts == [frame])
    #expect(video.brightness == 50)
    #expect(canvas(frame)[2, 1].glyph == .blank)
    #expect(canvas(frame)[1, 1].glyph == Glyph("x"))
  }

  @Test func `without a visible reserved frame there is no video`() {
    #expect(Canvas(size: Size(width: 4, height: 4)).video == nil)
    #expect(canvas(Rect(x: 30, y: 0, width: 4, height: 4)).video == nil)
  }

  @Test func `later drawing covers the video`() {
    var canvas = canvas(Rect(x: 2, y: 1, width: 10, height: 5))
    canvas.write("title", at: Point(x: 2, y: 5), style: .plain)
    let parts = [Rect(x: 2, y: 1, width: 10, height: 4), Rect(x: 7, y: 5, width: 5, height: 1)]
    #expect(canvas.video?.parts == parts)
    canvas.fill(canvas.bounds, style: .plain)
    #expect(canvas.video == nil)
  }

  @Test func `the video is clipped by the clip and by the edges`() {
    var canvas = Canvas(size: Size(width: 20, height: 10))
    canvas.clip = Rect(x: 0, y: 0, width: 8, height: 10)
    canvas.reserve(Rect(x: 4, y: -2, width: 10, height: 5))
    #expect(canvas.video?.frame == Rect(x: 4, y: -2, width: 10, height: 5))
    #expect(canvas.video?.parts == [Rect(x: 4, y: 0, width: 4, height: 3)])
  }

  @Test func `a later video replaces an earlier one`() {
    var canvas = canvas(Rect(x: 0, y: 0, width: 8, height: 4))
    canvas.reserve(Rect(x: 4, y: 2, width: 8, height: 4), brightness: 80)
    #expect(canvas.video?.parts == [Rect(x: 4, y: 2, width: 8, height: 4)])
    #expect(canvas.video?.brightness == 80)
    canvas.clip = Rect(x: 4, y: 2, width: 2, height: 2)
    canvas.reserve(Rect(x: 4, y: 2, width: 8, height: 4))
    #expect(canvas.video?.parts == [canvas.clip])
  }

  @Test func `canvases with different videos are not equal`() {
    let frame = Rect(x: 2, y: 1, width: 10, height: 5)
    var brighter = canvas(frame)
    #expect(brighter == canvas(frame))
    brighter.reserve(frame, brightness: 60)
    #expect(brighter != canvas(frame))
  }
}
