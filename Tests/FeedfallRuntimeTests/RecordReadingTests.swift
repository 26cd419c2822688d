import FeedfallCore
import FeedfallFeeds
import FeedfallRuntime
import FeedfallScreen
import FeedfallText
import FeedfallUserData
import Synchronization
import TestSupport
import Testing

/// The user's records while the program starts.
@Suite(.hangLimit) struct RecordReadingTests {
  /// The first video is hidden, the second one has a star, and another video was watched.
  private static let all: UserData = {
    var data = UserData()
    let values: [(Int, UserValue)] = [(0, .hidden(true)), (1, .starred(true)), (900, .watched(UnixTime(seconds: 1)))]
    for (number, value) in values { _ = data.change(VideoKey(film(number)), [value], at: 1) }
    return data
  }()

  /// Runs a program until it has read all records, and returns its frames and the number of frames before all records.
  private func frames(
    _ settings: AppSettings, first: @escaping ([FeedPage]) -> UserData?
  ) -> (frames: [Canvas], countBeforeAll: Int) {
    let terminal = RecordingTerminal([[.character("q")]])
    var count: Int?
    terminal.isAwaited = { _ in count != nil }
    let reading = RecordReading(first: first) {
      count = terminal.frames.count
      return Self.all
    }
    let runtime = Runtime(
      state: AppState(settings: settings), terminal: terminal.port,
      services: services { _ in .success(FeedPage(videos: (0..<20).map(film))) }, records: reading,
      firstPaintTimeout: .seconds(10))
    #expect(runtime.run() == .quit)
    return (terminal.frames, count ?? terminal.frames.count)
  }

  @Test func `the first frame needs only the records of its videos, and does not change with all others`() async {
    await onThread {
      let (frames, countBeforeAll) = frames(AppSettings(sources: [films])) { pages in
        var data = UserData()
        for video in pages.flatMap(\.videos) + [film(900)] {
          let record = Self.all[VideoKey(video)]
          _ = data.change(
            VideoKey(video), [.hidden(record.isHidden), .starred(record.isStarred), .watched(record.watched)], at: 1)
        }
        return data
      }
      #expect(countBeforeAll == 1)
      #expect(frames.count == 2 && frames[0].text == frames[1].text)
      #expect(frames[0].text.contains("Film 1") && !frames[0].text.contains("Film 0"))
    }
  }

  @Test func `a first frame that depends on all records waits for them`() async {
    await onThread {
      let (frames, countBeforeAll) = frames(AppSettings(sources: [films])) { _ in nil }
      #expect(countBeforeAll == 0)
      #expect(frames[0].text.contains("Film 1") && !frames[0].text.contains("Film 0"))
    }
  }
}
