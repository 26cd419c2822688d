import FeedfallSystem
import FeedfallText
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FeedfallWeb

/// The cache with a damaged file or an unusable folder.
@Suite(.hangLimit, .serialized) struct CacheFileTests {
  private static let address = WebAddress("https://a.example/")!

  private static func newAnswer(to address: WebAddress = address, byteCount: Int = 400_000) -> AnswerCache.Change {
    let body = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let answer = HTTPAnswer(status: 200, body: body, contentType: "", address: address)
    return .answered(request: address, answer, CacheHeaders(HTTPHeaders(lines: ""), at: UnixTime(seconds: 0)))
  }

  /// Fills the cache and closes it.
  private func fill(_ folder: String) throws {
    AnswerCache(folder: folder).apply([Self.newAnswer()])
    let database = try Database(path: folder + "/pages.sqlite", timeoutMilliseconds: 1000)
    try database.run(script: "PRAGMA wal_checkpoint(TRUNCATE)")
  }

  enum Damage: CaseIterable, Sendable {
    case garbage, cutInHalf, cutToNothingMuch, badHeader, zeroes, otherVersion, otherTables, noTables, badPages
    case viewForTable, otherColumn, furtherTrigger
  }

  private func inflict(_ damage: Damage, on path: String) throws {
    let bytes = try fileBytes(of: path)
    func change(_ script: String) throws { try Database(path: path, timeoutMilliseconds: 1000).run(script: script) }
    switch damage {
    case .garbage: try write(bytes.map { _ in UInt8.random(in: 0...255) }, to: path)
    case .cutInHalf: try write(Array(bytes.prefix(bytes.count / 2)), to: path)
    case .cutToNothingMuch: try write(Array(bytes.prefix(50)), to: path)
    case .badHeader: try write([0, 1, 2] + bytes.dropFirst(3), to: path)
    case .zeroes: try write(bytes.map { _ in 0 }, to: path)
    case .otherVersion: try change("PRAGMA user_version = 999")
    case .otherTables: try change("DROP TABLE answer; CREATE TABLE answer (x)")
    case .noTables: try change("PRAGMA user_version = 0; CREATE TABLE other (x)")
    case .viewForTable: try change("ALTER TABLE answer RENAME TO a; CREATE VIEW answer AS SELECT * FROM a WHERE 0")
    case .otherColumn: try change("ALTER TABLE answer ADD COLUMN x")
    case .furtherTrigger:
      try change("CREATE TRIGGER no BEFORE INSERT ON lead BEGIN SELECT raise(ABORT, 'no'); END")
    case .badPages: try write(bytes.prefix(4096) + bytes.dropFirst(4096).map { _ in 0xA5 }, to: path)
    }
  }

  private func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test(arguments: Damage.allCases)
  func `a damaged file is renamed and replaced by a new one, with one notice`(damage: Damage) async throws {
    try await withCacheFolder { folder in
      let path = folder + "/pages.sqlite"
      try fill(folder)
      try inflict(damage, on: path)
      let damaged = try fileBytes(of: path)
      let cache = AnswerCache(folder: folder)
      #expect(cache.answer(to: Self.address).flatMap { cache.body(of: $0) } == nil)
      let notice = try #require(cache.dequeueNotice())
      #expect(notice.hasPrefix("The cached pages were damaged and have been discarded. The old file is /"))
      #expect(cache.dequeueNotice() == nil)
      cache.apply([Self.newAnswer(byteCount: 10)])
      #expect(cache.answer(to: Self.address)?.byteCount == 10)
      #expect(AnswerCache(folder: folder).answer(to: Self.address)?.byteCount == 10)
      #expect(try fileBytes(of: path + ".damaged") == damaged)
    }
  }

  @Test func `several programs that find a damaged file at once lose no page of its successor`() async throws {
    try await withCacheFolder { folder in
      let path = folder + "/pages.sqlite"
      for _ in 0..<10 {
        try fill(folder)
        try inflict(.garbage, on: path)
        let addresses = try (0..<4).map { try #require(WebAddress("https://a.example/\($0)")) }
        await withTaskGroup(of: Void.self) { group in
          for address in addresses {
            group.addTask {
              await onThread {
                let cache = AnswerCache(folder: folder)
                // A page is not stored if other programs use the file for longer than the time-out.
                let isStored = (0..<1_000).contains { _ in
                  cache.apply([Self.newAnswer(to: address, byteCount: 10)])
                  return cache.answer(to: address) != nil
                }
                #expect(isStored)
              }
            }
          }
        }
        let cache = AnswerCache(folder: folder)
        #expect(addresses.map { cache.answer(to: $0)?.byteCount } == [10, 10, 10, 10])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) { unlink("\(folder)/\(name)") }
      }
    }
  }

  /// SQLite sets the journal mode of a new file without waiting for other programs.
  @Test func `a program waits while another one creates the file`() async throws {
    try await withCacheFolder { folder in
      mkdir(folder, 0o700)
      let path = folder + "/pages.sqlite"
      let lock = try Files.lock(path)
      let other = try Database(path: path, timeoutMilliseconds: 0)
      try other.run(script: "BEGIN IMMEDIATE")
      let isOver = Atomic(false)
      async let isStored = onThread {
        defer { isOver.store(true, ordering: .relaxed) }
        let cache = AnswerCache(folder: folder)
        return (0..<3).contains { _ in
          cache.apply([Self.newAnswer(byteCount: 10)])
          return cache.answer(to: Self.address) != nil
        }
      }
      try await eventually("the program waits or fails") {
        isOver.load(ordering: .relaxed) || Self.openCount(of: Files.lockPath(of: path)) == 2
      }
      try other.run(script: "COMMIT")
      Files.unlock(lock)
      #expect(await isStored)
    }
  }

  /// The number of descriptors of this process for a file.
  private static func openCount(of path: String) -> Int {
    let folder = "/proc/self/fd"
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return descriptors.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path }
  }

  @Test func `at most one damaged file is kept`() async throws {
    try await withCacheFolder { folder in
      let path = folder + "/pages.sqlite"
      for _ in 0..<3 {
        try fill(folder)
        try inflict(.garbage, on: path)
        #expect(AnswerCache(folder: folder).answer(to: Self.address) == nil)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.filter { $0.contains("damaged") } == ["pages.sqlite.damaged"])
    }
  }

  @Test func `invalid values in valid rows are ignored`() async throws {
    try await withCacheFolder { folder in
      try fill(folder)
      let database = try Database(path: folder + "/pages.sqlite", timeoutMilliseconds: 1000)
      let cache = AnswerCache(folder: folder)
      let kept = try #require(cache.answer(to: Self.address))
      try database.run(script: "UPDATE piece SET bytes = x'00' WHERE number = 1")
      #expect(cache.body(of: kept) == nil)
      try database.run(script: "UPDATE piece SET bytes = 'text' WHERE number = 0")
      #expect(cache.body(of: kept) == nil)
      try database.run(script: "UPDATE answer SET address = 'javascript:1'")
      #expect(cache.answer(to: Self.address) == nil)
      try database.run(script: "UPDATE answer SET address = 'https://a.example/', byte_count = 9223372036854775807")
      #expect(cache.answer(to: Self.address).flatMap { cache.body(of: $0) } == nil)
      try database.run(script: "UPDATE answer SET byte_count = 4, fetched_at = -9223372036854775807")
      #expect(cache.answer(to: Self.address) == nil)
      try database.run(script: "UPDATE answer SET fetched_at = 1, fresh_until = 9223372036854775807")
      #expect(cache.answer(to: Self.address) == nil)
      for until in [Int.min, Int.max, -1] {
        try database.run(script: "INSERT OR REPLACE INTO hold VALUES ('a.example', \(until))")
        #expect(cache.secondsToWait(for: "a.example") == nil)
      }
    }
  }

  @Test func `validators that would add a header to a request are ignored`() async throws {
    try await withCacheFolder { folder in
      try fill(folder)
      let database = try Database(path: folder + "/pages.sqlite", timeoutMilliseconds: 1000)
      let split = "char(34) || 'a' || char(13, 10) || 'X-Other: b' || char(34)"
      try database.run(script: "UPDATE answer SET etag = \(split), last_modified = \(split)")
      let answer = try #require(AnswerCache(folder: folder).answer(to: Self.address))
      #expect(answer.entityTag == nil && answer.lastModified == nil)
    }
  }

  @Test(arguments: [Int.max, -1])
  func `a file with impossible sizes is replaced by a new one`(byteCount: Int) async throws {
    try await withCacheFolder { folder in
      try fill(folder)
      try Database(path: folder + "/pages.sqlite", timeoutMilliseconds: 1000)
        .run(script: "UPDATE answer SET request = 'https://other.example/', byte_count = \(byteCount)")
      let cache = AnswerCache(folder: folder)
      cache.apply([Self.newAnswer(byteCount: 10)])
      #expect(cache.dequeueNotice()?.hasPrefix("The cached pages were damaged") == true)
      #expect(cache.answer(to: Self.address)?.byteCount == 10)
    }
  }

  @Test(arguments: [true, false])
  func `a link in the place of the file is not followed`(exists: Bool) async throws {
    try await withCacheFolder { folder in
      mkdir(folder, 0o700)
      let target = folder + "/target"
      if exists { try write([UInt8](), to: target) }
      chmod(target, 0o644)
      symlink(target, folder + "/pages.sqlite")
      let cache = AnswerCache(folder: folder)
      cache.apply([Self.newAnswer(byteCount: 10)])
      #expect(cache.dequeueNotice()?.contains("it is a symbolic link") == true)
      var status = stat()
      #expect((stat(target, &status) == 0) == exists)
      #expect(!exists || status.st_size == 0 && status.st_mode & 0o777 == 0o644)
    }
  }

  @Test func `a file of another user's is not used`() async throws {
    try await withCacheFolder { folder in
      mkdir(folder, 0o700)
      let path = folder + "/pages.sqlite"
      try write([UInt8](), to: path)
      guard chown(path, geteuid() + 1, getegid()) == 0 else {
        print("the owner of the cache is not tested: this user may not change it")
        return
      }
      let cache = AnswerCache(folder: folder)
      cache.apply([Self.newAnswer(byteCount: 10)])
      #expect(cache.dequeueNotice()?.contains("it belongs to another user") == true)
    }
  }

  @Test func `a link in the place of the folder is followed`() async throws {
    try await withCacheFolder { folder in
      mkdir(folder, 0o700)
      mkdir(folder + "/there", 0o700)
      symlink("there", folder + "/here")
      let cache = AnswerCache(folder: folder + "/here")
      cache.apply([Self.newAnswer(byteCount: 10)])
      #expect(cache.answer(to: Self.address)?.byteCount == 10)
      #expect(AnswerCache(folder: folder + "/there").answer(to: Self.address)?.byteCount == 10)
    }
  }

  @Test func `two programs that find the damage at the same time create one new file`() async throws {
    try await withCacheFolder { folder in
      try fill(folder)
      let first = AnswerCache(folder: folder)
      let second = AnswerCache(folder: folder)
      #expect(first.answer(to: Self.address) != nil && second.answer(to: Self.address) != nil)
      try Database(path: folder + "/pages.sqlite", timeoutMilliseconds: 1000).run(script: "DROP TABLE answer")
      first.apply([Self.newAnswer(byteCount: 10)])
      second.apply([Self.newAnswer(byteCount: 20)])
      #expect(AnswerCache(folder: folder).answer(to: Self.address)?.byteCount == 20)
      #expect(first.answer(to: Self.address)?.byteCount == 20)
    }
  }

  @Test func `only the user may read the cache`() async throws {
    try await withCacheFolder { folder in
      mkdir(folder, 0o755)
      try fill(folder)
      for (name, mode) in [("", 0o700), ("/pages.sqlite", 0o600)] {
        var facts = stat()
        #expect(stat(folder + name, &facts) == 0 && facts.st_mode & 0o777 == mode)
      }
    }
  }

  @Test func `a folder in place of the file disables the cache`() async throws {
    try await withCacheFolder { folder in
      mkdir(folder, 0o700)
      mkdir(folder + "/pages.sqlite", 0o700)
      let cache = AnswerCache(folder: folder)
      cache.apply([Self.newAnswer()])
      #expect(cache.dequeueNotice()?.hasPrefix("Could not open the cache: ") == true)
      #expect(cache.answer(to: Self.address) == nil)
    }
  }

  @Test(arguments: [true, false])
  func `a folder emptied by another program is filled again, without a notice`(hasGone: Bool) async throws {
    try await withCacheFolder { folder in
      let cache = AnswerCache(folder: folder)
      cache.apply([Self.newAnswer(byteCount: 20)])
      let old = try #require(cache.answer(to: Self.address))
      if hasGone {
        try FileManager.default.removeItem(atPath: folder)
      } else {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) { unlink("\(folder)/\(name)") }
      }
      cache.apply([Self.newAnswer(byteCount: 20)])
      #expect(cache.dequeueNotice() == nil)
      #expect(cache.answer(to: Self.address)?.byteCount == 20 && cache.body(of: old) == nil)
      #expect(AnswerCache(folder: folder).answer(to: Self.address)?.byteCount == 20)
    }
  }

  @Test func `on a full disk the stored answers stay available`() async throws {
    try await withCacheFolder { folder in
      mkdir(folder, 0o700)
      guard mount("none", folder, "tmpfs", 0, "size=1m") == 0 else {
        print("the full disk is not tested: this user may mount none")
        return
      }
      defer { umount2(folder, Int32(MNT_DETACH)) }
      let cache = AnswerCache(folder: folder)
      cache.apply([Self.newAnswer(byteCount: 10)])
      #expect(cache.answer(to: Self.address)?.byteCount == 10)
      cache.apply([Self.newAnswer(byteCount: 2 << 20)])
      #expect(cache.dequeueNotice() == "Could not store new pages in the cache: the disk is full. Free some space.")
      #expect(cache.answer(to: Self.address)?.byteCount == 10)
      cache.apply([Self.newAnswer(byteCount: 3 << 20)])
      #expect(cache.dequeueNotice() == nil)
    }
  }
}
