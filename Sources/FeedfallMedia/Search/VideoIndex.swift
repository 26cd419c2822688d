import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Synchronization

/// All videos that were ever loaded, for a search in their titles, channels and descriptions.
public final class VideoIndex: Sendable {
  private let file: Mutex<CacheFile<Store>>
  private let pending: Mutex<Pending>
  private let executor: any TaskExecutor

  private struct Pending {
    var videos: [(video: Video, source: String)] = []
    var isStoring = false
    var isPaused: Bool

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

  /// A nil folder disables the index. If `isPaused`, videos are stored only after `resume` or by `close`.
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

  /// Adds the videos of a page, to be stored in the background, after `resume` if the index is paused. Never blocks.
  public func add(_ videos: [Video], source: String) {
    update { pending in
      let room = max(0, Self.maximumPendingCount - pending.videos.count)
      pending.videos += videos.prefix(room).map { ($0, source) }
    }
  }

  public func resume() { update { $0.isPaused = false } }

  private func update(_ change: (inout Pending) -> Void) {
    let mustStart = pending.withLock { pending in
      change(&pending)
      return pending.startStoring()
    }
    if mustStart { Task.detached(executorPreference: executor) { self.storePending() } }
  }

  /// Stores the videos that are still pending, and waits for those that are being stored.
  public func close() { storePending() }

  private func storePending() {
    while storeBatch() {}
  }

  /// Returns false if no video was pending. A batch is dequeued with the file locked, so that no video is neither
  /// pending nor stored while the file is free.
  private func storeBatch() -> Bool {
    file.withLock { file in
      guard let batch = dequeueBatch() else { return false }
      let videos = batch.compactMap { Entry($0.video, source: $0.source) }
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

  /// The stored videos that have all words, ordered by `SearchWords.Rank` and, within a rank, the last one added first.
  /// - Parameter place: that of the last video of the page before; nil for the first page.
  public func videos(with words: SearchWords, after place: Int? = nil, limit: Int) -> [FoundVideo] {
    let videos = file.withLock { file in
      file.use { store throws(DatabaseError) in
        try store.videos(with: words, after: place.flatMap(FoundVideo.Place.of), limit: limit)
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
  /// Complexity: O(number of stored videos).
  public func videos(withAddresses addresses: Set<String>) -> [String: FoundVideo] {
    guard !addresses.isEmpty else { return [:] }
    return file.withLock { file in
      file.use { store throws(DatabaseError) in try store.videos(withAddresses: addresses) } ?? [:]
    }
  }

  /// Returns the next unseen message about the file, if any, and removes it.
  public func dequeueNotice() -> String? { file.withLock { $0.dequeueNotice() } }

  struct Entry: Sendable {
    let key: String
    let source: String
    let title: String
    let people: String
    let description: String
    let facts: String

    /// In characters.
    private static let maximumTextLength = 300
    private static let maximumDescriptionLength = 4_000

    init?(_ video: Video, source: String) {
      let (key, facts) = (VideoKey(video), StoredVideo(video))
      guard video.list == nil, key.isValid, facts.text.utf8.count <= StoredVideo.maximumLength else { return nil }
      (self.key, self.facts) = (key.text, facts.text)
      self.source = cleanedLine(source, limit: 100)
      title = Self.words(video.title)
      let author = video.author == video.channel ? nil : video.author
      people = [video.channel, author].compactMap { $0.map { Self.words($0) } }.joined(separator: " ")
      description = Self.words(video.summary ?? "", limit: Self.maximumDescriptionLength)
    }

    private static func words(_ text: String, limit: Int = maximumTextLength) -> String {
      SearchTokens(cleanedLine(text, limit: limit)).text
    }
  }
}

/// A video that a search has found.
public struct FoundVideo: Equatable, Sendable {
  /// Lower for a video that comes later in the results.
  public let place: Int
  /// The name of the source that has listed it first.
  public let source: String
  public let video: Video

  struct Place {
    var rank: SearchWords.Rank
    /// Higher for a video that was added later.
    var id: Int

    private static let idBits = 48

    var number: Int {
      (SearchWords.Rank.allCases.count - 1 - rank.rawValue) << Self.idBits | min(id, 1 << Self.idBits - 1)
    }

    static func of(_ number: Int) -> Place? {
      let rank = SearchWords.Rank(rawValue: SearchWords.Rank.allCases.count - 1 - number >> idBits)
      return rank.map { Place(rank: $0, id: number & (1 << idBits - 1)) }
    }
  }
}
