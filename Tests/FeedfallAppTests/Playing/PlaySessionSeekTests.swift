import FeedfallApp
import TestSupport
import Testing

@Suite(.hangLimit) struct PlaySessionSeekTests {
  @Test func `repeated seeks are sent one at a time and the newest target wins`() {
    var session = PlaySession.playing(at: 10)
    #expect(session.perform(.seek(.by(5))) == [.order(.seek(to: 15))])
    #expect(session.perform(.seek(.by(5))) == [])
    #expect(session.perform(.seek(.by(5))) == [])
    #expect(session.shownTime == 25)
    #expect(session.receive(.seekCompleted) == [.order(.seek(to: 25))])
    #expect(session.receive(.seekCompleted) == [])
    #expect(session.receiving(.time(seconds: 25.1)).shownTime == 25.1)
  }

  @Test func `a seek before the video is ready is sent when it is ready`() {
    var session = PlaySession(after: .play(playItem("a.mp4")))
    #expect(session.perform(.seek(.by(15))) == [])
    #expect(session.perform(.seek(.by(15))) == [])
    #expect(session.receive(.ready) == [.order(.seek(to: 30))])
  }

  @Test(arguments: [
    (PlayCommand.SeekTarget.by(-60), 0.0), (.by(500), 99), (.at(20), 20), (.share(0), 0), (.share(0.9), 90),
    (.at(-.infinity), -1),
  ])
  func `seek targets are clamped to the duration`(target: PlayCommand.SeekTarget, seconds: Double) {
    var session = PlaySession.playing(at: 50)
    #expect(session.perform(.seek(target)) == (seconds < 0 ? [] : [.order(.seek(to: seconds))]))
  }

  @Test func `seeking to a share needs a duration`() {
    var session = PlaySession.playing(duration: nil, at: 50)
    #expect(session.perform(.seek(.share(0.5))) == [])
    #expect(session.perform(.seek(.by(5))) == [.order(.seek(to: 55))])
  }

  @Test func `an end during a seek is judged by the seek target`() {
    var session = PlaySession.playing(at: 10)
    _ = session.perform(.seek(.share(1)))
    #expect(session.receiving(.ended(.reachedEnd)).playState == .playStopped)
  }

  @Test func `replay seeks to the beginning and resumes`() {
    var session = PlaySession.playing(at: 50)
    #expect(session.perform(.replay) == [.order(.seek(to: 0))])
    _ = session.receive(.seekCompleted)
    _ = session.perform(.togglePause)
    #expect(session.perform(.replay) == [.order(.seek(to: 0)), .order(.resume)])
  }
}
