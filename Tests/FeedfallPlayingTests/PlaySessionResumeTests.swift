import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallPlaying

@Suite(.hangLimit) struct PlaySessionResumeTests {
  private func item(resumeSeconds: Int?) -> PlayItem {
    var film = video([("a.mp4", nil)])
    film.resumeSeconds = resumeSeconds
    return PlayItem(film)
  }

  private func starts(_ effects: [PlayEffect]) -> [Double] {
    effects.compactMap { if case .order(.load(let request)) = $0 { request.startSeconds } else { nil } }
  }

  /// The records of an earlier run, which ended at 40 seconds.
  private var records: ResumeRecords {
    var session = PlaySession.playing(item(resumeSeconds: nil), at: 40)
    _ = session.close()
    return session.records
  }

  @Test(arguments: [(nil, 40), (0, 0), (70, 70)])
  func `the position of the source comes before the record of an earlier run`(source: Int?, start: Double) {
    var session = PlaySession(records: records)
    #expect(starts(session.perform(.play(item(resumeSeconds: source)))) == [start])
  }

  @Test func `the position of this run comes before that of the source`() {
    var session = PlaySession.playing(item(resumeSeconds: 70), at: 20)
    _ = session.perform(.stop)
    #expect(starts(session.perform(.play(item(resumeSeconds: 70)))) == [20])
    _ = session.receive(.duration(seconds: 100), .ready, .time(seconds: 100), .ended(.reachedEnd))
    #expect(starts(session.perform(.play(item(resumeSeconds: 70)))) == [0])
  }
}
