import FeedfallScreen
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

@Suite(.hangLimit, .serialized) struct SizeTableTests {
  /// A file with a small table.
  private struct Small {
    static let rowsPerAge = 8
    let path: String
    private(set) var table: SizeTable
    private var database: Database

    init(_ path: String) throws {
      self.path = path
      (table, database) = try Self.open(path)
    }

    private static func open(_ path: String) throws -> (SizeTable, Database) {
      _ = try CoverStore(path: path, maximumByteCount: 1 << 20)
      let database = try Database(path: path, timeoutMilliseconds: 1000)
      return (SizeTable(database, rowsPerAge: rowsPerAge), database)
    }

    mutating func reopen() throws { (table, database) = try Self.open(path) }

    func insert(_ size: Size, of key: Int) throws {
      try database.writing { () throws(DatabaseError) in try table.insert(size, of: key) }
    }

    /// Begins a transaction that fails after the size was written.
    func failToInsert(_ size: Size, of key: Int) {
      _ = try? database.writing { () throws(DatabaseError) in
        try table.insert(size, of: key)
        throw DatabaseError(.full, "no space left")
      }
    }

    func count() throws -> Int { try database.first("SELECT count(*) FROM size") { $0.integer(0) ?? -1 } ?? -1 }
  }

  @Test(arguments: 1...4)
  func `any sequence of inserts, failures and reopenings keeps the last sizes and evicts the oldest`(
    seed: UInt64
  ) async throws {
    try await withFolder { folder in
      var random = SeededGenerator(seed: seed)
      var small = try Small(folder + "/covers.sqlite")
      var last: [Int: (size: Size, insertion: Int)] = [:]
      let keys = (0..<Int.random(in: 20...400, using: &random)).map { _ in Int.random(in: .min ... .max, using: &random)
      }
      for insertion in 0..<600 {
        let key = try #require(keys.randomElement(using: &random))
        let size = Size(
          width: Int.random(in: 1...65_535, using: &random), height: Int.random(in: 1...65_535, using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0: try small.reopen()
        case 1: small.failToInsert(size, of: key)
        case 2: try small.insert(Size(width: 0, height: 65_536), of: key)
        default:
          // An equal size counts as new.
          let new = random.chance(1, in: 3) ? last[key]?.size ?? size : size
          try small.insert(new, of: key)
          last[key] = (new, insertion)
        }
        let asked = keys.shuffled(using: &random).prefix(5) + [key]
        for (key, size) in zip(asked, try small.table.sizes(of: asked.map(\.self))) {
          let known = last[key]
          #expect(size == nil || size == known?.size)
          let isRecent = known.map { insertion - $0.insertion < SizeTable.ageCount / 2 * Small.rowsPerAge } ?? false
          #expect(size != nil || !isRecent)
        }
        #expect(try small.count() <= SizeTable.ageCount * Small.rowsPerAge)
      }
    }
  }

  @Test func `a row takes at most 40 bytes of the file`() async throws {
    try await withFolder { folder in
      let path = folder + "/covers.sqlite"
      let store = try CoverStore(path: path, maximumByteCount: 1 << 20)
      let database = try Database(path: path, timeoutMilliseconds: 1000)
      let count = 30_000
      var random = SeededGenerator(seed: 1)
      try database.writing { () throws(DatabaseError) in
        let table = SizeTable(database, rowsPerAge: count / SizeTable.ageCount)
        // Twice as many as the table keeps.
        for _ in 0..<2 * count {
          try table.insert(Size(width: 1280, height: 720), of: Int.random(in: .min ... .max, using: &random))
        }
      }
      try database.run(script: "PRAGMA wal_checkpoint(TRUNCATE)")
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.size] as? Int ?? .max) <= 40 * count)
      #expect(SizeTable.ageCount * SizeTable.usualRowsPerAge == 200_000)
      _ = store
    }
  }

  // MARK: - Damage

  private static let damages = [
    "UPDATE size_writes SET count = -1", "UPDATE size_writes SET count = 'many'", "DELETE FROM size_writes",
    "UPDATE size_writes SET count = 9223372036854775807", "UPDATE size SET value = 0", "UPDATE size SET value = -7",
    "UPDATE size SET value = 'large'", "UPDATE size SET value = 9223372036854775807", "DROP TABLE size",
    "DROP TABLE size_writes", "PRAGMA user_version = 1", "PRAGMA user_version = 99",
  ]

  @Test(arguments: 1...2)
  func `sizes are stored again after any damage to the file`(seed: UInt64) async throws {
    try await withFolder { folder in
      var random = SeededGenerator(seed: seed)
      let path = folder + "/covers.sqlite"
      for damage in Self.damages.shuffled(using: &random) + ["bytes", "cut", "empty", "removed"] {
        var file = CacheFile<CoverStore>(folder: folder, maximumByteCount: 1 << 20)
        func insert(_ size: Size, of key: Int) -> Void? {
          file.use { store throws(DatabaseError) in try store.insert(size, of: key) }
        }
        _ = insert(Size(width: 4, height: 3), of: 1)
        file = CacheFile()
        try self.damage(damage, path, &random)
        file = CacheFile(folder: folder, maximumByteCount: 1 << 20)
        let key = Int.random(in: 1...3, using: &random)
        _ = file.use { store throws(DatabaseError) in try store.sizes.sizes(of: [1, 2, nil]) }
        #expect(insert(Size(width: 7, height: 9), of: key) != nil, "after \(damage)")
        let sizes = file.use { store throws(DatabaseError) in try store.sizes.sizes(of: [key, nil]) }
        #expect(sizes == [Size(width: 7, height: 9), nil], "after \(damage)")
      }
    }
  }

  private func damage(_ damage: String, _ path: String, _ random: inout SeededGenerator) throws {
    let database = try Database(path: path, timeoutMilliseconds: 1000)
    try database.run(script: "PRAGMA wal_checkpoint(TRUNCATE)")
    switch damage {
    case "bytes":
      try Data((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }).write(to: URL(filePath: path))
    case "cut": truncate(path, 5_000)
    case "empty": truncate(path, 0)
    case "removed": unlink(path)
    default: try database.run(script: damage)
    }
  }

  @Test func `a size stays when its thumbnail is evicted`() async throws {
    try await withFolder { folder in
      let store = try CoverStore(path: folder + "/covers.sqlite", maximumByteCount: 30_000)
      for number in 0..<9 {
        let thumbnail = Thumbnail(
          jpeg: [UInt8](repeating: 7, count: 10_000), size: Size(width: 320, height: 180), isWhole: false,
          average: Sample.blue)
        try store.insert(
          thumbnail, of: "\(number)", at: UnixTime(seconds: number), freshUntil: .now,
          size: (Size(width: 640, height: 360), number))
      }
      #expect(try store.average(of: "0") == nil)
      #expect(try store.sizes.sizes(of: (0..<9).map(\.self)).allSatisfy { $0 == Size(width: 640, height: 360) })
    }
  }
}
