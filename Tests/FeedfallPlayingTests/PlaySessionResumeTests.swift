import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallPlaying

@Suite(.hangLimit) struct PlaySessionResumeTests {
  /// A video whose source stores positions, if `resumeSeconds` is not nil.
  private func item(resumeSeconds: Int?, time: Int? = nil) -> PlayItem {
    var film = video([("a.mp4", nil)])
    film.resumeSeconds = resumeSeconds
    film.resumeTime = time.map { UnixTime(seconds: $0) }
    return PlayItem(film)
  }

  private func starts(_ effects: [PlayEffect]) -> [Double] {
    effects.compactMap { if case .order(.load(let request)) = $0 { request.startSeconds } else { nil } }
  }

  /// The records of an earlier run, which stopped at a position at the time 1,000.
  private func records(_ item: PlayItem, at seconds: Double) -> ResumeRecords {
    var session = PlaySession.playing(item, at: seconds)
    _ = session.handle(.event(session.currentID ?? PlayID(0), .time(seconds: seconds)), at: UnixTime(seconds: 1_000))
    _ = session.close()
    return ResumeRecords(lines: session.records.lines)
  }

  @Test(arguments: [(nil, 40), (0, 0), (70, 70)])
  func `the position of the source comes before a record without a time`(source: Int?, start: Double) {
    var session = PlaySession(records: records(item(resumeSeconds: nil), at: 40))
    #expect(starts(session.perform(.play(item(resumeSeconds: source)))) == [start])
  }

  @Test(arguments: [(nil, 70), (999, 40), (1_000, 40), (1_001, 70)])
  func `the newer position counts, that of the source or of an earlier run`(sourceTime: Int?, start: Double) {
    var session = PlaySession(records: records(item(resumeSeconds: 20), at: 40))
    #expect(starts(session.perform(.play(item(resumeSeconds: 70, time: sourceTime)))) == [start])
  }

  @Test(arguments: [(1, 999, 0), (1, 1_001, 70), (99, 999, 0)] as [(Double, Int, Double)])
  func `a video seen to its end begins again, unless it was played elsewhere later`(
    end: Double, sourceTime: Int, start: Double
  ) {
    var session = PlaySession(records: records(item(resumeSeconds: 20), at: end))
    #expect(starts(session.perform(.play(item(resumeSeconds: 70, time: sourceTime)))) == [start])
    #expect(session.records.count == 1)
  }

  @Test func `a video played elsewhere since this program played it resumes there`() {
    var session = PlaySession.playing(item(resumeSeconds: 70), at: 20)
    _ = session.handle(.event(session.currentID ?? PlayID(0), .time(seconds: 20)), at: UnixTime(seconds: 1_000))
    #expect(session.perform(.stop).contains(.saveRecords))
    #expect(starts(session.perform(.play(item(resumeSeconds: 70, time: 500)))) == [20])
    #expect(starts(session.perform(.play(item(resumeSeconds: 80, time: 2_000)))) == [80])
  }

  @Test func `the end of a video is stored, because the source may not know of it`() throws {
    var session = PlaySession.playing(item(resumeSeconds: 70), at: 20)
    let id = try #require(session.currentID)
    let reports = [98, 99, 100].map { PlayerReport.event(id, .time(seconds: $0)) } + [.event(id, .ended(.reachedEnd))]
    let saved = reports.enumerated().map { index, report in
      session.handle(report, at: UnixTime(seconds: 997 + index)).contains(.saveRecords)
    }
    #expect(saved == [true, false, false, true])
    #expect(starts(session.perform(.play(item(resumeSeconds: 70, time: 500)))) == [0])
    #expect(session.records.lines == "0@1000 films.example film\n")
  }
}
