import CFeedfallSQLite

/// Why a database did not do what it was asked.
public struct DatabaseError: Error, Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// Another program is at it; soon it may be free.
    case busy
    /// What is in the file is no database, or not the one that it was.
    case damaged
    case full
    /// The file can't be opened, read or written.
    case unusable
    /// No usable SQLite on this system.
    case noLibrary
  }
  public var kind: Kind
  /// SQLite's own words.
  public var message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  init(code: Int32, message: String) {
    self.init(Self.kind(code), message)
  }

  private static func kind(_ code: Int32) -> Kind {
    // Bytes that should be there and are not.
    let shortRead = SQLITE_IOERR | 2 << 8
    return switch code & 0xff {
    case _ where code == shortRead: .damaged
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    // A plain error is a statement that doesn't fit to the tables that are there.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_CONSTRAINT: .damaged
    default: .unusable
    }
  }
}
