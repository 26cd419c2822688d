import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct PlaySessionResumeTests {
  private func starts(_ effects: [PlaySession.Effect]) -> [Double] {
    effects.compactMap { if case .order(.load(let request)) = $0 { request.startSeconds } else { nil } }
  }

  @Test func `playback starts at the item's position, and again where it was stopped`() {
    var session = PlaySession()
    #expect(starts(session.perform(.play(PlayItem(video([("a.mp4", nil)]), startSeconds: 40)))) == [40])
    session = session.receiving(.duration(seconds: 100), .ready, .time(seconds: 50))
    _ = session.perform(.stop)
    #expect(session.savedPosition?.seconds == 50)
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
    #expect(session.savedPosition?.key == key && session.savedPosition?.seconds == 40)
  }

  @Test func `a video that cannot be played stops the previous one and saves only that one's position`() {
    let previous = playItem("a.mp4")
    var session = PlaySession.playing(previous, at: 50)
    let effects = session.perform(.play(PlayItem(video([], id: "other"))))
    #expect(effects == [.savePosition, .order(.stop), .leaveFullWindow])
    #expect(session.savedPosition == PlayPosition(key: previous.key, seconds: 50, duration: 100))
    #expect(session.failure == .noMedia && session.shownTime == 0 && session.shownDuration == nil)
  }

  @Test(arguments: [LiveState.live, .upcoming(nil), .ended, nil])
  func `a broadcast becomes watched only after it has ended`(live: LiveState?) {
    var broadcast = video([("a.mp4", nil)])
    broadcast.live = live
    let isRecording = live == .ended || live == nil
    var session = PlaySession.playing(PlayItem(broadcast), duration: 1_000, at: 50)
    session = session.receiving(.time(seconds: 990))
    #expect(session.savedPosition?.isWatched == false)
    _ = session.close()
    #expect(session.savedPosition?.isWatched == isRecording)
    session = PlaySession.playing(PlayItem(broadcast), duration: 1_000, at: 989).receiving(.ended(.reachedEnd))
    #expect(session.savedPosition?.isWatched == (isRecording ? true : nil))
  }

  @Test func `the saved position is at most five seconds old, however the video is played`() {
    for seed in 0..<20 {
      var random = SeededGenerator(seed: UInt64(seed))
      let length = Double.random(in: 30...400, using: &random)
      var session = PlaySession.playing(duration: length, at: 0)
      var time = 0.0
      for _ in 0..<300 {
        let isSeek = random.chance(1, in: 20)
        time = isSeek ? .random(in: 0...length, using: &random) : time + .random(in: 0...1, using: &random)
        guard time < length else { break }
        session = session.receiving(.time(seconds: time))
        guard time >= 5, time <= length * 0.9 else { continue }
        let saved = session.savedPosition?.seconds ?? 0
        #expect(abs(time - Double(saved)) <= 5, "seed \(seed), \(time) of \(length)")
      }
    }
  }

  @Test func `a video is reported as watched once for each start`() {
    var session = PlaySession.playing(duration: 1_000, at: 890).receiving(.time(seconds: 910))
    #expect(session.savedPosition?.isWatched == false)
    #expect(session.perform(.stop) == [.leaveFullWindow, .order(.stop), .savePosition])
    #expect(session.savedPosition?.isWatched == true && session.close().isEmpty)
    _ = session.perform(.replay)
    session = session.receiving(.duration(seconds: 1_000), .ready, .time(seconds: 910))
    #expect(session.close() == [.savePosition] && session.close().isEmpty)
    #expect(session.savedPosition?.isWatched == true)
  }
}
