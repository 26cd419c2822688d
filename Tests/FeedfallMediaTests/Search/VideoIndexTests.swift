import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeedfallMedia

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

  @Test func `lists are not stored`() throws {
    try withIndex { index, _ in
      var list = try video(1, "Spring talks")
      list.playback = .list(ListLink(.playlist, .web(try #require(WebAddress("https://films.example/list")))))
      index.add([list, try video(2, "Spring")], source: "Films")
      index.close()
      #expect(try titles(index, "spring") == ["Spring"])
    }
  }

  @Test func `words are found in titles, channels and descriptions, and titles come first`() throws {
    try withIndex { index, folder in
      index.add(
        [
          try video(1, "Spring in the Alps", channel: "Nature"), try video(2, "Winter", summary: "After the spring."),
          try video(3, "Der Frühling"),
        ], source: "Films")
      index.close()
      #expect(try titles(index, "spring") == ["Spring in the Alps", "Winter"])
      #expect(try titles(index, "SPR alp") == ["Spring in the Alps"])
      #expect(try titles(index, "nature spring") == ["Spring in the Alps"])
      #expect(try titles(index, "fruhling") == ["Der Frühling"])
      #expect(try titles(index, "autumn").isEmpty)
      let again = VideoIndex(folder: folder, executor: globalConcurrentExecutor)
      #expect(try titles(again, "winter") == ["Winter"])
    }
  }

  @Test
  func `titles come before people, people before descriptions, and later videos before earlier ones, on all pages`()
    throws
  {
    try withIndex { index, _ in
      let texts = [
        ("Brücke", "Ada", ""), ("Film", "Brucke", ""), ("Film", "Ada", "BRÜCKE"), ("Brücke Ada", "Bert", ""),
      ]
      let videos = try (0..<40).map { number in
        let (title, channel, summary) = texts[number % 4]
        return try video(number, "\(title) \(number)", channel: channel, summary: summary)
      }
      index.add(videos, source: "Films")
      index.close()
      func ranks(_ number: Int, _ text: String) -> Int {
        text == "brucke" ? [0, 1, 2, 0][number % 4] : [1, 9, 2, 0][number % 4]
      }
      for text in ["brucke", "brucke ada"] {
        let expected = (0..<40).reversed().filter { ranks($0, text) < 9 }
          .enumerated().sorted { (ranks($0.element, text), $0.offset) < (ranks($1.element, text), $1.offset) }
          .map { videos[$0.element].title }
        for limit in [1, 3, 7, 10, 50] {
          var (found, place) = ([String](), nil as Int?)
          let words = try #require(SearchWords(text))
          // One page more than there are.
          for _ in 0...expected.count / limit {
            let page = index.videos(with: words, after: place, limit: limit)
            found += page.map(\.video.title)
            place = page.last?.place ?? place
          }
          #expect(found == expected, "\(text) \(limit)")
        }
      }
    }
  }

  @Test(arguments: [1, 7, 8, 9, 40])
  func `the start of any number of words finds all of them`(count: Int) throws {
    try withIndex { index, _ in
      let words = (0..<count).map { "river\(UnicodeScalar(UInt8(0x61 + $0 % 26)))\($0 / 26)" }
      index.add(
        try words.enumerated().map { try video($0, "The \($1)", summary: "riv riverside") }
          + [try video(count, "A rivet", summary: "drive")], source: "Films")
      index.close()
      #expect(try titles(index, "rive") == ["A rivet"] + words.reversed().map { "The \($0)" })
      #expect(try titles(index, "river") == words.reversed().map { "The \($0)" })
      #expect(try titles(index, "\"the river\"") == words.reversed().map { "The \($0)" })
      #expect(try titles(index, "river the rivers").count == count)
      #expect(try titles(index, "river9").isEmpty)
    }
  }

  @Test(arguments: [
    ("strasse", "Straße"), ("lodz", "Łódź"), ("елка", "Ёлка"), ("aether", "Æther"), ("京都", "東京都庁"), ("都庁", "東京都庁"),
    ("庁", "東京都庁"), ("東", "東京都庁"), ("京都庁へ", "東京都庁へ行く"), ("てれび", "日本のテレビ局"), ("ﾃﾚﾋﾞ", "日本のテレビ局"),
    ("국어", "한국어를"), ("\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}", "한국어를"), ("ภาษาไทย", "เรียนภาษาไทยกัน"),
    ("c++", "Modern C++ in ten minutes"),
    ("c#", "C# for beginners"), ("c", "C++"), ("c++17", "What C++17 has"), ("disney+", "New on Disney+"),
    ("disney", "Disney+"),
    ("\"open movie\"", "An open movie"), ("“open mov", "An open movie"), ("\"learn c++ now\"", "Learn C++ now!"),
    ("\"東京都 2024\"", "東京都 2024"), ("2024", "٢٠٢٤"), ("don't", "Don’t"), ("dont", "Dont"), ("محمد", "مُحَمَّد"),
    ("שלום", "שָׁלוֹם"),
    ("ﬁlm", "film"), ("हिन्दी", "हिन्दी फ़िल्म"), ("a+b", "A+B"), ("ＡＢＣ", "abcd"), ("open-source", "Open Source"),
  ])
  func `a word finds the same forms as a filter, and parts of texts without blanks`(text: String, title: String)
    throws
  {
    try withIndex { index, _ in
      index.add(
        [try video(1, title), try video(2, "Something else"), try video(3, "Zzz", summary: title)], source: "Films")
      index.close()
      #expect(try titles(index, text) == [title, "Zzz"])
    }
  }

  @Test(arguments: [
    ("c++", "C, and other letters"), ("c++", "Cats and C"), ("\"open movie\"", "Movie, open to all"), ("京府", "東京都庁"),
    ("東都", "東京都庁"), ("\"open movie\"", "Open a movie"), ("c#", "C++"), ("a", "abc"), ("pen", "open"), ("東京都京", "東京都庁"),
  ])
  func `a word does not find others`(text: String, title: String) throws {
    try withIndex { index, _ in
      index.add([try video(1, title)], source: "Films")
      index.close()
      #expect(try titles(index, text).isEmpty)
    }
  }

  @Test func `the channel and the author are both found`() throws {
    try withIndex { index, _ in
      var video = try video(1, "Notes", channel: "Club")
      video.author = "Ada Lovelace"
      index.add([video], source: "Films")
      index.close()
      #expect(try titles(index, "lovelace") == ["Notes"] && titles(index, "club") == ["Notes"])
      let found = try first("notes", in: index).video
      #expect(found.channel == "Club" && found.author == "Ada Lovelace")
    }
  }

  @Test func `words of a long description are found up to its 4,000th character`() throws {
    try withIndex { index, _ in
      let start = String(repeating: "word ", count: 780)
      index.add([try video(1, "Film", summary: start + "needle " + start + "thread")], source: "Films")
      index.close()
      #expect(try titles(index, "needle") == ["Film"] && titles(index, "thread").isEmpty)
    }
  }

  @Test func `a text becomes at most two words for each of its characters`() {
    for piece in ["a", "東", "+", "c++", "a+", "ก่", " ", "é", "\u{301}", "가a", "##"] {
      let text = String(repeating: piece, count: 2_000)
      #expect(SearchTokens(text).words.count <= 2 * text.unicodeScalars.count, "\(piece)")
    }
    #expect(SearchTokens("Die Brücke, C++").text == "die brucke c c++")
    #expect(SearchTokens("東京都x").text == "東京 京都 都 x")
  }

  @Test func `places are ordered by rank, then by the newest, and can be read back`() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let places = (0..<2).map { _ in
        FoundVideo.Place(
          rank: SearchWords.Rank.allCases.randomElement(using: &random) ?? .title,
          id: Int.random(in: 1...1 << Int.random(in: 0...48, using: &random), using: &random) - 1)
      }
      let (one, other) = (places[0], places[1])
      let isFirst = (one.rank.rawValue, -one.id) < (other.rank.rawValue, -other.id)
      #expect((one.number > other.number) == isFirst)
      #expect(FoundVideo.Place.of(one.number)?.rank == one.rank && FoundVideo.Place.of(one.number)?.id == one.id)
      #expect(FoundVideo.Place.of(-one.number - 1) == nil)
    }
    #expect(FoundVideo.Place.of(.max) == nil && FoundVideo.Place.of(.min) == nil)
  }

  @Test func `the videos of a file of version 2 are kept, and those of version 1 are discarded`() throws {
    try withIndex { index, folder in
      index.add([try video(1, "Spring")], source: "Films")
      index.close()
      for (version, expected) in [(2, ["Spring"]), (1, [])] {
        let database = try Database(path: folder + "/videos.sqlite", timeoutMilliseconds: 1_000)
        try database.run(
          script: """
            CREATE TABLE "earlier" (
              id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL, title TEXT NOT NULL,
              channel TEXT NOT NULL, description TEXT NOT NULL, facts TEXT NOT NULL);
            PRAGMA user_version = \(version);
            """)
        let opened = VideoIndex(folder: folder, executor: globalConcurrentExecutor)
        #expect(try titles(opened, "spring") == expected)
        #expect(opened.dequeueNotice() == nil)
      }
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

  @Test func `close waits for the videos that are being stored`() throws {
    for _ in 1...5 {
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

  @Test func `a confirmed page is stored only if its last video is missing`() throws {
    try withIndex { index, _ in
      index.add([try video(1, "Spring")], source: "Films")
      index.close()
      index.add([try video(2, "Spring too"), try video(1, "Spring again")], source: "Films", isConfirmed: true)
      index.close()
      #expect(try titles(index, "spring") == ["Spring"])
      index.add([try video(2, "Spring too"), try video(3, "Spring three")], source: "Films", isConfirmed: true)
      index.close()
      #expect(try titles(index, "spring") == ["Spring three", "Spring too", "Spring"])
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
