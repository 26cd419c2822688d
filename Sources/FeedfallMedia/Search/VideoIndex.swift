import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Synchronization

/// All videos that were ever loaded, for a search in their titles, channels and descriptions.
public final class VideoIndex: Sendable {
  private let file: Mutex<CacheFile<VideoIndexStore>>
  private let pending: Mutex<Pending>
  private let executor: any TaskExecutor

  private struct Pending {
    var videos: [(video: Video, source: String)] = []
    var isStoring = false
    var isPaused: Bool

    /// Returns whether a task must start to store the videos.
    mutating func startStoring() -> Bool {
      guard !isPaused, !isStoring, !videos.isEmpty else { return false }
      isStoring = true
      return true
    }
  }

  /// The maximum number of videos; the ones that were loaded first are evicted.
  public static let maximumCount = 200_000
  /// Further videos that wait to be stored are dropped, until they are loaded again.
  private static let maximumPendingCount = 20_000
  /// In one transaction.
  private static let batchCount = 500
  /// An estimate, in bytes.
  static let bytesPerVideo = 1_500

  /// Stores videos in a folder; nil disables the index.
  ///
  /// - Parameters:
  ///   - isPaused: whether videos are stored only after `resume` or by `close`.
  ///   - executor: stores the videos in the background.
  public init(
    folder: String?, maximumCount: Int = VideoIndex.maximumCount, isPaused: Bool = false, executor: any TaskExecutor
  ) {
    pending = Mutex(Pending(isPaused: isPaused))
    file = Mutex(CacheFile(folder: folder, maximumByteCount: maximumCount * Self.bytesPerVideo))
    self.executor = executor
  }

  /// Stores videos in `$XDG_CACHE_HOME/feedfall`. Does not access the disk before the first use.
  public static func ofUser(isPaused: Bool = false, executor: any TaskExecutor) -> VideoIndex {
    VideoIndex(
      folder: Environment.process.cacheFolder.map { $0 + "/feedfall" }, isPaused: isPaused, executor: executor)
  }

  // MARK: - Adding

  /// Adds the videos of a page to those that are stored in the background, after `resume` if the index is paused. Never
  /// blocks.
  public func add(_ videos: [Video], source: String) {
    let mustStart = pending.withLock { pending in
      let room = max(0, Self.maximumPendingCount - pending.videos.count)
      pending.videos += videos.prefix(room).map { ($0, source) }
      return pending.startStoring()
    }
    if mustStart { startStoring() }
  }

  /// Starts to store the videos that were added during the pause.
  public func resume() {
    let mustStart = pending.withLock { pending in
      pending.isPaused = false
      return pending.startStoring()
    }
    if mustStart { startStoring() }
  }

  private func startStoring() {
    Task.detached(executorPreference: executor) {
      repeat { self.storePending() } while self.adoptEarlier()
    }
  }

  /// Stores the videos that are still pending, and waits for those that are being stored.
  public func close() { storePending() }

  private func adoptEarlier() -> Bool {
    file.withLock { file in file.use { store throws(DatabaseError) in try store.adoptEarlier() } ?? false }
  }

  private func storePending() {
    while storeBatch() {}
  }

  /// Returns false if no video was pending. A batch is dequeued with the file locked, so that no video is neither pending
  /// nor stored while the file is free.
  private func storeBatch() -> Bool {
    file.withLock { file in
      guard let batch = dequeueBatch() else { return false }
      let videos = batch.compactMap { IndexedVideo($0.video, source: $0.source) }
      _ = file.use { store throws(DatabaseError) in try store.store(videos) }
      return true
    }
  }

  private func dequeueBatch() -> [(video: Video, source: String)]? {
    pending.withLock { pending in
      let batch = Array(pending.videos.prefix(Self.batchCount))
      pending.videos.removeFirst(batch.count)
      pending.isStoring = !batch.isEmpty
      return batch.isEmpty ? nil : batch
    }
  }

  // MARK: - Searching

  /// Returns the stored videos that have all words, ordered by `SearchRank` and, within a rank, the video added last first.
  ///
  /// The first search in a file of version 1 blocks until all its videos are in the index.
  ///
  /// - Parameter place: that of the last video of the page before; nil for the first page.
  public func videos(with words: SearchWords, after place: Int? = nil, limit: Int) -> [FoundVideo] {
    while adoptEarlier() {}
    let videos = file.withLock { file in
      file.use { store throws(DatabaseError) in
        try store.videos(with: words, after: place.flatMap(FoundPlace.init), limit: limit)
      }
    }
    return videos ?? []
  }

  /// Returns the stored video with a key; nil if there is none.
  public func video(withKey key: VideoKey) -> FoundVideo? {
    file.withLock { file in
      file.use { store throws(DatabaseError) in try store.video(withKey: key) } ?? nil
    }
  }

  /// Returns the stored videos with these addresses (without secrets) of their files or, if unique, of their pages.
  ///
  /// - Complexity: O(n) in the stored videos, however many addresses there are.
  public func videos(withAddresses addresses: Set<String>) -> [String: FoundVideo] {
    guard !addresses.isEmpty else { return [:] }
    return file.withLock { file in
      file.use { store throws(DatabaseError) in try store.videos(withAddresses: addresses) } ?? [:]
    }
  }

  /// Returns the next unseen message about the file, if any, and removes it.
  public func dequeueNotice() -> String? { file.withLock { $0.dequeueNotice() } }
}

/// A video that a search has found.
public struct FoundVideo: Equatable, Sendable {
  /// Lower for a video that comes later in the results.
  public let place: Int
  /// The name of the source that has listed it first.
  public let source: String
  public let video: Video
}

struct FoundPlace {
  var rank: SearchRank
  /// Higher for a video that was added later.
  var id: Int

  private static let idBits = 48

  init(rank: SearchRank, id: Int) { (self.rank, self.id) = (rank, id) }

  /// Returns nil for an invalid number.
  init?(_ number: Int) {
    guard let rank = SearchRank(rawValue: SearchRank.allCases.count - 1 - number >> Self.idBits) else { return nil }
    self.init(rank: rank, id: number & (1 << Self.idBits - 1))
  }

  /// Lower for a later place.
  var number: Int { (SearchRank.allCases.count - 1 - rank.rawValue) << Self.idBits | min(id, 1 << Self.idBits - 1) }
}

/// The facts of a video to store, and the words that are searched.
struct IndexedVideo: Sendable {
  let key: String
  let source: String
  let title: String
  /// The channel and the author.
  let people: String
  let description: String
  let facts: String

  /// In characters.
  private static let maximumTextLength = 300
  private static let maximumDescriptionLength = 4_000

  /// Returns nil for a video whose facts are too long.
  init?(_ video: Video, source: String) {
    let (key, facts) = (VideoKey(video), StoredVideo(video))
    guard key.isValid, facts.text.utf8.count <= StoredVideo.maximumLength else { return nil }
    (self.key, self.facts) = (key.text, facts.text)
    self.source = cleanedLine(source, limit: 100)
    title = Self.words(video.title)
    let author = video.author == video.channel ? nil : video.author
    people = [video.channel, author].compactMap { $0.map { Self.words($0) } }.joined(separator: " ")
    description = Self.words(video.summary ?? "", limit: Self.maximumDescriptionLength)
  }

  /// - Parameter texts: the columns of a video in a file of version 1.
  init(earlier texts: [String]) {
    (key, source, facts) = (texts[0], texts[1], texts[5])
    (title, people, description) = (Self.words(texts[2]), Self.words(texts[3]), Self.words(texts[4]))
  }

  private static func words(_ text: String, limit: Int = maximumTextLength) -> String {
    SearchTokens(cleanedLine(text, limit: limit)).text
  }
}
