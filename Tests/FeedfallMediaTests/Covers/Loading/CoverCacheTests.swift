import FeedfallScreen
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import FoundationEssentials
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

@Suite(.hangLimit, .serialized) struct CoverCacheTests {
  private static let large = Size(width: 20, height: 24)

  private func change(_ script: String, in world: CoverWorld) throws {
    try Database(path: world.folder + "/covers.sqlite", timeoutMilliseconds: 1000).run(script: script)
  }

  @Test func `the next run shows covers without a request, in the same colour`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      let first = try await world.cover("/a").get()
      world.server.stop()
      let next = try await world.cover("/a").get()
      #expect(next.average == first.average && next.cells.size == first.cells.size)
      #expect(next.cells[3, 2].style.background?.isNear(Sample.blue) == true)
      #expect(await world.loader().cover([world.address("/a")], wantsPixels: true).pixels != nil)
      #expect(world.requestedPaths == ["/a"])
    }
  }

  @Test func `average colors are known before the covers load`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      let known = try await world.cover("/a").get().average
      let averages = await world.loader().averages(of: [world.address("/a"), world.address("/b")])
      #expect(averages == [world.address("/a"): known])
      #expect(world.requestedPaths == ["/a"])
    }
  }

  @Test func `a cover shown much larger than its thumbnail is requested again`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      _ = await world.cover("/a")
      let large = await world.loader().cover([world.address("/a")], size: Self.large, wantsPixels: true)
      // As many as the picture of 640 by 360 has there.
      #expect(large.pixels?.size == Size(width: 150, height: 360))
      #expect(world.requestedPaths == ["/a", "/a"])
      world.server.stop()
      // A thumbnail of the wrong size is better than none.
      let kept = await world.loader().cover([world.address("/a")], size: Self.large, wantsPixels: true)
      #expect(kept.average?.isNear(Sample.blue) == true)
    }
  }

  @Test func `a cover that is smaller than its card is not requested again`() async throws {
    try await withCovers { _ in
      .picture(Sample.jpeg)
    } _: { world in
      _ = await world.cover("/a")
      #expect(
        await world.loader().cover([world.address("/a")], size: Self.large, wantsPixels: true).pixels != nil)
      #expect(world.requestedPaths == ["/a"])
    }
  }

  @Test(arguments: [
    "jpeg = x'FFD8FF00'", "jpeg = 'text'", "width = 0", "height = 0",
    "height = 9223372036854775807", "average = -1",
    "got_at = 9223372036854775807", "got_at = 'soon'",
  ])
  func `a row with invalid values is ignored and replaced`(change: String) async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      _ = await world.cover("/a")
      try self.change("UPDATE cover SET \(change)", in: world)
      #expect(await world.cover("/a").average?.isNear(Sample.blue) == true)
      #expect(world.requestedPaths == ["/a", "/a"])
      #expect(await world.cover("/a").average?.isNear(Sample.blue) == true)
      #expect(world.requestedPaths == ["/a", "/a"])
    }
  }

  @Test func `a damaged file is replaced by a new one, with one notice`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      _ = await world.cover("/a")
      try change("PRAGMA wal_checkpoint(TRUNCATE)", in: world)
      let path = world.folder + "/covers.sqlite"
      try Data(repeating: 0xA5, count: 20_000).write(to: URL(filePath: path))
      let cache = AnswerCache(folder: world.folder)
      #expect(await world.cover("/a", by: world.loader(cache)).average != nil)
      #expect(cache.dequeueNotice()?.hasPrefix("The cached covers were damaged and have been discarded. ") == true)
      #expect(cache.dequeueNotice() == nil)
      #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
      #expect(await world.cover("/a").average != nil)
      #expect(world.requestedPaths == ["/a", "/a"])
    }
  }

  @Test func `covers of an older version of the program are discarded without a notice`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      _ = await world.cover("/a")
      try change("ALTER TABLE cover DROP COLUMN video_seconds; PRAGMA user_version = 1", in: world)
      let cache = AnswerCache(folder: world.folder)
      #expect(await world.cover("/a", by: world.loader(cache)).average != nil)
      #expect(cache.dequeueNotice() == nil)
      #expect(!FileManager.default.fileExists(atPath: world.folder + "/covers.sqlite.damaged"))
      #expect(await world.cover("/a").average != nil)
      #expect(world.requestedPaths == ["/a", "/a"])
    }
  }

  @Test func `a cover of impossible size is evicted`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      _ = await world.cover("/a")
      try change("UPDATE cover SET byte_count = 9223372036854775807", in: world)
      #expect(await world.cover("/b").average != nil)
      #expect(await world.loader().averages(of: [world.address("/a"), world.address("/b")]).count == 1)
    }
  }

  @Test func `a file with a text in place of a size is replaced by a new one`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      _ = await world.cover("/a")
      try change("UPDATE cover SET byte_count = 'many'", in: world)
      let cache = AnswerCache(folder: world.folder)
      #expect(await world.cover("/b", by: world.loader(cache)).average != nil)
      #expect(cache.dequeueNotice()?.hasPrefix("The cached covers were damaged") == true)
    }
  }

  @Test func `covers load with the disk cache disabled`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      for cache in [AnswerCache(), AnswerCache(folder: nil), AnswerCache(folder: "/dev/null/none")] {
        #expect(await world.cover("/a", by: world.loader(cache)).average != nil)
      }
      #expect(!FileManager.default.fileExists(atPath: world.folder))
    }
  }

  @Test func `covers at addresses with a password are not stored`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      let secret = MediaAddress.web(
        try #require(WebAddress("http://me:secret@127.0.0.1:\(world.server.port)/a")))
      for _ in 0..<2 { #expect(await world.loader().cover([secret]).average != nil) }
      #expect(world.requestedPaths == ["/a", "/a"])
      #expect(await world.loader().averages(of: [secret]).isEmpty)
    }
  }

  // MARK: - Size limits

  private func thumbnail(_ byteCount: Int) -> Thumbnail {
    Thumbnail(
      jpeg: [UInt8](repeating: 7, count: byteCount), size: Size(width: 320, height: 180), isWhole: false,
      average: Sample.blue)
  }

  @Test func `the least recently used thumbnails are evicted`() async throws {
    try await withCovers { _ in
      .noPicture
    } _: { world in
      try Files.makeCacheFolder(world.folder)
      let store = try CoverStore(path: world.folder + "/covers.sqlite", maximumByteCount: 120_000)
      func time(_ number: Int) -> UnixTime { UnixTime(seconds: 100_000 + number * 4000) }
      for number in 0..<9 { try store.insert(thumbnail(10_000), of: "\(number)", at: time(number), freshUntil: .now) }
      // The oldest is used again.
      #expect(try store.thumbnail(of: "0", at: time(9))?.thumbnail == thumbnail(10_000))
      for number in 9..<12 { try store.insert(thumbnail(10_000), of: "\(number)", at: time(number), freshUntil: .now) }
      let kept = try (0..<12).filter { try store.average(of: "\($0)") != nil }
      #expect(kept.contains(0) && kept.contains(11) && !kept.contains(1) && !kept.contains(2))
      #expect(kept.count <= 9 && kept.count >= 7)
    }
  }

  @Test func `a cover is read while another program writes, though its use is not recorded`() async throws {
    try await withCovers { _ in
      .noPicture
    } _: { world in
      try Files.makeCacheFolder(world.folder)
      let path = world.folder + "/covers.sqlite"
      let store = try CoverStore(path: path, maximumByteCount: 100_000)
      try store.insert(thumbnail(1000), of: "a", at: UnixTime(seconds: 1), freshUntil: .now)
      let other = try Database(path: path, timeoutMilliseconds: 1000)
      try other.run(script: "BEGIN IMMEDIATE")
      #expect(try store.thumbnail(of: "a", at: UnixTime(seconds: 100_000))?.thumbnail == thumbnail(1000))
    }
  }

  @Test(arguments: [2_000, 5_000, 10_600])
  func `the file stays within the size limit`(byteCount: Int) async throws {
    try await withCovers { _ in
      .noPicture
    } _: { world in
      try Files.makeCacheFolder(world.folder)
      let path = world.folder + "/covers.sqlite"
      let maximum = 1 << 20
      let store = try CoverStore(path: path, maximumByteCount: maximum)
      for number in 0..<maximum / byteCount * 2 {
        let address = "https://i.films.example/\(number)/cover.jpg"
        try store.insert(
          thumbnail(byteCount + number * 7 % 1500), of: address, at: UnixTime(seconds: number), freshUntil: .now)
      }
      try change("PRAGMA wal_checkpoint(TRUNCATE)", in: world)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.size] as? Int ?? .max) <= maximum)
    }
  }

  @Test func `long addresses without a picture are not stored`() async throws {
    try await withCovers { _ in
      .noPicture
    } _: { world in
      try Files.makeCacheFolder(world.folder)
      let store = try CoverStore(path: world.folder + "/covers.sqlite", maximumByteCount: 1000)
      let address = "https://films.example/" + String(repeating: "a", count: 8_000)
      try store.insertMissing(address, .earlier(reason: "no"), until: UnixTime(seconds: 10))
      #expect(try store.missing(address, at: UnixTime(seconds: 9)) == nil)
    }
  }

  @Test func `a thumbnail larger than the size limit is not stored`() async throws {
    try await withCovers { _ in
      .noPicture
    } _: { world in
      try Files.makeCacheFolder(world.folder)
      let store = try CoverStore(path: world.folder + "/covers.sqlite", maximumByteCount: 1000)
      try store.insert(thumbnail(1000), of: "a", at: UnixTime(seconds: 1), freshUntil: .now)
      #expect(try store.average(of: "a") == nil)
    }
  }

  @Test func `a missing cover is requested again after its time within a run`() async throws {
    try await withCovers { _ in
      .noPicture
    } _: { world in
      let cache = CoverCache(beside: AnswerCache(), maximumByteCount: 1000)
      let failure = CoverFailure.earlier(reason: "the server answered 404 Not Found")
      cache.insertMissing(world.address("/a"), failure, seconds: 100, onDisk: true)
      #expect(cache.missing(world.address("/a")) == failure)
      cache.insertMissing(world.address("/a"), failure, seconds: 0, onDisk: true)
      #expect(cache.missing(world.address("/a")) == nil)
    }
  }
}
