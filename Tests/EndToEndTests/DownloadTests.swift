import Foundation
import TestServer
import TestSupport
import Testing

/// Downloads by the real program.
@Suite(.hangLimit, .serialized) struct DownloadTests {
  /// Bytes that differ from their neighbors, so that a part at the wrong place is noticed.
  private static let bytes: [UInt8] = {
    var state: UInt64 = 1
    return (0..<400_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }()

  /// A server that supports ranges with a validator.
  private static func answer(_ request: TestRequest) -> TestAnswer {
    var answer = TestAnswer.media(bytes, type: "video/mp4", for: request)
    answer.headers["ETag"] = "\"1\""
    return answer
  }

  private func expectWhole(_ path: String) throws {
    let isWhole = try fileBytes(of: path) == Self.bytes
    #expect(isWhole, "\(path) differs from the server's file")
  }

  private func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// A limit for the length of a part at which a program is killed; a longer one for the appearance of the video file.
  private static func isDue(_ limit: Int, _ title: String, in folder: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let isComplete = names.contains { $0.hasPrefix(title + " ") && $0.hasSuffix(".mp4") }
    guard limit < bytes.count, !isComplete else { return isComplete }
    var status = stat()
    return names.contains { $0.hasSuffix(".part") && stat("\(folder)/\($0)", &status) == 0 && status.st_size >= limit }
  }

  @Test func `a download killed at random moments is continued, and no half file has a final name`() async throws {
    try await withFolder { folder in
      try await withServer { request in
        .slow(Self.answer(request), bytesPerSecond: 2_000_000)
      } _: { server in
        let videos = folder + "/videos"
        let environment = ["XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache"]
        func command(_ title: String) -> [String] {
          ["download", "--download-folder", videos, "\(server.origin)/\(title).mp4"]
        }
        func complete(_ title: String) -> [String] {
          names(in: videos).filter { $0.hasPrefix(title + " ") && $0.hasSuffix(".mp4") }
        }
        func finish(_ title: String) async throws {
          let end = try await run(Feedfall.path, command(title), environment: environment)
          #expect(end.status == 0 && complete(title).count == 1, "\(end.errors)")
        }
        var random = SeededGenerator(seed: 7)
        var number = 0
        for _ in 0..<Kills.count(usually: 15) {
          let title = "film\(number)"
          // The length of the part is the moment, so that no time matters.
          let limit = Int.random(in: 0...500_000, using: &random)
          try await runAndKill(Feedfall.path, command(title), environment: environment) {
            Self.isDue(limit, title, in: videos)
          }
          for name in names(in: videos) where name.hasSuffix(".mp4") { try expectWhole(videos + "/" + name) }
          guard !complete(title).isEmpty else { continue }
          try await finish(title)
          number += 1
        }
        try await finish("film\(number)")
        #expect(names(in: videos).count == number + 1, "\(names(in: videos))")
        #expect(server.requests.contains { $0.headers["range"] != nil })
        for name in names(in: videos) { try expectWhole(videos + "/" + name) }
      }
    }
  }

  @Test func `without a terminal, download prints JSON lines`() async throws {
    try await withFolder { folder in
      try await withServer {
        .answer(Self.answer($0))
      } _: { server in
        let end = try await Feedfall.run("download", "--download-folder", folder, server.origin + "/film.mp4")
        let rows = try end.output.split(separator: "\n").map {
          try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
        #expect(end.status == 0 && end.errors == "")
        #expect(rows.last?["event"] as? String == "done" && rows.last?["bytes"] as? Int == Self.bytes.count)
        #expect(rows.allSatisfy { $0["title"] as? String == "film" && $0["recordID"] is String })
        let path = try #require(rows.last?["path"] as? String)
        try expectWhole(path)
      }
    }
  }

  @Test func `list knows the downloaded videos`() async throws {
    try await withFolder { folder in
      try await withServer {
        .answer(Self.answer($0))
      } _: { server in
        let environment = ["XDG_STATE_HOME": folder]
        let address = server.origin + "/film.mp4"
        let list = ["list", "--where", "downloaded", address]
        let before = try await run(Feedfall.path, list, environment: environment)
        _ = try await run(
          Feedfall.path, ["download", "--download-folder", folder, address], environment: environment)
        let after = try await run(Feedfall.path, list, environment: environment)
        #expect(before.status == 1 && after.status == 0 && after.output.hasPrefix("film\t"))
      }
    }
  }

  @Test func `a failed download has status 1 and one line with the reason`() async throws {
    try await withFolder { folder in
      try await withServer { _ in
        .answer(TestAnswer("", status: 404))
      } _: { server in
        let end = try await Feedfall.run("download", "--download-folder", folder, server.origin + "/film.mp4")
        #expect(end.status == 1)
        #expect(
          end.errors
            == "feedfall: Could not download film: the server answered 404 Not Found. Check the address.\n")
        #expect(names(in: folder) == [])
      }
    }
  }

  @Test(arguments: [[], ["--queue", "https://films.example/a.mp4"], ["--download-folder", "videos", "--queue"]])
  func `a usage error has status 2`(arguments: [String]) async throws {
    let end = try await run(Feedfall.path, ["download"] + arguments)
    #expect(end.status == 2)
  }

  @Test func `marks of a downloaded file are those of its video, with its title and address`() async throws {
    try await DownloadHome.withDownload { home, address, path in
      let rows = try await home.run("list", "--json", home.folder + "/videos").output
      for end in [
        try await home.run("mark", "watched", path), try await home.run("queue", "add", path),
        try await home.run("queue", "add", "-", input: rows),
      ] { #expect(end.status == 0) }
      let queue = try await home.run("queue").output
      #expect(queue.hasPrefix("film\t") && queue.hasSuffix("\t\(address)\n"), "\(queue)")
      #expect(try await home.run("queue", "--json").output.contains(#""watched":"#))
    }
  }

  @Test func `texts that name no video are refused with a sentence`() async throws {
    try await DownloadHome.use { home in
      for text in ["http://", "Mr. Smith goes"] {
        let end = try await home.run("queue", "add", text)
        #expect(end.status == 2 && end.errors.contains("“\(text)”: it is neither an address nor an ID."))
      }
      #expect(try await home.run("mark", "watched", "").errors.contains("“”: it is neither an address nor an ID."))
      let end = try await home.run("queue", "add", "-", input: "A talk\t\tKitchen\t\n")
      #expect(end.status == 1 && end.errors.contains("“A talk”: it is neither"))
      #expect(try await !home.run("queue", "https://me:secret@a.example/").errors.contains("secret"))
    }
  }

  @Test(arguments: [["queue", "add"], ["queue", "remove"], ["mark", "watched"]])
  func `after twenty refused lines, the others are counted`(command: [String]) async throws {
    try await DownloadHome.use { home in
      let isRemoval = command.last == "remove"
      for count in [20, 21, 45] {
        let lines = (0..<count).map { isRemoval ? "https://a.example/\($0).mp4" : "Mr. Smith goes \($0)" }
        let end = try await run(
          Feedfall.path, command + ["-"], environment: home.environment,
          input: Array(lines.joined(separator: "\n").utf8))
        let errors = end.errors.split(separator: "\n")
        #expect(end.status == 1 && errors.count == min(count, 21))
        #expect(count == 20 || errors.last?.hasSuffix(" \(count - 20) more for the same reason.") == true)
      }
    }
  }

  @Test func `a path is printed on one line, and without loss in JSON`() async throws {
    try await DownloadHome.use { home in
      try await withServer {
        .answer(Self.answer($0))
      } _: { server in
        let videos = home.folder + "/a\nb\tc\u{1B}[31m\u{202E}\u{85}\u{E0001}  d"
        let address = server.origin + "/film.mp4"
        let end = try await home.run("download", "--download-folder", videos, address)
        let name = try #require(names(in: videos).first, "\(end.errors)")
        let list = try await home.run("download", "--list").output
        #expect(list == "done\tfilm\t\(home.folder)/a b c[31m   d/\(name)\n")
        for output in [end.output, try await home.run("download", "--list", "--json").output] {
          let line = try #require(output.split(separator: "\n").last)
          let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
          #expect(row?["path"] as? String == "\(videos)/\(name)")
        }
      }
    }
  }

  @Test func `a page that is named twice is requested once`() async throws {
    try await withFolder { folder in
      try await withServer { request in
        .answer(
          request.path == "/feed.json"
            ? TestAnswer(
              #"[{"id": "1", "title": "Film", "url": "/film.mp4"}]"#, headers: ["Content-Type": "application/json"])
            : Self.answer(request))
      } _: { server in
        let page = server.origin + "/feed.json"
        let end = try await Feedfall.run("download", "--download-folder", folder, page, page)
        #expect(end.status == 0 && names(in: folder).count == 1, "\(end.errors)")
        #expect(server.requests.count { $0.path == "/feed.json" } == 1)
      }
    }
  }

  @Test func `a mistyped or shortened command names the one that was meant, also before options`() async throws {
    for (arguments, command) in [
      (["lst", "--json"], "list"), (["hist"], "history"), (["downl", "--list"], "download"),
    ] {
      let end = try await run(Feedfall.path, arguments)
      #expect(end.status == 2 && end.errors.contains("Did you mean \(command)?"))
    }
  }

  @Test func `an empty queue is no failure`() async throws {
    let end = try await Feedfall.run("download", "--queue")
    #expect(end.status == 0 && end.errors == "feedfall: No downloads are waiting.\n")
  }

  @Test(.enabled(if: Tmux.path != nil, "tmux is not installed"))
  func `d downloads the selected video, and the next program knows it`() async throws {
    try await withFolder { folder in
      try await withServer {
        .answer(Self.answer($0))
      } _: { server in
        let origin = server.origin
        try await onThread {
          let feed = folder + "/feed.json"
          try #"[{"id": "1", "title": "Film", "url": "\#(origin)/film.mp4"}]"#.write(
            toFile: feed, atomically: true, encoding: .utf8)
          let videos = folder + "/videos"
          for isFirst in [true, false] {
            let tmux = try Tmux(width: 120, height: 30, environment: ["XDG_STATE_HOME": folder])
            defer { tmux.close() }
            try tmux.start("--images none --download-folder \(videos) \(feed)")
            _ = try tmux.waitUntilIdle()
            if isFirst {
              try tmux.press("d")
              try tmux.waitUntil("the video is stored") { $0.contains("Downloaded “Film”") }
              #expect(names(in: videos).count == 1)
            } else {
              try tmux.waitUntil("the mark is shown") { $0.contains("↓") }
              try tmux.press("D", "D")
              try tmux.waitUntil("the file is deleted") { $0.contains("Removed the download of “Film”") }
              #expect(names(in: videos) == [])
            }
          }
        }
      }
    }
  }
}
