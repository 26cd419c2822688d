import FeedfallScreen
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import WaterfallEngine

/// A database file of thumbnails, of the sizes of pictures, and of addresses without a picture. The least recently used
/// thumbnails are evicted; the sizes stay.
final class CoverStore: CacheStore {
  static let fileName = "covers.sqlite"
  static let contents = "covers"

  private let database: Database
  let sizes: SizeTable
  private let maximumByteCount: Int

  /// Short, because a cover can be loaded again.
  private static let timeoutMilliseconds = 100
  /// The approximate size of a row without the picture, and half a page that stays empty after it.
  private static let overhead = 256 + 2048
  /// The precision of `used_at` in seconds, so that few reads write.
  private static let useStep = 3600
  private static let largestMissingCount = 10_000
  /// In bytes. Thousands of longer addresses would take more space than the covers.
  private static let longestMissingAddress = 1024

  init(path: String, maximumByteCount: Int) throws(DatabaseError) {
    self.maximumByteCount = maximumByteCount
    database = try Database(path: path, timeoutMilliseconds: Self.timeoutMilliseconds)
    sizes = SizeTable(database)
    try Schema.covers.establish(in: database)
  }

  // MARK: - Thumbnails

  /// Also marks the thumbnail as used.
  func thumbnail(of address: String, at now: UnixTime) throws(DatabaseError) -> StoredThumbnail? {
    let stored = try database.first(
      """
      SELECT got_at, used_at, is_whole, width, height, average, video_seconds, jpeg, fresh_until, kept_until
      FROM cover WHERE address = ?
      """, .text(address)
    ) { row in StoredThumbnail(row).map { ($0, usedAt: row.integer(1) ?? 0) } }
    guard let stored, let stored else { return nil }
    if stored.usedAt < now.seconds - Self.useStep || stored.usedAt > now.seconds {
      // The cover is returned even if its use cannot be recorded: on a full disk, or while another program writes.
      try? database.run("UPDATE cover SET used_at = ? WHERE address = ?", .integer(now.seconds), .text(address))
    }
    return stored.0
  }

  /// Returns the average color of a cover without reading the picture.
  func average(of address: String) throws(DatabaseError) -> RGB? {
    try database.first("SELECT average FROM cover WHERE address = ?", .text(address)) {
      $0.integer(0).flatMap { RGB(number: $0) }
    } ?? nil
  }

  func insert(_ size: Size, of key: Int) throws(DatabaseError) {
    try database.writing { () throws(DatabaseError) in try sizes.insert(size, of: key) }
    database.checkpointLargeJournal()
  }

  /// Returns the version of a picture; nil if its server has named none.
  ///
  /// - Parameter web: the address, which stands for that of the server's answer if no redirect led to another one.
  func version(of address: String, _ web: WebAddress) throws(DatabaseError) -> AnswerVersion? {
    try database.first("SELECT entity_tag, last_modified, answered_by FROM cover WHERE address = ?", .text(address)) {
      let answered = $0.isNull(2) ? web : $0.text(2).flatMap { WebAddress($0) }
      return answered.flatMap { [row = $0] in AnswerVersion(of: $0, entityTag: row.text(0), lastModified: row.text(1)) }
    } ?? nil
  }

  func insert(
    _ thumbnail: Thumbnail, of address: String, at now: UnixTime, freshUntil: UnixTime? = nil,
    version: AnswerVersion? = nil, answeredElsewhere: Bool = false, size: (Size, key: Int)? = nil
  ) throws(DatabaseError) {
    let answeredBy = answeredElsewhere ? version?.address.text : nil
    let texts = [address, address, version?.entityTag, version?.lastModified, answeredBy]
    let byteCount = texts.reduce(thumbnail.jpeg.count + Self.overhead) { $0 + ($1?.utf8.count ?? 0) }
    try database.writing { () throws(DatabaseError) in
      if let size { try sizes.insert(size.0, of: size.key) }
      guard byteCount <= maximumByteCount else { return }
      try remove(address)
      try evict(for: byteCount)
      try database.run(
        "INSERT INTO cover VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)", .text(address),
        .integer(now.seconds),
        .integer(now.seconds), .integer(byteCount), .integer(thumbnail.flags),
        .integer(thumbnail.size.width), .integer(thumbnail.size.height), .integer(thumbnail.average.number),
        thumbnail.videoSeconds.map { .integer($0) } ?? .null,
        .bytes(thumbnail.jpeg[...]), freshUntil.map { .integer($0.seconds) } ?? .null, Value(version?.entityTag),
        Value(version?.lastModified), Value(answeredBy))
    }
    database.checkpointLargeJournal()
  }

  func confirm(_ address: String, until end: UnixTime, at now: UnixTime) throws(DatabaseError) {
    try database.run(
      "UPDATE cover SET fresh_until = ?, got_at = ?, kept_until = NULL WHERE address = ?", .integer(end.seconds),
      .integer(now.seconds), .text(address))
  }

  func keep(_ address: String, until end: UnixTime) throws(DatabaseError) {
    try database.run("UPDATE cover SET kept_until = ? WHERE address = ?", .integer(end.seconds), .text(address))
  }

  func remove(_ address: String) throws(DatabaseError) {
    try database.run("DELETE FROM cover WHERE address = ?", .text(address))
  }

  /// Evicts the least recently used thumbnails, a tenth more than necessary.
  private func evict(for byteCount: Int) throws(DatabaseError) {
    let used = try database.totalByteCount("SELECT sum(byte_count), min(byte_count) FROM cover")
    guard used > maximumByteCount - byteCount else { return }
    try database.run(
      """
      DELETE FROM cover WHERE rowid IN (SELECT rowid FROM (
        SELECT rowid, sum(byte_count) OVER (ORDER BY used_at DESC, rowid DESC) AS total FROM cover) WHERE total > ?)
      """, .integer(max(0, maximumByteCount - maximumByteCount / 10 - byteCount)))
  }

  // MARK: - Addresses without a picture

  /// Returns why there was no picture at an address a short time ago; nil if that is unknown.
  func missing(_ address: String, at now: UnixTime) throws(DatabaseError) -> CoverFailure? {
    try database.first(
      "SELECT reason, is_final FROM missing WHERE address = ? AND until > ?", .text(address), .integer(now.seconds)
    ) { row in
      row.text(0).map { .earlier(reason: cleanedLine($0, limit: 200), isFinal: row.integer(1) == 1) }
    } ?? nil
  }

  func insertMissing(_ address: String, _ failure: CoverFailure, until: UnixTime) throws(DatabaseError) {
    guard address.utf8.count <= Self.longestMissingAddress else { return }
    try database.run(
      "INSERT OR REPLACE INTO missing VALUES (?, ?, ?, ?)", .text(address), .integer(until.seconds),
      .text(failure.reason), .integer(failure.kind == .permanent ? 1 : 0))
    try database.run(
      "DELETE FROM missing WHERE rowid <= (SELECT max(rowid) FROM missing) - ?", .integer(Self.largestMissingCount))
    database.checkpointLargeJournal()
  }

  func removeMissing(_ address: String) throws(DatabaseError) {
    try database.run("DELETE FROM missing WHERE address = ?", .text(address))
  }
}

/// A thumbnail, the time at which its server last sent or confirmed its picture, and the end of its freshness.
struct StoredThumbnail: Equatable, Sendable {
  var thumbnail: Thumbnail
  var fetched: UnixTime
  /// Nil if it is of a version of the program that did not store it, and that laid logos on gray.
  var freshUntil: UnixTime?
  /// The end of the pause after a failed request; nil without a failure.
  var keptUntil: UnixTime?

  /// The time in seconds for which it is fresh after `fetched`; nil if it is unknown.
  var lifetime: Int? { freshUntil.map { $0.seconds - fetched.seconds } }
}

extension StoredThumbnail {
  /// Reads the columns `got_at, used_at, is_whole, width, height, average, video_seconds, jpeg, fresh_until, kept_until`; nil
  /// if one has an invalid value. An invalid end of the freshness or of the pause counts as past.
  fileprivate init?(_ row: Statement) {
    guard let fetched = row.integer(0), (0...UnixTime.latestStored).contains(fetched), let isWhole = row.integer(2),
      let width = row.integer(3),
      let height = row.integer(4), let average = row.integer(5).flatMap({ RGB(number: $0) }), let jpeg = row.bytes(7),
      row.isNull(6) || row.integer(6).map({ (0...Thumbnail.longestVideo).contains($0) }) == true,
      (1...Thumbnail.bounds.width).contains(width), (1...Thumbnail.bounds.height).contains(height)
    else { return nil }
    self.init(
      thumbnail: Thumbnail(
        jpeg: jpeg, size: Size(width: width, height: height), isWhole: isWhole & 1 != 0, average: average,
        backdrop: Backdrop(rawValue: isWhole >> 1),
        videoSeconds: row.integer(6)),
      fetched: UnixTime(seconds: fetched),
      freshUntil: row.time(8), keptUntil: row.time(9))
  }
}

extension Statement {
  /// Reads a time; 1970 for an invalid one.
  fileprivate func time(_ column: Int) -> UnixTime? {
    isNull(column) ? nil : UnixTime(seconds: min(max(integer(column) ?? 0, 0), UnixTime.latestStored))
  }
}

extension Thumbnail {
  /// The column `is_whole`: a bit, and above it the number of the backdrop, 0 for none. Earlier versions read the whole
  /// number as a bit.
  fileprivate var flags: Int { (isWhole ? 1 : 0) | (backdrop?.rawValue ?? 0) << 1 }
}

extension RGB {
  fileprivate var number: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }

  fileprivate init?(number: Int) {
    guard (0...0xFF_FFFF).contains(number) else { return nil }
    self.init(
      red: UInt8(number >> 16), green: UInt8(truncatingIfNeeded: number >> 8), blue: UInt8(truncatingIfNeeded: number))
  }
}

extension Schema {
  /// The picture follows the columns that are read without it; those behind it came later, and are in the order in which
  /// `ALTER TABLE` appends them. The color is a number of 24 bits; times are in seconds since 1970.
  fileprivate static let covers = Schema(
    version: 5,
    tables: SizeTable.tables + """
      CREATE TABLE cover (
        address TEXT NOT NULL UNIQUE, got_at INTEGER NOT NULL, used_at INTEGER NOT NULL, byte_count INTEGER NOT NULL,
        is_whole INTEGER NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, average INTEGER NOT NULL,
        video_seconds INTEGER,
        jpeg BLOB NOT NULL, fresh_until INTEGER, entity_tag TEXT, last_modified TEXT, answered_by TEXT,
        kept_until INTEGER);
      CREATE INDEX cover_by_use ON cover (used_at, byte_count);
      CREATE TABLE missing (address TEXT NOT NULL UNIQUE, until INTEGER NOT NULL, reason TEXT NOT NULL, is_final INTEGER);
      """,
    upgrades: [2: SizeTable.tables + freshness + pause, 3: freshness + pause, 4: pause])

  private static let freshness = """
    ALTER TABLE cover ADD COLUMN fresh_until INTEGER;
    ALTER TABLE cover ADD COLUMN entity_tag TEXT;
    ALTER TABLE cover ADD COLUMN last_modified TEXT;
    ALTER TABLE cover ADD COLUMN answered_by TEXT;
    ALTER TABLE missing ADD COLUMN is_final INTEGER;

    """

  private static let pause = "ALTER TABLE cover ADD COLUMN kept_until INTEGER;"
}
