import FeedfallFeeds
import FeedfallText
import FeedfallUserData
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallSearch

/// Runs each task on a thread of its own, and signals that it starts.
private final class SignalingExecutor: TaskExecutor {
  let start = DispatchSemaphore(value: 0)
  /// The number of started and waiting tasks.
  let count = Atomic(0)

  func enqueue(_ job: consuming ExecutorJob) {
    count.add(1, ordering: .relaxed)
    let job = UnownedJob(job)
    Thread.detachNewThread { [self] in
      start.signal()
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

@Suite(.hangLimit) struct VideoIndexTests {
  private func video(_ number: Int, _ title: String, channel: String? = nil, summary: String? = nil) throws -> Video {
    let page = try #require(WebAddress("https://films.example/\(number)"))
    var video = Video(id: "https://films.example/\(number)", title: title, playback: .page(page))
    (video.channel, video.summary) = (channel, summary)
    return video
  }

  private func titles(_ index: VideoIndex, _ text: String, limit: Int = 50) throws -> [String] {
    index.videos(with: try #require(SearchWords(text)), limit: limit).map(\.video.title)
  }

  private func first(_ text: String, in index: VideoIndex) throws -> FoundVideo {
    let words = try #require(SearchWords(text))
    return try #require(index.videos(with: words, limit: 1).first)
  }

  private func withIndex(_ maximumCount: Int = 1_000, _ body: (VideoIndex, String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(VideoIndex(folder: folder, maximumCount: maximumCount, executor: globalConcurrentExecutor), folder)
  }

  @Test func `words are found in titles, channels and descriptions, the last video first`() throws {
    try withIndex { index, folder in
      index.add(
        [
          try video(1, "Spring in the Alps", channel: "Nature"), try video(2, "Winter", summary: "After the spring."),
          try video(3, "Der Frühling"),
        ], source: "Films")
      index.close()
      #expect(try titles(index, "spring") == ["Winter", "Spring in the Alps"])
      #expect(try titles(index, "SPR alp") == ["Spring in the Alps"])
      #expect(try titles(index, "nature spring") == ["Spring in the Alps"])
      #expect(try titles(index, "fruhling") == ["Der Frühling"])
      #expect(try titles(index, "autumn").isEmpty)
      let again = VideoIndex(folder: folder, executor: globalConcurrentExecutor)
      #expect(try titles(again, "winter") == ["Winter"])
    }
  }

  @Test func `a video is found by its key, its file or its page, unless several have the page`() throws {
    try withIndex { index, _ in
      var videos = try (1...3).map { try video($0, "\"playbackURL\":\"https://x.example/\" \($0)") }
      for number in videos.indices {
        let file = try #require(WebAddress("https://films.example/\(number)-ü.mp4?a=1&b=\(number)"))
        videos[number].playback = .direct([MediaFile(url: file)])
        videos[number].pageURL = WebAddress("https://films.example/pages/\(number / 2)")
      }
      index.add(videos, source: "Films")
      index.close()
      let files = videos.compactMap { $0.playbackURL?.web?.forStorage.text }
      let pages = ["https://films.example/pages/0", "https://films.example/pages/1"]
      let found = index.videos(withAddresses: Set(files + pages + ["https://x.example/", ""]))
      #expect(
        found.mapValues(\.video.title) == [
          files[0]: videos[0].title, files[1]: videos[1].title, files[2]: videos[2].title, pages[1]: videos[2].title,
        ])
      #expect(index.video(withKey: VideoKey(videos[1]))?.video.title == videos[1].title)
      #expect(index.video(withKey: VideoKey(text: "nothing")) == nil && index.videos(withAddresses: []).isEmpty)
    }
  }

  @Test(arguments: [
    "\"", "a\"b", "AND", "NOT spring", "spring OR", "title:spring", "spring*", "^spring", "(spring", "NEAR(a b)", "-x",
    "{title}", "a + b", "'", "spring\u{0}x", "*", String(repeating: "x ", count: 500),
  ])
  func `no text is a fault`(text: String) throws {
    try withIndex { index, _ in
      index.add([try video(1, "Spring")], source: "Films")
      index.close()
      guard let words = SearchWords(text) else { return }
      _ = index.videos(with: words, limit: 10)
      #expect(index.dequeueNotice() == nil)
      #expect(try titles(index, "spring") == ["Spring"])
    }
  }

  @Test func `a found video has the address of its channel`() throws {
    try withIndex { index, _ in
      var video = try video(1, "Spring", channel: "Nature")
      index.add([video], source: "Films")
      index.close()
      video.channelURL = WebAddress("https://films.example/channel/1")
      index.add([video], source: "Films")
      index.close()
      #expect(try first("spring", in: index).video.channelURL == video.channelURL)
    }
  }

  @Test func `a video that is loaded again has its new title, and its old place and key`() throws {
    try withIndex { index, _ in
      index.add([try video(1, "Old title"), try video(2, "Another title")], source: "Films")
      index.add([try video(1, "New title")], source: "Other")
      index.close()
      #expect(try titles(index, "title") == ["Another title", "New title"])
      #expect(try titles(index, "old").isEmpty)
      let found = try first("new", in: index)
      #expect(found.source == "Films")
      #expect(try VideoKey(found.video) == VideoKey(video(1, "")))
    }
  }

  @Test func `a video that is loaded again is found by its new description only`() throws {
    try withIndex { index, _ in
      index.add([try video(1, "Spring", summary: "In the mountains.")], source: "Films")
      index.add([try video(1, "Spring", summary: "By the sea.")], source: "Films")
      index.close()
      #expect(try titles(index, "sea") == ["Spring"])
      #expect(try titles(index, "mountains").isEmpty)
    }
  }

  @Test func `a video whose ID is unique only within its feed keeps its key`() throws {
    try withIndex { index, _ in
      var video = try video(1, "Spring")
      video.id = "17"
      video.scope = FeedScope(try #require(WebAddress("https://films.example/feed")))
      index.add([video], source: "Films")
      index.close()
      let found = try first("spring", in: index)
      #expect(VideoKey(found.video) == VideoKey(video))
    }
  }

  @Test func `a found video has the record of an earlier version of its feed's address`() throws {
    try withIndex { index, _ in
      var video = try video(1, "Spring")
      video.id = "17"
      video.scope = FeedScope(try #require(WebAddress("https://films.example/feed?page=news")))
      let earlier = VideoKey(text: try #require(video.scope?.earlierText) + " 17")
      index.add([video], source: "Films")
      index.close()
      var records = UserData()
      records.apply(UserEvent(time: 1, device: "a", key: earlier, value: .starred(true)))
      #expect(records.key(of: try first("spring", in: index).video) == earlier)
    }
  }

  @Test func `a video that was stored without the earlier address of its feed gets it with the next page`() throws {
    try withIndex { index, _ in
      var video = try video(1, "Spring")
      let scope = FeedScope(try #require(WebAddress("https://films.example/feed?page=news")))
      (video.id, video.scope) = ("17", FeedScope(text: scope.text))
      index.add([video], source: "Films")
      index.close()
      #expect(try first("spring", in: index).video.scope?.earlierText == nil)
      video.scope = scope
      index.add([video], source: "Films")
      index.close()
      #expect(try first("spring", in: index).video.scope?.earlierText == scope.earlierText)
    }
  }

  @Test func `close waits for the videos that are being stored`() throws {
    for _ in 1...20 {
      try withIndex { _, folder in
        let executor = SignalingExecutor()
        let index = VideoIndex(folder: folder, executor: executor)
        index.add(try (1...200).map { try video($0, "Part \($0)") }, source: "Films")
        executor.start.wait()
        index.close()
        let other = VideoIndex(folder: folder, executor: executor)
        #expect(try titles(other, "part", limit: 500).count == 200)
      }
    }
  }

  @Test func `videos added during a pause are stored after it`() throws {
    try withIndex { _, folder in
      let executor = SignalingExecutor()
      let index = VideoIndex(folder: folder, isPaused: true, executor: executor)
      index.add([try video(1, "Spring")], source: "Films")
      #expect(executor.count.load(ordering: .relaxed) == 0)
      index.resume()
      #expect(executor.count.load(ordering: .relaxed) > 0)
      executor.start.wait()
      index.close()
      #expect(try titles(index, "spring") == ["Spring"])
    }
  }

  @Test func `pages follow each other`() throws {
    try withIndex { index, _ in
      index.add(try (1...25).map { try video($0, "Part \($0)") }, source: "Films")
      index.close()
      let words = try #require(SearchWords("part"))
      let first = index.videos(with: words, limit: 10)
      let second = index.videos(with: words, after: first.last?.place, limit: 10)
      #expect(first.first?.video.title == "Part 25" && second.first?.video.title == "Part 15")
    }
  }

  @Test func `the videos that were loaded first are evicted`() throws {
    try withIndex(1_000) { index, _ in
      index.add(try (1...1_600).map { try video($0, "Part \($0)") }, source: "Films")
      index.close()
      let titles = try titles(index, "part", limit: 5_000)
      #expect(titles.count <= 1_000 && titles.count >= 900)
      #expect(titles.first == "Part 1600" && !titles.contains("Part 1"))
    }
  }

  @Test func `a damaged file is replaced`() throws {
    try withIndex { index, folder in
      index.add([try video(1, "Spring")], source: "Films")
      index.close()
      // SQLite would restore the file from its journal.
      for name in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: folder + "/videos.sqlite" + name) }
      try Data("no database at all, but long enough".utf8).write(to: URL(fileURLWithPath: folder + "/videos.sqlite"))
      let again = VideoIndex(folder: folder, executor: globalConcurrentExecutor)
      #expect(try titles(again, "spring").isEmpty)
      #expect(again.dequeueNotice()?.hasPrefix("The cached videos were damaged and have been discarded.") == true)
      again.add([try video(2, "Spring again")], source: "Films")
      again.close()
      #expect(try titles(again, "spring") == ["Spring again"])
    }
  }

  @Test func `without a folder nothing is stored`() throws {
    let index = VideoIndex(folder: nil, executor: globalConcurrentExecutor)
    index.add([try video(1, "Spring")], source: "Films")
    index.close()
    #expect(try titles(index, "spring").isEmpty)
  }
}
