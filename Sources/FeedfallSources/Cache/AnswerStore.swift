import FeedfallStorage
import FeedfallText

/// The answers that are kept, in a database file; the ones longest unused go first where there is no room.
///
/// What is written is there for other programs at once, and after any crash; nothing waits for the disk before a
/// megabyte is written.
final class AnswerStore: CacheStore {
  static let fileName = "pages.sqlite"
  static let contents = "pages"

  private let database: Database
  private let path: String
  private let maximumByteCount: Int

  /// How long another program is waited for.
  private static let patienceMilliseconds = 500
  /// What an answer takes beside its body, at most about.
  private static let overhead = 4096
  /// How long a use counts as the last one, in seconds: reading shall not write each time.
  private static let useStep = 3600
  private static let pieceByteCount = DocumentLimits.pieceByteCount

  init(path: String, maximumByteCount: Int) throws(DatabaseError) {
    self.maximumByteCount = maximumByteCount
    self.path = path
    database = try Database(path: path, patienceMilliseconds: Self.patienceMilliseconds)
    try Schema.answers.establish(in: database)
  }

  // MARK: reading

  private static let columns =
    "id, address, content_type, link, etag, last_modified, fetched_at, fresh_until, byte_count"

  /// The answer that is kept for a request.
  func answer(to request: WebAddress) throws(DatabaseError) -> KeptAnswer? {
    try database.first("SELECT \(Self.columns) FROM answer WHERE request = ?", .text(request.text)) {
      KeptAnswer($0)
    } ?? nil
  }

  /// The answer that holds the videos of what a person asked for, at whatever address that is.
  func document(of request: WebAddress) throws(DatabaseError) -> KeptAnswer? {
    let lead = try database.first("SELECT document FROM lead WHERE request = ?", .text(request.text)) { $0.text(0) }
    return try answer(to: (lead ?? nil).flatMap { WebAddress($0) } ?? request)
  }

  /// The bytes of a body from a place on, up to the end of the piece they lie in; nil where they are gone.
  func bytes(of id: Int, at offset: Int) throws(DatabaseError) -> ArraySlice<UInt8>? {
    let piece = try database.first(
      "SELECT bytes FROM piece WHERE answer = ? AND number = ?", .integer(id), .integer(offset / Self.pieceByteCount)
    ) { $0.bytes(0) }
    return piece.flatMap { $0?.dropFirst(offset % Self.pieceByteCount) }
  }

  /// A whole body; nil where not all of it is there.
  func body(of answer: KeptAnswer) throws(DatabaseError) -> [UInt8]? {
    var body: [UInt8] = []
    body.reserveCapacity(min(answer.byteCount, maximumByteCount))
    while body.count < answer.byteCount {
      guard let piece = try bytes(of: answer.id, at: body.count), !piece.isEmpty else { return nil }
      body += piece
    }
    return body.count == answer.byteCount ? body : nil
  }

  // MARK: writing

  /// Remembers that an answer was of use.
  func noteUse(of id: Int, at now: UnixTime) throws(DatabaseError) {
    let since = now.seconds - Self.useStep
    let used = try database.first("SELECT used_at FROM answer WHERE id = ?", .integer(id)) { $0.integer(0) } ?? nil
    guard let used, used < since || used > now.seconds else { return }
    try database.run("UPDATE answer SET used_at = ? WHERE id = ?", .integer(now.seconds), .integer(id))
  }

  /// Lets an answer stand for new ones until a time.
  func trust(_ id: Int, until time: UnixTime) throws(DatabaseError) {
    try database.run("UPDATE answer SET fresh_until = ? WHERE id = ?", .integer(time.seconds), .integer(id))
  }

  /// Takes over all that a load has brought, or nothing of it.
  func take(_ news: [CacheNews], at now: UnixTime) throws(DatabaseError) {
    try database.writing { () throws(DatabaseError) in
      for item in news { try take(item, at: now) }
    }
    database.settleJournal(of: path)
  }

  private func take(_ news: CacheNews, at now: UnixTime) throws(DatabaseError) {
    switch news {
    case .answered(let request, let answer, let headers): try keep(answer, headers, for: request, at: now)
    case .confirmed(let answer, let headers): try confirm(answer, headers, at: now)
    case .notToKeep(let request): try database.run("DELETE FROM answer WHERE request = ?", .text(request.text))
    case .moved(let request, let target):
      try database.run("INSERT OR REPLACE INTO move VALUES (?, ?)", .text(request.text), .text(target.text))
    case .leads(let request, let document) where request == document:
      try database.run("DELETE FROM lead WHERE request = ?", .text(request.text))
    case .leads(let request, let document):
      try database.run("INSERT OR REPLACE INTO lead VALUES (?, ?)", .text(request.text), .text(document.text))
    }
  }

  private func keep(
    _ answer: HTTPAnswer, _ headers: CacheHeaders, for request: WebAddress, at now: UnixTime
  ) throws(DatabaseError) {
    try database.run("DELETE FROM answer WHERE request = ?", .text(request.text))
    guard answer.body.count + Self.overhead <= maximumByteCount else { return }
    try makeRoom(for: answer.body.count + Self.overhead)
    try database.run(
      """
      INSERT INTO answer (request, address, content_type, link, etag, last_modified, fetched_at, fresh_until, used_at,
        byte_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(request.text), .text(answer.address.text), .text(answer.contentType), Value(answer.link),
      Value(headers.entityTag), Value(headers.lastModified), .integer(now.seconds),
      .integer(now.seconds + headers.freshSeconds), .integer(now.seconds), .integer(answer.body.count))
    let id = try database.first("SELECT last_insert_rowid()") { $0.integer(0) } ?? nil
    for (number, start) in stride(from: 0, to: answer.body.count, by: Self.pieceByteCount).enumerated() {
      let piece = answer.body[start..<min(start + Self.pieceByteCount, answer.body.count)]
      try database.run(
        "INSERT INTO piece VALUES (?, ?, ?)", .integer(id ?? 0), .integer(number), .bytes(piece))
    }
  }

  /// A confirmation may bring new headers, and leaves the others as they were (RFC 9111, 3.2).
  private func confirm(_ answer: KeptAnswer, _ headers: CacheHeaders, at now: UnixTime) throws(DatabaseError) {
    try database.run(
      "UPDATE answer SET etag = ?, last_modified = ?, fetched_at = ?, fresh_until = ?, used_at = ? WHERE id = ?",
      Value(headers.entityTag ?? answer.entityTag), Value(headers.lastModified ?? answer.lastModified),
      .integer(now.seconds), .integer(now.seconds + headers.freshSeconds), .integer(now.seconds), .integer(answer.id))
  }

  /// Takes the answers away that were not used for longest, a tenth more than is needed.
  private func makeRoom(for byteCount: Int) throws(DatabaseError) {
    let used = try database.first("SELECT sum(byte_count + ?) FROM answer", .integer(Self.overhead)) { $0.integer(0) }
    guard ((used ?? nil) ?? 0) + byteCount > maximumByteCount else { return }
    try database.run(
      """
      DELETE FROM answer WHERE id IN (SELECT id FROM (
        SELECT id, sum(byte_count + ?) OVER (ORDER BY used_at DESC, id DESC) AS total FROM answer) WHERE total > ?)
      """, .integer(Self.overhead), .integer(max(0, maximumByteCount - maximumByteCount / 10 - byteCount)))
    try database.run("DELETE FROM lead WHERE document NOT IN (SELECT request FROM answer)")
    try database.run("DELETE FROM move WHERE target NOT IN (SELECT address FROM answer)")
  }
}

// MARK: where to ask, and when

extension AnswerStore {
  /// The address that has taken a request's place for good.
  func target(of request: WebAddress) throws(DatabaseError) -> WebAddress? {
    let target = try database.first("SELECT target FROM move WHERE request = ?", .text(request.text)) { $0.text(0) }
    return (target ?? nil).flatMap { WebAddress($0) }
  }

  func forgetMove(of request: WebAddress) throws(DatabaseError) {
    try database.run("DELETE FROM move WHERE request = ?", .text(request.text))
  }

  /// Until when a server wants to be left alone, in milliseconds since 1970.
  func holdEnd(of server: String) throws(DatabaseError) -> Int? {
    try database.first("SELECT until FROM hold WHERE server = ?", .text(server)) { $0.integer(0) } ?? nil
  }

  /// Remembers until when a server wants to be left alone; what is over by `now` is forgotten.
  func hold(_ server: String, until end: Int, now: Int) throws(DatabaseError) {
    try database.run("DELETE FROM hold WHERE until <= ?", .integer(now))
    try database.run("INSERT OR REPLACE INTO hold VALUES (?, ?)", .text(server), .integer(end))
  }
}

extension KeptAnswer {
  /// Nil where the columns hold what no answer has.
  fileprivate init?(_ row: Row) {
    guard let id = row.integer(0), let address = row.text(1).flatMap({ WebAddress($0) }), let fetched = row.integer(6),
      let freshUntil = row.integer(7), let byteCount = row.integer(8), byteCount >= 0, fetched >= 0
    else { return nil }
    self.init(
      id: id, address: address, contentType: row.text(2) ?? "", link: row.text(3), entityTag: row.text(4),
      lastModified: row.text(5), fetched: UnixTime(seconds: fetched), freshUntil: UnixTime(seconds: freshUntil),
      byteCount: byteCount)
  }
}
