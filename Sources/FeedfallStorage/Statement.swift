import CFeedfallSQLite

/// A statement that SQLite has understood.
final class Statement {
  private let sqlite: sqlite_functions
  fileprivate let handle: OpaquePointer
  private let database: OpaquePointer

  init(_ handle: OpaquePointer, _ sqlite: sqlite_functions, of database: OpaquePointer) {
    self.handle = handle
    self.sqlite = sqlite
    self.database = database
  }

  deinit {
    _ = sqlite.finalize(handle)
  }

  /// Binds to a place that counts from 1; without memory for it the place stays null.
  func bind(_ value: Value, at place: Int32) {
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

  /// Goes on to the next row; false after the last one.
  func step() throws(DatabaseError) -> Bool {
    switch sqlite.step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw sqlite.error(of: database)
    }
  }

  /// Makes it ready to be run again.
  func rest() {
    _ = sqlite.reset(handle)
  }

  func integer(_ column: Int32) -> Int? {
    guard sqlite.column_type(handle, column) == SQLITE_INTEGER else { return nil }
    return Int(sqlite.column_int64(handle, column))
  }

  func text(_ column: Int32) -> String? {
    guard sqlite.column_type(handle, column) == SQLITE_TEXT, let start = sqlite.column_text(handle, column) else {
      return nil
    }
    let count = Int(sqlite.column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int32) -> [UInt8]? {
    guard sqlite.column_type(handle, column) == SQLITE_BLOB else { return nil }
    let start = sqlite.column_blob(handle, column)
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite.column_bytes(handle, column))))
  }
}

/// What a statement is given.
public enum Value: Sendable {
  case null
  case integer(Int)
  case text(String)
  case bytes(ArraySlice<UInt8>)

  /// Null for nil.
  public init(_ text: String?) {
    self = text.map(Value.text) ?? .null
  }
}

/// A row of what a statement found, valid while it is read; columns count from 0, and one of another type is nil.
public struct Row {
  private let statement: Statement

  init(_ statement: Statement) {
    self.statement = statement
  }

  public func integer(_ column: Int) -> Int? { statement.integer(Int32(column)) }
  public func text(_ column: Int) -> String? { statement.text(Int32(column)) }
  public func bytes(_ column: Int) -> [UInt8]? { statement.bytes(Int32(column)) }
}
