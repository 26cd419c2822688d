import CFeedfallSQLite

/// A connection to a database file; one thread at a time may use it. Its end does not wait for the disk.
public final class Database {
  private let sqlite: sqlite_functions
  private let handle: OpaquePointer
  /// By the statement's text.
  private var statements: [String: Statement] = [:]

  /// Opens the file at a path, which need not be there yet; waits at most so many milliseconds for other programs,
  /// here and with every statement.
  public init(path: String, patienceMilliseconds: Int) throws(DatabaseError) {
    guard let sqlite = sqlite_functions()?.pointee else {
      throw DatabaseError(.noLibrary, "there is no libsqlite3")
    }
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite.open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      _ = sqlite.close_v2(handle)
      throw DatabaseError(code: code, message: "it could not be opened")
    }
    sqlite_close_at_once(handle)
    _ = sqlite.busy_timeout(handle, Int32(clamping: patienceMilliseconds))
    self.sqlite = sqlite
    self.handle = handle
  }

  deinit {
    statements = [:]
    _ = sqlite.close_v2(handle)
  }

  /// Runs statements that take no values and whose rows nobody wants.
  public func run(script: String) throws(DatabaseError) {
    guard sqlite.exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  /// Runs a statement to its end.
  public func run(_ text: String, _ values: Value...) throws(DatabaseError) {
    let statement = try prepared(text, values)
    defer { statement.rest() }
    while try statement.step() {}
  }

  /// What `read` makes of the first row; nil where there is none.
  public func first<Result>(
    _ text: String, _ values: Value..., read: (Row) -> Result
  ) throws(DatabaseError) -> Result? {
    let statement = try prepared(text, values)
    defer { statement.rest() }
    return try statement.step() ? read(Row(statement)) : nil
  }

  /// Calls `read` with row after row.
  public func each(_ text: String, _ values: Value..., read: (Row) -> Void) throws(DatabaseError) {
    let statement = try prepared(text, values)
    defer { statement.rest() }
    while try statement.step() { read(Row(statement)) }
  }

  /// Writes all that `body` writes, or nothing.
  public func writing<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
    try run(script: "BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run(script: "COMMIT")
      return result
    } catch {
      // It fails where the error itself has ended the transaction.
      _ = sqlite.exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  private func prepared(_ text: String, _ values: [Value]) throws(DatabaseError) -> Statement {
    let statement: Statement
    if let known = statements[text] {
      statement = known
    } else {
      var made: OpaquePointer?
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      guard sqlite.prepare_v3(handle, text, -1, flags, &made, nil) == SQLITE_OK, let made else { throw error }
      statement = Statement(made, sqlite, of: handle)
      statements[text] = statement
    }
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    return statement
  }

  private var error: DatabaseError { sqlite.error(of: handle) }
}

extension sqlite_functions {
  /// Why the last call failed.
  func error(of handle: OpaquePointer) -> DatabaseError {
    DatabaseError(code: extended_errcode(handle), message: errmsg(handle).map { String(cString: $0) } ?? "")
  }
}
