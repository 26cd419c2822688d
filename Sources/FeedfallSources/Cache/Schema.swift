import FeedfallStorage
import Glibc

/// The tables of a file of what is kept.
package struct Schema: Sendable {
  /// A change of the tables is a new number; a file of another number is set aside.
  private let version: Int
  private let tables: String

  package init(version: Int, tables: String) {
    self.version = version
    self.tables = tables
  }

  /// Makes the tables in a new file; fails as `damaged` where others are there.
  package func establish(in database: Database) throws(DatabaseError) {
    if try version(of: database) == 0 {
      try database.run(script: "PRAGMA journal_mode = WAL")
      try database.writing { () throws(DatabaseError) in
        // Another program may have been faster.
        guard try version(of: database) == 0 else { return }
        guard try isEmpty(database) else { throw DatabaseError(.damaged, "it holds other tables") }
        try database.run(script: tables + "PRAGMA user_version = \(version);")
      }
    }
    guard try version(of: database) == version else { throw DatabaseError(.damaged, "it is of another version") }
    try database.run(script: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;")
  }

  private func version(of database: Database) throws(DatabaseError) -> Int? {
    try database.first("PRAGMA user_version") { $0.integer(0) } ?? nil
  }

  private func isEmpty(_ database: Database) throws(DatabaseError) -> Bool {
    try database.first("SELECT count(*) FROM sqlite_master") { $0.integer(0) == 0 } ?? false
  }
}

extension Schema {
  /// Of the answers. A body lies in pieces, so that the first screen of a large one is there before the
  /// rest is read. Times are in seconds since 1970, but for those in `hold`, which are in milliseconds. The ids begin
  /// anywhere, so that none names another answer in a file that was begun anew.
  static let answers = Schema(
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

extension Database {
  private static var longestJournal: Int { 1 << 20 }

  /// Writes the journal into the file at `path`, which is this one, when it has grown: who opens the file next reads all
  /// of it first.
  package func settleJournal(of path: String) {
    var facts = stat()
    guard stat(path + "-wal", &facts) == 0, facts.st_size > Self.longestJournal else { return }
    // Where another program is at it, the next time will do.
    try? run(script: "PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
