import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallCore

private func clip(_ number: Int, hasFrame: Bool = false) -> Video {
  let address = FileAddress(path: Array("/clips/\(number).mp4".utf8))
  var video = Video(
    id: "\(number)", title: "Clip \(number)",
    playback: address.map { .direct([MediaFile(url: .file($0))]) } ?? .unknown)
  video.isPartial = true
  if hasFrame, let address {
    let frame = VideoFrame(of: address, byteCount: 1, modified: UnixTime(seconds: 0))
    video.covers = [Cover(url: .frame(frame))]
  }
  return video
}

extension Scenario {
  fileprivate var requestedIDs: [String] {
    effects.compactMap { if case .requestDetails(_, let video, _) = $0 { video.id } else { nil } }
  }

  /// Ends the pause after which lengths are read.
  fileprivate mutating func pauseLengths() {
    for case .lengths(let ticket) in openWaits { handle(.waitElapsed(.lengths(ticket))) }
  }

  fileprivate mutating func answerLength(_ number: Int, seconds: Int?) {
    var video = clip(number)
    video.duration = seconds.map { .seconds($0) }
    answerDetails(.success(video))
  }
}

@Suite(.hangLimit) struct LengthReaderTests {
  private func list(_ count: Int, height: Int = 24) -> Scenario {
    .showing((0..<count).map { clip($0) }, height: height, layout: .list)
  }

  @Test func `lengths of visible videos are read one at a time, once scrolling has stopped`() {
    var scenario = list(40, height: 12)
    #expect(scenario.requestedIDs.isEmpty)
    scenario.pauseLengths()
    #expect(scenario.requestedIDs == ["0"])
    scenario.answerLength(0, seconds: 61)
    #expect(scenario.screen.contains("1:01"))
    #expect(scenario.requestedIDs == ["0", "1"])
    let visible = scenario.state.cards.visibleCards.count
    for number in 1..<visible { scenario.answerLength(number, seconds: 61) }
    #expect(scenario.requestedIDs.count == visible && visible < 40)
    #expect(scenario.awaitedDetails == nil)
  }

  @Test(arguments: [("f>30s<Enter>", 20), ("fsort:longest<Enter>", 40)])
  func `a filter or an order by length reads all lengths and says how many are unknown`(keys: String, count: Int) {
    var scenario = list(40, height: 12).typing(keys)
    scenario.pauseLengths()
    #expect(scenario.status.contains("40 lengths unknown"))
    for number in 0..<39 { scenario.answerLength(number, seconds: number % 2 == 0 ? 61 : 5) }
    #expect(scenario.status.contains("1 length unknown"))
    scenario.answerDetails(.failure(FeedFailure(.permanent, "ffprobe failed: no")))
    #expect(scenario.status.contains("1 length unknown") && scenario.awaitedDetails == nil)
    #expect(scenario.state.cards.cards.count == count)
    #expect(scenario.state.shownVideos[0].duration == .seconds(61))
  }

  @Test func `a filter for short videos reads all lengths`() {
    var scenario = list(40, height: 12).typing("fshort<Enter>")
    scenario.pauseLengths()
    for number in 0..<40 { scenario.answerLength(number, seconds: number % 2 == 0 ? 61 : 5) }
    #expect(scenario.state.shownVideos.map(\.id) == (0..<20).map { "\(2 * $0 + 1)" })
  }

  @Test func `in a long list, the cards are collected for several lengths at once, and for the last one`() {
    let videos = (0..<2_500).map { number in
      var video = clip(number)
      if !(2..<6).contains(number) { video.duration = .seconds(61) }
      return video
    }
    var scenario = Scenario.showing(videos, layout: .list).typing("f>30s<Enter>")
    scenario.pauseLengths()
    #expect(scenario.status.contains("4 lengths unknown"))
    var counts: [Int] = []
    for number in 2..<6 {
      scenario.answerLength(number, seconds: 61)
      counts.append(scenario.state.cards.cards.count)
    }
    #expect(counts == [2_496, 2_496, 2_499, 2_500])
  }

  @Test func `lengths that have arrived are considered when the tab is shown again`() {
    let videos = (0..<2_500).map { clip($0) }
    var scenario = Scenario.of("a", "b")
    scenario.type("2")
    scenario.answer(0, videos)
    scenario.type("f>30s<Enter>")
    scenario.pauseLengths()
    scenario.answerLength(0, seconds: 61)
    #expect(scenario.state.cards.cards.isEmpty)
    #expect(scenario.status.contains("lengths unknown"))
    scenario.type("3")
    #expect(!scenario.status.contains("unknown"))
    scenario.type("2")
    #expect(scenario.state.cards.cards.count == 1)
    #expect(scenario.status.contains("lengths unknown"))
  }

  @Test func `a video whose length is no number is not requested again`() {
    var scenario = list(1).typing("f>30s<Enter>")
    scenario.pauseLengths()
    var video = clip(0)
    video.duration = .text("a while")
    scenario.answerDetails(.success(video))
    #expect(scenario.requestedIDs == ["0"] && scenario.awaitedDetails == nil)
  }

  @Test func `scrolling delays the next length, and the new rows follow`() {
    var scenario = list(40, height: 12)
    scenario.type("G")
    #expect(scenario.openWaits.count { if case .lengths = $0 { true } else { false } } == 1)
    scenario.pauseLengths()
    #expect(scenario.requestedIDs == [String(scenario.state.cards.visibleCards[0])])
  }

  @Test func `a video whose length cannot be read is requested again by r only`() {
    var scenario = list(2)
    scenario.pauseLengths()
    scenario.answerDetails(.failure(FeedFailure(.permanent, "ffprobe failed: no")))
    #expect(scenario.requestedIDs == ["0", "1"])
    scenario.answerLength(1, seconds: nil)
    #expect(scenario.requestedIDs == ["0", "1"] && scenario.state.failure == nil)
    scenario.type("j")
    scenario.pauseLengths()
    #expect(scenario.requestedIDs == ["0", "1"])
    scenario.type("r")
    scenario.answer(FeedPage(videos: [clip(0), clip(1)]))
    scenario.pauseLengths()
    #expect(scenario.requestedIDs == ["0", "1", "0"])
  }

  @Test func `videos from the web and complete ones are not requested`() {
    var web = sampleVideo(0)
    (web.duration, web.isPartial) = (nil, true)
    var complete = clip(1)
    complete.isPartial = false
    let scenario = Scenario.showing([web, complete], layout: .list)
    #expect(!scenario.openWaits.contains { if case .lengths = $0 { true } else { false } })
  }

  @Test func `covers that are frames of videos bring the lengths, except in the list`() {
    for layout in LayoutKind.allCases {
      var scenario = Scenario(layout: layout)
      scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
      scenario.answer(FeedPage(videos: [clip(0, hasFrame: true)]))
      scenario.pauseLengths()
      #expect(scenario.requestedIDs == (layout == .list ? ["0"] : []))
    }
  }

  @Test func `the user's request for details is answered beside a length`() {
    var scenario = list(3)
    scenario.pauseLengths()
    scenario.type("j<Enter>")
    #expect(scenario.requestedIDs == ["0", "1"])
    var details = clip(1)
    (details.duration, details.isPartial, details.summary) = (.seconds(5), false, "Words of the file")
    scenario.answerDetails(.success(details))
    #expect(scenario.screen.contains("Words of the file"))
    scenario.answerLength(0, seconds: 61)
    #expect(scenario.state.shownVideos[0].duration == .seconds(61))
  }
}
