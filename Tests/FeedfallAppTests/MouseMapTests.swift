import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct MouseMapTests {
  private func regions(width: Int, hasDetails: Bool = false, hasMiniBar: Bool = false) -> Regions {
    Regions(size: Size(width: width, height: 24), isPaneOpen: hasDetails, hasTabs: true, hasMiniBar: hasMiniBar)
  }

  private func event(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int) -> MouseEvent {
    MouseEvent(kind, at: Point(x: x, y: y))
  }

  @Test func `the row of tabs is above the cards`() {
    let map = AppState.MouseMap(regions: regions(width: 80))
    #expect(map.part(for: event(.press, 3, 0)) == .tabs(Rect(x: 0, y: 0, width: 80, height: 1)))
    #expect(map.part(for: event(.press, 3, 5)) == .cards(Point(x: 3, y: 4)))
  }

  @Test func `details beside the cards leave them the rest`() {
    let map = AppState.MouseMap(regions: regions(width: 120, hasDetails: true), details: DetailsScreen())
    #expect(map.part(for: event(.press, 3, 5)) == .cards(Point(x: 3, y: 4)))
    #expect(map.part(for: event(.press, 110, 5)) == .details)
  }

  @Test func `details over the cards handle the mouse everywhere`() {
    let narrow = AppState.MouseMap(regions: regions(width: 80, hasDetails: true), details: DetailsScreen())
    let cover = AppState.MouseMap(
      regions: regions(width: 120, hasDetails: true), details: DetailsScreen(showsCover: true))
    #expect(narrow.part(for: event(.press, 0, 5)) == .details)
    #expect(cover.part(for: event(.press, 3, 5)) == .details)
  }

  @Test func `the row of the playing video handles drags that began in it`() {
    var map = AppState.MouseMap(regions: regions(width: 80, hasMiniBar: true))
    let row = Rect(x: 0, y: 22, width: 80, height: 1)
    #expect(map.overlay(for: event(.press, 3, 22)) == .miniBar(row))
    #expect(map.overlay(for: event(.press, 3, 5)) == nil)
    #expect(map.overlay(for: event(.drag, 3, 5)) == nil)
    map.isBarHeld = true
    #expect(map.overlay(for: event(.drag, 3, 5)) == .miniBar(row))
  }

  @Test func `a failure is above the cards`() {
    let size = Size(width: 80, height: 24)
    let map = AppState.MouseMap(
      regions: Regions(size: size, isPaneOpen: false, hasTabs: true, hasMiniBar: false, failureRows: 2))
    #expect(map.part(for: event(.press, 3, 3)) == .cards(Point(x: 3, y: 0)))
  }

  @Test func `the picture over the cards belongs to the playing video`() {
    let map = AppState.MouseMap(regions: regions(width: 80), corner: Rect(x: 50, y: 14, width: 30, height: 8))
    #expect(map.overlay(for: event(.press, 60, 20)) == .playing)
    #expect(map.overlay(for: event(.press, 40, 20)) == nil)
  }
}
