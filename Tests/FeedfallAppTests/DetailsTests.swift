import FeedfallApp
import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import struct FeedfallApp.AppState

/// Videos completed by a second request.
@Suite(.hangLimit) struct DetailsTests {
  private let failure = FeedFailure(.temporary, "the connection was reset")

  private func withChapters(_ video: Video) -> Video {
    var video = video
    video.chapters = chapters((0, "Opening"), (30, "The cave"))
    return video
  }

  private func namingChapters(_ video: Video) -> Video {
    var video = video
    video.chaptersURL = WebAddress("https://films.example/chapters")
    return video
  }

  @Test func `chapters with an address are requested after the details, once`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)], width: 120, height: 40).typing("<Enter>")
    scenario.answerDetails(.success(namingChapters(sampleVideo(0))))
    #expect(scenario.awaitedDetails != nil)
    scenario.answerDetails(.success(withChapters(sampleVideo(0))))
    #expect(scenario.screen.contains("0:30  The cave"))
    scenario.type("<Esc><Enter>")
    #expect(scenario.awaitedDetails == nil)
  }

  @Test func `an answer that still names an address of chapters is the last one`() {
    var scenario = Scenario.showing([namingChapters(sampleVideo(0))]).typing("<Enter>")
    scenario.answerDetails(.success(namingChapters(sampleVideo(0))))
    #expect(scenario.awaitedDetails == nil)
  }

  @Test func `a video plays before its chapters arrive, also behind the cards`() {
    var scenario = Scenario.showing([namingChapters(sampleVideo(0)), namingChapters(sampleVideo(1))]).typing(" ")
    #expect(scenario.loads.count == 1)
    scenario.answerDetails(.success(withChapters(sampleVideo(0))))
    #expect(scenario.state.player.session.chapters.all.map(\.title) == ["Opening", "The cave"])
    scenario.type("N<Enter>")
    scenario.report(.ready, .duration(seconds: 100), .time(seconds: 99.5), .ended(.reachedEnd))
    #expect(scenario.loads.count == 2)
    scenario.answerDetails(.success(withChapters(sampleVideo(1))))
    #expect(scenario.state.player.session.chapters.all.count == 2)
  }

  @Test func `closing the pane cancels the request without a message`() throws {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)])
    let before = scenario.status
    scenario.type("<Enter>")
    let ticket = try #require(scenario.awaitedDetails)
    scenario.type("<Esc>")
    #expect(scenario.effects.contains(.cancel(ticket)))
    scenario.handle(.detailsFailed(ticket, FeedFailure(.temporary, "the request was cancelled")))
    #expect(scenario.status == before)
  }

  @Test func `completing a video keeps the size of its card`() {
    var tall = sampleVideo(0)
    tall.pictureSize = PixelSize(width: 100, height: 200)
    tall.title = "another title, and a much longer one than the card of the list had"
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)] + sampleVideos(9, from: 1)).typing("<Enter>")
    let frames = (0..<10).map(scenario.state.cards.frame(of:))
    scenario.answerDetails(.success(tall))
    #expect(scenario.state.selectedVideo?.pictureSize == tall.pictureSize)
    #expect(scenario.state.selectedVideo?.title == sampleVideo(0).title)
    scenario.type("<Esc>")
    let before = scenario.state.draw().text
    scenario.type("vV")
    scenario.handle(.screenChanged(Size(width: 90, height: 24), cellSize: Size(width: 8, height: 16)))
    scenario.handle(.screenChanged(Size(width: 80, height: 24), cellSize: Size(width: 8, height: 16)))
    #expect((0..<10).map(scenario.state.cards.frame(of:)) == frames)
    scenario.type("<C-l>")
    #expect(scenario.state.draw().text == before)
  }

  @Test func `space requests the playback address, then plays`() throws {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)]).typing(" ")
    #expect(scenario.screen.contains("Looking up"))
    scenario.answerDetails(.success(sampleVideo(0)))
    #expect(scenario.loads.map(\.address.text) == ["https://films.example/0.mp4"])
    #expect(!scenario.status.contains("Looking up"))
  }

  @Test func `space plays a partial video at once and requests its details`() {
    var partial = sampleVideo(0)
    partial.isPartial = true
    var scenario = Scenario.showing([partial]).typing(" ")
    #expect(scenario.awaitedDetails != nil)
    #expect(scenario.loads.count == 1)
    var whole = sampleVideo(0)
    whole.author = "Ada Lovelace"
    scenario.answerDetails(.success(whole))
    #expect(scenario.state.selectedVideo?.author == "Ada Lovelace")
    scenario.type("<Esc><Esc><Enter>")
    #expect(scenario.awaitedDetails == nil)
  }

  @Test func `details without a playback address are requested once, and again to play`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0), sampleVideo(1)]).typing("<Enter>")
    var answer = sampleVideoWithoutDetails(0)
    answer.author = "Ada Lovelace"
    scenario.answerDetails(.success(answer))
    scenario.type("lh")
    #expect(scenario.awaitedDetails == nil)
    scenario.type("<Esc><Enter>")
    #expect(scenario.awaitedDetails == nil)
    scenario.type(" ")
    #expect(scenario.awaitedDetails != nil)
  }

  @Test(arguments: [" ", "y"], ["", "<Enter>"])
  func `a failed request for the playback address is reported`(key: String, pane: String) {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)], width: 120).typing(pane + key)
    scenario.answerDetails(.failure(failure))
    #expect(scenario.screen.contains("the connection was reset"))
    #expect(!scenario.status.contains("Looking up"))
  }

  @Test func `the message about a pending request is only shown for its video`() {
    let scenario = Scenario.showing([sampleVideoWithoutDetails(0), sampleVideo(1)]).typing(" l<Enter>")
    #expect(scenario.awaitedDetails != nil)
    #expect(!scenario.state.draw().text.contains("loading the details"))
  }

  @Test func `a failed request of the pane does not replace a message`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)]).typing("<Enter>Y")
    scenario.answerDetails(.failure(failure))
    #expect(scenario.screen.contains("Copied the cover address"))
  }

  /// A video of Invidious with more members.
  private func premiere(_ members: String) -> String {
    #"{"videoId":"aaaaaaaaaaa","title":"A","lengthSeconds":60,"videoThumbnails":[]\#(members)}"#
  }

  private func listed(_ members: String) throws -> Video {
    let body = "[\(premiere(members))]"
    return try #require(
      try FeedDecoder.decode(Array(body.utf8), from: WebAddress("https://inv.example/api/v1/popular")).videos.first)
  }

  @Test func `a premiere that is over is a film, which can be downloaded, until the list says otherwise`() throws {
    let list = try listed(#","isUpcoming":true,"premiereTimestamp":1700000000"#)
    var scenario = Scenario.showing([list]).typing("d")
    let details = premiere(
      #","liveNow":false,"isUpcoming":false,"formatStreams":[{"url":"/a.mp4","type":"video/mp4"}]"#)
    let address = try #require(list.detailsURL)
    scenario.answerDetails(
      .success(try FeedDecoder.decodeDetails(Array(details.utf8), completing: list, from: address)))
    #expect(scenario.state.selectedVideo?.live == nil && scenario.state.selectedVideo?.duration == .seconds(60))
    #expect(!scenario.screen.contains("the broadcast has not ended"))
    scenario.type("r")
    scenario.answer(FeedPage(videos: [try listed("")]))
    #expect(scenario.state.selectedVideo?.live == nil)
    scenario.type("r")
    scenario.answer(FeedPage(videos: [try listed(#","liveNow":true"#)]))
    #expect(scenario.state.selectedVideo?.live == .live && scenario.state.selectedVideo?.duration == nil)
  }

  @Test func `play requested while the pane loads its details starts when they arrive`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)]).typing("<Enter> ")
    scenario.answerDetails(.success(sampleVideo(0)))
    #expect(scenario.loads.count == 1)
  }

  @Test func `r in the details retries a failed request`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)], next: .page(1)).typing("<Enter>")
    scenario.answerDetails(.failure(failure))
    #expect(scenario.state.draw().text.contains("Press r to retry"))
    scenario.type("r")
    #expect(scenario.awaitedDetails != nil)
    #expect(scenario.awaitedPage != .start)
  }

  @Test func `a failed request for details is not repeated automatically`() {
    var scenario = Scenario.showing(
      [sampleVideoWithoutDetails(0)] + sampleVideos(20, from: 1), next: .page(1), width: 120, height: 40
    )
    .typing("m<Enter>")
    scenario.answerDetails(.failure(failure))
    scenario.answer(FeedPage(videos: sampleVideos(20, from: 40)))
    #expect(scenario.awaitedDetails == nil)
    #expect(scenario.typing("<Esc><Enter>").awaitedDetails != nil)
  }

  @Test func `the request for the next video replaces the previous one`() throws {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0), sampleVideoWithoutDetails(1)]).typing("<Enter>")
    let first = try #require(scenario.awaitedDetails)
    scenario.type("l")
    #expect(scenario.effects.contains(.cancel(first)))
    scenario.handle(.detailsArrived(first, sampleVideo(0)))
    #expect(scenario.state.shownVideos[0] == sampleVideoWithoutDetails(0))
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(scenario.state.shownVideos[1] == sampleVideo(1))
  }

  @Test func `no details are requested of a server that asked to wait`() {
    let videos = (0..<9).map(sampleVideoWithoutDetails)
    var scenario = Scenario.showing(videos).typing("<Enter>")
    scenario.answerDetails(.failure(FeedFailure(.wait(seconds: 7), "busy")))
    for keys in ["l", "r", " ", "y", "<Esc><Enter>"] {
      scenario.type(keys)
      #expect(scenario.awaitedDetails == nil && scenario.awaitedPage == nil)
    }
    #expect(scenario.typing("r").screen.contains("Loading continues in 7 s, as the server asked."))
    #expect(
      scenario.typing(" ").screen.split { " \n│".contains($0) }.joined(separator: " ").contains("is looked up in 7 s"))
    scenario.endWaits()
    scenario.answerDetails(.success(sampleVideo(1)))
    #expect(scenario.state.selectedVideo == sampleVideo(1))
  }

  @Test func `the failure of a playback address stays in the details`() {
    var scenario = Scenario.showing([sampleVideoWithoutDetails(0)], width: 160).typing(" ")
    scenario.answerDetails(.failure(FeedFailure(.temporary, "no answer")))
    let words = { scenario.screen.split { " \n│".contains($0) }.joined(separator: " ") }
    scenario.type("j")
    #expect(words().contains("Could not load the playback address: no answer. Press space to retry."))
    #expect(scenario.typing(" ").awaitedDetails != nil)
    #expect(!words().contains("Could not load the details"))
  }

  @Test func `a source with the name of the channel is named once`() {
    let text = DetailsText(
      video: sampleVideo(0), chapters: [], sourceName: "Channel 0", notes: [], stopSeconds: 0,
      words: Words(keys: .standard), zone: .utc, size: Size(width: 80, height: 24), widths: TextWidths())
    #expect(text.lines[1].text.hasPrefix("Channel 0 · 1:01"))
  }
}
