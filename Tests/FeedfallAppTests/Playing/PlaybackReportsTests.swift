import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct PlaybackReportsTests {
  private var reports = PlaybackReports(watchedShare: 0.9)
  private var tickets = TicketOffice(number: 0)

  /// The reports after an event, of which the server answers each at once.
  private mutating func sent(_ event: AppEvent, _ orders: PlayerOrder...) -> [PlaybackReport] {
    var effects = reports.update(after: event, orders.map(AppEffect.player), &tickets)
    var sent: [PlaybackReport] = []
    while case .reportPlayback(let report, let ticket)? = effects.first {
      sent.append(report)
      effects = effects.dropFirst() + reports.update(after: .playbackReported(ticket), [], &tickets)
    }
    return sent
  }

  private mutating func order(_ effect: PlaySession.Effect) -> [PlaybackReport] {
    guard case .order(let order) = effect else { return [] }
    return sent(.continued, order)
  }

  private mutating func events(_ events: PlayEvent..., of id: PlayID = PlayID(1)) -> [PlaybackReport] {
    events.flatMap { sent(.player(.event(id, $0))) }
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
    #expect(events(.time(seconds: 99), .ended(.stopped)).isEmpty)
    #expect(events(.ready, of: PlayID(2)).map(\.address) == [address("b.mp4")])
    #expect(sent(.continued, .stop).map(\.moment) == [.stopped])
  }

  @Test mutating func `a video that never starts is not reported`() {
    _ = order(load(1, "a.mp4"))
    #expect(events(.time(seconds: 60), .paused(true), .ended(.failed(.timedOut))).isEmpty)
    _ = order(load(2, "b.mp4"))
    #expect(sent(.player(.unavailable(.crashed))).isEmpty && sent(.ending).isEmpty)
  }

  @Test mutating func `a preview is reported once it plays on as a video`() {
    guard case .order(.load(var request)) = load(1, "a.mp4") else { return }
    request.byteLimit = 1_000
    #expect(sent(.continued, .load(request)).isEmpty)
    #expect(events(.ready, .time(seconds: 15), .paused(true), .paused(false)).isEmpty)
    #expect(sent(.continued, .liftLimit) == [PlaybackReport(.started, of: address("a.mp4"), seconds: 15)])
    #expect(sent(.continued, .liftLimit).isEmpty)
    #expect(events(.time(seconds: 20)).isEmpty)
    #expect(events(.time(seconds: 25)).map(\.seconds) == [25])
    #expect(sent(.continued, .load(request)).map(\.moment) == [.stopped])
    #expect(events(.ready).isEmpty && sent(.continued, .stop).isEmpty)
  }

  @Test(arguments: [0.5, 0.8, 1])
  mutating func `a report states whether the video counts as watched for the user`(share: Double) {
    reports = PlaybackReports(watchedShare: share)
    _ = order(load(1, "a.mp4"))
    let before = events(.ready, .duration(seconds: 100), .time(seconds: share * 100 - 1))
    #expect(!before.isEmpty && before.allSatisfy { !$0.isWatched })
    _ = events(.time(seconds: share * 100))
    #expect(sent(.ending).map(\.isWatched) == [true])
  }

  @Test mutating func `a crash of the player ends playback`() {
    _ = order(load(1, "a.mp4"))
    _ = events(.ready)
    #expect(sent(.player(.unavailable(.crashed))).map(\.moment) == [.stopped])
  }

  // MARK: - A server that does not answer

  private func moments(_ effects: [AppEffect]) -> [PlaybackReport.Moment] {
    effects.compactMap { if case .reportPlayback(let report, _) = $0 { report.moment } else { nil } }
  }

  @Test func `reports wait for the preceding one, and only the last progress of a video is sent`() throws {
    var scenario = Scenario.playing()
    #expect(moments(scenario.effects) == [.started])
    for second in 1...1_000 { scenario.report(.time(seconds: Double(second % 2 * 50)), .paused(second % 3 == 0)) }
    scenario.report(.ended(.reachedEnd))
    #expect(moments(scenario.effects) == [.started])
    scenario.handle(.playbackReported(Ticket(office: 9, number: 9)))
    #expect(moments(scenario.effects) == [.started])
    for expected in [[.started, .stopped], [.started, .stopped]] as [[PlaybackReport.Moment]] {
      guard case .reportPlayback(_, let ticket)? = scenario.effects.last(where: { !moments([$0]).isEmpty }) else {
        throw TestFailure("no report")
      }
      scenario.handle(.playbackReported(ticket))
      #expect(moments(scenario.effects) == expected)
    }
  }

  @Test func `the end of the program sends the last report of the playing video at once`() {
    var scenario = Scenario.playing()
    scenario.report(.paused(true))
    let count = scenario.effects.count
    scenario.handle(.ending)
    #expect(moments(Array(scenario.effects.dropFirst(count))) == [.stopped])
  }

  @Test mutating func `the reports of many videos are bounded, and each video keeps its last one`() {
    for number in 1...200 {
      guard case .order(let order) = load(number, "\(number).mp4") else { return }
      _ = reports.update(after: .continued, [.player(order)], &tickets)
      _ = reports.update(after: .player(.event(PlayID(number), .ready)), [], &tickets)
    }
    let last = reports.update(after: .ending, [], &tickets)
    #expect(moments(last) == [PlaybackReport.Moment](repeating: .stopped, count: last.count))
    #expect((50...101).contains(last.count))
  }
}
