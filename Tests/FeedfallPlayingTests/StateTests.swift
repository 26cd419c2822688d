import FeedfallFeeds
import FeedfallPlaying
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct StateTests {
  @Test func `nothing is loaded before it is played`() {
    let session = PlaySession()
    #expect(session.playState == .unknown)
    #expect(session.loadState == .unknown)
    #expect(session.item == nil)
  }

  @Test func `playing tells the player all of the settings, then loads`() {
    var session = PlaySession()
    #expect(session.perform(.play(film("a.mp4"))) == allSettings + [load(1, "a.mp4")])
    #expect(session.playState == .playing)
    #expect(session.loadState == .prepare)
    #expect(session.isWaiting)
  }

  @Test func `until the player knows better a film is as long as its feed tells`() {
    var known = video([("a.mp4", nil)])
    known.duration = .seconds(90)
    let session = PlaySession(after: .play(PlayItem(known)))
    #expect(session.shownDuration == 90)
    #expect(session.hearing(.duration(seconds: 88.5)).shownDuration == 88.5)
    #expect(session.hearing(.duration(seconds: nil), .ready).shownDuration == nil)
  }

  @Test func `the states of loading`() {
    var session = PlaySession(after: .play(film("a.mp4")))
    #expect(session.hearing(.stalled(true)).loadState == .prepare)
    var states: [LoadState] = []
    for news in [PlayNews.ready, .stalled(true), .stalled(true), .stalled(false), .stalled(false), .ready] {
      #expect(session.hear(news) == [])
      states.append(session.loadState)
    }
    #expect(states == [.playthroughOK, .stalled, .stalled, .playable, .playable, .playable])
  }

  @Test func `what waits is only said to wait while it is to play`() {
    var session = PlaySession.playing().hearing(.stalled(true))
    #expect(session.isWaiting)
    _ = session.perform(.togglePause)
    #expect(!session.isWaiting)
  }

  @Test func `a pause shows at once, and when the player tells of one`() {
    var session = PlaySession.playing()
    #expect(session.perform(.togglePause) == [.order(.pause)])
    #expect(session.playState == .paused)
    #expect(session.perform(.togglePause) == [.order(.resume)])
    #expect(session.playState == .playing)
    #expect(session.hearing(.paused(true)).playState == .paused)
    #expect(session.hearing(.paused(true), .paused(false)).playState == .playing)
  }

  @Test func `stopping leaves the full window first, then stops and keeps the place`() {
    var session = PlaySession.playing(at: 42)
    #expect(session.perform(.stop) == [.leaveFullWindow, .order(.stop), .keepRecords])
    #expect(session.playState == .playStopped)
    #expect(session.loadState == .unknown)
    #expect(session.records["films.example film"] == 42)
    #expect(session.perform(.stop) == [])
  }

  @Test func `at the end the full window is left, and the place is forgotten`() {
    var session = PlaySession.playing(at: 42)
    _ = session.perform(.stop)
    #expect(session.perform(.play(film("a.mp4"))) == [load(2, "a.mp4", at: 42)])
    session = session.hearing(.duration(seconds: 100), .ready, .time(seconds: 94), .time(seconds: 99.5))
    #expect(session.hear(.ended(.reachedEnd)) == [.leaveFullWindow, .keepRecords])
    #expect(session.playState == .playStopped)
    #expect(session.records["films.example film"] == nil)
  }

  @Test func `the person's closing of the window is a stop`() {
    var session = PlaySession.playing(at: 50)
    #expect(session.hear(.ended(.closed)) == [.leaveFullWindow, .keepRecords])
    #expect(session.playState == .playStopped)
  }

  @Test(arguments: [(100.0, 98.5, true), (100, 97.5, false), (20, 19.1, true), (20, 18.9, false), (20, 1.7, false)])
  func `an end is one only near the end`(duration: Double, seconds: Double, isEnd: Bool) {
    let session = PlaySession.playing(duration: duration, at: seconds).hearing(.ended(.reachedEnd))
    #expect(session.playState == (isEnd ? .playStopped : .playFailed(.endedEarly(seconds: seconds))))
  }

  @Test func `what goes on for ever ends where it ends`() {
    #expect(PlaySession.playing(duration: nil, at: 5).hearing(.ended(.reachedEnd)).playState == .playStopped)
  }

  @Test func `what was before changes nothing`() {
    var session = PlaySession.playing()
    _ = session.perform(.play(film("b.mp4")))
    let before = session
    for news in [PlayNews.ready, .time(seconds: 9), .ended(.stopped), .ended(.failed(.crashed)), .paused(true)] {
      #expect(session.handle(.playing(PlayID(1), news)) == [])
    }
    #expect(session == before)
    _ = session.perform(.stop)
    let stopped = session
    #expect(session.handle(.playing(PlayID(2), .ready)) == [])
    #expect(session == stopped)
  }

  @Test func `the next plays by itself only by choice`() {
    var quiet = PlaySession.playing(at: 100)
    #expect(quiet.hear(.ended(.reachedEnd)) == [.leaveFullWindow])
    var session = PlaySession.playing(at: 100)
    #expect(session.perform(.togglePlayingOn) == [.tell(.playsOn(true))])
    #expect(session.hear(.ended(.reachedEnd)) == [.leaveFullWindow, .playNext])
  }

  @Test func `the program's own pause ends with the program's own going on`() {
    var session = PlaySession.playing(at: 30)
    #expect(session.suspend() == [.order(.pause), .keepRecords])
    #expect(session.playState == .paused)
    #expect(session.proceed() == [.order(.resume)])
    #expect(session.playState == .playing)
    #expect(session.proceed() == [])
  }

  @Test func `what the person has paused stays paused`() {
    var session = PlaySession.playing()
    _ = session.perform(.togglePause)
    #expect(session.suspend() == [])
    #expect(session.proceed() == [])
    #expect(session.playState == .paused)
  }

  @Test func `another film keeps the place of the one before`() {
    var session = PlaySession.playing(at: 60)
    #expect(session.perform(.play(film("b.mp4", id: "other"))) == [.keepRecords, load(2, "b.mp4")])
    #expect(session.records["films.example film"] == 60)
  }

  @Test func `the place is kept now and then, should nobody be there to keep it at the end`() {
    var session = PlaySession.playing()
    #expect(session.hear(.time(seconds: 29.9)) == [])
    #expect(session.hear(.time(seconds: 30)) == [.keepRecords])
    #expect(session.hear(.time(seconds: 59.9)) == [])
    #expect(session.hear(.time(seconds: 60)) == [.keepRecords])
    #expect(session.records["films.example film"] == 60)
  }

  @Test func `films of the same id have places of their own`() throws {
    let elsewhere = try #require(WebAddress("https://other.example/a.mp4"))
    let other = PlayItem(
      Video(id: "film", title: "Another film", playback: .direct([MediaFile(url: .web(elsewhere))])))
    var session = PlaySession.playing(at: 60)
    _ = session.perform(.play(other))
    #expect(session.shownTime == 0)
    _ = session.perform(.play(film("a.mp4")))
    #expect(session.shownTime == 60)
  }

  @Test func `an address is an id for itself`() throws {
    let page = try #require(WebAddress("https://mirror.example/a.mp4?key=1"))
    let video = Video(
      id: "https://films.example/a", title: "A film", playback: .direct([MediaFile(url: .web(page))]))
    var session = PlaySession(after: .play(PlayItem(video))).hearing(
      .duration(seconds: 100), .ready, .time(seconds: 40))
    _ = session.perform(.stop)
    #expect(session.records["https://films.example/a"] == 40)
  }

  @Test func `the place is kept when the program ends`() {
    var session = PlaySession.playing(at: 60)
    #expect(session.close() == [.keepRecords])
    #expect(session.close() == [])
  }
}
