import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct PlaySessionLoopTests {
  private func configuration(loopsFile: Bool = false, _ part: LoopMarks.Part? = nil) -> PlaySession.Effect {
    var configuration = PlayerConfiguration()
    (configuration.loopsFile, configuration.loopPart) = (loopsFile, part)
    return .order(.configure(configuration))
  }

  @Test func `the marks are the start, then the end, then none`() throws {
    var session = PlaySession.playing(at: 20)
    #expect(session.perform(.markLoop) == [.show(.loopMarks(.start(20)))])
    _ = session.receive(.time(seconds: 30))
    let part = try #require(LoopMarks.Part(20, 30))
    #expect(
      session.perform(.markLoop) == [configuration(part), .order(.seek(to: 20)), .show(.loopMarks(.part(part)))])
    _ = session.receive(.seekCompleted)
    #expect(session.perform(.markLoop) == [configuration(), .show(.loopMarks(.none))])
  }

  @Test func `the order of the marks does not matter, and two at one place are none`() {
    var session = PlaySession.playing(at: 20)
    _ = session.perform(.markLoop)
    _ = session.receive(.time(seconds: 5))
    _ = session.perform(.markLoop)
    #expect(session.loopMarks == LoopMarks.Part(5, 20).map(LoopMarks.part))
    var other = PlaySession.playing(at: 20)
    _ = other.perform(.markLoop)
    #expect(other.perform(.markLoop) == [.show(.loopMarks(.none))])
  }

  @Test func `a video that is not ready has no marks, and another video loses them`() {
    var session = PlaySession(after: .play(playItem("a.mp4")))
    #expect(session.perform(.markLoop) == [])
    session = PlaySession.playing(at: 20)
    _ = session.perform(.markLoop)
    _ = session.receive(.time(seconds: 30))
    _ = session.perform(.markLoop)
    #expect(session.perform(.play(playItem("b.mp4", id: "b"))).contains(configuration()))
    #expect(session.loopMarks == .none)
  }

  @Test func `the loop mode is off, the video, then the list`() {
    var session = PlaySession.playing()
    #expect(session.perform(.cycleLoop) == [configuration(loopsFile: true), .show(.loop(.video))])
    #expect(session.perform(.cycleLoop) == [configuration(), .show(.loop(.list))])
    #expect(session.perform(.cycleLoop) == [.show(.loop(.off))])
  }

  @Test func `a video that the player cannot repeat is loaded again, unless it is too short`() {
    var session = PlaySession.playing(at: 99.5)
    _ = session.perform(.cycleLoop)
    #expect(session.receive(.ended(.reachedEnd)).contains(load(2, "a.mp4")))
    #expect(session.isUnderWay)
    var short = PlaySession.playing(duration: 0.1, at: 0.1)
    _ = short.perform(.cycleLoop)
    #expect(short.receive(.ended(.reachedEnd)).first == .leaveFullWindow && !short.isUnderWay)
  }

  @Test func `a short video that the player repeats is watched once`() {
    var session = PlaySession.playing(duration: 12, at: 3)
    _ = session.perform(.cycleLoop)
    _ = session.receive(.time(seconds: 11.5))
    #expect(session.savedPosition?.isWatched != true)
    #expect(session.receive(.time(seconds: 0.1)) == [.savePosition])
    #expect(session.savedPosition?.isWatched == true)
    #expect(session.receive(.time(seconds: 11.9), .time(seconds: 0.1)) == [])
  }

  @Test func `neither a jump back before the end nor the user's seek is the end of a repeated video`() {
    var session = PlaySession.playing(duration: 12, at: 9)
    _ = session.perform(.cycleLoop)
    _ = session.receive(.time(seconds: 0.1), .time(seconds: 4))
    _ = session.perform(.seek(.at(0)))
    _ = session.receive(.time(seconds: 0), .seekCompleted, .time(seconds: 0.1))
    #expect(session.savedPosition?.isWatched != true)
  }

  @Test func `a repeated list continues without autoplay`() {
    var session = PlaySession.playing(at: 99.5)
    _ = session.perform(.cycleLoop)
    _ = session.perform(.cycleLoop)
    #expect(session.receive(.ended(.reachedEnd)).last == .playNext)
  }
}
