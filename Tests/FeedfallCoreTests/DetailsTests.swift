import FeedfallCore
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import struct FeedfallCore.AppState

/// Videos that a second request completes.
@Suite(.hangLimit) struct DetailsTests {
  private let failure = FeedFailure(.temporary, "the connection was reset")

  @Test func `opening a card asks for what the feed left out`() {
    var scenario = Scenario.showing([filmWithoutDetails(0)]).typing("<Enter>")
    scenario.answerDetails(.success(film(0)))
    #expect(scenario.state.selectedVideo?.playbackURL?.text == "https://films.example/0.mp4")
  }

  @Test func `closing the pane drops the request without a word`() throws {
    var scenario = Scenario.showing([filmWithoutDetails(0)])
    let before = scenario.status
    scenario.type("<Enter>")
    let ticket = try #require(scenario.awaitedDetails)
    scenario.type("<Esc>")
    #expect(scenario.effects.contains(.cancel(ticket)))
    scenario.handle(.detailsFailed(ticket, FeedFailure(.temporary, "the request was cancelled")))
    #expect(scenario.status == before)
  }

  @Test func `completing a video leaves its card as high as it was`() {
    var tall = film(0)
    tall.pictureSize = PixelSize(width: 100, height: 200)
    tall.title = "another title, and a much longer one than the card of the list had"
    var scenario = Scenario.showing([filmWithoutDetails(0)] + films(9, from: 1)).typing("<Enter>")
    let frames = (0..<10).map(scenario.state.cards.frame(of:))
    scenario.answerDetails(.success(tall))
    #expect(scenario.state.selectedVideo?.pictureSize == tall.pictureSize)
    #expect(scenario.state.selectedVideo?.title == film(0).title)
    scenario.type("<Esc>")
    let before = scenario.state.draw().text
    scenario.type("vV")
    scenario.handle(.screenChanged(Size(width: 90, height: 24), cellSize: Size(width: 8, height: 16)))
    scenario.handle(.screenChanged(Size(width: 80, height: 24), cellSize: Size(width: 8, height: 16)))
    #expect((0..<10).map(scenario.state.cards.frame(of:)) == frames)
    scenario.type("<C-l>")
    #expect(scenario.state.draw().text == before)
  }

  @Test func `space asks where the video plays and then plays it`() throws {
    var scenario = Scenario.showing([filmWithoutDetails(0)]).typing(" ")
    #expect(scenario.status.contains("Looking up"))
    scenario.answerDetails(.success(film(0)))
    #expect(scenario.loads.map(\.address.text) == ["https://films.example/0.mp4"])
    #expect(!scenario.status.contains("Looking up"))
  }

  @Test func `a film of which more can be told is asked about, and played without that`() {
    var partial = film(0)
    partial.isPartial = true
    var scenario = Scenario.showing([partial]).typing(" ")
    #expect(scenario.awaitedDetails != nil)
    #expect(scenario.loads.count == 1)
    var whole = film(0)
    whole.author = "Ada Lovelace"
    scenario.answerDetails(.success(whole))
    #expect(scenario.state.selectedVideo?.author == "Ada Lovelace")
    scenario.type("<Esc><Esc><Enter>")
    #expect(scenario.awaitedDetails == nil)
  }

  @Test func `y asks where the video plays and then copies that`() {
    var scenario = Scenario.showing([filmWithoutDetails(0)]).typing("y")
    scenario.answerDetails(.success(film(0)))
    #expect(scenario.effects.contains(.copy("https://films.example/0.mp4")))
    #expect(scenario.status.contains("https://films.example/0.mp4"))
  }

  @Test(arguments: [" ", "y"], ["", "<Enter>"])
  func `a failed request for the playback address is reported`(key: String, pane: String) {
    var scenario = Scenario.showing([filmWithoutDetails(0)]).typing(pane + key)
    scenario.answerDetails(.failure(failure))
    #expect(scenario.status.contains("the connection was reset"))
    #expect(!scenario.status.contains("Looking up"))
  }

  @Test func `the note about a request is only shown for its video`() {
    let scenario = Scenario.showing([filmWithoutDetails(0), film(1)]).typing(" l<Enter>")
    #expect(scenario.awaitedDetails != nil)
    #expect(!scenario.state.draw().text.contains("loading the details"))
  }

  @Test func `what fails for the pane takes no message away`() {
    var scenario = Scenario.showing([filmWithoutDetails(0)]).typing("<Enter>Y")
    scenario.answerDetails(.failure(failure))
    #expect(scenario.status.contains("Copied the cover address"))
  }

  @Test func `the rest is asked for when the selection moves under an open pane`() {
    var scenario = Scenario.showing(
      [film(0), filmWithoutDetails(1)] + films(9, from: 2), width: 120, height: 40
    ).typing("<Enter>")
    #expect(scenario.awaitedDetails == nil)
    let frame = scenario.state.cards.frame(of: 1)
    scenario.handle(.input(.mouse(MouseEvent(.press, at: Point(x: frame.minX + 1, y: frame.minY + 1)))))
    #expect(scenario.awaitedDetails != nil)
  }

  @Test func `a refreshed feed under an open pane asks for the rest again`() {
    var scenario = Scenario.showing([filmWithoutDetails(0)]).typing("<Enter>")
    scenario.answerDetails(.success(film(0)))
    scenario.type("r")
    scenario.answer(FeedPage(videos: [filmWithoutDetails(0)]))
    #expect(scenario.awaitedDetails != nil)
  }

  @Test func `a wish to play outlives the pane's own request`() {
    var scenario = Scenario.showing([filmWithoutDetails(0)]).typing("<Enter> ")
    scenario.answerDetails(.success(film(0)))
    #expect(scenario.loads.count == 1)
  }

  @Test func `r in the details retries a failed request`() {
    var scenario = Scenario.showing([filmWithoutDetails(0)], next: .page(1)).typing("<Enter>")
    scenario.answerDetails(.failure(failure))
    #expect(scenario.state.draw().text.contains("Press r to retry"))
    scenario.type("r")
    #expect(scenario.awaitedDetails != nil)
    #expect(scenario.awaitedPage != .start)
  }

  @Test func `a failed request for details is not repeated by itself`() {
    var scenario = Scenario.showing(
      [filmWithoutDetails(0)] + films(20, from: 1), next: .page(1), width: 120, height: 40
    )
    .typing("m<Enter>")
    scenario.answerDetails(.failure(failure))
    scenario.answer(FeedPage(videos: films(20, from: 40)))
    #expect(scenario.awaitedDetails == nil)
    #expect(scenario.typing("<Esc><Enter>").awaitedDetails != nil)
  }

  @Test func `the next video's request takes the place of the one before`() throws {
    var scenario = Scenario.showing([filmWithoutDetails(0), filmWithoutDetails(1)]).typing("<Enter>")
    let first = try #require(scenario.awaitedDetails)
    scenario.type("l")
    #expect(scenario.effects.contains(.cancel(first)))
    scenario.handle(.detailsArrived(first, film(0)))
    #expect(scenario.state.shownVideos[0] == filmWithoutDetails(0))
    scenario.answerDetails(.success(film(1)))
    #expect(scenario.state.shownVideos[1] == film(1))
  }

  @Test func `the pane says how long a server wants to be left alone`() {
    var scenario = Scenario.showing([filmWithoutDetails(0)]).typing("<Enter>")
    scenario.answerDetails(.failure(FeedFailure(.wait(seconds: 7), "busy")))
    #expect(scenario.state.draw().text.contains("asked to wait 7 s"))
  }

  @Test func `a server that wants to be left alone is asked for no details until then`() {
    let videos = (0..<9).map(filmWithoutDetails)
    var scenario = Scenario.showing(videos).typing("<Enter>")
    scenario.answerDetails(.failure(FeedFailure(.wait(seconds: 7), "busy")))
    for keys in ["l", "r", " ", "y", "<Esc><Enter>"] {
      scenario.type(keys)
      #expect(scenario.awaitedDetails == nil && scenario.awaitedPage == nil)
    }
    #expect(scenario.typing("r").status.contains("asked to wait 7 s. Loading continues by itself"))
    #expect(scenario.typing(" ").status.contains("asked to wait 7 s. Then press space to retry"))
    scenario.endWaits()
    scenario.answerDetails(.success(film(1)))
    #expect(scenario.state.selectedVideo == film(1))
  }

  @Test func `a video that has to wait for its address is reported`() {
    var scenario = Scenario.showing([filmWithoutDetails(0)]).typing(" ")
    scenario.answerDetails(.failure(FeedFailure(.wait(seconds: 7), "busy")))
    #expect(scenario.status.contains("busy. Press space to retry after 7 s."))
    #expect(scenario.typing(" ").status.contains("Then press space to retry"))
    scenario.endWaits()
    scenario.answerDetails(.success(film(0)))
    #expect(scenario.loads.isEmpty)
    #expect(scenario.typing(" ").loads.count == 1)
  }
}
