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
    var pages: [Page] = []
    var videoCount = 0
    var isStoring = false
    var isPaused: Bool

    mutating func startStoring() -> Bool {
      guard !isPaused, !isStoring, !pages.isEmpty else { return false }
      isStoring = true
      return true
    }

    mutating func append(_ page: Page) {
      guard !page.videos.isEmpty else { return }
      pages.append(page)
      videoCount += page.videos.count
    }

    /// Pages with at least `count` videos, if there are as many.
    mutating func dequeue(_ count: Int) -> [Page] {
      var dequeued = 0
      let batch = pages.prefix { page in
        defer { dequeued += page.videos.count }
        return dequeued < count
      }
      pages.removeFirst(batch.count)
      videoCount -= dequeued
      return Array(batch)
    }
  }

  private typealias Page = (videos: [Video], source: String, isConfirmed: Bool)

  /// The maximum number of videos; the ones that were loaded first are evicted.
  public static let maximumCount = 200_000
  /// Further videos that wait to be stored are dropped, until they are loaded again.
  private static let maximumPendingCount = 20_000
  /// In one transaction, and the rest of the last page.
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
  ///
  /// - Parameter isConfirmed: whether the page was loaded before. A page that is stored then stays as it is.
  public func add(_ videos: [Video], source: String, isConfirmed: Bool = false) {
    update { pending in
      let room = max(0, Self.maximumPendingCount - pending.videoCount)
      pending.append((Array(videos.prefix(room)), source, isConfirmed))
    }
  }

  public func resume() { update { $0.isPaused = false } }

  private func update(_ change: (inout Pending) -> Void) {
    let mustStart = pending.withLock { pending in
      change(&pending)
      return pending.startStoring()
    }
    if mustStart { Task.detached(executorPreference: executor) { self.close() } }
  }

  /// Stores the videos that are still pending, and waits for those that are being stored.
  public func close() {
    while storeBatch() {}
  }

  /// Returns false if no video was pending. A batch is dequeued with the file locked, so that no video is neither
  /// pending nor stored while the file is free.
  private func storeBatch() -> Bool {
    file.withLock { file in
      guard let batch = dequeueBatch() else { return false }
      _ = file.use { store throws(DatabaseError) in
        var due: [Entry] = []
        for page in batch {
          // Pages are stored from their start, so that the last video tells whether the whole page is.
          if page.isConfirmed, let last = page.videos.last, try store.hasVideo(withKey: VideoKey(last)) { continue }
          due += page.videos.compactMap { Entry($0, source: page.source) }
        }
        if !due.isEmpty { try store.store(due) }
      }
      return true
    }
  }

  private func dequeueBatch() -> [Page]? {
    pending.withLock { pending in
      let batch = pending.dequeue(Self.batchCount)
      pending.isStoring = !batch.isEmpty
      return batch.isEmpty ? nil : batch
    }
  }

  // MARK: - Searching

  /// The stored videos that have all words, ordered by `SearchWords.Rank` and, within a rank, the last one added first.
  /// - Parameter place: that of the last video of the page before; nil for the first page.
  public func videos(with words: SearchWords, after place: Int? = nil, limit: Int) -> [FoundVideo] {
    file.withLock { file in
      file.use { store throws(DatabaseError) in
        try store.videos(with: words, after: place.flatMap(FoundVideo.Place.of), limit: limit)
      } ?? []
    }
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

  /// A database file with an index (FTS5). The oldest videos are evicted. Other programs see changes at once.
  final class Store: CacheStore {
    static let fileName = "videos.sqlite"
    static let contents = "videos"

    private let database: Database
    private let maximumCount: Int
    /// The number of videos, as far as this program has changed it.
    private var count: Int

    private static let timeoutMilliseconds = 500

    /// - Parameter maximumByteCount: the limit on the number of videos, times the size of one.
    init(path: String, maximumByteCount: Int) throws(DatabaseError) {
      maximumCount = maximumByteCount / VideoIndex.bytesPerVideo
      database = try Database(path: path, timeoutMilliseconds: Self.timeoutMilliseconds)
      try Database.Schema.videos.establish(in: database)
      count = try Self.count(in: database)
    }

    private static func count(in database: Database) throws(DatabaseError) -> Int {
      try database.first("SELECT count(*) FROM video") { $0.integer(0) ?? 0 } ?? 0
    }

    // MARK: - Writing

    /// Stores all videos or none. Those that are stored already keep their place.
    func store(_ videos: [Entry]) throws(DatabaseError) {
      let added = try database.writing { () throws(DatabaseError) -> Int in
        var added = 0
        for video in videos where try store(video) { added += 1 }
        return added
      }
      count += added
      if count > maximumCount { try evict() }
      database.checkpointLargeJournal()
    }

    private func store(_ video: Entry) throws(DatabaseError) -> Bool {
      let stored = try database.first(
        "SELECT title, people, description, facts FROM video WHERE key = ?", .text(video.key)
      ) { row in (0..<4).map { row.text($0) } }
      guard let stored else {
        try database.run(
          "INSERT OR IGNORE INTO video (key, source, title, people, description, facts) VALUES (?, ?, ?, ?, ?, ?)",
          .text(video.key), .text(video.source), .text(video.title), .text(video.people), .text(video.description),
          .text(video.facts))
        return true
      }
      guard stored != [video.title, video.people, video.description, video.facts] else { return false }
      try database.run(
        "UPDATE video SET title = ?, people = ?, description = ?, facts = ? WHERE key = ?", .text(video.title),
        .text(video.people), .text(video.description), .text(video.facts), .text(video.key))
      return false
    }

    private func evict() throws(DatabaseError) {
      try database.writing { () throws(DatabaseError) in
        let kept = maximumCount - maximumCount / 20
        let last = try database.first("SELECT id FROM video ORDER BY id DESC LIMIT 1 OFFSET ?", .integer(kept)) {
          $0.integer(0)
        }
        guard let last = last ?? nil else { return }
        try database.run("DELETE FROM video WHERE id <= ?", .integer(last))
      }
      count = try Self.count(in: database)
    }

    // MARK: - Searching

    func videos(
      with words: SearchWords, after place: FoundVideo.Place?, limit: Int
    ) throws(DatabaseError) -> [FoundVideo] {
      var found: [FoundVideo] = []
      let conditions = try conditions(of: words)
      for rank in SearchWords.Rank.allCases where rank.rawValue >= place?.rank.rawValue ?? 0 {
        let query = rank.query(conditions, includesBetter: place == nil && found.isEmpty)
        var last = rank == place?.rank ? place?.id ?? .max : .max
        var hasMore = true
        while hasMore, found.count < limit {
          let rows = try database.all(
            """
            SELECT video.id, video.key, video.source, video.facts FROM words JOIN video ON video.id = words.rowid
            WHERE words MATCH ? AND words.rowid < ? ORDER BY words.rowid DESC LIMIT ?
            """, .text(query), .integer(last), .integer(limit - found.count)
          ) { (id: $0.integer(0) ?? 0, video: FoundVideo($0, rank)) }
          // A row with an invalid value is skipped.
          hasMore = rows.count == limit - found.count
          last = rows.last?.id ?? 0
          found += rows.compactMap(\.video)
        }
      }
      return found
    }

    private func conditions(of words: SearchWords) throws(DatabaseError) -> String {
      var conditions: [String] = []
      for condition in words.conditions { conditions.append(try alternatives(to: condition) ?? condition.query) }
      return conditions.joined(separator: " AND ")
    }

    /// Returns an equal condition on whole words, or nil if there are too many.
    /// FTS5 reads all videos with the start of a word before it returns the first match, but of whole words only as
    /// many as it needs. For the shortest starts it has indexes.
    private func alternatives(to condition: SearchWords.Condition) throws(DatabaseError) -> String? {
      guard condition.isPrefix, let start = condition.words.last,
        !Self.indexedLengths.contains(start.unicodeScalars.count)
      else { return nil }
      try database.run(script: "CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, words, instance)")
      var (completions, next): ([String], String?) = ([], start)
      while let least = next {
        next = try database.first("SELECT term FROM terms WHERE term >= ? LIMIT 1", .text(least)) { $0.text(0) } ?? nil
        guard let term = next, term.utf8.starts(with: start.utf8) else { break }
        guard completions.count < Self.maximumCompletionCount else { return nil }
        completions.append(term)
        next = term + "\u{1}"
      }
      guard !completions.isEmpty else { return nil }
      let wholes = completions.map {
        SearchWords.Condition(words: condition.words.dropLast() + [$0], isPrefix: false).query
      }
      return "(\(wholes.joined(separator: " OR ")))"
    }

    private static let maximumCompletionCount = 8
    /// In characters.
    private static let indexedLengths = 2...3

    func video(withKey key: VideoKey) throws(DatabaseError) -> FoundVideo? {
      try database.first("SELECT id, key, source, facts FROM video WHERE key = ?", .text(key.text)) {
        FoundVideo($0)
      } ?? nil
    }

    func hasVideo(withKey key: VideoKey) throws(DatabaseError) -> Bool {
      try database.first("SELECT 1 FROM video WHERE key = ?", .text(key.text)) { _ in true } ?? false
    }

    /// Reads all addresses: an index would slow down storing each page.
    func videos(withAddresses addresses: Set<String>) throws(DatabaseError) -> [String: FoundVideo] {
      var owners = AddressOwners<Int>(addresses)
      let (file, page) = (StoredVideo.fileMember, StoredVideo.pageMember)
      _ = try database.all(
        """
        SELECT id, substr(facts, nullif(instr(facts, ?), 0) + \(file.utf8.count), 1000),
        substr(facts, nullif(instr(facts, ?), 0) + \(page.utf8.count), 1000) FROM video
        """, .text(file), .text(page)
      ) { row in
        guard let id = row.integer(0) else { return }
        func address(_ column: Int) -> String? { row.text(column).map { String($0.prefix { $0 != "\"" }) } }
        owners.add(id, file: address(1), page: address(2))
      }
      var found: [String: FoundVideo] = [:]
      for (address, id) in owners.unique {
        found[address] =
          try database.first("SELECT id, key, source, facts FROM video WHERE id = ?", .integer(id)) {
            FoundVideo($0)
          } ?? nil
      }
      return found
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

extension FoundVideo {
  fileprivate init?(_ row: Database.Statement, _ rank: SearchWords.Rank = .title) {
    guard let id = row.integer(0), let text = row.text(1), let facts = row.text(3) else { return nil }
    let key = VideoKey(text: text)
    guard key.isValid, let video = StoredVideo(unchecked: facts).identifiedVideo(key) else { return nil }
    let place = Place(rank: rank, id: id)
    self.init(place: place.number, source: cleanedLine(row.text(2) ?? "", limit: 100), video: video)
  }
}

extension Database.Schema {
  /// `words` is an index without the texts. The triggers update it. Its columns contain `SearchTokens`. A file of
  /// version 2 also has the table `earlier`. Its videos are kept, because most of them cannot be loaded again.
  fileprivate static let videos = Self(
    version: 3,
    tables: """
      CREATE TABLE video (
        id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL, title TEXT NOT NULL,
        people TEXT NOT NULL, description TEXT NOT NULL, facts TEXT NOT NULL);
      CREATE VIRTUAL TABLE words USING fts5 (
        title, people, description, content = 'video', content_rowid = 'id', prefix = '2 3',
        tokenize = "ascii tokenchars '+#'");
      CREATE TRIGGER words_appear AFTER INSERT ON video BEGIN \
      INSERT INTO words (rowid, title, people, description) VALUES (new.id, new.title, new.people, new.description); END;
      CREATE TRIGGER words_go AFTER DELETE ON video BEGIN \
      INSERT INTO words (words, rowid, title, people, description) \
      VALUES ('delete', old.id, old.title, old.people, old.description); END;
      CREATE TRIGGER words_change AFTER UPDATE ON video BEGIN \
      INSERT INTO words (words, rowid, title, people, description) \
      VALUES ('delete', old.id, old.title, old.people, old.description); \
      INSERT INTO words (rowid, title, people, description) VALUES (new.id, new.title, new.people, new.description); END;
      """,
    upgrade: "DROP TABLE IF EXISTS earlier;")
}
