import FeedfallFeeds
import FeedfallText
import FeedfallUserData
import TestSupport
import Testing

@testable import FeedfallPlaying

@Suite(.hangLimit) struct PlaySessionResumeTests {
  private func starts(_ effects: [PlayEffect]) -> [Double] {
    effects.compactMap { if case .order(.load(let request)) = $0 { request.startSeconds } else { nil } }
  }

  @Test func `playback starts at the item's position, and again where it was stopped`() {
    var session = PlaySession()
    #expect(starts(session.perform(.play(PlayItem(video([("a.mp4", nil)]), startSeconds: 40)))) == [40])
    session = session.receiving(.duration(seconds: 100), .ready, .time(seconds: 50))
    #expect(session.perform(.stop).contains(.savePosition))
    #expect(starts(session.perform(.togglePause)) == [50])
  }

  @Test func `a position that has not changed is not saved again`() {
    var session = PlaySession(after: .play(PlayItem(video([("a.mp4", nil)]), startSeconds: 40)))
    session = session.receiving(.duration(seconds: 100), .ready, .time(seconds: 40.5))
    #expect(session.close() == [])
  }

  @Test func `the saved position has the key of the item, although its details have changed it`() {
    let key = VideoKey(text: "pages.example film")
    var session = PlaySession(after: .play(PlayItem(video([("a.mp4", nil)]), key: key)))
    session = session.receiving(.duration(seconds: 100), .ready, .time(seconds: 40))
    _ = session.close()
    #expect(session.savedPosition == PlayPosition(key: key, seconds: 40, duration: 100))
  }

  @Test func `a video is reported as watched once for each start`() {
    var session = PlaySession.playing(duration: 1_000, at: 50)
    let reports = [890.0, 600, 900, 910].map { seconds in
      session = session.receiving(.time(seconds: seconds))
      return session.savedPosition?.isWatched
    }
    #expect(reports == [false, false, true, true])
    #expect(session.close().contains(.savePosition) && session.savedPosition?.isWatched == false)
    _ = session.perform(.stop)
    _ = session.perform(.replay)
    session = session.receiving(.duration(seconds: 1_000), .ready, .time(seconds: 950))
    #expect(session.savedPosition?.isWatched == true)
  }
}
