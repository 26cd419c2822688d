import FeedfallSystem
import FeedfallText

/// A database file of cached answers. The least recently used answers are evicted.
///
/// Changes are visible to other programs at once and survive a crash of this one. A write does not wait for the disk
/// until the journal has a megabyte.
final class AnswerStore: CacheStore {
  static let fileName = "pages.sqlite"
  static let contents = "pages"

  private let database: Database
  private let maximumByteCount: Int

  private static let timeoutMilliseconds = 500
  /// The approximate maximum size of an answer without its body.
  private static let overhead = 4096
  /// The precision of `used_at` in seconds, so that few reads write.
  private static let useStep = 3600
  /// Bodies are stored in pieces of this size, so that the first page of a large body needs only its start.
  private static let pieceByteCount = 128 << 10

  init(path: String, maximumByteCount: Int) throws(DatabaseError) {
    self.maximumByteCount = maximumByteCount
    database = try Database(path: path, timeoutMilliseconds: Self.timeoutMilliseconds)
    try Database.Schema.answers.establish(in: database)
  }

  // MARK: - Reading

  private static let columns =
    "id, address, content_type, link, etag, last_modified, fetched_at, fresh_until, byte_count"

  func answer(to request: WebAddress) throws(DatabaseError) -> CachedAnswer? {
    try database.first("SELECT \(Self.columns) FROM answer WHERE request = ?", .text(request.text)) {
      CachedAnswer($0)
    } ?? nil
  }

  func document(of request: WebAddress) throws(DatabaseError) -> CachedAnswer? {
    if let document = try lead(of: request), let answer = try answer(to: document) { return answer }
    return try answer(to: request)
  }

  func lead(of request: WebAddress) throws(DatabaseError) -> WebAddress? {
    let lead = try database.first("SELECT document FROM lead WHERE request = ?", .text(request.text)) { $0.text(0) }
    return (lead ?? nil).flatMap { WebAddress($0) }
  }

  /// To the end of a piece; nil if it was evicted.
  func bytes(of id: Int, at offset: Int) throws(DatabaseError) -> ArraySlice<UInt8>? {
    let piece = try database.first(
      "SELECT bytes FROM piece WHERE answer = ? AND number = ?", .integer(id), .integer(offset / Self.pieceByteCount)
    ) { $0.bytes(0) }
    return piece.flatMap { $0?.dropFirst(offset % Self.pieceByteCount) }
  }

  /// Nil if a part of it was evicted.
  func body(of answer: CachedAnswer) throws(DatabaseError) -> [UInt8]? {
    var body: [UInt8] = []
    body.reserveCapacity(min(answer.byteCount, maximumByteCount))
    while body.count < answer.byteCount {
      guard let piece = try bytes(of: answer.id, at: body.count), !piece.isEmpty else { return nil }
      body += piece
    }
    return body.count == answer.byteCount ? body : nil
  }

  // MARK: - Writing

  func recordUse(of id: Int, at now: UnixTime) throws(DatabaseError) {
    let since = now.seconds - Self.useStep
    let used = try database.first("SELECT used_at FROM answer WHERE id = ?", .integer(id)) { $0.integer(0) } ?? nil
    guard let used, used < since || used > now.seconds else { return }
    try database.run("UPDATE answer SET used_at = ? WHERE id = ?", .integer(now.seconds), .integer(id))
  }

  func extend(_ id: Int, until time: UnixTime) throws(DatabaseError) {
    try database.run("UPDATE answer SET fresh_until = ? WHERE id = ?", .integer(time.seconds), .integer(id))
  }

  /// Applies all changes or none.
  func apply(_ changes: [AnswerCache.Change], at now: UnixTime) throws(DatabaseError) {
    try database.writing { () throws(DatabaseError) in
      for change in changes { try apply(change, at: now) }
    }
    database.checkpointLargeJournal()
  }

  private func apply(_ change: AnswerCache.Change, at now: UnixTime) throws(DatabaseError) {
    switch change {
    case .answered(let request, let answer, let headers): try insert(answer, headers, for: request, at: now)
    case .confirmed(let answer, let headers): try confirm(answer, headers, at: now)
    case .notStorable(let request): try database.run("DELETE FROM answer WHERE request = ?", .text(request.text))
    case .moved(let request, let target):
      try database.run("INSERT OR REPLACE INTO move VALUES (?, ?)", .text(request.text), .text(target.text))
    case .leads(let request, let document) where request == document:
      try database.run("DELETE FROM lead WHERE request = ?", .text(request.text))
    case .leads(let request, let document):
      try database.run("INSERT OR REPLACE INTO lead VALUES (?, ?)", .text(request.text), .text(document.text))
    }
  }

  private func insert(
    _ answer: HTTPAnswer, _ headers: CacheHeaders, for request: WebAddress, at now: UnixTime
  ) throws(DatabaseError) {
    try database.run("DELETE FROM answer WHERE request = ?", .text(request.text))
    guard answer.body.count + Self.overhead <= maximumByteCount else { return }
    try evict(for: answer.body.count + Self.overhead)
    try database.run(
      """
      INSERT INTO answer (request, address, content_type, link, etag, last_modified, fetched_at, fresh_until, used_at,
        byte_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(request.text), .text(answer.address.forStorage.text), .text(answer.contentType), .optional(answer.link),
      .optional(headers.entityTag), .optional(headers.lastModified), .integer(now.seconds),
      .integer(now.seconds + headers.freshSeconds), .integer(now.seconds), .integer(answer.body.count))
    let id = try database.first("SELECT last_insert_rowid()") { $0.integer(0) } ?? nil
    for (number, start) in stride(from: 0, to: answer.body.count, by: Self.pieceByteCount).enumerated() {
      let piece = answer.body[start..<min(start + Self.pieceByteCount, answer.body.count)]
      try database.run(
        "INSERT INTO piece VALUES (?, ?, ?)", .integer(id ?? 0), .integer(number), .bytes(piece))
    }
  }

  /// Replaces stored headers by those of the confirmation (RFC 9111, 3.2).
  private func confirm(_ answer: CachedAnswer, _ headers: CacheHeaders, at now: UnixTime) throws(DatabaseError) {
    try database.run(
      "UPDATE answer SET etag = ?, last_modified = ?, fetched_at = ?, fresh_until = ?, used_at = ? WHERE id = ?",
      .optional(headers.entityTag ?? answer.entityTag), .optional(headers.lastModified ?? answer.lastModified),
      .integer(now.seconds), .integer(now.seconds + headers.freshSeconds), .integer(now.seconds), .integer(answer.id))
  }

  private func evict(for byteCount: Int) throws(DatabaseError) {
    guard try database.evict(from: "answer", overhead: Self.overhead, limit: maximumByteCount, for: byteCount) else {
      return
    }
    try database.run("DELETE FROM lead WHERE document NOT IN (SELECT request FROM answer)")
    try database.run("DELETE FROM move WHERE request NOT IN (SELECT request FROM answer)")
  }

  /// In seconds, 30 days.
  private static let longestMove = 30 * 86_400

  /// The permanent target that has led to the stored answer, which dates it; nil without such an answer.
  func target(of request: WebAddress, at now: UnixTime) throws(DatabaseError) -> WebAddress? {
    let target = try database.first(
      "SELECT target FROM move JOIN answer USING (request) WHERE request = ? AND fetched_at > ? AND fetched_at <= ?",
      .text(request.text), .integer(now.seconds - Self.longestMove), .integer(now.seconds)
    ) { $0.text(0) }
    return (target ?? nil).flatMap { WebAddress($0) }
  }

  func removeMove(of request: WebAddress) throws(DatabaseError) {
    try database.run("DELETE FROM move WHERE request = ?", .text(request.text))
  }

  /// In milliseconds since 1970.
  func endOfPause(of server: String) throws(DatabaseError) -> Int? {
    let end = try database.first("SELECT until FROM hold WHERE server = ?", .text(server)) { $0.integer(0) } ?? nil
    return end.flatMap { (0...UnixTime.latestStored * 1000).contains($0) ? $0 : nil }
  }

  /// Deletes pauses that have ended, except the one that a `Backoff` doubles.
  func pauseRequests(to server: String, until end: Int, now: Int) throws(DatabaseError) {
    try database.run(
      "DELETE FROM hold WHERE until <= ? AND server || ' backoff' NOT IN (SELECT server FROM hold WHERE until > ?)",
      .integer(now), .integer(now))
    try database.run("INSERT OR REPLACE INTO hold VALUES (?, ?)", .text(server), .integer(end))
  }
}

// MARK: - Moves and pauses

extension CachedAnswer {
  /// Nil if a column has an invalid value.
  fileprivate init?(_ row: Database.Statement) {
    guard let id = row.integer(0), let address = row.text(1).flatMap({ WebAddress($0) }), let fetched = row.integer(6),
      let freshUntil = row.integer(7), let byteCount = row.integer(8), byteCount >= 0,
      [fetched, freshUntil].allSatisfy((0...UnixTime.latestStored).contains)
    else { return nil }
    self.init(
      id: id, address: address, contentType: row.text(2) ?? "", link: row.text(3),
      entityTag: row.text(4).flatMap(CacheHeaders.validator),
      lastModified: row.text(5).flatMap(CacheHeaders.validator), fetched: UnixTime(seconds: fetched),
      freshUntil: UnixTime(seconds: freshUntil),
      byteCount: byteCount)
  }
}

extension Database.Schema {
  /// Times are in seconds since 1970, those in `hold` in milliseconds. IDs start at a random number, so that an old ID
  /// does not identify another answer in a new file.
  fileprivate static let answers = Self(
    version: 1,
    tables: """
      CREATE TABLE answer (
        id INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL UNIQUE, address TEXT NOT NULL,
        content_type TEXT NOT NULL, link TEXT, etag TEXT, last_modified TEXT, fetched_at INTEGER NOT NULL,
        fresh_until INTEGER NOT NULL, used_at INTEGER NOT NULL, byte_count INTEGER NOT NULL);
      INSERT INTO sqlite_sequence (name, seq) VALUES ('answer', abs(random() % 1000000000) * 1000000);
      CREATE INDEX answer_by_use ON answer (used_at, id, byte_count);
      CREATE TABLE piece (
        answer INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (answer, number));
      CREATE TRIGGER body_goes_too AFTER DELETE ON answer BEGIN DELETE FROM piece WHERE answer = old.id; END;
      CREATE TABLE move (request TEXT PRIMARY KEY, target TEXT NOT NULL);
      CREATE TABLE lead (request TEXT PRIMARY KEY, document TEXT NOT NULL);
      CREATE TABLE hold (server TEXT PRIMARY KEY, until INTEGER NOT NULL);
      """)
}
