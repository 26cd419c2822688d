import FeedfallFeeds
import FeedfallStorage
import FeedfallText
import FeedfallUserData

/// A database file of the facts about all videos that were loaded, with an index of their words (SQLite's FTS5).
///
/// The videos that were loaded first are evicted. Changes are visible to other programs at once.
final class VideoIndexStore: CacheStore {
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
    try Schema.videos.establish(in: database)
    count = try Self.count(in: database)
  }

  private static func count(in database: Database) throws(DatabaseError) -> Int {
    try database.first("SELECT count(*) FROM video") { $0.integer(0) ?? 0 } ?? 0
  }

  // MARK: - Writing

  /// Stores all videos or none. Those that are stored already keep their place.
  func store(_ videos: [IndexedVideo]) throws(DatabaseError) {
    let added = try database.writing { () throws(DatabaseError) -> Int in
      var added = 0
      for video in videos where try store(video) { added += 1 }
      return added
    }
    count += added
    if count > maximumCount { try evict() }
    database.checkpointLargeJournal()
  }

  /// Returns whether the video is new.
  private func store(_ video: IndexedVideo) throws(DatabaseError) -> Bool {
    let key = Value.text(video.key.text)
    let stored = try database.first("SELECT facts, description FROM video WHERE key = ?", key) {
      ($0.text(0), $0.text(1))
    }
    guard let stored else {
      try database.run(
        "INSERT INTO video (key, source, title, channel, description, facts) VALUES (?, ?, ?, ?, ?, ?)", key,
        .text(video.source), .text(video.title), .text(video.channel), .text(video.description),
        .text(video.facts.text))
      return true
    }
    guard stored.0 != video.facts.text || stored.1 != video.description else { return false }
    try database.run(
      "UPDATE video SET title = ?, channel = ?, description = ?, facts = ? WHERE key = ?", .text(video.title),
      .text(video.channel), .text(video.description), .text(video.facts.text), key)
    return false
  }

  /// Evicts the videos that were loaded first, a twentieth more than necessary.
  private func evict() throws(DatabaseError) {
    try database.writing { () throws(DatabaseError) in
      let kept = maximumCount - maximumCount / 20
      try database.run(
        "DELETE FROM video WHERE id <= (SELECT id FROM video ORDER BY id DESC LIMIT 1 OFFSET ?)", .integer(kept))
    }
    count = try Self.count(in: database)
  }

  // MARK: - Searching

  /// Returns the videos that have all words, the ones that were loaded last first, from before a place.
  func videos(
    with words: SearchWords, before place: Int, limit: Int
  ) throws(DatabaseError) -> [FoundVideo] {
    let rows = try database.all(
      """
      SELECT video.id, video.key, video.source, video.facts FROM words JOIN video ON video.id = words.rowid
      WHERE words MATCH ? AND words.rowid < ? ORDER BY words.rowid DESC LIMIT ?
      """, .text(words.query), .integer(place), .integer(limit)
    ) { FoundVideo($0) }
    return rows.compactMap(\.self)
  }

  func video(withKey key: VideoKey) throws(DatabaseError) -> FoundVideo? {
    try database.first("SELECT id, key, source, facts FROM video WHERE key = ?", .text(key.text)) { FoundVideo($0) }
      ?? nil
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
        try database.first("SELECT id, key, source, facts FROM video WHERE id = ?", .integer(id)) { FoundVideo($0) }
        ?? nil
    }
    return found
  }
}

extension FoundVideo {
  /// Returns nil if a column has an invalid value.
  fileprivate init?(_ row: Statement) {
    guard let place = row.integer(0), let text = row.text(1), let facts = row.text(3) else { return nil }
    let key = VideoKey(text: text)
    guard key.isValid, let video = StoredVideo(unchecked: facts).identifiedVideo(key) else { return nil }
    self.init(place: place, source: cleanedLine(row.text(2) ?? "", limit: 100), video: video)
  }
}

extension Schema {
  /// `words` is an index without the texts, which the triggers update.
  fileprivate static let videos = Schema(
    version: 1,
    tables: """
      CREATE TABLE video (
        id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, source TEXT NOT NULL, title TEXT NOT NULL,
        channel TEXT NOT NULL, description TEXT NOT NULL, facts TEXT NOT NULL);
      CREATE VIRTUAL TABLE words USING fts5 (
        title, channel, description, content = 'video', content_rowid = 'id', prefix = '2 3',
        tokenize = 'unicode61 remove_diacritics 2');
      CREATE TRIGGER words_appear AFTER INSERT ON video BEGIN \
      INSERT INTO words (rowid, title, channel, description) VALUES (new.id, new.title, new.channel, new.description); END;
      CREATE TRIGGER words_go AFTER DELETE ON video BEGIN \
      INSERT INTO words (words, rowid, title, channel, description) \
      VALUES ('delete', old.id, old.title, old.channel, old.description); END;
      CREATE TRIGGER words_change AFTER UPDATE ON video BEGIN \
      INSERT INTO words (words, rowid, title, channel, description) \
      VALUES ('delete', old.id, old.title, old.channel, old.description); \
      INSERT INTO words (rowid, title, channel, description) VALUES (new.id, new.title, new.channel, new.description); END;
      """)
}
