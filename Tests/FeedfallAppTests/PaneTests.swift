import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import struct FeedfallApp.AppState

@Suite(.hangLimit) struct PaneTests {
  private func longVideo() -> Video {
    var video = sampleVideo(0)
    video.summary = (1...40).map { "Paragraph \($0) of what happens, long enough for two lines in a narrow window." }
      .joined(separator: "\n")
    return video
  }

  private func resize(_ scenario: inout Scenario, to size: Size) {
    scenario.handle(.screenChanged(size, cellSize: Size(width: 8, height: 16)))
  }

  @Test func `the wheel scrolls the text by as many rows as the cards`() {
    var scenario = Scenario.showing([longVideo()]).typing("<Enter>")
    for (kind, row) in [(MouseEvent.Kind.wheelDown, 3), (.wheelDown, 6), (.wheelUp, 3)] {
      scenario.handle(.input(.mouse(MouseEvent(kind, at: Point(x: 3, y: 3)))))
      #expect(scenario.state.details?.scroll == row)
    }
  }

  @Test func `the text scrolls by lines and pages`() {
    let start = Scenario.showing([longVideo()]).typing("<Enter>")
    func first(_ scenario: Scenario) -> Int { scenario.state.details?.scroll ?? -1 }
    #expect(first(start.typing("jj")) == 2)
    #expect(first(start.typing("jjk")) == 1)
    #expect(first(start.typing("<C-f>")) == 21)
    #expect(first(start.typing("<C-d>")) == 10)
    #expect(first(start.typing("<PgDn><PgUp>")) == 0)
    #expect(first(start.typing("GG<C-b>")) == first(start.typing("G")) - 21)
    #expect(first(start.typing("G<C-u>")) == first(start.typing("G")) - 10)
    #expect(first(start.typing("kkk")) == 0)
    #expect(first(start.typing("Ggg")) == 0)
  }

  @Test func `text scrolled to its end stays at its end in a larger window`() {
    var scenario = Scenario.showing([longVideo()], width: 30, height: 10).typing("<Enter>G")
    resize(&scenario, to: Size(width: 90, height: 30))
    #expect(scenario.state.draw().text.contains("Paragraph 40"))
    let end = scenario.typing("G").state.draw().text
    #expect(scenario.state.draw().text == end)
    #expect(scenario.typing("k").state.draw().text != end)
  }

  @Test func `h and l show the neighbors and stop at the ends`() {
    let pane = Scenario.showing(sampleVideos(3)).typing("<Enter>")
    #expect(pane.typing("h").state.cards.selection == 0)
    #expect(pane.typing("l").state.cards.selection == 1)
    #expect(pane.typing("llll").state.cards.selection == 2)
    #expect(pane.typing("llh").state.draw().text.contains("1 A walk through"))
  }

  @Test func `the details show warnings about a video`() {
    var video = sampleVideo(0)
    video.flags = [.sensitive, .needsPassword]
    video.live = .upcoming(UnixTime(rfc3339: "2026-10-04T07:30:00Z"))
    let text = Scenario.showing([video]).typing("<Enter>").state.draw().text
    #expect(text.contains("Upcoming, starts 2026-10-04 07:30 UTC; marked as sensitive; needs a password"))
  }

  @Test func `the pane shows the languages and the best cover, and Y copies its address`() throws {
    var video = sampleVideo(0)
    let sizes: [(Int, Int)] = [(280, 157), (1_400, 1_400), (1_280, 720), (3_840, 2_160)]
    video.covers = try sizes.map { width, height in
      Cover(url: try #require(WebAddress("https://c.example/\(width)")), width: width, height: height)
    }
    video.playback = .direct([MediaFile(url: try #require(WebAddress("https://m.example/a")), language: "deu-eng")])
    let pane = Scenario.showing([video], height: 30).typing("<Enter>")
    #expect(pane.state.draw().text.contains("Cover     https://c.example/1280"))
    #expect(pane.state.draw().text.contains("Languages deu-eng"))
    #expect(pane.typing("Y").effects.contains(.copy("https://c.example/1280")))
  }

  @Test func `i shows the cover; i, Esc and q hide it`() {
    let pane = Scenario.showing().typing("<Enter>")
    let cover = pane.typing("i")
    #expect(!cover.state.draw().text.contains("Playback"))
    #expect(cover.state.draw().roles.contains("c"))
    for key in ["i", "<Esc>", "q"] {
      #expect(cover.typing(key).state.draw().text == pane.state.draw().text)
    }
    #expect(cover.typing("l").state.details?.showsCover == true)
  }

  @Test(arguments: [(19, 60), (80, 24), (100, 6), (1000, 7), (20, 1000)])
  func `the cover fits any window`(size: (Int, Int)) {
    let scenario = Scenario.showing(width: size.0, height: size.1).typing("<Enter>i")
    #expect(scenario.state.draw().size == Size(width: size.0, height: size.1))
  }

  @Test func `the pane closes when its video disappears`() throws {
    var scenario = Scenario.showing().typing("<Enter>")
    for day in 0...1 {
      #expect(scenario.state.details != nil)
      scenario.type("r")
      let ticket = try #require(scenario.awaitedTicket)
      scenario.handle(.pageArrived(ticket, FeedPage(videos: []), at: UnixTime(seconds: day * 86_400)))
    }
    #expect(scenario.state.details == nil)
    #expect(scenario.state.draw().text.contains("No videos. Press r to refresh."))
    #expect(scenario.typing("q").effects.last == .quit)
  }

  @Test(arguments: [Point(x: 0, y: 3), Point(x: 79, y: 3), Point(x: 40, y: 3)])
  func `a pane over the cards blocks clicks and the wheel`(position: Point) {
    var scenario = Scenario.showing().typing("l<Enter>")
    for kind in [MouseEvent.Kind.press, .wheelDown, .wheelUp, .press] {
      scenario.handle(.input(.mouse(MouseEvent(kind, at: position))))
    }
    #expect(scenario.state.cards.selection == 1)
    #expect(scenario.state.cards.offset == 0)
    #expect(!scenario.state.cards.pull.isPulling)
  }

  @Test func `the text of another video starts at its top`() {
    var scenario = Scenario.showing([longVideo(), sampleVideo(1)], width: 120, height: 20).typing("<Enter>G")
    #expect(scenario.state.details?.scroll ?? 0 > 0)
    let frame = scenario.state.cards.frame(of: 1)
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: frame.minX + 1, y: frame.minY + 1)))))
    #expect(scenario.state.details?.scroll == 0)
    scenario.type("hG")
    #expect(scenario.typing("l").state.details?.scroll == 0)
  }

  @Test func `a selection moved by the wheel requests its details`() {
    var scenario = Scenario.showing([sampleVideo(0)] + (1..<60).map(sampleVideoWithoutDetails), width: 120, height: 20)
      .typing("<Enter>")
    for _ in 0..<10 { scenario.handle(.input(.mouse(MouseEvent(.wheelDown, at: Point(x: 3, y: 3))))) }
    #expect(scenario.awaitedDetails != nil)
  }

  @Test func `the wheel over the text scrolls the text`() {
    var scenario = Scenario.showing([longVideo()], width: 120, height: 40).typing("<Enter>")
    scenario.handle(.input(.mouse(MouseEvent(.wheelDown, at: Point(x: 100, y: 3)))))
    #expect(scenario.state.details?.scroll == 3)
  }
}
