import CFeedfall
import Glibc

/// A connection to a database file, to be used by one thread at a time. Closing it does not wait for the disk.
package final class Database {
  private let sqlite: sqlite_functions
  private let handle: OpaquePointer
  let path: String
  private var statements: [String: Statement] = [:]

  /// Opens or creates the file at a path; fails if the path leads through a symbolic link. Statements wait at most
  /// `timeoutMilliseconds` for other programs.
  package init(path: String, timeoutMilliseconds: Int) throws(DatabaseError) {
    guard let sqlite = sqlite_functions()?.pointee else { throw DatabaseError(.noLibrary, "there is no libsqlite3") }
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
    let code = sqlite.open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      _ = sqlite.close_v2(handle)
      throw DatabaseError(code: code, message: "it could not be opened")
    }
    sqlite_close_at_once(handle)
    _ = sqlite.busy_timeout(handle, Int32(clamping: timeoutMilliseconds))
    (self.sqlite, self.handle, self.path) = (sqlite, handle, path)
  }

  deinit {
    statements = [:]
    _ = sqlite.close_v2(handle)
  }

  package func run(script: String) throws(DatabaseError) {
    guard sqlite.exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  package func run(_ text: String, _ values: Value...) throws(DatabaseError) {
    let statement = try prepare(text, values)
    defer { statement.reset() }
    while try statement.step() {}
  }

  package func first<Result>(
    _ text: String, _ values: Value..., read: (Statement) -> Result
  ) throws(DatabaseError) -> Result? {
    let statement = try prepare(text, values)
    defer { statement.reset() }
    return try statement.step() ? read(statement) : nil
  }

  package func all<Result>(
    _ text: String, _ values: Value..., read: (Statement) -> Result
  ) throws(DatabaseError) -> [Result] {
    let statement = try prepare(text, values)
    defer { statement.reset() }
    var results: [Result] = []
    while try statement.step() { results.append(read(statement)) }
    return results
  }

  package func writing<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
    try transaction("BEGIN IMMEDIATE", body)
  }

  /// Runs `body`, whose statements then lock the file once rather than once each.
  package func reading<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
    try transaction("BEGIN", body)
  }

  private func transaction<Result>(
    _ begin: String, _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try run(script: begin)
    do {
      let result = try body()
      try run(script: "COMMIT")
      return result
    } catch {
      // It fails if the error itself has ended the transaction.
      _ = sqlite.exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  private func prepare(_ text: String, _ values: [Value]) throws(DatabaseError) -> Statement {
    let statement: Statement
    if let known = statements[text] {
      statement = known
    } else {
      var prepared: OpaquePointer?
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      guard sqlite.prepare_v3(handle, text, -1, flags, &prepared, nil) == SQLITE_OK, let prepared else { throw error }
      statement = Statement(prepared, sqlite, of: handle)
      statements[text] = statement
    }
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    return statement
  }

  private var error: DatabaseError { sqlite.error(of: handle) }

  package enum Value: Sendable {
    case null
    case integer(Int)
    case text(String)
    case bytes(ArraySlice<UInt8>)

    package static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }
    package static func optional(_ number: Int?) -> Value { number.map(Value.integer) ?? .null }
  }

  /// A prepared statement, with the columns of its current row. Columns count from 0; one of another type is nil.
  package final class Statement {
    private let sqlite: sqlite_functions
    private let handle: OpaquePointer
    private let database: OpaquePointer

    fileprivate init(_ handle: OpaquePointer, _ sqlite: sqlite_functions, of database: OpaquePointer) {
      (self.handle, self.sqlite, self.database) = (handle, sqlite, database)
    }

    deinit { _ = sqlite.finalize(handle) }

    /// Binds a value to a place that counts from 1. It stays null if there is no memory for the value.
    fileprivate func bind(_ value: Value, at place: Int32) {
      switch value {
      case .null: _ = sqlite.bind_null(handle, place)
      case .integer(let number): _ = sqlite.bind_int64(handle, place, Int64(number))
      case .text(var text):
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            _ = sqlite.bind_text64(
              handle, place, $0.baseAddress, UInt64($0.count), sqlite_copied(), UInt8(SQLITE_UTF8))
          }
        }
      case .bytes(let bytes):
        bytes.withUnsafeBytes {
          _ = sqlite.bind_blob64(handle, place, $0.baseAddress, UInt64($0.count), sqlite_copied())
        }
      }
    }

    fileprivate func step() throws(DatabaseError) -> Bool {
      switch sqlite.step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      default: throw sqlite.error(of: database)
      }
    }

    fileprivate func reset() { _ = sqlite.reset(handle) }

    package func isNull(_ column: Int) -> Bool { sqlite.column_type(handle, Int32(column)) == SQLITE_NULL }

    package func integer(_ column: Int) -> Int? {
      let column = Int32(column)
      guard sqlite.column_type(handle, column) == SQLITE_INTEGER else { return nil }
      return Int(sqlite.column_int64(handle, column))
    }

    package func text(_ column: Int) -> String? {
      let column = Int32(column)
      guard sqlite.column_type(handle, column) == SQLITE_TEXT, let start = sqlite.column_text(handle, column) else {
        return nil
      }
      let count = Int(sqlite.column_bytes(handle, column))
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func bytes(_ column: Int) -> [UInt8]? {
      let column = Int32(column)
      guard sqlite.column_type(handle, column) == SQLITE_BLOB else { return nil }
      let start = sqlite.column_blob(handle, column)
      return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite.column_bytes(handle, column))))
    }
  }

  /// The tables of a cache file: one definition each, which ends with a semicolon and a line break.
  package struct Schema: Sendable {
    /// Increases with each change of the tables. A file with a lower version is replaced, unless it can be upgraded.
    private let version: Int
    private let tables: String
    private let upgrade: String?

    /// - Parameter upgrade: the statements that upgrade a file of the version before; nil if such a file is replaced.
    package init(version: Int, tables: String, upgrade: String? = nil) {
      (self.version, self.tables, self.upgrade) = (version, tables, upgrade)
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
      if let upgrade, try version(of: database) == version - 1 {
        try database.writing { () throws(DatabaseError) in
          guard try version(of: database) == version - 1 else { return }
          try database.run(script: upgrade + "PRAGMA user_version = \(version);")
        }
      }
      let stored = try version(of: database) ?? 0
      guard stored == version else {
        throw DatabaseError((1..<version).contains(stored) ? .outdated : .damaged, "it is of another version")
      }
      guard try definitions(in: database) == definitions else { throw DatabaseError(.damaged, "it holds other tables") }
      try database.run(script: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;")
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

  private static var longestJournal: Int { 1 << 20 }

  /// Writes a large journal into the database file, because opening the file reads the whole journal.
  package func checkpointLargeJournal() {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size > Self.longestJournal else { return }
    // Fails while another program uses the file. The next checkpoint does the work.
    try? run(script: "PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

extension sqlite_functions {
  fileprivate func error(of handle: OpaquePointer) -> DatabaseError {
    DatabaseError(code: extended_errcode(handle), message: errmsg(handle).map { String(cString: $0) } ?? "")
  }
}

package struct DatabaseError: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Another program uses the file; a later attempt may succeed.
    case busy
    /// The file is not a database, or has other tables than expected.
    case damaged
    /// The file has the tables of an older version of the program.
    case outdated
    case full
    /// The file cannot be opened, read or written.
    case unusable
    case noLibrary
  }
  package var kind: Kind
  package var message: String

  package init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

  fileprivate init(code: Int32, message: String) { self.init(Self.kind(code), message) }

  private static func kind(_ code: Int32) -> Kind {
    let shortRead = SQLITE_IOERR | 2 << 8
    return switch code & 0xff {
    case _ where code == shortRead: .damaged
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    // A plain error is a statement that does not match the tables in the file.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_CONSTRAINT: .damaged
    default: .unusable
    }
  }
}
