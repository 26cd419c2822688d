import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct PlaybackObserverTests {
  private var observer = PlaybackObserver(watchedShare: 0.9)
  private let first = PlayID(1)

  private mutating func order(_ effect: PlaySession.Effect) -> [PlaybackReport] {
    guard case .order(let order) = effect else { return [] }
    return observer.handle(order)
  }

  private mutating func events(_ events: PlayEvent..., of id: PlayID = PlayID(1)) -> [PlaybackReport] {
    events.flatMap { observer.handle(.event(id, $0)) }
  }

  @Test mutating func `playback is reported at its start, every ten seconds and at its end`() {
    #expect(order(load(1, "a.mp4", at: 50)).isEmpty)
    #expect(events(.time(seconds: 50), .duration(seconds: 100)).isEmpty)
    #expect(
      events(.ready) == [PlaybackReport(.started, of: address("a.mp4"), seconds: 50, duration: 100)])
    #expect(events(.ready, .time(seconds: 55), .time(seconds: 59.9)).isEmpty)
    let progress = events(.time(seconds: 60), .time(seconds: 69), .time(seconds: 30))
    #expect(progress.map(\.seconds) == [60, 30])
    #expect(progress.map(\.moment) == [.progress(isPaused: false), .progress(isPaused: false)])
    #expect(events(.time(seconds: 31), .ended(.reachedEnd)).map(\.moment) == [.stopped])
    #expect(events(.time(seconds: 90), .ended(.stopped)).isEmpty)
  }

  @Test mutating func `a pause is reported once`() {
    _ = order(load(1, "a.mp4"))
    _ = events(.ready)
    #expect(events(.paused(true), .paused(true)).map(\.moment) == [.progress(isPaused: true)])
    #expect(events(.paused(false)).map(\.moment) == [.progress(isPaused: false)])
  }

  @Test mutating func `another video ends the one before, whose late events are ignored`() {
    _ = order(load(1, "a.mp4"))
    _ = events(.ready, .time(seconds: 7))
    let stopped = [PlaybackReport(.stopped, of: address("a.mp4"), seconds: 7)]
    #expect(order(load(2, "b.mp4")) == stopped)
    #expect(events(.time(seconds: 99), .ended(.stopped), of: first).isEmpty)
    #expect(events(.ready, of: PlayID(2)).map(\.address) == [address("b.mp4")])
    #expect(observer.handle(.stop).map(\.moment) == [.stopped])
  }

  @Test mutating func `a video that never starts is not reported`() {
    _ = order(load(1, "a.mp4"))
    #expect(events(.time(seconds: 60), .paused(true), .ended(.failed(.timedOut))).isEmpty)
    _ = order(load(2, "b.mp4"))
    #expect(observer.handle(.unavailable(.crashed)).isEmpty && observer.stop().isEmpty)
  }

  @Test mutating func `a preview is reported once it plays on as a video`() {
    guard case .order(.load(var request)) = load(1, "a.mp4") else { return }
    request.byteLimit = 1_000
    #expect(observer.handle(.load(request)).isEmpty)
    #expect(events(.ready, .time(seconds: 15), .paused(true), .paused(false)).isEmpty)
    #expect(observer.handle(.liftLimit) == [PlaybackReport(.started, of: address("a.mp4"), seconds: 15)])
    #expect(observer.handle(.liftLimit).isEmpty)
    #expect(events(.time(seconds: 20)).isEmpty)
    #expect(events(.time(seconds: 25)).map(\.seconds) == [25])
    #expect(observer.handle(.load(request)).map(\.moment) == [.stopped])
    #expect(events(.ready).isEmpty && observer.handle(.stop).isEmpty)
  }

  @Test(arguments: [0.5, 0.8, 1]) func `a report states whether the video counts as watched for the user`(share: Double)
  {
    var observer = PlaybackObserver(watchedShare: share)
    guard case .order(let order) = load(1, "a.mp4") else { return }
    _ = observer.handle(order)
    let events: [PlayEvent] = [.ready, .duration(seconds: 100), .time(seconds: share * 100 - 1)]
    let before = events.flatMap { observer.handle(.event(PlayID(1), $0)) }
    #expect(before.allSatisfy { !$0.isWatched })
    _ = observer.handle(.event(PlayID(1), .time(seconds: share * 100)))
    #expect(observer.stop().map(\.isWatched) == [true])
  }

  @Test mutating func `a crash of the player ends playback`() {
    _ = order(load(1, "a.mp4"))
    _ = events(.ready)
    #expect(observer.handle(.unavailable(.crashed)).map(\.moment) == [.stopped])
  }
}
