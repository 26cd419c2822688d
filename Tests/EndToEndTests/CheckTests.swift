import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

/// `feedfall check` and `feedfall find`, with the state and the cache of earlier runs.
@Suite(.hangLimit) struct CheckTests {
  private func write(_ titles: [String], to feed: String) throws {
    let videos = titles.enumerated().map { number, title in
      #"{"id": "https://v.example/\#(title.filter(\.isLetter))", "title": "\#(title)", "url": "https://v.example/\#(number).mp4"}"#
    }
    try Data("[\(videos.joined(separator: ","))]".utf8).write(to: URL(filePath: feed))
  }

  @Test func `check prints what is new since the last check, and find what was loaded`() async throws {
    try await withFolder { folder in
      let feed = folder + "/feed.json"
      let environment = Feedfall.withoutConfiguration.merging(
        ["XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache"]
      ) { $1 }
      func feedfall(_ arguments: String...) async throws -> Outcome {
        try await run(Feedfall.path, arguments, environment: environment)
      }
      try write(["Spring", "Winter"], to: feed)
      let first = try await feedfall("check", feed)
      #expect(first.status == 0 && first.output == "feed.json: first check, 2 videos\n")
      #expect(try await feedfall("check", "--exit-code", feed).status == 3)
      try write(["Rainy autumn", "Spring", "Winter"], to: feed)
      let second = try await feedfall("check", "--json", "--exit-code", feed)
      #expect(second.status == 0)
      #expect(second.output.split(separator: "\n").count == 1 && second.output.contains(#""title":"Rainy autumn""#))
      #expect(try await feedfall("check", feed).output == "feed.json: nothing new\n")
      try write(["Night", "Rainy autumn", "Spring"], to: feed)
      let twice = try await feedfall("check", feed, feed).output.split(separator: "\n")
      #expect(twice.filter { $0 == "feed.json: 1 new video" }.count == 2)
      #expect(try await feedfall("check", folder + "/missing.json").status == 1)

      let found = try await feedfall("find", "rain", "aut")
      #expect(found.status == 0 && found.output.hasPrefix("Rainy autumn\t"))
      let lines = try await feedfall("find", "--json", "spring").output.split(separator: "\n")
      #expect(lines.count == 1 && lines[0].contains(#""source":"feed.json""#) && lines[0].contains("recordID"))
      let none = try await feedfall("find", "summer")
      #expect(none.status == 1 && none.errors.hasPrefix("feedfall: Found no videos:"))
      #expect(try await feedfall("find", "***").status == 2)
    }
  }

  @Test func `a download into a checked folder is no news, but another new film is`() async throws {
    try await DownloadHome.withDownload { home, _, path in
      let film = home.folder + "/films"
      try FileManager.default.createDirectory(atPath: film, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: path, toPath: film + "/Other.mp4")
      #expect(try await home.run("check", film).output.hasSuffix("first check, 1 video\n"))
      let name = try #require(path.split(separator: "/").last)
      try FileManager.default.moveItem(atPath: path, toPath: "\(film)/\(name)")
      let end = try await home.run("check", "--exit-code", film)
      #expect(end.status == 3 && end.output.hasSuffix("nothing new\n"), "\(end)")
      try FileManager.default.copyItem(atPath: film + "/Other.mp4", toPath: film + "/Third film.mp4")
      #expect(try await home.run("check", film).output.contains("1 new video\n\tThird film"))
    }
  }

  @Test(arguments: [">/dev/full", "--notify", ">&4"])
  func `news that did not reach the user stay new`(fault: String) async throws {
    try await withFolder { folder in
      let environment = [
        "XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache", "XDG_RUNTIME_DIR": folder,
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/nowhere",
      ]
      let (feed, other) = (folder + "/feed.json", folder + "/other.json")
      func check(_ arguments: String) async throws -> Outcome {
        // Descriptor 4 is a pipe without a reader.
        let pipe = "rm -f \(folder)/p; mkfifo \(folder)/p; exec 3<>\(folder)/p 4>\(folder)/p 3>&-; trap '' PIPE"
        return try await run(
          "/bin/sh", ["-c", "\(pipe); \(Feedfall.path) check \(feed) \(arguments)"], environment: environment)
      }
      try write(["Spring"], to: feed)
      try write(["Summer"], to: other)
      #expect(try await check("").status == 0)
      try write(["Autumn", "Spring"], to: feed)
      let lost = try await check("\(other) \(fault)")
      #expect(lost.status == (fault == ">&4" ? 0 : 1) && lost.errors.isEmpty == (fault == ">&4"), "\(lost)")
      try write(["Winter", "Summer"], to: other)
      let second = try await check("\(other)")
      #expect(second.output.contains("feed.json: 1 new video\n\tAutumn\t"), "\(second)")
      // A source without news is saved.
      #expect(second.output.contains("other.json: 1 new video\n\tWinter\t"), "\(second)")
    }
  }

  @Test func `a file of earlier checks that cannot be read ends the check and is left as it is`() async throws {
    try await withFolder { folder in
      let path = folder + "/feedfall/checked"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try write(["Spring"], to: folder + "/feed.json")
      let outcome = try await run(
        Feedfall.path, ["check", folder + "/feed.json"], environment: ["XDG_STATE_HOME": folder])
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("feedfall: Could not read \(path): "), "\(outcome.errors)")
    }
  }

  @Test func `check loads pages up to a known video, at most ten`() async throws {
    /// The newest of the videos 1, 2, …, of which a page has four, and the page that fails.
    let feed = Mutex<(newest: Int, faulty: Int, status: Int)>((8, 0, 0))
    try await withServer { request in
      let page = Int(request.query["p"] ?? "") ?? 1
      let (newest, faulty, status) = feed.withLock { $0 }
      if page == faulty { return .answer(TestAnswer("", status: status)) }
      let numbers = (1...newest).reversed().dropFirst(4 * (page - 1))
      let items = numbers.prefix(4).map { "<item><guid>\($0)</guid><title>Film \($0)</title></item>" }
      let next = numbers.count > 4 ? ["Link": "</feed.xml?p=\(page + 1)>; rel=\"next\""] : [:]
      return .answer(
        TestAnswer("<rss><channel><title>F</title>\(items.joined())</channel></rss>", headers: next))
    } _: { server in
      try await withFolder { folder in
        let environment = ["XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache"]
        func check(newest: Int, faulty: Int = 0, status: Int = 0, _ flag: String...) async throws -> Outcome {
          feed.withLock { $0 = (newest, faulty, status) }
          return try await run(
            Feedfall.path, ["check"] + flag + [server.origin + "/feed.xml"], environment: environment)
        }
        func newCount(_ outcome: Outcome) -> Int { outcome.output.split(separator: "\n").count { $0.hasPrefix("\t") } }
        #expect(try await check(newest: 8).output == "F: first check, 4 videos\n")
        let seven = try await check(newest: 15)
        #expect(seven.output.hasPrefix("F: 7 new videos\n\tFilm 15") && newCount(seven) == 7, "\(seven)")
        #expect(try await check(newest: 15).output == "F: nothing new\n")
        let requestCount = server.requests.count
        let more = try await check(newest: 75)
        #expect(more.output.hasPrefix("F: 40 new videos and more after 10 pages\n") && newCount(more) == 40)
        #expect(server.requests.count == requestCount + 10)
        let json = try await check(newest: 200, "--json")
        #expect(json.output.split(separator: "\n").count == 40 && json.errors.contains("There may be more."))

        let cut = try await check(newest: 210, faulty: 2, status: 500)
        #expect(cut.status == 1 && newCount(cut) == 4 && cut.errors.contains("the next check reports"), "\(cut)")
        #expect(try await newCount(check(newest: 210)) == 10)
        let missing = try await check(newest: 220, faulty: 2, status: 404)
        #expect(missing.status == 1 && newCount(missing) == 4 && missing.errors.contains("the next page"), "\(missing)")
        #expect(try await check(newest: 220).output == "F: nothing new\n")
        let failed = try await check(newest: 230, faulty: 1, status: 404)
        #expect(failed.status == 1 && failed.output.isEmpty)
        #expect(try await newCount(check(newest: 230)) == 10)
      }
    }
  }
}
