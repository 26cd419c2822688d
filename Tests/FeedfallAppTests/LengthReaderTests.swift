import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp

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

  @Test(arguments: [FeedFailure.Kind.absent, .permanent])
  func `the length of a file without a frame is read, as soon as that is known`(kind: FeedFailure.Kind) {
    var scenario = Scenario.showing((0..<2).map { clip($0, hasFrame: true) }, layout: .waterfall)
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    scenario.rest()
    scenario.pauseLengths()
    #expect(scenario.requestedIDs.isEmpty && scenario.awaitedCovers.count == 2)
    while let cover = scenario.awaitedCovers.first {
      scenario.forgetCover(cover.ticket)
      scenario.handle(.coverFailed(cover.ticket, FeedFailure(kind, "the file has no picture")))
    }
    scenario.pauseLengths()
    #expect(scenario.requestedIDs.count == 1)
    scenario.answerLength(0, seconds: 61)
    #expect(scenario.screen.contains("1:01") && Set(scenario.requestedIDs) == ["0", "1"])
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

  // MARK: - Sizes

  private static let portrait = PixelSize(width: 1080, height: 1920)

  private func shown(_ covers: [Cover], layout: LayoutKind = .waterfall) -> Scenario {
    let clips = (0..<4).map { number in
      var video = clip(number)
      video.covers = covers
      return video
    }
    return .showing(clips, layout: layout, columns: .minimumWidth(24))
  }

  private func frame() throws -> Cover {
    let film = try #require(FileAddress(path: "/clips/0.mp4".utf8))
    return Cover(url: .frame(VideoFrame(of: film, byteCount: 1, modified: UnixTime(seconds: 0))))
  }

  private func picture() throws -> Cover { Cover(url: .file(try #require(FileAddress(path: "/clips/0.jpg".utf8)))) }

  private func answer(_ scenario: inout Scenario) throws {
    var video = try #require(scenario.unansweredDetails.last).video
    (video.duration, video.pictureSize) = (.seconds(61), Self.portrait)
    scenario.answerDetails(.success(video))
  }

  @Test func `a film's card takes the proportions that were read with its length`() throws {
    for covers in [[], [try frame()]] {
      var scenario = shown(covers)
      let before = scenario.state.cards.frame(of: 0)
      scenario.pauseLengths()
      try answer(&scenario)
      let after = scenario.state.cards.frame(of: 0)
      #expect(after.height > 2 * before.height && after.origin == before.origin)
    }
  }

  @Test func `a film in the list has its proportions once the layout is a waterfall`() throws {
    var scenario = shown([try frame()], layout: .list)
    scenario.pauseLengths()
    try answer(&scenario)
    for _ in LayoutKind.allCases where scenario.state.cards.kind != .waterfall { scenario.type("v") }
    #expect(scenario.state.cards.kind == .waterfall)
    #expect(scenario.state.cards.frame(of: 0).height > scenario.state.cards.frame(of: 1).height)
  }

  @Test(arguments: [false, true], [false, true])
  func `a film with a picture beside it has that picture's proportions, whichever answer is first`(
    isFilmFirst: Bool, hasDetails: Bool
  ) throws {
    var scenario = shown([try picture()])
    scenario.handle(.coverStyleChanged(.pictures(.halves, wantsPixels: false)))
    scenario.rest()
    let before = scenario.state.cards.frame(of: 0)
    func readFilm() throws {
      if hasDetails { scenario.type("<Enter>") } else { scenario.pauseLengths() }
      try answer(&scenario)
      if hasDetails { scenario.type("<Esc>") }
    }
    if isFilmFirst {
      try readFilm()
      #expect(scenario.state.cards.frame(of: 0) == before)
    }
    scenario.rest()
    while !scenario.awaitedCovers.isEmpty { scenario.answerCover(0, size: Size(width: 500, height: 500)) }
    let after = scenario.state.cards.frame(of: 0)
    #expect(after.height > before.height && after.height < 2 * before.height)
    if !isFilmFirst { try readFilm() }
    #expect(scenario.state.cards.frame(of: 0) == after)
    scenario.type("r")
    scenario.answer(FeedPage(videos: shown([try picture()]).state.shownVideos))
    #expect(scenario.state.cards.frame(of: 0) == after)
  }

  @Test func `details that arrive before the frame give the card the film's proportions`() throws {
    var scenario = shown([try frame()])
    let before = scenario.state.cards.frame(of: 0)
    scenario.type("<Enter>")
    try answer(&scenario)
    scenario.type("<Esc>")
    #expect(scenario.state.cards.frame(of: 0).height > 2 * before.height)
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
