import FeedfallApp
import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct PlaySessionStateTests {
  @Test func `the feed's length is shown until the file states one or exceeds it, and never for a broadcast`() {
    var known = video([("a.mp4", nil)])
    known.duration = .seconds(90)
    let session = PlaySession(after: .play(PlayItem(known)))
    #expect(session.shownDuration == 90)
    #expect(session.receiving(.length(.stated(88.5))).shownDuration == 88.5)
    #expect(session.receiving(.length(.growing(12)), .ready, .time(seconds: 10)).shownDuration == 90)
    #expect(session.receiving(.length(.growing(91)), .ready).shownDuration == nil)
    #expect(session.receiving(.ready, .time(seconds: 95)).shownDuration == nil)
    known.live = .live
    #expect(PlaySession(after: .play(PlayItem(known))).receiving(.ready).shownDuration == nil)
  }

  @Test func `load states follow ready and stalled events`() {
    var session = PlaySession(after: .play(playItem("a.mp4")))
    #expect(session.receiving(.stalled(true)).loadState == .prepare)
    var states: [PlaySession.LoadState] = []
    for event in [PlayEvent.ready, .stalled(true), .stalled(true), .stalled(false), .stalled(false), .ready] {
      #expect(session.receive(event) == [])
      states.append(session.loadState)
    }
    #expect(states == [.playthroughOK, .stalled, .stalled, .playable, .playable, .playable])
  }

  @Test func `a paused video is not waiting`() {
    var session = PlaySession.playing().receiving(.stalled(true))
    #expect(session.isWaiting)
    _ = session.perform(.togglePause)
    #expect(!session.isWaiting)
  }

  @Test func `pause takes effect at once, and on a report of the player`() {
    var session = PlaySession.playing()
    #expect(session.perform(.togglePause) == [.order(.pause)])
    #expect(session.playState == .paused)
    #expect(session.perform(.togglePause) == [.order(.resume)])
    #expect(session.playState == .playing)
    #expect(session.receiving(.paused(true)).playState == .paused)
    #expect(session.receiving(.paused(true), .paused(false)).playState == .playing)
  }

  @Test(arguments: [(100.0, 98.5, true), (100, 97.5, false), (20, 19.1, true), (20, 18.9, false), (20, 1.7, false)])
  func `an end long before the duration is a failure`(duration: Double, seconds: Double, isEnd: Bool) {
    let session = PlaySession.playing(duration: duration, at: seconds).receiving(.ended(.reachedEnd))
    #expect(session.playState == (isEnd ? .playStopped : .playFailed(.endedEarly(seconds: seconds))))
  }

  @Test func `a live stream ends without a failure`() {
    #expect(PlaySession.playing(duration: nil, at: 5).receiving(.ended(.reachedEnd)).playState == .playStopped)
  }

  @Test func `events of an earlier load are ignored`() {
    var session = PlaySession.playing()
    _ = session.perform(.play(playItem("b.mp4")))
    let before = session
    for event in [PlayEvent.ready, .time(seconds: 9), .ended(.stopped), .ended(.failed(.crashed)), .paused(true)] {
      #expect(session.handle(.event(PlayID(1), event)) == [])
    }
    #expect(session == before)
    _ = session.perform(.stop)
    let stopped = session
    #expect(session.handle(.event(PlayID(2), .ready)) == [])
    #expect(session == stopped)
  }

  @Test func `suspending pauses and resuming continues`() {
    var session = PlaySession.playing(at: 30)
    #expect(session.suspend() == [.order(.pause), .savePosition])
    #expect(session.playState == .paused)
    #expect(session.resume() == [.order(.resume)])
    #expect(session.playState == .playing)
    #expect(session.resume() == [])
  }

  @Test func `a paused video stays paused after a suspension`() {
    var session = PlaySession.playing()
    _ = session.perform(.togglePause)
    #expect(session.suspend() == [])
    #expect(session.resume() == [])
    #expect(session.playState == .paused)
  }

  @Test func `the position is saved every four seconds after the ignored beginning`() {
    var session = PlaySession.playing()
    #expect(session.receive(.time(seconds: 4.9)) == [])
    #expect(session.receive(.time(seconds: 5)) == [.savePosition])
    #expect(session.receive(.time(seconds: 8.9)) == [])
    #expect(session.receive(.time(seconds: 9)) == [.savePosition])
    #expect(session.savedPosition?.seconds == 9)
  }

  @Test func `closing the program saves the position once`() {
    var session = PlaySession.playing(at: 60)
    #expect(session.close() == [.savePosition])
    #expect(session.close() == [])
  }
}
