import FeedfallPlaying
import TestSupport
import Testing

@Suite(.hangLimit) struct SeekingTests {
  @Test func `a held key seeks once at a time, and the newest place wins`() {
    var session = PlaySession.playing(at: 10)
    #expect(session.perform(.seek(.by(5))) == [.order(.seek(to: 15))])
    #expect(session.perform(.seek(.by(5))) == [])
    #expect(session.perform(.seek(.by(5))) == [])
    #expect(session.shownTime == 25)
    #expect(session.hear(.sought) == [.order(.seek(to: 25))])
    #expect(session.hear(.sought) == [])
    #expect(session.hearing(.time(seconds: 25.1)).shownTime == 25.1)
  }

  @Test func `what is sought before it is there is sought when it is`() {
    var session = PlaySession(after: .play(film("a.mp4")))
    #expect(session.perform(.seek(.by(15))) == [])
    #expect(session.perform(.seek(.by(15))) == [])
    #expect(session.hear(.ready) == [.order(.seek(to: 30))])
  }

  @Test(arguments: [
    (PlayPlace.by(-60), 0.0), (.by(500), 99), (.at(20), 20), (.share(0), 0), (.share(0.9), 90), (.at(-.infinity), -1),
  ])
  func `places lie in the film`(place: PlayPlace, seconds: Double) {
    var session = PlaySession.playing(at: 50)
    #expect(session.perform(.seek(place)) == (seconds < 0 ? [] : [.order(.seek(to: seconds))]))
  }

  @Test func `of what has no length no share is sought`() {
    var session = PlaySession.playing(duration: nil, at: 50)
    #expect(session.perform(.seek(.share(0.5))) == [])
    #expect(session.perform(.seek(.by(5))) == [.order(.seek(to: 55))])
  }

  @Test func `an end while a place is sought counts from that place`() {
    var session = PlaySession.playing(at: 10)
    _ = session.perform(.seek(.share(1)))
    #expect(session.hearing(.ended(.reachedEnd)).playState == .playStopped)
  }

  @Test func `once more goes to the beginning, and on`() {
    var session = PlaySession.playing(at: 50)
    #expect(session.perform(.again) == [.order(.seek(to: 0))])
    _ = session.hear(.sought)
    _ = session.perform(.togglePause)
    #expect(session.perform(.again) == [.order(.seek(to: 0)), .order(.resume)])
  }
}
