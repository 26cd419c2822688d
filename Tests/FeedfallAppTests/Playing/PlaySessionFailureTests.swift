import FeedfallApp
import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct PlaySessionFailureTests {
  private static let failures: [PlayFailure] = [
    .notInstalled, .helperNotInstalled, .noMedia, .http(status: 500), .unreachable, .nameNotFound, .refused, .timedOut,
    .unrecognizedFormat, .noStreams, .notSeekable, .endedEarly(seconds: 7), .displayUnavailable, .outputFailed,
    .crashed,
    .notStarted(reason: "no memory"),
  ]

  @Test(arguments: failures)
  func `a failure leaves the full window, and replay continues from the last position`(failure: PlayFailure) {
    var session = PlaySession.playing(at: 40)
    #expect(session.receive(.ended(.failed(failure))) == [.leaveFullWindow, .savePosition])
    #expect(session.playState == .playFailed(failure))
    #expect(session.loadState == .unknown)
    #expect(session.perform(.replay) == [load(2, "a.mp4", at: 40)])
  }

  @Test func `each failure has a distinct reason`() {
    #expect(Set(Self.failures.map(\.reason)).count == Self.failures.count)
  }

  @Test func `a video that ends at its resume position is retried from the beginning`() {
    var session = PlaySession.playing(at: 60).receiving(.ended(.reachedEnd))
    #expect(session.perform(.replay) == [load(2, "a.mp4", at: 60)])
    session = session.receiving(.duration(seconds: 100), .ready, .time(seconds: 60.4), .ended(.reachedEnd))
    #expect(session.playState == .playFailed(.endedEarly(seconds: 60.4)))
    #expect(session.perform(.replay) == [load(3, "a.mp4")])
  }

  @Test func `after a failure, commands send no orders`() {
    var session = PlaySession.playing(at: 40).receiving(.ended(.failed(.timedOut)))
    for command in [
      PlayCommand.seek(.by(5)), .seek(.at(3)), .seek(.share(0.5)), .changeVolume(by: -5), .takeScreenshot,
    ] {
      #expect(session.perform(command) == [])
    }
    #expect(session.shownTime == 40)
    #expect(session.perform(.stop) == [])
    #expect(session.playState == .playStopped)
  }

  @Test func `toggling pause after a failure retries`() {
    var session = PlaySession.playing(at: 40).receiving(.ended(.failed(.timedOut)))
    #expect(session.perform(.togglePause) == [load(2, "a.mp4", at: 40)])
  }

  @Test(arguments: [
    PlayFailure.http(status: 403), .http(status: 404), .http(status: 410), .unrecognizedFormat, .noStreams,
    .notSeekable,
  ])
  func `a missing or unplayable file falls back to the next address`(failure: PlayFailure) {
    var session = PlaySession(after: .play(playItem("a.mp4", "a.flv")))
    #expect(session.receive(.ended(.failed(failure))) == [load(2, "a.flv")])
    #expect(session.playState == .playing)
    #expect(session.receive(.ended(.failed(failure))) == [.leaveFullWindow])
    #expect(session.playState == .playFailed(failure))
    #expect(session.perform(.replay) == [load(3, "a.mp4")])
  }

  @Test(arguments: [PlayFailure.http(status: 500), .unreachable, .timedOut, .crashed])
  func `a temporary failure does not fall back to another address`(failure: PlayFailure) {
    var session = PlaySession(after: .play(playItem("a.mp4", "a.flv")))
    #expect(session.receive(.ended(.failed(failure))) == [.leaveFullWindow])
  }

  @Test func `the extension that worked on a host is tried first among equal heights`() {
    var session = PlaySession(after: .play(playItem("a.mp4", "a.flv")))
    _ = session.receive(.ended(.failed(.http(status: 404))))
    _ = session.receive(.ready)
    #expect(session.perform(.play(playItem("b.mp4", "b.flv"))) == [load(3, "b.flv")])
    let other = PlayItem(video([("c.mp4", 720), ("c.flv", 360)]))
    #expect(session.perform(.play(other)) == [load(4, "c.mp4")])
  }

  @Test func `a video that has begun does not fall back to another address`() {
    var session = PlaySession.playing(playItem("a.mp4", "a.flv"), at: 30)
    #expect(session.receive(.ended(.failed(.http(status: 404)))) == [.leaveFullWindow, .savePosition])
    #expect(session.perform(.replay) == [load(2, "a.mp4", at: 30)])
  }

  @Test func `a fallback keeps the pause and the start position`() {
    var session = PlaySession.playing(playItem("a.mp4", "a.flv"), at: 30)
    _ = session.perform(.stop)
    _ = session.perform(.togglePause)
    _ = session.perform(.togglePause)
    #expect(session.receive(.ended(.failed(.http(status: 404)))) == [load(3, "a.flv", at: 30, isPaused: true)])
  }

  @Test func `a video without an address fails`() {
    var session = PlaySession()
    #expect(session.perform(.play(playItem())) == [.leaveFullWindow])
    #expect(session.playState == .playFailed(.noMedia))
  }

  @Test func `a restarted player is configured again`() {
    var session = PlaySession.playing(at: 30)
    #expect(session.handle(.unavailable(.crashed)) == [.leaveFullWindow, .savePosition])
    #expect(session.playState == .playFailed(.crashed))
    #expect(session.handle(.unavailable(.crashed)) == [])
    #expect(session.perform(.replay) == defaultConfiguration + [load(2, "a.mp4", at: 30)])
  }

  @Test func `without a display, playback continues in cells`() {
    var session = PlaySession.playing(at: 30)
    #expect(
      session.perform(.togglePresentation(.window)) == [.order(.configure(PlayerConfiguration(presentation: .window)))])
    #expect(
      session.receive(.ended(.failed(.displayUnavailable)))
        == [
          .show(.noDisplay), .order(.configure(PlayerConfiguration(presentation: .soundOnly))),
          load(2, "a.mp4", at: 30),
        ])
    _ = session.perform(.togglePresentation(.window))
    #expect(session.handle(.presentationChanged(.window)) == [])
    #expect(
      session.handle(.presentationChanged(.cells)) == [
        .show(.noDisplay), .order(.configure(PlayerConfiguration(presentation: .soundOnly))),
      ])
    #expect(session.settings.presentation == .cells)
    #expect(session.handle(.presentationChanged(.cells)) == [])
  }

  /// In ZFPlayer, a replay after the end jumped to the end.
  @Test func `replay after the end starts at the beginning`() {
    var session = PlaySession.playing()
    _ = session.perform(.seek(.at(98)))
    _ = session.perform(.seek(.at(99)))
    session = session.receiving(.time(seconds: 99), .ended(.reachedEnd))
    #expect(session.perform(.replay) == [load(2, "a.mp4")])
    #expect(session.shownTime == 0)
    #expect(session.receive(.ready) == [])
    #expect(PlaySession.playing(at: 99).receiving(.ended(.reachedEnd)).replayed == [load(2, "a.mp4")])
  }
}

extension PlaySession {
  fileprivate var replayed: [PlaySession.Effect] {
    var copy = self
    return copy.perform(.togglePause)
  }

  @Test func `a film that leaves https asks the user and tries no other address`() throws {
    let addresses = try [
      #require(WebAddress("https://films.example/a.mp4")), #require(WebAddress("http://cdn.example/a.mp4")),
    ]
    let redirect = UnencryptedRedirect(from: addresses[0], to: addresses[1])
    var session = PlaySession(after: .play(playItem("a.mp4", "a.flv")))
    #expect(session.receive(.ended(.failed(.loginLeavesHTTPS(redirect)))) == [.leaveFullWindow])
    _ = session.perform(.replay)
    #expect(session.receive(.ended(.failed(.leavesHTTPS(redirect)))) == [.leaveFullWindow, .ask(redirect)])
    var item = try #require(session.item)
    item.allowsHTTP = true
    session.update(item)
    var request = PlayRequest(id: PlayID(3), address: address("a.mp4"), title: "A video")
    request.allowsHTTP = true
    #expect(session.perform(.replay) == [.order(.load(request))])
  }
}
