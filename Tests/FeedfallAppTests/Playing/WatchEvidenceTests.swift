import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct WatchEvidenceTests {
  private func isWatched(_ session: PlaySession) -> Bool { session.savedPosition?.isWatched == true }

  // MARK: - Seeks

  @Test func `a seek to the end and back marks nothing and keeps the position`() {
    var session = PlaySession.playing(at: 20)
    _ = session.perform(.seek(.share(0.9)))
    session = session.receiving(.time(seconds: 90), .seekCompleted, .time(seconds: 90.1), .time(seconds: 93))
    _ = session.perform(.seek(.share(0.1)))
    session = session.receiving(.time(seconds: 10), .seekCompleted, .time(seconds: 13))
    _ = session.perform(.stop)
    #expect(!isWatched(session) && session.savedPosition?.seconds == 13)
  }

  @Test func `a look at the end does not remove the position of a video`() {
    var session = PlaySession.playing(at: 40).receiving(.time(seconds: 45))
    _ = session.suspend()
    _ = session.perform(.seek(.at(98)))
    session = session.receiving(.time(seconds: 98), .seekCompleted, .time(seconds: 98.2))
    #expect(session.perform(.stop) == [.leaveFullWindow, .order(.stop)])
    #expect(session.savedPosition?.seconds == 45)
  }

  @Test func `a video is watched if the user leaves it after some seconds beyond the share`() {
    for (seconds, expected) in [(91.0, false), (94.5, false), (96, true)] {
      var session = PlaySession.playing(at: 10)
      _ = session.perform(.seek(.at(90)))
      session = session.receiving(.seekCompleted, .time(seconds: 90), .time(seconds: seconds))
      _ = session.perform(.play(playItem("b.mp4", id: "other")))
      #expect(isWatched(session) == expected)
    }
  }

  @Test func `a video that was played beyond its share is watched, wherever the user leaves it`() {
    var session = PlaySession.playing(at: 50).receiving(.time(seconds: 92))
    #expect(!isWatched(session))
    _ = session.perform(.seek(.at(10)))
    session = session.receiving(.seekCompleted, .time(seconds: 10), .time(seconds: 11))
    _ = session.receive(.ended(.closed))
    #expect(isWatched(session) && session.savedPosition?.seconds == nil)
  }

  @Test func `a seek to the end that plays the last second marks nothing, and the next video follows`() {
    var session = PlaySession.playing(at: 10)
    _ = session.perform(.toggleAutoplay)
    _ = session.perform(.seek(.share(1)))
    session = session.receiving(.seekCompleted, .time(seconds: 99), .time(seconds: 99.9))
    #expect(session.receive(.ended(.reachedEnd)) == [.leaveFullWindow, .playNext])
    #expect(session.savedPosition == nil || !isWatched(session))
  }

  @Test func `a jump of the player is no playing`() {
    var session = PlaySession.playing(at: 10).receiving(.jumped, .time(seconds: 95))
    _ = session.close()
    #expect(!isWatched(session))
  }

  // MARK: - Loops and segments

  @Test func `a short part that is repeated beyond the share is a look, a long one is not`() {
    for (start, expected) in [(92.0, false), (90, true)] {
      var session = PlaySession.playing(at: 10)
      _ = session.perform(.seek(.at(start)))
      session = session.receiving(.seekCompleted, .time(seconds: start))
      for _ in 0..<9 { session = session.receiving(.time(seconds: 95.5), .jumped, .time(seconds: start)) }
      session = session.receiving(.time(seconds: 95.5))
      _ = session.close()
      #expect(isWatched(session) == expected)
    }
  }

  @Test func `a repeated video is watched once a round, and a second round has a position of its own`() {
    var session = PlaySession.playing(at: 10)
    _ = session.perform(.setLoop(.video))
    session = session.receiving(.time(seconds: 99.5), .jumped, .time(seconds: 0.1))
    #expect(isWatched(session))
    session = session.receiving(.time(seconds: 40))
    _ = session.close()
    #expect(session.savedPosition?.seconds == 40 && !isWatched(session))
  }

  @Test func `skipped segments count as played`() throws {
    var settings = PlaySettings()
    settings.skipsSegments = true
    var session = PlaySession(settings: settings)
    _ = session.perform(.play(try youTubeItem()))
    session = session.receiving(.length(.stated(100)), .ready, .time(seconds: 50))
    session.setSegments([try #require(VideoSegment(.outro, from: 60, to: 98))], ofYouTube: "abcdefghijk")
    #expect(session.receive(.time(seconds: 60)).first == .order(.seek(to: 98)))
    session = session.receiving(.time(seconds: 98), .seekCompleted, .time(seconds: 98.1), .time(seconds: 99.8))
    _ = session.receive(.ended(.reachedEnd))
    #expect(isWatched(session))
  }

  private func youTubeItem() throws -> PlayItem {
    var video = video([("a.mp4", nil)])
    video.pageURL = WebAddress("https://www.youtube.com/watch?v=abcdefghijk")
    let item = PlayItem(video)
    try #require(item.youTubeID == "abcdefghijk")
    return item
  }

  // MARK: - Lengths

  @Test(arguments: [MediaLength.unknown, .growing(16)])
  func `without a stated length, a position is saved, but neither a length nor a mark`(length: MediaLength) {
    var session = PlaySession(after: .play(playItem("a.webm"))).receiving(.ready, .time(seconds: 0))
    session = session.receiving(.length(length), .time(seconds: 15))
    _ = session.perform(.stop)
    #expect(session.savedPosition?.seconds == 15 && session.savedPosition?.duration == nil && !isWatched(session))
    #expect(session.shownDuration == nil)
  }

  @Test func `the feed's length decides while that of the file grows`() {
    var known = video([("a.ts", nil)])
    known.duration = .seconds(120)
    var session = PlaySession(after: .play(PlayItem(known))).receiving(
      .ready, .length(.growing(16)), .time(seconds: 15))
    _ = session.perform(.stop)
    #expect(session.savedPosition?.seconds == 15 && session.savedPosition?.duration == 120 && !isWatched(session))
    _ = session.perform(.togglePause)
    session = session.receiving(.ready, .length(.growing(120)), .time(seconds: 119), .ended(.reachedEnd))
    #expect(session.playState == .playStopped && isWatched(session))
  }

  @Test func `an end long before the feed's length is early if the file states none`() {
    var known = video([("a.ts", nil)])
    known.duration = .seconds(120)
    let session = PlaySession(after: .play(PlayItem(known)))
      .receiving(.ready, .length(.growing(16)), .time(seconds: 16), .ended(.reachedEnd))
    #expect(session.playState == .playFailed(.endedEarly(seconds: 16)) && !isWatched(session))
  }

  @Test func `a broken connection is an early end unless the position is at a stated end`() {
    let unknown = PlaySession.playing(duration: nil, at: 15).receiving(.ended(.cutOff))
    #expect(unknown.playState == .playFailed(.endedEarly(seconds: 15)))
    #expect(PlaySession.playing(at: 50).receiving(.ended(.cutOff)).playState == .playFailed(.endedEarly(seconds: 50)))
    #expect(PlaySession.playing(at: 99.5).receiving(.ended(.cutOff)).playState == .playStopped)
  }

  @Test func `a share that was reached of a shorter length does not count for a longer one`() {
    var session = PlaySession.playing(duration: 25, at: 24)
    session = session.receiving(.length(.stated(120)), .time(seconds: 24.5))
    _ = session.close()
    #expect(!isWatched(session))
  }

  // MARK: - Positions behind the end

  @Test(arguments: [MediaLength.unknown, .stated(7), .growing(7)])
  func `a video that ends before its start position is played once more from its beginning`(length: MediaLength) {
    var session = PlaySession(after: .play(PlayItem(video([("a.mp4", nil)]), startSeconds: 15)))
    session = session.receiving(.jumped, .length(length), .ready, .time(seconds: 15), .time(seconds: 6.9))
    #expect(session.receive(.ended(.reachedEnd)) == [.show(.startsOver), load(2, "a.mp4")])
    #expect(session.savedPosition == nil)
    _ = session.receive(.ended(.reachedEnd))
    #expect(!session.isUnderWay && session.savedPosition == nil)
  }

  // MARK: - Random sequences

  /// The parts that a sequence of events has played without a seek.
  private struct Oracle {
    private var parts: [ClosedRange<Double>] = []
    private var last: Double?

    mutating func seek() { last = nil }

    mutating func play(to seconds: Double) {
      if let last, seconds >= last - 1, let part = parts.popLast() {
        parts.append(min(part.lowerBound, seconds)...max(part.upperBound, seconds))
      } else {
        parts.append(seconds...seconds)
      }
      last = seconds
    }

    var hasEvidence: Bool { parts.contains { $0.upperBound - $0.lowerBound >= min(2, $0.upperBound / 2) - 0.01 } }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `no sequence of reports marks a video without a part that was played`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var session = PlaySession(after: .play(playItem("a.mp4"))).receiving(.ready, .time(seconds: 0))
    var oracle = Oracle()
    oracle.play(to: 0)
    var position = 0.0
    for _ in 0..<100 {
      let before = session.file.length
      var effects: [PlaySession.Effect] = []
      switch Int.random(in: 0..<14, using: &random) {
      case 0:
        let guess = Double.random(in: 0...200, using: &random)
        effects = session.receive(.length(.growing(guess)))
        if let stated = before.stated, guess <= stated { #expect(session.file.length == before) }
      case 1: effects = session.receive(.length(.stated(.random(in: 1...200, using: &random))))
      case 2:
        effects = session.receive(
          .length([.unknown, .stated(.nan), .stated(-1)].randomElement(using: &random) ?? .unknown))
      case 3: effects = session.perform(.seek(.share(.random(in: 0...1, using: &random))))
      case 4: effects = session.perform(.seek(.by(.random(in: -50...50, using: &random))))
      case 5:
        oracle.seek()
        effects = session.receive(.seekCompleted)
      case 6:
        oracle.seek()
        effects = session.receive(.jumped)
      case 7: effects = session.perform(.togglePause)
      case 8: effects = session.receive(.time(seconds: [.nan, .infinity].randomElement(using: &random) ?? .nan))
      case 9:
        let ends = [PlayEvent.EndReason.reachedEnd, .closed, .cutOff, .failed(.crashed)]
        effects = session.receive(.ended(ends.randomElement(using: &random) ?? .closed))
      case 10: effects = random.chance(1, in: 2) ? session.perform(.stop) : session.close()
      default:
        position = random.chance(3, in: 4) ? position + 0.5 : .random(in: 0...200, using: &random)
        if session.file.seeks.target != nil { oracle.seek() }
        oracle.play(to: position)
        effects = session.receive(.time(seconds: position))
      }
      if session.file.seeks.target != nil { oracle.seek() }
      if effects.contains(.savePosition), isWatched(session) { #expect(oracle.hasEvidence) }
      if !session.isUnderWay {
        _ = session.perform(.replay)
        position = session.shownTime
        (oracle, session) = (Oracle(), session.receiving(.ready))
        oracle.play(to: position)
      }
    }
  }
}
