import FeedfallScreen
import FeedfallText
import FeedfallWeb
import Foundation
import Glibc
import Synchronization
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

@Suite(.hangLimit, .serialized) struct CoverLoaderTests {
  @Test func `a frame of a video is made once, until the file changes`() async throws {
    try await withCovers { _ in
      .silence
    } _: { world in
      let file = try #require(FileAddress(path: "/films/a.mp4".utf8))
      let made = Mutex<[VideoFrame]>([])
      func average(_ frame: VideoFrame) async -> RGB? {
        let loader = CoverLoader(cache: AnswerCache(folder: world.folder), userAgent: "test") {
          frame throws(FeedFailure) in
          made.withLock { $0.append(frame) }
          if frame.byteCount == 0 { throw FeedFailure(.permanent, "ffmpeg failed: Invalid data") }
          return Sample.blueJPEG
        }
        return await loader.cover([.frame(frame)]).average
      }
      let frames = [(7, 1), (7, 2), (8, 2), (0, 2)].map {
        VideoFrame(of: file, byteCount: $0, modified: UnixTime(seconds: $1))
      }
      for frame in frames + frames {
        #expect(await average(frame)?.isNear(Sample.blue) == (frame.byteCount > 0 ? true : nil))
      }
      #expect(made.withLock { $0 } == frames)
    }
  }

  @Test func `the length of a video is stored with its frame`() async throws {
    try await withCovers { _ in
      .silence
    } _: { world in
      let file = try #require(FileAddress(path: "/films/a.mp4".utf8))
      let asked = Mutex<[Int]>([])
      // The length of the second one is unknown.
      for byteCount in [7, 8, 7, 8] {
        let loader = CoverLoader(
          cache: AnswerCache(folder: world.folder), userAgent: "test",
          makeFrame: { _ throws(FeedFailure) in Sample.blueJPEG },
          frameLength: { frame in
            asked.withLock { $0.append(frame.byteCount) }
            return frame.byteCount == 7 ? 61 : nil
          })
        let frame = VideoFrame(of: file, byteCount: byteCount, modified: UnixTime(seconds: 1))
        #expect(try await loader.cover([.frame(frame)]).get().videoSeconds == (byteCount == 7 ? 61 : nil))
      }
      #expect(asked.withLock { $0 } == [7, 8])
    }
  }

  @Test func `a frame is not stored without its length after a cancellation`() async throws {
    try await withCovers { _ in
      .silence
    } _: { world in
      let file = try #require(FileAddress(path: "/films/a.mp4".utf8))
      let frame = VideoFrame(of: file, byteCount: 7, modified: UnixTime(seconds: 1))
      for isCancelled in [true, false] {
        let loader = CoverLoader(
          cache: AnswerCache(folder: world.folder), userAgent: "test",
          makeFrame: { _ throws(FeedFailure) in Sample.blueJPEG },
          frameLength: { _ in
            guard isCancelled else { return 61 }
            withUnsafeCurrentTask { $0?.cancel() }
            return nil
          })
        let seconds = await Task { try? await loader.cover([.frame(frame)]).get().videoSeconds }.value
        #expect(seconds == (isCancelled ? nil : 61))
      }
    }
  }

  @Test(arguments: [true, false])
  func `a cover of a source with a login is requested with the login and not stored`(
    exists: Bool
  ) async throws {
    try await withCovers { request in
      request.path == "/to" ? .answer(.redirect(to: "/a")) : exists ? .picture(Sample.blueJPEG) : .noPicture
    } _: { world in
      let authorization: @Sendable (WebAddress) -> Authorization? = { _ in .basic(user: "anna", password: "s3cret") }
      let addresses = [world.address("/a"), world.address("/to")]
      for _ in 0..<2 {
        let cache = AnswerCache(folder: world.folder)
        cache.share(authorization, for: addresses.compactMap(\.web))
        let loader = world.loader(cache)
        #expect(await world.cover("/to", by: loader).failure?.isMissing == (exists ? nil : true))
        #expect(await loader.averages(of: addresses).isEmpty)
      }
      #expect(world.requestedPaths == ["/to", "/a", "/to", "/a"])
      #expect(Set(world.server.requests.map { $0.headers["authorization"] }) == ["Basic YW5uYTpzM2NyZXQ="])
      let another = AnswerCache(folder: world.folder)
      another.share(authorization, for: [try #require(world.address("/b").web)])
      #expect(await world.cover("/a", by: world.loader(another)).failure == nil || !exists)
      #expect(world.server.requests.last?.path == "/a" && world.server.requests.last?.headers["authorization"] == nil)
    }
  }

  @Test func `a cover is returned as cells with its average color`() async throws {
    try await withCovers { _ in
      .picture(Sample.blueJPEG)
    } _: { world in
      let picture = try await world.cover("/a.jpg").get()
      #expect(picture.cells.size == Size(width: 8, height: 4) && picture.pixels == nil)
      #expect(picture.average.isNear(Sample.blue))
      #expect(picture.cells[3, 2].style.background?.isNear(Sample.blue) == true)
      #expect(world.server.requests[0].headers["accept"]?.hasPrefix("image/") == true)
    }
  }

  @Test func `a server is not requested again after it has twice failed to answer`() async throws {
    try await withCovers { request in
      request.path == "/whole" ? .picture(Sample.blueJPEG) : .cut(TestAnswer(Sample.blueJPEG), after: 20)
    } _: { world in
      let loader = world.loader()
      for path in ["/a", "/whole", "/b", "/c", "/d", "/whole?2"] { _ = await world.cover(path, by: loader) }
      #expect(world.requestedPaths == ["/a", "/whole", "/b", "/c"])
      #expect(await world.cover("/d", by: loader).failure?.isMissing == false)
    }
  }

  @Test(arguments: [
    TestBehaviour.noPicture, .answer(.html("<p>Log in</p>")), .picture(Array(Sample.rgbPNG.prefix(40))),
    .picture([]), .picture(Array(repeating: 0xFF, count: PictureLimits().bytes + 1)),
  ])
  func `the next address is tried after one without a picture, which is not requested again`(
    first: TestBehaviour
  ) async throws {
    try await withCovers { request in
      request.path == "/bad" ? first : .picture(Sample.blueJPEG)
    } _: { world in
      let cache = AnswerCache()
      let loader = world.loader(cache)
      #expect(await world.cover("/bad", "/good", "/other", by: loader).average?.isNear(Sample.blue) == true)
      #expect(world.requestedPaths == ["/bad", "/good"])
      #expect(await world.cover("/bad", by: loader).failure?.isMissing == true)
      #expect(world.requestedPaths == ["/bad", "/good"])
    }
  }

  @Test func `an answer that is not a picture is requested again in the next run`() async throws {
    let isLoggedIn = Atomic(false)
    try await withCovers { _ in
      isLoggedIn.load(ordering: .relaxed) ? .picture(Sample.blueJPEG) : .answer(.html("<p>Log in to the network</p>"))
    } _: { world in
      #expect(await world.cover("/a").failure?.isMissing == true)
      isLoggedIn.store(true, ordering: .relaxed)
      #expect(await world.cover("/a").average?.isNear(Sample.blue) == true)
    }
  }

  @Test func `an invalid redirect does not count as a failure to answer`() async throws {
    try await withCovers { request in
      request.path == "/good" ? .picture(Sample.blueJPEG) : .answer(.redirect(to: "ftp://films.example/a.jpg"))
    } _: { world in
      let loader = world.loader()
      for path in ["/a", "/b", "/c"] {
        #expect(await world.cover(path, by: loader).failure == .web(.redirect(.notWeb)))
      }
      #expect(await world.cover("/good", by: loader).average?.isNear(Sample.blue) == true)
    }
  }

  @Test func `a server that fails is requested again, but only twice for the sizes of a cover`() async throws {
    try await withCovers { _ in
      .answer(TestAnswer("", status: 502))
    } _: { world in
      let loader = world.loader()
      for _ in 0..<2 { #expect(await world.cover("/a", "/b", "/c", by: loader).failure?.isMissing == false) }
      #expect(world.requestedPaths == ["/a", "/b", "/a", "/b"])
    }
  }

  @Test(arguments: [
    TestBehaviour.answer(TestAnswer("", status: 500)), .answer(TestAnswer("", status: 503)), .raw([]),
    .raw(Array("x".utf8)),
    .cut(TestAnswer(Sample.blueJPEG), after: 9), .answer(.redirect(to: "ftp://films.example/")),
    .picture(Array(Sample.rgbPNG.prefix(40))), .answer(TestAnswer("", status: 304)),
  ])
  func `a failure of one address does not end the list`(first: TestBehaviour) async throws {
    try await withCovers { request in
      request.path == "/bad" ? first : .picture(Sample.blueJPEG)
    } _: { world in
      #expect(await world.cover("/bad", "/good", "/other").average?.isNear(Sample.blue) == true)
      #expect(!world.requestedPaths.contains("/other"))
    }
  }

  @Test func `the failure that may pass by itself is reported, else the first one`() async throws {
    try await withCovers { request in
      switch request.path {
      case "/gone": .noPicture
      case "/text": .picture(Array("text".utf8))
      default: .answer(TestAnswer("", status: Int(request.path.dropFirst()) ?? 500))
      }
    } _: { world in
      func reason(_ paths: String...) async -> String? {
        await world.loader(AnswerCache()).cover(paths.map(world.address)).failure?.reason
      }
      #expect(await reason("/gone", "/500", "/503") == "the server answered 500 Internal Server Error")
      #expect(await reason("/503", "/gone", "/500") == "the server answered 503 Service Unavailable")
      #expect(await reason("/gone", "/text") == "the server answered 404 Not Found")
      #expect(await reason("/text", "/gone") == "the cover is not a JPEG, PNG, WebP or GIF picture")
      #expect(await reason() == "there is no cover")
    }
  }

  // MARK: - Retries

  @Test func `a retry requests an address again that has no picture`() async throws {
    let exists = Atomic(false)
    try await withCovers { _ in
      exists.load(ordering: .relaxed) ? .picture(Sample.blueJPEG) : .noPicture
    } _: { world in
      let loader = world.loader()
      for _ in 0..<3 { _ = await world.cover("/a", by: loader) }
      for press in 1...2 {
        #expect(
          await loader.cover([world.address("/a")], on: CoverLoader.Terms(use: .retried(press: press))).failure?
            .isMissing
            == true)
      }
      #expect(world.requestedPaths == ["/a", "/a", "/a"])
      exists.store(true, ordering: .relaxed)
      #expect(await world.cover("/a").failure?.isMissing == true)
      #expect(
        await world.loader().cover([world.address("/a")], on: CoverLoader.Terms(use: .retried(press: 1))).average != nil
      )
      #expect(await world.cover("/a").average != nil)
      #expect(world.requestedPaths == ["/a", "/a", "/a", "/a"])
    }
  }

  @Test(arguments: [true, false])
  func `a retry that finds a cover ends the record of its absence`(isCached: Bool) async throws {
    let exists = Atomic(false)
    try await withCovers { _ in
      exists.load(ordering: .relaxed) ? .picture(Sample.blueJPEG) : .noPicture
    } _: { world in
      let loader = world.loader(isCached ? nil : AnswerCache())
      #expect(await world.cover("/a", by: loader).failure?.isMissing == true)
      exists.store(true, ordering: .relaxed)
      #expect(
        await loader.cover([world.address("/a")], on: CoverLoader.Terms(use: .retried(press: 1))).average != nil)
      // Larger than the thumbnail.
      for loader in isCached ? [loader, world.loader()] : [loader] {
        let count = world.requestedPaths.count
        let size = Size(width: 100, height: 50)
        #expect(await loader.cover([world.address("/a")], size: size, wantsPixels: true).average != nil)
        #expect(world.requestedPaths.count == count + 1)
      }
    }
  }

  @Test(arguments: [404, 500])
  func `a cover in place of a missing one is replaced by a retry, or ten minutes later`(status: Int) async throws {
    let exists = Atomic(false)
    let red = PixelBuffer.plain(RGB(red: 200, green: 20, blue: 20), Size(width: 64, height: 36)).jpeg(quality: 90) ?? []
    try await withCovers { request in
      if request.path == "/channel" { return .picture(red) }
      return exists.load(ordering: .relaxed) ? .picture(Sample.blueJPEG) : .answer(TestAnswer("", status: status))
    } _: { world in
      let (loader, addresses) = (world.loader(), ["/a", "/channel"].map(world.address))
      for use in [CoverUse.always, .whileFresh, .retried(press: 1)] {
        let substitute = try await loader.cover(addresses, on: CoverLoader.Terms(use: use)).get()
        let (freshness, now) = (try #require(substitute.freshness), UnixTime.now.seconds)
        #expect(freshness.lowerBound <= now && (now...now + 600).contains(freshness.upperBound))
      }
      exists.store(true, ordering: .relaxed)
      let found = try await loader.cover(addresses, on: CoverLoader.Terms(use: .retried(press: 2))).get()
      #expect(found.average.isNear(Sample.blue) && (found.freshness?.count ?? 0) > 600)
      #expect(world.requestedPaths.count { $0 == "/channel" } == 1)
    }
  }

  @Test func `each retry requests a silent server again, until it is silent twice more`() async throws {
    try await withCovers { _ in
      .cut(TestAnswer(Sample.blueJPEG), after: 20)
    } _: { world in
      let loader = world.loader()
      for use in [CoverUse.whileFresh, .retried(press: 1), .retried(press: 1), .retried(press: 2), .retried(press: 1)] {
        for path in ["/a", "/b", "/c", "/d"] {
          _ = await loader.cover([world.address(path)], on: CoverLoader.Terms(use: use))
        }
      }
      #expect(world.requestedPaths == ["/a", "/b", "/a", "/b", "/a", "/b"])
    }
  }

  @Test(arguments: [
    (403, CoverPace.settled, 21_600), (404, .new, 600), (403, .new, 600), (410, .live, 600), (404, .settled, 21_600),
    (410, .settled, 21_600), (401, .new, 21_600),
  ])
  func `a missing cover of a new video is requested again soon`(status: Int, pace: CoverPace, seconds: Int) {
    #expect(pace.missingSeconds(after: .web(.status(status, retryAfter: nil))) == seconds)
    #expect(pace.missingSeconds(after: .webPage) == 300)
  }

  @Test(arguments: [
    CoverFailure.web(.tooLarge(limit: 12)), .picture(.unknownFormat), .picture(.tooLarge), .noAddress,
    .notConverted(.svg, .undecodable), .notConverted(.avif, .tooMuchWork(seconds: 2)),
    .earlier(reason: "no", isFinal: true),
  ])
  func `an address is requested again soon only after a failure that a retry can end`(lasting: CoverFailure) {
    #expect(lasting.kind == .permanent && CoverPace.new.missingSeconds(after: lasting) == 21_600)
    for fault in [CoverFailure.ConversionFault.timedOut(seconds: 20), .notStarted] {
      let failure = CoverFailure.notConverted(.avif, fault)
      #expect(failure.kind == .temporary && CoverPace.settled.missingSeconds(after: failure) == 300)
    }
  }

  @Test func `a failure says whether a retry can end it, also in the next run`() async throws {
    try await withCovers { request in
      switch request.path {
      case "/huge": .picture(Array(repeating: 0xFF, count: PictureLimits().bytes + 1))
      case "/xhtml": .picture(Array("<?xml version='1.0'?>\n<!-- > --><!DOCTYPE html PUBLIC ''>\n<html>".utf8))
      case "/page": .answer(.html("\n<!doctype HTML><p>Log in"))
      case "/text": .picture(Array("text".utf8))
      case "/wait": .answer(TestAnswer("", status: 429, headers: ["Retry-After": "70"]))
      default: .noPicture
      }
    } _: { world in
      func kind(_ path: String) async -> FeedFailure.Kind? { await world.cover(path).failure?.kind }
      for _ in 0..<2 {
        #expect(await kind("/huge") == .permanent)
        #expect(await kind("/gone") == .temporary)
        #expect(await kind("/page") == .temporary)
        #expect(await kind("/xhtml") == .temporary)
        #expect(await kind("/text") == .permanent)
      }
      #expect(await kind("/wait") == .wait(seconds: 70))
      #expect(await world.cover("/page").failure?.reason == "requests to 127.0.0.1 are paused")
    }
  }

  // MARK: - Refused requests

  @Test func `an address whose escapes were escaped is requested as it was meant, if it does not exist`() async throws {
    try await withCovers { request in
      ["/my%20film.jpg", "/100%2525.jpg"].contains(request.path) ? .picture(Sample.blueJPEG) : .noPicture
    } _: { world in
      for _ in 0..<2 { #expect(await world.cover("/my%2520film.jpg").average != nil) }
      #expect(await world.cover("/100%2525.jpg").average != nil)
      #expect(await world.cover("/none%2520.jpg").failure?.reason == "the server answered 404 Not Found")
      #expect(
        world.requestedPaths == [
          "/my%2520film.jpg", "/my%20film.jpg", "/100%2525.jpg", "/none%2520.jpg", "/none%20.jpg",
        ])
    }
  }

  // MARK: - Concurrency

  @Test func `at most six requests to a server are in flight`() async throws {
    let arrived = Mutex(0)
    let gate = DispatchSemaphore(value: 0)
    try await withCovers { _ in
      arrived.withLock { $0 += 1 }
      gate.wait()
      return .picture(Sample.blueJPEG(Size(width: 16, height: 16)))
    } _: { world in
      let loader = world.loader()
      try await withThrowingTaskGroup { group in
        for number in 0..<20 { group.addTask { await world.cover("/\(number)", by: loader).average } }
        try await eventually("each request has arrived or waits") {
          arrived.withLock { $0 } + loader.requests.waitingCount == 20
        }
        #expect(arrived.withLock { $0 } == 6)
        for _ in 0..<20 { gate.signal() }
        for try await average in group { #expect(average != nil) }
      }
      #expect(world.requestedPaths.count == 20)
    }
  }

  @Test func `cancelled callers return and send no further request`() async throws {
    try await withCovers { _ in
      .silence
    } _: { world in
      let loader = world.loader()
      let first = (0..<6).map { number in Task { await world.cover("/\(number)", by: loader) } }
      try await world.waitForRequests(6)
      let waiting = (0..<3).map { number in Task { await world.cover("/later\(number)", by: loader) } }
      let following = Task { await world.cover("/0", by: loader) }
      try await eventually("the others wait") { loader.requests.waitingCount == 4 }
      for task in waiting + [following] + first { task.cancel() }
      for task in waiting + [following] + first {
        #expect(await task.value.failure?.reason == "the request was cancelled")
      }
      #expect(world.requestedPaths.allSatisfy { !$0.contains("later") })
    }
  }

  @Test func `if the first caller is cancelled, the next one sends the request`() async throws {
    let isFirst = Atomic(true)
    try await withCovers { _ in
      isFirst.exchange(false, ordering: .relaxed) ? .silence : .picture(Sample.blueJPEG)
    } _: { world in
      let loader = world.loader()
      let first = Task { await world.cover("/a", by: loader) }
      try await world.waitForRequests(1)
      let second = Task { await world.cover("/a", by: loader) }
      try await eventually("the second waits for the first one's answer") { loader.requests.waitingCount == 1 }
      first.cancel()
      #expect(await first.value.failure != nil)
      #expect(await second.value.average?.isNear(Sample.blue) == true)
    }
  }
}
