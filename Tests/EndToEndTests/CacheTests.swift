import FeedfallSystem
import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

/// The on-disk cache, across runs of the program.
@Suite(.hangLimit) struct CacheTests {
  private let feed = #"{"data": {"info_list": [{"title": "Film", "flv": "https://v.example/1.mp4"}], "end": 1}}"#

  private func withCaches(_ body: ([String: String], URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-caches-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(["XDG_CACHE_HOME": folder.path], folder.appendingPathComponent("feedfall/pages.sqlite"))
  }

  @Test func `after a temporary error of YouTube the cached videos stay, and requests become rarer`() async throws {
    let isFailing = Mutex(false)
    let entry = """
      <feed xmlns='http://www.w3.org/2005/Atom'><entry><id>yt:video:1</id><title>Film</title>
      <link rel='alternate' href='https://www.youtube.com/watch?v=1'/></entry></feed>
      """
    let proxy = try TestServer { _ in
      isFailing.withLock { $0 } ? .answer(.html("<!doctype html>", status: 404)) : .answer(TestAnswer(entry))
    }
    defer { proxy.stop() }
    try await withCaches { caches, _ in
      let proxies = ["http_proxy": proxy.origin, "no_proxy": "", "all_proxy": "", "PATH": "/nowhere"]
      let environment = caches.merging(proxies) { $1 }
      let address = "http://www.youtube.com/feeds/videos.xml?channel_id=UC1"
      #expect(try await Feedfall.run("list", address, environment: environment).output.hasPrefix("Film\t"))
      isFailing.withLock { $0 = true }
      let outcome = try await Feedfall.run("list", address, environment: environment)
      #expect(
        outcome.status == 1 && outcome.errors.contains(" answered 404, which it sometimes does for existing feeds"))
      let screen = try await Feedfall.run("render", address, environment: environment)
      #expect(screen.output.contains("Film"))
      #expect(proxy.requests.count == 2)
    }
  }

  /// The size of a database on disk in bytes, including its write-ahead log.
  private func size(_ database: URL) -> Int {
    ["", "-wal"].reduce(0) { sum, suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: database.path + suffix)
      return sum + (attributes?[.size] as? Int ?? 0)
    }
  }

  @Test func `killing the program while it writes leaves the database intact`() async throws {
    let items = (0..<20_000).map { #"{"title": "Film \#($0)", "flv": "https://v.example/\#($0).mp4"}"# }
    let body = #"{"data": {"info_list": [\#(items.joined(separator: ","))], "end": 1}}"#
    let server = try TestServer { _ in .answer(TestAnswer(body)) }
    defer { server.stop() }
    try await withCaches { caches, file in
      for number in 0..<25 {
        let killedAt = size(file) + number * body.utf8.count / 25
        try await runAndKill(
          Feedfall.path, ["list", server.origin + "/\(number)"], environment: caches
        ) { size(file) > killedAt }
        guard FileManager.default.fileExists(atPath: file.path) else { continue }
        let database = try Database(path: file.path, timeoutMilliseconds: 1000)
        #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
        // The program may have ended before it created tables.
        guard try database.first("PRAGMA user_version", read: { $0.integer(0) }) == 1 else { continue }
        let cut = try database.first(
          """
          SELECT count(*) FROM answer WHERE byte_count !=
            (SELECT coalesce(sum(length(bytes)), 0) FROM piece WHERE answer = answer.id)
          """
        ) { $0.integer(0) }
        #expect(cut == 0)
      }
      let outcome = try await Feedfall.run("list", server.origin + "/last", environment: caches)
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
    }
  }

  @Test func `if files cannot grow, the program continues and prints one line`() async throws {
    let server = try TestServer { [feed] _ in .answer(TestAnswer(feed)) }
    defer { server.stop() }
    try await withCaches { caches, _ in
      let command = "trap '' XFSZ; ulimit -f 8; exec \"$0\" list \"$1\""
      let outcome = try await run("/bin/bash", ["-c", command, Feedfall.path, server.origin], environment: caches)
      #expect(outcome.status == 0 && outcome.output.hasPrefix("Film\t"))
      #expect(outcome.errors.hasPrefix("feedfall: Could not open the cache: "))
      #expect(outcome.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `without a home folder, the program continues and prints one line`() async throws {
    let server = try TestServer { [feed] _ in .answer(TestAnswer(feed)) }
    defer { server.stop() }
    let outcome = try await Feedfall.run("list", server.origin, environment: ["HOME": "", "XDG_CACHE_HOME": ""])
    #expect(outcome.output.hasPrefix("Film\t") && outcome.status == 0)
    #expect(
      outcome.errors
        == "feedfall: Could not open the cache: neither XDG_CACHE_HOME nor HOME names a folder. Set one of them.\n")
  }
}
