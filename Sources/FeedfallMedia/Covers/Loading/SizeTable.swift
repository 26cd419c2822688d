import FeedfallSystem
import FeedfallText
import WaterfallEngine

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

  /// The age above 32 bits, 16 bits of the width and 16 bits of the height.
  private struct Row: Equatable {
    var age: Int
    var size: Size

    var value: Int { age << 32 | size.width << 16 | size.height }

    init(age: Int, size: Size) { (self.age, self.size) = (age, size) }

    init?(value: Int) {
      let size = Size(width: value >> 16 & 0xFFFF, height: value & 0xFFFF)
      guard value > 0, size.width > 0, size.height > 0 else { return nil }
      self.init(age: value >> 32, size: size)
    }
  }

  static func key(_ address: String) -> Int { Int(truncatingIfNeeded: FNV1a.hash(address)) }

  /// About a microsecond each.
  func sizes(of keys: [Int?]) throws(DatabaseError) -> [Size?] {
    try database.reading { () throws(DatabaseError) in
      var sizes: [Size?] = []
      for key in keys {
        guard let key else {
          sizes.append(nil)
          continue
        }
        sizes.append(try row(key)?.size)
      }
      return sizes
    }
  }

  func size(of key: Int) throws(DatabaseError) -> Size? { try row(key)?.size }

  private func row(_ key: Int) throws(DatabaseError) -> Row? {
    try database.first("SELECT value FROM size WHERE address = ?", .integer(key)) { row in
      row.integer(0).flatMap { Row(value: $0) }
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
    let row = Row(age: count / rowsPerAge, size: size)
    if let known = try self.row(key), known.size == size, known.age > row.age - Self.ageCount / 2 { return }
    if count % rowsPerAge == 0 {
      try database.run("DELETE FROM size WHERE value < ?", .integer((row.age - Self.ageCount + 1) << 32))
    }
    try database.run("INSERT OR REPLACE INTO size VALUES (?, ?)", .integer(key), .integer(row.value))
    try database.run("UPDATE size_writes SET count = ?", .integer(count + 1))
  }
}
