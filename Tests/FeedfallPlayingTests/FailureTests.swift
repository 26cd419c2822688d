import FeedfallPlaying
import TestSupport
import Testing

@Suite(.hangLimit) struct FailureTests {
  private static let failures: [PlayFailure] = [
    .notInstalled, .helperNotInstalled, .noMedia, .http(status: 500), .unreachable, .timedOut, .unrecognizedFormat,
    .noStreams, .endedEarly(seconds: 7), .displayUnavailable, .outputFailed, .crashed, .notStarted(reason: "no memory"),
  ]

  @Test(arguments: failures)
  func `a failure leaves the full window and stays until it is tried again from its last place`(failure: PlayFailure) {
    var session = PlaySession.playing(at: 40)
    #expect(session.hear(.ended(.failed(failure))) == [.leaveFullWindow, .keepRecords])
    #expect(session.playState == .playFailed(failure))
    #expect(session.loadState == .unknown)
    #expect(session.perform(.again) == [load(2, "a.mp4", at: 40)])
  }

  @Test func `each failure has words of its own`() {
    #expect(Set(Self.failures.map(\.reason)).count == Self.failures.count)
  }

  @Test func `what ends where it was left off is tried again from its beginning`() {
    var session = PlaySession.playing(at: 60).hearing(.ended(.reachedEnd))
    #expect(session.perform(.again) == [load(2, "a.mp4", at: 60)])
    session = session.hearing(.duration(seconds: 100), .ready, .time(seconds: 60.4), .ended(.reachedEnd))
    #expect(session.playState == .playFailed(.endedEarly(seconds: 60.4)))
    #expect(session.perform(.again) == [load(3, "a.mp4")])
  }

  @Test func `in a failed state nothing is sought, paused or told`() {
    var session = PlaySession.playing(at: 40).hearing(.ended(.failed(.timedOut)))
    for wish in [PlayWish.seek(.by(5)), .seek(.at(3)), .seek(.share(0.5)), .changeVolume(by: -5), .takePicture] {
      #expect(session.perform(wish) == [])
    }
    #expect(session.shownTime == 40)
    #expect(session.perform(.stop) == [])
    #expect(session.playState == .playStopped)
  }

  @Test func `space in a failed state tries again`() {
    var session = PlaySession.playing(at: 40).hearing(.ended(.failed(.timedOut)))
    #expect(session.perform(.togglePause) == [load(2, "a.mp4", at: 40)])
  }

  @Test(arguments: [
    PlayFailure.http(status: 403), .http(status: 404), .http(status: 410), .unrecognizedFormat, .noStreams,
  ])
  func `what is not there is tried at the next address, and last said to have failed`(failure: PlayFailure) {
    var session = PlaySession(after: .play(film("a.mp4", "a.flv")))
    #expect(session.hear(.ended(.failed(failure))) == [load(2, "a.flv")])
    #expect(session.playState == .playing)
    #expect(session.hear(.ended(.failed(failure))) == [.leaveFullWindow])
    #expect(session.playState == .playFailed(failure))
    #expect(session.perform(.again) == [load(3, "a.mp4")])
  }

  @Test(arguments: [PlayFailure.http(status: 500), .unreachable, .timedOut, .crashed])
  func `what may be there later is not tried elsewhere`(failure: PlayFailure) {
    var session = PlaySession(after: .play(film("a.mp4", "a.flv")))
    #expect(session.hear(.ended(.failed(failure))) == [.leaveFullWindow])
  }

  @Test func `what has won on a server is tried there first, among addresses of one height`() {
    var session = PlaySession(after: .play(film("a.mp4", "a.flv")))
    _ = session.hear(.ended(.failed(.http(status: 404))))
    _ = session.hear(.ready)
    #expect(session.perform(.play(film("b.mp4", "b.flv"))) == [load(3, "b.flv")])
    let other = PlayItem(video([("c.mp4", 720), ("c.flv", 360)]))
    #expect(session.perform(.play(other)) == [load(4, "c.mp4")])
  }

  @Test func `what had begun is not tried elsewhere`() {
    var session = PlaySession.playing(film("a.mp4", "a.flv"), at: 30)
    #expect(session.hear(.ended(.failed(.http(status: 404)))) == [.leaveFullWindow, .keepRecords])
    #expect(session.perform(.again) == [load(2, "a.mp4", at: 30)])
  }

  @Test func `what is tried elsewhere keeps its pause and its beginning`() {
    var session = PlaySession.playing(film("a.mp4", "a.flv"), at: 30)
    _ = session.perform(.stop)
    _ = session.perform(.play(film("a.mp4", "a.flv")))
    _ = session.perform(.togglePause)
    #expect(session.hear(.ended(.failed(.http(status: 404)))) == [load(3, "a.flv", at: 30, isPaused: true)])
  }

  @Test func `a video without an address is not loaded`() {
    var session = PlaySession()
    #expect(session.perform(.play(film())) == [.leaveFullWindow])
    #expect(session.playState == .playFailed(.noMedia))
  }

  @Test func `a player that is gone is told everything anew`() {
    var session = PlaySession.playing(at: 30)
    #expect(session.handle(.gone(.crashed)) == [.leaveFullWindow, .keepRecords])
    #expect(session.playState == .playFailed(.crashed))
    #expect(session.handle(.gone(.crashed)) == [])
    #expect(session.perform(.again) == allSettings + [load(2, "a.mp4", at: 30)])
  }

  @Test func `without a display it goes on in cells`() {
    var session = PlaySession.playing(at: 30)
    #expect(session.perform(.togglePresentation(.window)) == [.order(.setPresentation(.window))])
    #expect(
      session.hear(.ended(.failed(.displayUnavailable)))
        == [.tell(.noDisplay), .order(.setPresentation(.soundOnly)), load(2, "a.mp4", at: 30)])
    _ = session.perform(.togglePresentation(.window))
    #expect(session.handle(.presented(.window)) == [])
    #expect(session.handle(.presented(.cells)) == [.tell(.noDisplay), .order(.setPresentation(.soundOnly))])
    #expect(session.settings.presentation == .cells)
    #expect(session.handle(.presented(.cells)) == [])
  }

  /// ZFPlayer: after ten videos nothing is loaded any more.
  @Test func `sixty videos one after another`() {
    var session = PlaySession()
    _ = session.perform(.play(film("0.mp4")))
    for number in 2...60 {
      _ = session.hearing(.ready, .time(seconds: 3))
      #expect(session.perform(.play(film("\(number).mp4"))) == [load(number, "\(number).mp4")])
      #expect(session.loadState == .prepare)
    }
  }

  /// ZFPlayer: once more after the end jumps to the end.
  @Test func `once more after the end begins at the beginning`() {
    var session = PlaySession.playing()
    _ = session.perform(.seek(.at(98)))
    _ = session.perform(.seek(.at(99)))
    session = session.hearing(.time(seconds: 99), .ended(.reachedEnd))
    #expect(session.perform(.again) == [load(2, "a.mp4")])
    #expect(session.shownTime == 0)
    #expect(session.hear(.ready) == [])
    #expect(PlaySession.playing(at: 99).hearing(.ended(.reachedEnd)).replayed == [load(2, "a.mp4")])
  }
}

extension PlaySession {
  fileprivate var replayed: [PlayEffect] {
    var copy = self
    return copy.perform(.togglePause)
  }
}
