import FeedfallCovers
import Synchronization
import TestServer
import TestSupport
import Testing
import WaterfallEngine

/// What servers, files and pictures of the world look like, each as a check by name. The helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct ServerCaseTable {
  @Test(arguments: connections) func `redirects, names and slow lines`(_ row: Case) async throws {
    try await row.check()
  }
  @Test(arguments: bodies) func `bodies and names of downloads`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: files) func `files and paths`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pages) func `pages and streams`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: loads) func `loading of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: candidates) func `choice of covers`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: pictures) func `decoding of pictures`(_ row: Case) async throws { try await row.check() }

  static let connections: [Case] = []

  static let bodies: [Case] = []

  static let files: [Case] = []

  static let pages: [Case] = []

  static let loads: [Case] = [
    Case("r requests a missing cover again, and shows it") { try await LoadCases.refreshInProgram() },
    Case("an Expires header alone keeps a cover fresh") {
      try await LoadCases.freshness(
        [
          "Expires": "Sat, 01 Jan 2000 02:00:00 GMT", "Date": "Sat, 01 Jan 2000 00:00:00 GMT",
          "Cache-Control": "public",
        ],
        seconds: 600)
      // The server's clock is right.
      let (date, expires) = (LoadCases.date(in: 0), LoadCases.date(in: 7_200))
      try await LoadCases.freshness(["Date": date, "Expires": expires], seconds: 7_200)
    },
    Case("Expires: 0 and max-age=0 are ten minutes") {
      try await LoadCases.freshness(["Expires": "0"], seconds: 600)
      try await LoadCases.freshness(["Cache-Control": "max-age=0, must-revalidate"], seconds: 600)
    },
    Case("the time in a CDN counts against max-age") {
      try await LoadCases.freshness(["Cache-Control": "public, max-age=7200", "Age": "3600"], seconds: 3_600)
      try await LoadCases.freshness(["Cache-Control": "public, max-age=7200", "Age": "720000"], seconds: 600)
    },
    Case("max-age in several Cache-Control values and in capital letters counts") {
      try await LoadCases.freshness(["Cache-Control": "Public, MAX-AGE=\"3600\", immutable"], seconds: 3_600)
    },
    Case("a picture that has not changed for 100 days is fresh for ten") {
      try await LoadCases.freshness(
        ["Date": LoadCases.date(in: 0), "Last-Modified": LoadCases.date(in: -100 * 86_400)], seconds: 864_000)
    },
    Case("a last change in the future is no reason for long freshness, and the placeholder 2038 is none") {
      try await LoadCases.freshness(["Last-Modified": LoadCases.date(in: 86_400 * 365)], seconds: 600)
      try await LoadCases.freshness(["Last-Modified": "Tue, 19 Jan 2038 03:14:07 GMT"], seconds: 30 * 86_400)
      try await LoadCases.freshness(["Last-Modified": "nonsense"], seconds: 30 * 86_400)
    },
    Case("a weak ETag is sent back unchanged") {
      try await LoadCases.confirmation(["ETag": "W/\"a-1\""], new: ["ETag": "W/\"a-2\""], sends: "ETag")
    },
    Case("an ETag without quotes is sent back unchanged") {
      try await LoadCases.confirmation(["ETag": "5f3a-12"], new: ["ETag": "5f3a-13"], sends: "ETag")
    },
    Case("Last-Modified alone confirms a cover") {
      try await LoadCases.confirmation(
        ["Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"], new: ["Last-Modified": "Fri, 02 Jan 2026 00:00:00 GMT"],
        sends: "Last-Modified")
    },
    Case("a cover whose new size differs reports it, and the card learns it") {
      let isChanged = Mutex(false)
      let reports = Mutex<[Size]>([])
      let (wide, tall) = (Size(width: 640, height: 360), Size(width: 300, height: 900))
      try await LoadCases.with { _ in
        .answer(TestAnswer(LoadCases.picture(0, isChanged.withLock { $0 } ? tall : wide)))
      } _: { world in
        for _ in 0..<2 {
          _ = await world.load(["/a"]) { size in reports.withLock { $0.append(size) } }
          isChanged.withLock { $0 = true }
          try world.pass(seconds: 31 * 86_400)
        }
        #expect(reports.withLock { $0 } == [wide, tall] && world.sizes(["/a"]) == [tall])
      }
    },
    Case("a server that always answers 304 has no cover, and the next candidate is shown") {
      try await LoadCases.with { request in
        request.path == "/good" ? .answer(TestAnswer(LoadCases.black)) : .answer(TestAnswer("", status: 304))
      } _: { world in
        #expect(await world.load("/a") == .failed("the server answered 304 Not Modified"))
        #expect(await world.load(["/a", "/good"]) == .black)
      }
    },
    Case("an empty answer and a maintenance page with status 200 leave the old cover") {
      let body = Mutex<[UInt8]?>(nil)
      try await LoadCases.with { _ in
        .answer(
          body.withLock { $0 }.map { TestAnswer($0, headers: ["Content-Type": "text/html"]) }
            ?? TestAnswer(LoadCases.black))
      } _: { world in
        _ = await world.load("/a")
        for answer in ["", "<html>Back soon", "{\"error\": 1}", "GIF89a", "\u{FF}"] {
          body.withLock { $0 = Array(answer.utf8) }
          try world.pass(seconds: 31 * 86_400)
          #expect(await world.load("/a") == .black, "\(answer)")
        }
        #expect(world.requests().count == 6)
      }
    },
    Case("a cover that its server has removed stays, and is not requested for six hours") {
      let isRemoved = Mutex(false)
      try await LoadCases.with { _ in
        isRemoved.withLock { $0 } ? .answer(TestAnswer("", status: 410)) : .answer(TestAnswer(LoadCases.black))
      } _: { world in
        _ = await world.load("/a")
        isRemoved.withLock { $0 = true }
        try world.pass(seconds: 30 * 86_400)
        for seconds in [0, 3_600, 7_200] {
          try world.pass(seconds: seconds)
          #expect(await world.load("/a") == .black && world.requests().count == 2)
        }
        try world.pass(seconds: 10_801)
        #expect(await world.load("/a") == .black && world.requests().count == 3)
      }
    },
    Case("the missing cover of a film of today is requested again after ten minutes, of an older one after six hours") {
      try await LoadCases.with { _ in
        .answer(TestAnswer("", status: 404))
      } _: { world in
        let reason = LoadCases.Result.failed("the server answered 404 Not Found")
        for _ in 0..<3 { #expect(await world.load("/new", CoverTerms(pace: .new)) == reason) }
        for _ in 0..<3 { #expect(await world.load("/old") == reason) }
        try world.pass(seconds: 601)
        #expect(await world.load("/new", CoverTerms(pace: .new)) == reason)
        #expect(await world.load("/old") == reason)
        #expect(world.requests() == ["/new", "/old", "/new"])
        try world.pass(seconds: 21_000)
        #expect(await world.load("/old") == reason)
        #expect(world.requests() == ["/new", "/old", "/new", "/old"])
      }
    },
    Case("a server that is down does not hide the cover on another server") {
      try await LoadCases.with { _ in
        .answer(TestAnswer(LoadCases.black))
      } _: { world in
        let closed = try TestServer { _ in .silence }
        closed.stop()
        #expect(await world.load([closed.origin + "/a", closed.origin + "/b", closed.origin + "/c", "/d"]) == .black)
      }
    },
    Case("a video with 10,000 addresses of covers on a server that fails costs two requests") {
      try await LoadCases.with { _ in
        .answer(TestAnswer("", status: 500))
      } _: { world in
        #expect(
          await world.load((0..<10_000).map { "/\($0)" }) == .failed("the server answered 500 Internal Server Error"))
        #expect(world.requests() == ["/0", "/1"])
      }
    },
    Case("10,000 loads of one missing cover share its request") {
      try await LoadCases.with { _ in
        .answer(TestAnswer("", status: 404))
      } _: { world in
        let loader = world.loader()
        await withTaskGroup { group in
          for _ in 0..<10_000 { group.addTask { _ = await world.load(["/a"], by: loader) } }
        }
        // A load may begin while the answer to the others is being recorded.
        #expect(world.requests().count < 20)
      }
    },
    Case("the Referer is the origin of the page, with its port and without its user, path and query") {
      try await LoadCases.referrer(
        of: "http://anna:secret@Films.example:8080/watch?token=1", expecting: "http://films.example:8080/")
      try await LoadCases.referrer(of: "http://films.example/", expecting: "http://films.example/")
    },
    Case("an encrypted page is not named to a server without encryption") {
      try await LoadCases.referrer(of: "https://films.example/watch", expecting: nil)
    },
    Case("only a 403 causes a second request with a Referer") {
      for status in [400, 401, 404, 410, 451, 500] {
        try await LoadCases.referrer(of: "http://films.example/", expecting: nil, refusal: status)
      }
    },
    Case("a cover behind a redirect is confirmed at its target, without the secrets of the address") {
      try await LoadCases.with { request in
        if request.path == "/a" { return .answer(.redirect(to: "/b?X-Amz-Signature=123")) }
        return request.headers["if-none-match"] == "\"1\""
          ? .answer(TestAnswer("", status: 304)) : .answer(TestAnswer(LoadCases.black, headers: ["ETag": "\"1\""]))
      } _: { world in
        _ = await world.load("/a")
        try world.pass(seconds: 31 * 86_400)
        #expect(await world.load("/a") == .black)
        let target = "/b?X-Amz-Signature=123"
        #expect(world.requests("if-none-match") == ["/a -", "\(target) -", "/a -", "\(target) \"1\""])
      }
    },
  ]

  static let candidates: [Case] = []

  static let pictures: [Case] = []
}
