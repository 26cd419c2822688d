import FeedfallText
import TestSupport
import Testing

@testable import FeedfallFeeds

/// Statements that a fact of a video is absent, and states that end by themselves.
@Suite(.hangLimit) struct LiveStateTests {
  private func video(_ live: LiveState.Statement = .unmentioned, seconds: Int? = nil) -> Video {
    var video = Video(id: "a", title: "A", playback: .unknown)
    video.statedLive = live
    video.duration = seconds.flatMap { VideoDuration(seconds: $0) }
    return video
  }

  @Test(arguments: [
    (LiveState.Statement.unmentioned, LiveState.live as LiveState?), (.absent, nil), (.present(.ended), .ended),
  ])
  func `details replace the live state that they mention`(details: LiveState.Statement, live: LiveState?) {
    #expect(video(.present(.live)).completed(by: video(details)).live == live)
  }

  @Test func `a list that is newer than the details replaces their live state`() {
    let upcoming = video(.present(.upcoming(nil)))
    let film = video(.absent, seconds: 60)
    #expect(upcoming.completed(by: film).live == nil)
    #expect(film.completed(byEarlier: upcoming).live == nil && film.completed(byEarlier: upcoming).duration != nil)
    #expect(upcoming.completed(byEarlier: film).live == .upcoming(nil))
    #expect(upcoming.completed(byEarlier: film).duration == nil)
    #expect(video().completed(byEarlier: upcoming).live == .upcoming(nil))
  }

  @Test func `details replace the flags that they state and keep the others`() {
    var listed = video()
    listed.flags = [.sensitive, .needsPassword, .short]
    var details = video()
    details.statedFlags = [.sensitive, .audioOnly]
    details.flags = .audioOnly
    let completed = listed.completed(by: details)
    #expect(completed.flags == [.needsPassword, .short, .audioOnly])
    #expect(completed.completed(by: video()).flags == completed.flags)
  }

  /// The last answer that mentions a fact decides, in any order of answers.
  @Test(arguments: 0..<50) func `the newest statement decides`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var (known, live, flags) = (video(), LiveState?.none, VideoFlags())
    for _ in 0..<20 {
      var answer = video([.unmentioned, .absent, .present(.live), .present(.ended)].randomElement(using: &random)!)
      answer.statedFlags = VideoFlags(rawValue: .random(in: 0...255, using: &random))
      answer.flags = answer.statedFlags.intersection(VideoFlags(rawValue: .random(in: 0...255, using: &random)))
      if answer.statedLive != .unmentioned { live = answer.live }
      flags = flags.subtracting(answer.statedFlags).union(answer.flags)
      known = Bool.random(using: &random) ? known.completed(by: answer) : answer.completed(byEarlier: known)
      #expect(known.live == live && known.flags == flags)
    }
  }

  @Test(arguments: [
    (LiveState.live, 99, LiveState.ended as LiveState?), (.live, 100, .ended), (.live, 101, .live),
    (.upcoming(UnixTime(seconds: 50)), 100, .ended), (.upcoming(UnixTime(seconds: 100)), 100, nil),
    (.upcoming(UnixTime(seconds: 101)), 101, .upcoming(UnixTime(seconds: 101))), (.upcoming(nil), 100, .ended),
    (.ended, 100, .ended),
  ])
  func `a live state ends at the planned time`(live: LiveState, end: Int, settled: LiveState?) {
    var video = video(.present(live))
    video.liveEnd = UnixTime(seconds: end)
    #expect(video.settled(at: UnixTime(seconds: 100)).live == settled)
    video.liveEnd = nil
    #expect(video.settled(at: UnixTime(seconds: 100)).live == live)
  }

  @Test func `an item of a live podcast ends at its planned end`() throws {
    let item = #"""
      <podcast:liveItem status="live" start="2024-01-01T10:00:00Z" end="2024-01-01T11:00:00Z"><title>A</title>
      <enclosure url="https://a.example/a.m3u8" type="application/x-mpegurl"/></podcast:liveItem>
      """#
    let space = #"xmlns:podcast="https://podcastindex.org/namespace/1.0""#
    let video = try #require(
      try decode("<rss \(space)><channel><title>C</title>\(item)</channel></rss>").videos.first)
    let end = try #require(UnixTime(rfc3339: "2024-01-01T11:00:00Z"))
    #expect(video.settled(at: UnixTime(seconds: end.seconds - 1)).live == .live)
    #expect(video.settled(at: end).live == .ended)
  }

  @Test(arguments: [("false", LiveState.ended), ("null", .ended), ("true", .live)])
  func `a conference that is over does not stream, unless its server says so`(streaming: String, live: LiveState) throws
  {
    let room =
      #"{"slug":"h","display":"H","streams":[{"type":"video","urls":{"hls":{"url":"https://c.example/h.m3u8"}}}]}"#
    let video = try #require(
      try decode(
        #"""
        [{"conference":"C","slug":"c","isCurrentlyStreaming":\#(streaming),"startsAt":"2024-12-27T10:00:00+0100",
          "endsAt":"2024-12-30T19:00:00+0100","groups":[{"group":"Halls","rooms":[\#(room)]}]}]
        """#
      ).videos.first)
    #expect(video.settled(at: UnixTime(seconds: 1_800_000_000)).live == live)
  }

  @Test func `a premiere of Piped is a film once it has begun`() throws {
    let item = #"""
      [{"url":"/watch?v=bbbbbbbbbbb","type":"stream","title":"P","uploaderName":"U","duration":-1,"uploaded":1893456000000}]
      """#
    let video = try #require(try decode(item).videos.first)
    let start = UnixTime(seconds: 1_893_456_000)
    #expect(video.live == .upcoming(start) && video.settled(at: UnixTime(seconds: start.seconds - 1)).live != nil)
    #expect(video.settled(at: start).live == nil)
  }
}
