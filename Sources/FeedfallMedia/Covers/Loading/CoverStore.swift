import FeedfallScreen
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import WaterfallEngine

/// A database file. The least recently used thumbnails are evicted; the sizes stay.
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
    try Database.Schema.covers.establish(in: database)
  }

  // MARK: - Thumbnails

  /// Also marks the thumbnail as used.
  func thumbnail(of address: String, at now: UnixTime) throws(DatabaseError) -> Entry? {
    let stored = try database.first(
      """
      SELECT got_at, used_at, is_whole, backdrop, width, height, average, video_seconds, fresh_until, kept_until, jpeg
      FROM cover WHERE address = ?
      """, .text(address)
    ) { row in Entry(row).map { ($0, usedAt: row.integer(1) ?? 0) } }
    guard let stored, let stored else { return nil }
    if stored.usedAt < now.seconds - Self.useStep || stored.usedAt > now.seconds {
      // The cover is returned even if its use cannot be recorded: on a full disk, or while another program writes.
      try? database.run("UPDATE cover SET used_at = ? WHERE address = ?", .integer(now.seconds), .text(address))
    }
    return stored.0
  }

  func average(of address: String) throws(DatabaseError) -> RGB? {
    try database.first("SELECT average FROM cover WHERE address = ?", .text(address)) {
      $0.integer(0).flatMap { RGB(number: $0) }
    } ?? nil
  }

  func insert(_ size: Size, of key: Int) throws(DatabaseError) {
    try database.writing { () throws(DatabaseError) in try sizes.insert(size, of: key) }
    database.checkpointLargeJournal()
  }

  /// - Parameter web: the address, which stands for that of the server's answer if no redirect led to another one.
  func version(of address: String, _ web: WebAddress) throws(DatabaseError) -> AnswerVersion? {
    try database.first("SELECT entity_tag, last_modified, answered_by FROM cover WHERE address = ?", .text(address)) {
      let answered = $0.isNull(2) ? web : $0.text(2).flatMap { WebAddress($0) }
      return answered.flatMap { [row = $0] in AnswerVersion(of: $0, entityTag: row.text(0), lastModified: row.text(1)) }
    } ?? nil
  }

  func insert(
    _ thumbnail: Thumbnail, of address: String, at now: UnixTime, freshUntil: UnixTime,
    version: AnswerVersion? = nil, answeredElsewhere: Bool = false, size: (Size, key: Int)? = nil
  ) throws(DatabaseError) {
    let answeredBy = answeredElsewhere ? version?.address.text : nil
    let texts = [address, address, version?.entityTag, version?.lastModified, answeredBy]
    let byteCount = texts.reduce(thumbnail.jpeg.count + Self.overhead) { $0 + ($1?.utf8.count ?? 0) }
    try database.writing { () throws(DatabaseError) in
      if let size { try sizes.insert(size.0, of: size.key) }
      guard byteCount <= maximumByteCount else { return }
      try remove(address)
      _ = try database.evict(from: "cover", limit: maximumByteCount, for: byteCount)
      try database.run(
        "INSERT INTO cover VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?)", .text(address),
        .integer(now.seconds), .integer(now.seconds), .integer(byteCount), .integer(thumbnail.isWhole ? 1 : 0),
        .optional(thumbnail.backdrop?.rawValue), .integer(thumbnail.size.width), .integer(thumbnail.size.height),
        .integer(thumbnail.average.number), .optional(thumbnail.videoSeconds), .integer(freshUntil.seconds),
        .optional(version?.entityTag), .optional(version?.lastModified), .optional(answeredBy),
        .bytes(thumbnail.jpeg[...]))
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

  // MARK: - Addresses without a picture

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

  /// `fetched` is the time at which the server last sent or confirmed the picture.
  struct Entry: Equatable, Sendable {
    var thumbnail: Thumbnail
    var fetched: UnixTime
    var freshUntil: UnixTime
    /// The end of the pause after a failed request; nil without a failure.
    var keptUntil: UnixTime?

    var lifetime: Int { freshUntil.seconds - fetched.seconds }
  }
}

struct Thumbnail: Equatable, Sendable {
  var jpeg: [UInt8]
  /// In pixels.
  var size: Size
  /// Whether the cover itself is not larger.
  var isWhole: Bool
  var average: RGB
  /// The color around a logo, which is fitted instead of cropped; nil for other pictures.
  var backdrop: Backdrop?
  /// The length of the video that it was made of, in seconds; nil if it is unknown, and for other pictures.
  var videoSeconds: Int?

  static let bounds = Size(width: 320, height: 320)
  /// In seconds.
  static let longestVideo = 1_000_000_000
  private static let quality = 80
  /// Beyond this enlargement a thumbnail looks poor, and the cover is requested again.
  private static let largestEnlargement = 2.0

  static func videoSeconds(_ seconds: Double) -> Int? {
    (0...Double(longestVideo)).contains(seconds) ? Int(seconds) : nil
  }

  func suffices(for format: CoverFormat) -> Bool {
    isWhole || format.enlargement(of: size, isFitted: backdrop != nil) <= Self.largestEnlargement
  }
}

extension Thumbnail {
  init?(of picture: PixelBuffer, original: Size, _ backdrop: Backdrop? = nil) {
    let small = picture.scaled(to: .within(Self.bounds))
    guard let jpeg = small.jpeg(quality: Self.quality) else { return nil }
    let isWhole = max(original.width, original.height) <= Self.bounds.width
    self.init(jpeg: jpeg, size: small.size, isWhole: isWhole, average: small.averageColor, backdrop: backdrop)
  }
}

extension CoverStore.Entry {
  /// Nil if a column has an invalid value; but an invalid end of the freshness or of the pause counts as past.
  fileprivate init?(_ row: Database.Statement) {
    guard let fetched = row.integer(0), (0...UnixTime.latestStored).contains(fetched), let isWhole = row.integer(2),
      let width = row.integer(4), let height = row.integer(5),
      let average = row.integer(6).flatMap({ RGB(number: $0) }),
      row.isNull(7) || row.integer(7).map({ (0...Thumbnail.longestVideo).contains($0) }) == true,
      let jpeg = row.bytes(10), (1...Thumbnail.bounds.width).contains(width),
      (1...Thumbnail.bounds.height).contains(height)
    else { return nil }
    self.init(
      thumbnail: Thumbnail(
        jpeg: jpeg, size: Size(width: width, height: height), isWhole: isWhole != 0, average: average,
        backdrop: row.integer(3).flatMap { Backdrop(rawValue: $0) }, videoSeconds: row.integer(7)),
      fetched: UnixTime(seconds: fetched), freshUntil: row.time(8), keptUntil: row.isNull(9) ? nil : row.time(9))
  }
}

extension Database.Statement {
  fileprivate func time(_ column: Int) -> UnixTime {
    UnixTime(seconds: min(max(integer(column) ?? 0, 0), UnixTime.latestStored))
  }
}

extension RGB {
  fileprivate var number: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }

  fileprivate init?(number: Int) {
    guard (0...0xFF_FFFF).contains(number) else { return nil }
    self.init(UInt32(number))
  }
}

extension Database.Schema {
  /// The picture is last, because the others are read without it. Times are in seconds since 1970; a color has 24 bits.
  fileprivate static let covers = Self(
    version: 6,
    tables: SizeTable.tables + """
      CREATE TABLE cover (
        address TEXT NOT NULL UNIQUE, got_at INTEGER NOT NULL, used_at INTEGER NOT NULL, byte_count INTEGER NOT NULL,
        is_whole INTEGER NOT NULL, backdrop INTEGER, width INTEGER NOT NULL, height INTEGER NOT NULL,
        average INTEGER NOT NULL, video_seconds INTEGER, fresh_until INTEGER NOT NULL, kept_until INTEGER,
        entity_tag TEXT, last_modified TEXT, answered_by TEXT, jpeg BLOB NOT NULL);
      CREATE INDEX cover_by_use ON cover (used_at, byte_count);
      CREATE TABLE missing (
        address TEXT NOT NULL UNIQUE, until INTEGER NOT NULL, reason TEXT NOT NULL, is_final INTEGER NOT NULL);
      """)
}

/// The sizes of pictures by the hash of their addresses. 200,000 rows of random keys take 5 MB. Each row has an age:
/// the number of rows written before it, divided by `rowsPerAge`. The oldest age is evicted when one begins, so that
/// rows need not be counted.
struct SizeTable {
  private let database: Database
  private let rowsPerAge: Int

  static let usualRowsPerAge = 20_000
  static let ageCount = 10
  private static let longestSide = 65_535
  private static let maximumWriteCount = 1 << 40

  static let tables = """
    CREATE TABLE size (address INTEGER PRIMARY KEY, value INTEGER NOT NULL);
    CREATE TABLE size_writes (count INTEGER NOT NULL);
    INSERT INTO size_writes VALUES (0);

    """

  init(_ database: Database, rowsPerAge: Int = Self.usualRowsPerAge) {
    (self.database, self.rowsPerAge) = (database, rowsPerAge)
  }

  /// Decodes a row: the age above 32 bits, 16 bits of the width and 16 bits of the height.
  private static func decode(_ value: Int) -> (age: Int, size: Size)? {
    let size = Size(width: value >> 16 & 0xFFFF, height: value & 0xFFFF)
    guard value > 0, size.width > 0, size.height > 0 else { return nil }
    return (value >> 32, size)
  }

  static func key(_ address: String) -> Int { Int(truncatingIfNeeded: FNV1a.hash(address)) }

  /// About a microsecond each.
  func sizes(of keys: [Int?]) throws(DatabaseError) -> [Size?] {
    try database.reading { () throws(DatabaseError) in
      var sizes: [Size?] = []
      for key in keys {
        if let key { sizes.append(try row(key)?.size) } else { sizes.append(nil) }
      }
      return sizes
    }
  }

  private func row(_ key: Int) throws(DatabaseError) -> (age: Int, size: Size)? {
    try database.first("SELECT value FROM size WHERE address = ?", .integer(key)) { row in
      row.integer(0).flatMap { Self.decode($0) }
    } ?? nil
  }

  /// Within a transaction. An equal row is written again only if it is older than half of the ages.
  func insert(_ size: Size, of key: Int) throws(DatabaseError) {
    let lengths = 1...Self.longestSide
    guard lengths.contains(size.width), lengths.contains(size.height) else { return }
    let count = try database.first("SELECT count FROM size_writes") { $0.integer(0) } ?? nil
    guard let count, (0...Self.maximumWriteCount).contains(count) else {
      throw DatabaseError(.damaged, "it holds an impossible count")
    }
    let age = count / rowsPerAge
    if let known = try row(key), known.size == size, known.age > age - Self.ageCount / 2 { return }
    if count % rowsPerAge == 0 {
      try database.run("DELETE FROM size WHERE value < ?", .integer((age - Self.ageCount + 1) << 32))
    }
    let value = age << 32 | size.width << 16 | size.height
    try database.run("INSERT OR REPLACE INTO size VALUES (?, ?)", .integer(key), .integer(value))
    try database.run("UPDATE size_writes SET count = ?", .integer(count + 1))
  }
}
