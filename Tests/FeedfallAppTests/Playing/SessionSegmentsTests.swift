import FeedfallFeeds
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct SessionSegmentsTests {
  private let id = "dQw4w9WgXcQ"

  private func segment(_ start: Double, _ end: Double, _ category: VideoSegment.Category = .sponsor) throws
    -> VideoSegment
  { try #require(VideoSegment(category, from: start, to: end)) }

  /// A session that plays a video of 100 s from its beginning and skips the segments.
  private func session(_ segments: VideoSegment..., skips: Bool = true) throws -> PlaySession {
    var film = video([("a.mp4", nil)])
    film.pageURL = WebAddress("https://www.youtube.com/watch?v=\(id)")
    var session = PlaySession.playing(PlayItem(film))
    session.settings.skipsSegments = skips
    session.setSegments(segments, ofYouTube: id)
    return session
  }

  private func skipped(_ start: Double, _ end: Double, _ category: VideoSegment.Category = .sponsor) -> [PlaySession
    .Effect]
  {
    [.order(.seek(to: end)), .show(.skipped(PlaySession.Segments.Skip(category: category, start: start, end: end)))]
  }

  @Test func `playback skips a segment at its start`() throws {
    var session = try session(segment(20, 50))
    #expect(session.reactions(to: .time(seconds: 19.9)) == [])
    #expect(session.reactions(to: .time(seconds: 20)) == skipped(20, 50))
    #expect(session.shownTime == 50)
    // Until the seek has an effect, and a frame before its target.
    #expect(
      session.reactions(to: .time(seconds: 20.1), .time(seconds: 49.97), .seekCompleted, .time(seconds: 49.97)) == [])
    #expect(session.reactions(to: .time(seconds: 50.1)) == [])
  }

  @Test func `a segment in the last second is played`() throws {
    var session = try session(segment(99.5, 100))
    #expect(session.reactions(to: .time(seconds: 99.5)) == [])
  }

  @Test func `segments without a gap between them are one skip`() throws {
    var session = try session(segment(20, 30, .intro), segment(25, 40), segment(40, 45, .outro), segment(46, 50))
    #expect(session.reactions(to: .time(seconds: 20)) == skipped(20, 45, .intro))
  }

  @Test func `a skip that is taken back plays the segment`() throws {
    var session = try session(segment(20, 50))
    _ = session.reactions(to: .time(seconds: 20), .time(seconds: 50), .seekCompleted)
    #expect(session.perform(.playSkipped) == [.order(.seek(to: 20))])
    #expect(session.reactions(to: .time(seconds: 20), .seekCompleted, .time(seconds: 21)) == [])
    #expect(session.perform(.playSkipped) == [.show(.nothingSkipped)])
  }

  @Test func `a segment that the user seeks to is played`() throws {
    var session = try session(segment(20, 50), segment(70, 80))
    #expect(session.perform(.seek(.at(30))) == [.order(.seek(to: 30))])
    #expect(session.reactions(to: .time(seconds: 30), .seekCompleted, .time(seconds: 31)) == [])
    #expect(session.reactions(to: .time(seconds: 70)) == skipped(70, 80))
  }

  @Test func `a replay skips again`() throws {
    var session = try session(segment(0, 10))
    #expect(session.reactions(to: .time(seconds: 0)) == skipped(0, 10))
    _ = session.reactions(to: .time(seconds: 10), .seekCompleted, .time(seconds: 11))
    #expect(session.perform(.replay) == [.order(.seek(to: 0))])
    #expect(session.reactions(to: .time(seconds: 0), .seekCompleted, .time(seconds: 0.1)) == skipped(0, 10))
  }

  @Test func `a segment at the end leads to the last second, once`() throws {
    var session = try session(segment(80, 200, .outro))
    let effects = session.reactions(to: .time(seconds: 80))
    #expect(effects.first == .order(.seek(to: 99)))
    #expect(session.reactions(to: .time(seconds: 99), .seekCompleted, .time(seconds: 99.5)) == [])
  }

  @Test func `a video without seeking is skipped once only`() throws {
    var session = try session(segment(20, 50))
    _ = session.reactions(to: .time(seconds: 20))
    #expect(session.reactions(to: .seekCompleted, .time(seconds: 20.2), .time(seconds: 40)) == [])
  }

  @Test func `nothing is skipped while marks only are wanted, or during a pause or an A–B loop`() throws {
    var marked = try session(segment(20, 50), skips: false)
    #expect(marked.reactions(to: .time(seconds: 30)) == [])
    var paused = try session(segment(20, 50))
    _ = paused.perform(.togglePause)
    #expect(paused.reactions(to: .time(seconds: 30)) == [])
    var looped = try session(segment(20, 50))
    _ = looped.reactions(to: .time(seconds: 10))
    _ = looped.perform(.markLoop)
    _ = looped.reactions(to: .time(seconds: 19))
    _ = looped.perform(.markLoop)
    #expect(looped.reactions(to: .time(seconds: 20)) == [])
  }

  @Test func `segments that arrive late are skipped from the current position on`() throws {
    var session = try session()
    _ = session.reactions(to: .time(seconds: 5))
    session.setSegments([try segment(0, 10)], ofYouTube: id)
    #expect(session.reactions(to: .time(seconds: 5.1)) == skipped(0, 10))
  }

  @Test func `segments of another video are ignored, and the next video has none`() throws {
    var session = try session(segment(20, 50))
    session.setSegments([], ofYouTube: "another")
    #expect(session.segments.all.count == 1)
    _ = session.perform(.play(playItem("b.mp4", id: "b")))
    #expect(session.segments.all.isEmpty)
    #expect(session.perform(.playSkipped) == [.show(.nothingSkipped)])
  }
}

extension PlaySession {
  /// Handles events of the current load; returns the effects except saved positions.
  fileprivate mutating func reactions(to events: PlayEvent...) -> [PlaySession.Effect] {
    events.flatMap { receive($0) }.filter { $0 != .savePosition }
  }
}
