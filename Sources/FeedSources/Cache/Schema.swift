import SQLite

/// The tables of the answers that are kept.
enum Schema {
  /// A change of the tables is a new number; a file of another number is set aside.
  static let version = 1

  /// Makes the tables in a new file; fails as `damaged` where others are there.
  static func establish(in database: Database) throws(DatabaseError) {
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

  private static func version(of database: Database) throws(DatabaseError) -> Int? {
    try database.first("PRAGMA user_version") { $0.integer(0) } ?? nil
  }

  private static func isEmpty(_ database: Database) throws(DatabaseError) -> Bool {
    try database.first("SELECT count(*) FROM sqlite_master") { $0.integer(0) == 0 } ?? false
  }

  /// A body lies in pieces, so that the first screen of a large one is there before the rest is read. Times are in
  /// seconds since 1970, but for those in `hold`, which are in milliseconds. The ids begin anywhere, so that none
  /// names another answer in a file that was begun anew.
  private static let tables = """
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
    """
}
