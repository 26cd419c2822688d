import FeedfallFeeds
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

@Suite(.hangLimit) struct CarouselStageTests {
  private func carousel(_ count: Int, width: Int = 120, height: Int = 36, total: Int? = nil) -> Scenario {
    Scenario.showing(sampleVideos(count), total: total, width: width, height: height, layout: .carousel)
  }

  private func rows(_ scenario: Scenario) -> [Substring] {
    scenario.screen.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func `pictures beside the middle card are faded`() {
    var pictures = carousel(5).typing("ll")
    pictures.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: true)))
    while !pictures.awaitedCovers.isEmpty { pictures.answerCover() }
    let shown = pictures.state.draw().visiblePictures
    #expect(shown.count == 3)
    let largest = shown.map(\.frame.width).max()
    #expect(shown.allSatisfy { $0.isFaded == ($0.frame.width != largest) })
  }

  @Test func `the title, the second line and the description are centered below the middle card`() throws {
    var video = sampleVideo(0)
    video.summary = String(repeating: "word ", count: 100)
    let scenario = Scenario.showing([video], width: 120, height: 36, layout: .carousel)
    let rows = rows(scenario)
    let title = try #require(rows.firstIndex { $0.contains("0 Elephants Dream") })
    #expect(rows[title + 1].contains("Channel 0"))
    #expect(rows.count { $0.contains("word word") } == 3)
    let frame = scenario.state.cards.visibleElements[0].frame
    #expect(title == frame.maxY + 1)
    let line = rows[title]
    let (before, after) = (line.prefix { $0 == " " }.count, line.trimmingSuffix)
    #expect(abs(before - (120 - after)) <= 1)
  }

  @Test func `few cards have a dot each, many a number`() {
    #expect(carousel(5).typing("ll").screen.contains(" ○ ○ ● ○ ○\n"))
    #expect(carousel(15).screen.contains("● ○ ○"))
    #expect(!carousel(16).screen.contains("○"))
    #expect(rows(carousel(16).typing("l")).dropLast().contains { $0.hasSuffix(" 2 of 16") })
    #expect(rows(carousel(5, total: 340)).dropLast().contains { $0.hasSuffix(" 1 of 340") })
  }

  @Test(arguments: 6...60, [20, 80, 200])
  func `the card and its text are in the window, and the title is there`(height: Int, width: Int) {
    let scenario = carousel(20, width: width, height: height)
    let stage = scenario.state.cards.layout.stage
    #expect(stage.top >= 1 && stage.top + stage.card.height < height - 1)
    #expect(scenario.screen.contains("0 Elephants Dream"))
  }

  @Test func `the neighbors are faded`() throws {
    var scenario = carousel(5)
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    while !scenario.awaitedCovers.isEmpty { scenario.answerCover(gray: 255) }
    let canvas = scenario.state.draw()
    let colors = scenario.state.cards.visibleElements.map { canvas[$0.frame.minX + 2, $0.frame.midY].style.background }
    let white = RGB.white
    #expect(colors[0] == white)
    #expect(colors[1] != nil && colors[1] != white)
  }

  @Test func `a match is marked in the title of the middle card`() throws {
    let scenario = carousel(20).typing("/sintel<Enter>")
    let row = try #require(rows(scenario).firstIndex { $0.contains("3 Sintel") })
    let roles = scenario.state.draw().roles
    #expect(roles.split(separator: "\n", omittingEmptySubsequences: false)[row].contains("mmmmmm"))
    #expect(!roles.contains("mmmmmmm"))
  }

  @Test func `a begun video has its progress on the last row of the cover`() {
    var video = sampleVideo(0)
    (video.resumeSeconds, video.duration) = (100, .seconds(200))
    let scenario = Scenario.showing([video, sampleVideo(1)], width: 120, height: 36, layout: .carousel)
    let frame = scenario.state.cards.visibleElements[0].frame
    let row = rows(scenario)[frame.maxY - 1]
    #expect(abs(2 * row.count { $0 == "━" } - frame.width) <= 1)
  }

  @Test func `until a cover arrives in its size, another size is shown`() {
    var scenario = carousel(5)
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    while !scenario.awaitedCovers.isEmpty { scenario.answerCover() }
    let canvas = scenario.typing("l").state.draw()
    #expect(canvas[60, 10].style.background == .white)
  }
}

extension Substring {
  /// The number of characters without trailing blanks.
  fileprivate var trimmingSuffix: Int { count - reversed().prefix { $0 == " " }.count }
}
