import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import Testing

@testable import FeedfallApp

/// Screens in terminals whose text has other widths.
@Suite(.hangLimit) struct TextWidthsTests {
  private static let all: [TextWidths] = [(true, false), (false, false), (true, true), (false, true)].map {
    var widths = TextWidths()
    (widths.marksTakeCells, widths.ambiguousIsWide) = $0
    return widths
  }

  private static let videos = (0..<16).map { index in
    var video = sampleVideo(index)
    let titles = ["Жизнь и судьба на краю света", "कहानी की किताब", "Ελένη …", "Short", "漢字 ж é ★ ½ ─ ●"]
    video.title = "\(index) " + titles[index % titles.count]
    video.channel = "Москва · Кино"
    video.summary = "Описание фильма, которое занимает больше одной строки на экране, и ещё немного «слов»."
    return video
  }

  /// Keys that open a screen with text.
  private static let scripts = ["", "jj", "<Enter>", "?", "/жи", "fж", "sss", ":view ж"]

  private static func scenario(_ kind: LayoutKind, _ widths: TextWidths?) -> Scenario {
    var scenario = Scenario(layout: kind)
    if let widths { scenario.handle(.textWidthsChanged(widths)) }
    var page = FeedPage(videos: videos)
    (page.title, page.summary) = ("Фильмы", videos[0].summary)
    scenario.answer(page)
    return scenario
  }

  @Test(arguments: LayoutKind.allCases, all)
  func `a screen does not depend on when the terminal has reported its widths`(kind: LayoutKind, widths: TextWidths) {
    for script in Self.scripts {
      let expected = Self.scenario(kind, widths).typing(script).state.draw()
      var late = Self.scenario(kind, nil).typing(script)
      // The first ones are the widths at the start.
      for other in Self.all.reversed() { late.handle(.textWidthsChanged(other)) }
      late.handle(.textWidthsChanged(widths))
      let shown = late.state.draw()
      #expect(shown.cells == expected.cells, "after \(script):\n\(shown.text)\n\(expected.text)")
    }
  }

  @Test(arguments: LayoutKind.allCases)
  func `letters that the terminal shows in two cells have two on each screen`(kind: LayoutKind) {
    for script in Self.scripts {
      let canvas = Self.scenario(kind, Self.all[2]).typing(script).state.draw()
      for (cell, next) in zip(canvas.cells, canvas.cells.dropFirst()) where (0x410..<0x450).contains(cell.glyph.base) {
        #expect(next.glyph.isContinuation, "\(String(cell.glyph.scalars.map(Character.init))) after \(script)")
      }
    }
  }

  @Test func `states with different widths do not affect each other`() {
    let (usual, wide) = (Self.scenario(.list, Self.all[0]), Self.scenario(.list, Self.all[2]))
    let before = usual.state.draw().cells
    _ = wide.state.draw()
    #expect(usual.state.draw().cells == before && wide.state.draw().cells != before)
  }

  @Test(arguments: all)
  func `the marks of a row have a column each in any terminal`(widths: TextWidths) {
    var scenario = Scenario.showing(Self.videos, layout: .list)
    scenario.handle(.textWidthsChanged(widths))
    let canvas = scenario.typing("x*a").state.draw()
    let marks = ["✓", "★", "◷"].map { Glyph($0) }
    #expect((0..<canvas.size.height).contains { y in (1...3).map { canvas[$0, y].glyph } == marks }, "\(canvas.text)")
  }
}
