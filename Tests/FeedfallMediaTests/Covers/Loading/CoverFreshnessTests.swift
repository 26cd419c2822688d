import FeedfallScreen
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import FoundationEssentials
import Synchronization
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

/// Covers that are requested again.
@Suite(.hangLimit, .serialized) struct CoverFreshnessTests {
  private static let red = RGB(red: 200, green: 30, blue: 20)
  private static let redJPEG = PixelBuffer.plain(red, Size(width: 640, height: 360)).jpeg(quality: 90)!

  private func change(_ script: String, in world: CoverWorld) throws {
    try Database(path: world.folder + "/covers.sqlite", timeoutMilliseconds: 1000).run(script: script)
  }

  private func pass(_ seconds: Int, in world: CoverWorld) throws {
    try change(
      "UPDATE cover SET got_at = got_at - \(seconds), fresh_until = fresh_until - \(seconds), "
        + "kept_until = kept_until - \(seconds)", in: world)
  }

  private func load(_ path: String, on terms: CoverLoader.Terms, in world: CoverWorld) async -> Result<
    CoverPicture, CoverFailure
  > {
    await world.loader().cover([world.address(path)], on: terms)
  }

  private static let day = 86_400
  private static let month = 30 * day

  // MARK: - The end of freshness

  @Test(arguments: [
    (CoverPace.settled, nil, month), (.settled, 0, 600), (.settled, 7_200, 7_200), (.settled, .max, month),
    (.settled, -5, 600), (.new, nil, day), (.new, 0, 600), (.live, nil, 60), (.live, 0, 60), (.live, 100, 100),
  ])
  func `a cover is fresh as long as its server says, within limits`(pace: CoverPace, lifetime: Int?, seconds: Int) {
    let freshness = pace.freshness(from: UnixTime(seconds: 1_000), lifetime: lifetime)
    #expect(freshness.upperBound == 1_000 + seconds)
    #expect(freshness.lowerBound == 1_000 + (pace == .live ? 60 : 600))
  }

  @Test(arguments: 1...20)
  func `any stored times and any clock give a freshness within limits`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let ends = [0, -1, UnixTime.latestStored, 1_000, Int.random(in: 0...UnixTime.latestStored, using: &random)]
    let fetched = Int.random(in: 0...(seed % 2 == 0 ? 10_000_000 : UnixTime.latestStored), using: &random)
    let now = Int.random(in: 0...10_000_000, using: &random)
    let end = UnixTime(seconds: ends.randomElement(using: &random) ?? 0)
    let stored = CoverStore.Entry(
      thumbnail: Thumbnail(jpeg: [], size: Size(width: 1, height: 1), isWhole: true, average: Self.red),
      fetched: UnixTime(seconds: fetched), freshUntil: end)
    for pace in [CoverPace.settled, .new, .live] {
      let freshness = stored.freshness(at: UnixTime(seconds: now), pace)
      if fetched > now {
        #expect(freshness == now..<now, "the clock was set back")
      } else {
        #expect((fetched + 60...fetched + 600).contains(freshness.lowerBound))
        #expect((freshness.lowerBound...max(fetched + Self.month, now + 600)).contains(freshness.upperBound))
      }
    }
  }

  // MARK: - Requests

  @Test func `a fresh cover costs one query and no request`() async throws {
    try await withCovers { _ in
      .answer(TestAnswer(Sample.blueJPEG, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=7200"]))
    } _: { world in
      let cache = AnswerCache(folder: world.folder)
      let loader = world.loader(cache)
      for number in 0..<40 { _ = await world.cover("/\(number)", by: loader) }
      // Any other query of the open file fails from now on.
      try change(
        "DROP TABLE missing; DROP TABLE size; DROP TABLE size_writes; "
          + "ALTER TABLE cover RENAME COLUMN entity_tag TO none", in: world)
      for use in [CoverUse.always, .whileFresh, .retried(press: 1)] {
        for number in 0..<40 {
          #expect(await loader.cover([world.address("/\(number)")], on: CoverLoader.Terms(use: use)).average != nil)
        }
      }
      #expect(world.server.requests.count == 40 && cache.dequeueNotice() == nil)
    }
  }

  @Test func `a cached cover is shown at once, whatever better addresses are not cached`() async throws {
    try await withCovers { request in
      request.path.hasPrefix("/gone")
        ? .noPicture : .picture(request.path.hasPrefix("/new") ? Self.redJPEG : Sample.blueJPEG)
    } _: { world in
      var random = SeededGenerator(seed: 3)
      for round in 0..<40 {
        let loader = world.loader()
        let kinds = (0..<Int.random(in: 2...5, using: &random)).map { _ in
          ["new", "gone", "cached"].randomElement(using: &random)!
        }
        let paths = kinds.enumerated().map { "/\($0.element)\(round)-\($0.offset)" }
        for (kind, path) in zip(kinds, paths) where kind != "new" { _ = await world.cover(path, by: loader) }
        guard let place = kinds.firstIndex(of: "cached") else { continue }
        let (count, addresses) = (world.requestedPaths.count, paths.map(world.address))
        let shown = try await loader.cover(addresses, on: CoverLoader.Terms(use: .always)).get()
        #expect(shown.average.isNear(Sample.blue) && world.requestedPaths.count == count)
        // A better address is requested next, and one that is known to have no picture is not.
        let isNewBetter = kinds.prefix(place).contains("new")
        #expect((try #require(shown.freshness).upperBound <= UnixTime.now.seconds) == isNewBetter)
        let next = try await loader.cover(addresses).get()
        #expect(next.average.isNear(isNewBetter ? Self.red : Sample.blue))
      }
    }
  }

  @Test func `a cached cover that is too small is shown until the large one is there`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      _ = await world.cover("/a")
      for (use, width, count) in [(CoverUse.always, 320, 1), (.whileFresh, 360, 2)] {
        let terms = CoverLoader.Terms(use: use)
        let picture = try await world.loader().cover(
          [world.address("/a")], on: terms, size: Size(width: 45, height: 24), wantsPixels: true
        ).get()
        #expect(picture.pixels.map { $0.size.width <= width } == true && world.requestedPaths.count == count)
        #expect((try #require(picture.freshness).upperBound <= UnixTime.now.seconds) == (use == .always))
      }
    }
  }

  @Test func `a picture in a file is not preceded by a cached cover`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      _ = await world.cover("/a")
      let path = world.folder + "/red.jpg"
      try Data(Self.redJPEG).write(to: URL(filePath: path))
      let file = try #require(FileAddress(path: path.utf8))
      let picture = await world.loader().cover([.file(file), world.address("/a")], on: CoverLoader.Terms(use: .always))
      #expect(picture.average?.isNear(Self.red) == true)
    }
  }

  @Test func `a confirmed cover is fresh as long as its server has last said, whatever failed before`() async throws {
    let (lifetimes, answers) = ([600, 1_000, 7_200, 86_400], ["picture", "failure", "confirmation"])
    let answer = Mutex(TestAnswer(""))
    try await withCovers { _ in
      .answer(answer.withLock { $0 })
    } _: { world in
      var random = SeededGenerator(seed: 9)
      var lifetime = 600
      for round in 0..<60 {
        let kind = round == 0 ? "picture" : answers.randomElement(using: &random)!
        if kind == "picture" { lifetime = lifetimes.randomElement(using: &random)! }
        answer.withLock {
          $0 =
            switch kind {
            case "picture":
              TestAnswer(Sample.blueJPEG, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=\(lifetime)"])
            case "confirmation": TestAnswer("", status: 304)
            default: TestAnswer("", status: 500)
            }
        }
        if round > 0 { try pass(.random(in: 86_400...10 * 86_400, using: &random), in: world) }
        let (fresh, now) = (
          try await load("/a", on: CoverLoader.Terms(), in: world).get().freshness, UnixTime.now.seconds
        )
        let stored = try await load("/a", on: CoverLoader.Terms(use: .always), in: world).get().freshness
        let seconds = kind == "failure" ? 600 : lifetime
        for freshness in [fresh, stored] {
          #expect((now + seconds - 60...now + seconds).contains(freshness?.upperBound ?? 0), "\(kind)")
        }
        #expect(world.requestedPaths.count == round + 1)
      }
    }
  }

  @Test func `a retry by the user asks for a cover that its server calls fresh, but not at once`() async throws {
    try await withCovers { _ in
      .answer(TestAnswer(Sample.blueJPEG, headers: ["Cache-Control": "max-age=86400"]))
    } _: { world in
      let retry = CoverLoader.Terms(use: .retried(press: 1))
      _ = await world.cover("/a")
      _ = await load("/a", on: retry, in: world)
      try pass(590, in: world)
      _ = await load("/a", on: retry, in: world)
      #expect(world.requestedPaths == ["/a"])
      _ = await load("/a", on: CoverLoader.Terms(use: .retried(press: 1), pace: .live), in: world)
      #expect(world.requestedPaths == ["/a", "/a"])
      try pass(601, in: world)
      _ = await load("/a", on: CoverLoader.Terms(), in: world)
      #expect(world.requestedPaths == ["/a", "/a"])
      _ = await load("/a", on: retry, in: world)
      #expect(world.requestedPaths == ["/a", "/a", "/a"])
    }
  }

  private static let refusals: [TestBehaviour] = [
    .answer(.html("<!DOCTYPE html><title>Log in</title>")), .noPicture, .answer(TestAnswer("", status: 500)),
    .answer(TestAnswer("", status: 304)), .picture([]), .cut(TestAnswer(Sample.blueJPEG), after: 20),
  ]

  @Test(arguments: refusals)
  func `an old cover stays if its address has no new one, and is not requested for a while`(
    refusal: TestBehaviour
  ) async throws {
    let isGone = Mutex(false)
    try await withCovers { request in
      guard isGone.withLock({ $0 }) else { return .picture(Sample.blueJPEG) }
      return request.path == "/other" ? .picture(Self.redJPEG) : refusal
    } _: { world in
      _ = await world.cover("/a")
      isGone.withLock { $0 = true }
      try pass(31 * Self.day, in: world)
      let size = world.server.requests.count
      #expect(await world.cover("/a", "/other").average?.isNear(Sample.blue) == true)
      let count = world.server.requests.count
      #expect(count > size && !world.requestedPaths.contains("/other"))
      let kept = try await load("/a", on: CoverLoader.Terms(use: .always), in: world).get()
      #expect(kept.average.isNear(Sample.blue) && world.server.requests.count == count)
      #expect(await world.cover("/a").average?.isNear(Sample.blue) == true)
      #expect(world.server.requests.count == count)
      try pass(601, in: world)
      let requested = await load("/a", on: CoverLoader.Terms(use: .whileFresh), in: world).average
      #expect(requested?.isNear(Sample.blue) == true)
    }
  }

  @Test func `a validator goes only to the address that sent it`() async throws {
    let target = Mutex("/one")
    try await withCovers { request in
      request.path == "/a"
        ? .answer(.redirect(to: target.withLock { $0 }))
        : .answer(TestAnswer(Sample.blueJPEG, headers: ["Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"]))
    } _: { world in
      for path in ["/one", "/one", "/two"] {
        target.withLock { $0 = path }
        _ = await world.cover("/a")
        try pass(Self.month, in: world)
      }
      let sent = world.server.requests.map { "\($0.path) \($0.headers["if-modified-since"] ?? "")" }
      #expect(
        sent == ["/a ", "/one ", "/a ", "/one Thu, 01 Jan 2026 00:00:00 GMT", "/a ", "/two "])
    }
  }

  @Test func `a larger picture is requested without a condition`() async throws {
    try await withCovers { _ in
      .answer(TestAnswer(Sample.blueJPEG, headers: ["ETag": "\"1\""]))
    } _: { world in
      _ = await world.cover("/a")
      _ = await world.loader().cover([world.address("/a")], size: Size(width: 20, height: 24), wantsPixels: true)
      #expect(world.server.requests.map { $0.headers["if-none-match"] } == [nil, nil])
    }
  }

  // MARK: - Invalid rows

  @Test(arguments: [
    "fresh_until = 'soon'", "fresh_until = -9223372036854775808", "fresh_until = 9223372036854775807",
    "kept_until = 'soon'", "kept_until = 9223372036854775807", "answered_by = 'javascript:1'", "entity_tag = x'00'",
    "entity_tag = 'a' || char(10) || 'X-Evil: 1'", "last_modified = 7",
  ])
  func `a row with an invalid freshness or version still has its cover`(change: String) async throws {
    try await withCovers { _ in
      .answer(TestAnswer(Sample.blueJPEG, headers: ["ETag": "\"1\""]))
    } _: { world in
      _ = await world.cover("/a")
      try self.change("UPDATE cover SET \(change), got_at = got_at - 700", in: world)
      #expect(await load("/a", on: CoverLoader.Terms(use: .always), in: world).average?.isNear(Sample.blue) == true)
      #expect(world.requestedPaths == ["/a"])
      for _ in 0..<2 { #expect(await world.cover("/a").average?.isNear(Sample.blue) == true) }
      #expect(world.server.requests.count <= 2)
      #expect(world.server.requests.allSatisfy { $0.headers["x-evil"] == nil })
    }
  }
}
