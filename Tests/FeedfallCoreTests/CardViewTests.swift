import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallCore

@Suite(.hangLimit) struct CardViewTests {
  @Test func `a cover without a picture has no marks in its corners`() {
    let canvas = Scenario.showing([sampleVideo(0)]).state.draw()
    #expect(canvas[1, 0].glyph == .blank && canvas[25, 0].glyph == .blank)
    #expect(canvas[1, 0].style.role == .cover && canvas[25, 0].style.role == .cover)
  }
}
