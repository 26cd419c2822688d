import FeedfallFeeds
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct PlaySessionChapterTests {
  private func chapters(_ starts: Double...) -> [Chapter] { Chapter.list(starts.map { (start: $0, title: nil) }) }

  private func session(_ starts: [Double] = [0, 20, 60], at seconds: Double) -> PlaySession {
    let chapters = Chapter.list(starts.map { (start: $0, title: nil) })
    return PlaySession.playing(at: seconds).receiving(.chapters(chapters))
  }

  @Test(arguments: [
    (10.0, 1, 20.0), (20, 1, 60), (22, -1, 0), (40, -1, 20), (2, -1, 0), (62, -1, 20),
  ])
  func `chapter commands seek relative to the current chapter`(time: Double, step: Int, expected: Double) {
    var session = session(at: time)
    #expect(session.perform(.seekChapter(by: step)) == [.order(.seek(to: expected))])
  }

  @Test func `seeks add up`() {
    var session = session(at: 10)
    _ = session.perform(.seekChapter(by: 1))
    #expect(session.chapterIndex == 1)
    #expect(session.perform(.seekChapter(by: 1)) == [])
    #expect(session.shownTime == 60 && session.chapterIndex == 2)
  }

  @Test func `a seek after the last chapter or without chapters is answered`() {
    var session = session(at: 70)
    #expect(session.perform(.seekChapter(by: 1)) == [.show(.isLastChapter)])
    var other = PlaySession.playing(at: 70)
    #expect(other.perform(.seekChapter(by: 1)) == [.show(.noChapters)])
    var stopped = PlaySession()
    #expect(stopped.perform(.seekChapter(by: 1)) == [])
  }

  @Test func `before the first chapter, going back leads to the beginning`() {
    var session = session([30, 60], at: 10)
    #expect(session.chapterIndex == nil)
    #expect(session.perform(.seekChapter(by: -1)) == [.order(.seek(to: 0))])
  }

  @Test func `the feed's chapters precede those of the file, and these the description's`() {
    var film = video([("a.mp4", nil)])
    film.summary = "0:00 A\n0:10 B"
    var session = PlaySession.playing(PlayItem(film))
    #expect(session.chapters.all.map(\.title) == ["A", "B"])
    _ = session.receive(.chapters(chapters(0, 20)))
    #expect(session.chapters.all == chapters(0, 20))
    film.chapters = chapters(0, 30)
    session.update(PlayItem(film))
    #expect(session.chapters.all == chapters(0, 30))
    var other = video([("b.mp4", nil)], id: "other")
    other.chapters = chapters(0, 40)
    session.update(PlayItem(other))
    #expect(session.chapters.all == chapters(0, 30))
  }

  @Test func `chapters after the end are dropped, and another video has none of them`() {
    var session = session([0, 50, 200], at: 10)
    #expect(session.chapters.all == chapters(0, 50))
    _ = session.perform(.play(playItem("b.mp4", id: "other")))
    #expect(session.chapters.all.isEmpty && session.file.chapters.isEmpty)
  }
}
