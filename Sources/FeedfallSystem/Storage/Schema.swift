import Glibc

/// The tables of a cache file: one definition each, which ends with a semicolon and a line break.
package struct Schema: Sendable {
  /// Increases with each change of the tables. A file with a lower version is replaced, unless it can be upgraded.
  private let version: Int
  private let tables: String
  /// The statements that upgrade a file of an older version, by that version.
  private let upgrades: [Int: String]

  package init(version: Int, tables: String, upgrades: [Int: String] = [:]) {
    self.version = version
    self.tables = tables
    self.upgrades = upgrades
  }

  /// Creates the tables in a new file. Throws `outdated` if the file is of an older version, and `damaged` if it has
  /// other tables.
  package func establish(in database: Database) throws(DatabaseError) {
    if try version(of: database) == 0 {
      try database.run(script: "PRAGMA journal_mode = WAL")
      try database.writing { () throws(DatabaseError) in
        // Another program may have created the tables meanwhile.
        guard try version(of: database) == 0 else { return }
        guard try isEmpty(database) else { throw DatabaseError(.damaged, "it holds other tables") }
        try database.run(script: tables + "PRAGMA user_version = \(version);")
      }
    }
    try upgrade(database)
    let stored = try version(of: database) ?? 0
    guard stored == version else {
      throw DatabaseError((1..<version).contains(stored) ? .outdated : .damaged, "it is of another version")
    }
    guard try definitions(in: database) == definitions else { throw DatabaseError(.damaged, "it holds other tables") }
    try database.run(script: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;")
  }

  private func upgrade(_ database: Database) throws(DatabaseError) {
    guard upgrades[try version(of: database) ?? 0] != nil else { return }
    try database.writing { () throws(DatabaseError) in
      // Another program may have upgraded the file meanwhile.
      guard let upgrade = upgrades[try version(of: database) ?? 0] else { return }
      try database.run(script: upgrade + "PRAGMA user_version = \(version);")
    }
  }

  /// The definitions of the tables, indexes and triggers, sorted, with one space for all white space: SQLite stores
  /// them as they were written.
  private var definitions: [String] {
    let ends = tables.split(separator: ";\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    return ends.map { $0.hasSuffix(";") ? String($0.dropLast()) : $0 }.filter { $0.hasPrefix("CREATE ") }.sorted()
  }

  /// The same of a file, without SQLite's own tables and those in which FTS5 stores an index.
  private func definitions(in database: Database) throws(DatabaseError) -> [String] {
    let rows = try database.all("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'") {
      (name: $0.text(0) ?? "", definition: $0.text(1) ?? "")
    }
    let hidden = indexTables
    return rows.filter { !hidden.contains($0.name) }
      .map { $0.definition.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.sorted()
  }

  /// The tables in which FTS5 stores the indexes.
  private var indexTables: Set<String> {
    let names = definitions.filter { $0.hasPrefix("CREATE VIRTUAL TABLE ") }.map { $0.split(separator: " ")[3] }
    return Set(names.flatMap { name in ["data", "idx", "docsize", "config"].map { "\(name)_\($0)" } })
  }

  private func version(of database: Database) throws(DatabaseError) -> Int? {
    try database.first("PRAGMA user_version") { $0.integer(0) } ?? nil
  }

  private func isEmpty(_ database: Database) throws(DatabaseError) -> Bool {
    try database.first("SELECT count(*) FROM sqlite_master") { $0.integer(0) == 0 } ?? false
  }
}

extension Database {
  private static var longestJournal: Int { 1 << 20 }

  /// Writes a large journal into the database file, because opening the file reads the whole journal.
  package func checkpointLargeJournal() {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size > Self.longestJournal else { return }
    // Fails while another program uses the file. The next checkpoint does the work.
    try? run(script: "PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
