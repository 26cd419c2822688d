import Foundation
import Synchronization
import TestServer
import TestSupport
import Testing

/// The program without a terminal.
@Suite(.hangLimit) struct CommandLineTests {
  @Test(arguments: 4...12)
  func `with few descriptors a source loads, or the limit is named`(count: Int) async throws {
    try await withServer { _ in
      .answer(TestAnswer("<rss><channel><item><title>One</title></item></channel></rss>"))
    } _: { server in
      try await withFolder { folder in
        // A test that runs at the same time may have leaked a descriptor to the shell.
        let command =
          "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n \(count); exec '\(Feedfall.path)' list \(server.origin)/feed.xml"
        let outcome = try await run("/bin/sh", ["-c", command], environment: ["XDG_CACHE_HOME": folder])
        let errors = outcome.errors
        #expect(
          outcome.status == 0 && outcome.output.contains("One") || errors.lowercased().contains("too many open files"),
          "\(errors)")
        #expect(!errors.contains("installed") && !errors.contains("came about"), "\(errors)")
      }
    }
  }

  @Test(arguments: [
    ["--lay\u{1B}]0;x\u{7}"], ["--layout", "\u{1B}]0;x\u{7}"], ["list", "/nowhere/\u{1B}[2J\n\u{202E}"],
    ["list", "--timeout", "\u{1B}[2J"], ["render", "--size", "\u{9B}2J"],
    ["render", "--keys", "<\u{1B}[2J>"], ["probe", "--base", "\u{202E}x", "/dev/null"],
    ["probe", "/nowhere/\u{202E}\u{9B}2J"], ["import", "/nowhere/\u{1B}c"],
  ])
  func `no argument controls the terminal through a message`(arguments: [String]) async throws {
    let outcome = try await run(Feedfall.path, arguments, environment: Feedfall.withoutConfiguration)
    let text = outcome.output + outcome.errors
    #expect(!text.isEmpty)
    let controls = text.unicodeScalars.filter {
      $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value) || $0 == "\u{202E}"
    }
    #expect(controls.isEmpty, "\(text.debugDescription)")
  }

  @Test func `no password of a source is shown`() async throws {
    try await withServer { _ in
      .answer(
        TestAnswer(
          "<rss><channel><item><title>One</title><link>/page</link><enclosure url='/1.mp4' type='video/mp4'/></item>"
            + "</channel></rss>"))
    } _: { server in
      let address = "http://me:secret@" + server.origin.dropFirst("http://".count) + "/feed.xml"
      let shown = try await run(
        Feedfall.path, ["render", address, "--size", "200x50", "--keys", "<Enter>"],
        environment: Feedfall.withoutConfiguration)
      #expect(shown.output.contains("http://me:•••@127.0.0.1") && !shown.output.contains("secret"))
      let failed = try await run(
        Feedfall.path, ["render", "https://me:secret@a b/", address], environment: Feedfall.withoutConfiguration)
      #expect(failed.status == 0 && !(failed.output + failed.errors).contains("secret"))
      let refused = try await run(
        Feedfall.path, ["list", "https://me:secret@a b/"], environment: Feedfall.withoutConfiguration)
      #expect(refused.errors.contains("me:•••@") && !refused.errors.contains("secret"))
    }
  }

  @Test func `without a terminal it prints a plain list`() async throws {
    let outcome = try await Feedfall.run()
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Elephants Dream\t10:54\tBlender Foundation\thttps://"))
    #expect(!outcome.output.contains("\u{1b}"))
  }

  @Test func `list prints page after page`() async throws {
    let one = try await Feedfall.run("list", "--pages", "1")
    let all = try await Feedfall.run("list")
    #expect(one.output.split(separator: "\n").count == 12)
    #expect(all.output.split(separator: "\n").count == 30)
    #expect(all.output.hasPrefix(one.output))
  }

  @Test func `list says that a feed on a server has more pages`() async throws {
    try await withServer { request in
      let page = Int(request.query["page"] ?? "") ?? 0
      let item = #"{"title":"Film \#(page)","flv":"https://films.example/\#(page).mp4"}"#
      return .answer(TestAnswer(#"{"data":{"info_list":[\#(item)],"end":\#(page == 2 ? 1 : 0)}}"#))
    } _: { server in
      let address = server.origin + "/videos.json"
      let first = try await Feedfall.run("list", address)
      #expect(
        first.status == 0
          && first.errors == "feedfall: Printed only the first page (1 video). Load more with --pages.\n")
      let all = try await Feedfall.run("list", "--pages", "9", "--where", "-film", address)
      #expect(all.errors == "feedfall: Found no videos: none of 3 matches the filter. Change it.\n")
    }
  }

  @Test func `list prints cached videos if the server does not answer, and says so`() async throws {
    try await withFolder { folder in
      let server = try TestServer { _ in
        .answer(TestAnswer("<rss><channel><item><title>One</title></item></channel></rss>"))
      }
      let arguments = ["list", server.origin + "/feed.xml"]
      let environment = ["XDG_CACHE_HOME": folder]
      #expect(try await run(Feedfall.path, arguments, environment: environment).status == 0)
      server.stop()
      let outcome = try await run(Feedfall.path, arguments, environment: environment)
      #expect(outcome.output.hasPrefix("One\t") && outcome.status == 1)
      #expect(
        outcome.errors.hasPrefix("feedfall: Could not load the videos, so the cached ones are printed: "),
        "\(outcome.errors)")
    }
  }

  @Test func `a feed that is cut off is printed with a warning`() async throws {
    try await withServer { _ in
      .answer(TestAnswer("<rss><channel><item><title>One</title></item><item><title>Tw"))
    } _: { server in
      let outcome = try await Feedfall.run("list", server.origin + "/feed.xml")
      #expect(outcome.output.hasPrefix("One\t"))
      #expect(outcome.errors.contains("The feed is incomplete: its end is missing after "), "\(outcome.errors)")
    }
  }

  @Test func `paths in a playlist on standard input are relative to the current folder`() async throws {
    try await withFolder { folder in
      try Data("a film".utf8).write(to: URL(filePath: folder + "/film.mp4"))
      let outcome = try await run(
        "/bin/sh", ["-c", "cd '\(folder)' && printf '#EXTM3U\\nfilm.mp4\\n' | '\(Feedfall.path)' list -"])
      #expect(outcome.status == 0 && outcome.output.contains("\(folder)/film.mp4"), "\(outcome.errors)")
    }
  }

  @Test(arguments: [
    ("UTC0", "since:2024-04-01", ["c", "d"]), ("CET-1CEST,M3.5.0,M10.5.0/3", "since:2024-04-01", ["b", "c", "d"]),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "since:2024-10-28", ["d"]), ("PST8", "before:2024-04-01", ["a", "b"]),
    ("JST-9", "since:2024-04-01 before:2024-10-28", ["a", "b", "c"]), ("nowhere", "since:2024-04-01", ["c", "d"]),
  ])
  func `days are those of the user's time zone, also where the clock has changed`(
    zone: String, filter: String, expected: [String]
  ) async throws {
    try await withFolder { folder in
      let times = ["a": "2024-03-31T15:30:00Z", "b": "2024-03-31T22:30:00Z", "c": "2024-04-01", "d": "2024-10-28"]
      let videos = times.sorted { $0.key < $1.key }.map {
        #"{"id":"\#($0.key)","title":"\#($0.key)","published":"\#($0.value)","url":"https://a.example/\#($0.key).mp4"}"#
      }
      let path = folder + "/feed.json"
      try Data(#"{"videos":[\#(videos.joined(separator: ","))]}"#.utf8).write(to: URL(filePath: path))
      let outcome = try await Feedfall.run("list", "--where", filter, path, environment: ["TZ": zone])
      #expect(
        outcome.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first }.map(String.init)
          == expected, "\(outcome)")
    }
  }

  @Test func `list reads the lengths of local videos`() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: folder + "/films", withIntermediateDirectories: true)
      for name in ["a", "b"] { try Data("film".utf8).write(to: URL(filePath: "\(folder)/films/\(name).mp4")) }
      let answer = #"{"format":{"duration":"61.0"},"streams":[{"codec_type":"video","width":64,"height":36}]}"#
      _ = try writeScript("echo '\(answer)'", to: folder + "/bin/ffprobe")
      let path = "\(folder)/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      let outcome = try await run(
        Feedfall.path, ["list", "--where", ">1m", folder + "/films"], environment: ["PATH": path])
      #expect(outcome.output.split(separator: "\n").filter { $0.contains("\t1:01\t") }.count == 2, "\(outcome)")
    }
  }

  @Test func `list prints JSON objects without unknown fields`() async throws {
    let outcome = try await Feedfall.run("list", "--json", "--pages", "100")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 30)
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["id"] is String && object["title"] is String)
      #expect(!object.values.contains { $0 is NSNull })
    }
  }

  @Test func `list and probe print the same facts of a video`() async throws {
    let feed = """
      <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
      <title>Films</title><atom:link rel="next" href="https://a.example/2"/><item><title>A</title><link>https://a.example/1</link>
      <author>Ann</author><description>Words</description><media:license>CC0</media:license>
      <media:community><media:statistics views="7"/></media:community>
      <media:content url="https://a.example/1.mp4" type="video/mp4" fileSize="9" width="640" height="360"/>
      <media:thumbnail url="https://a.example/s.jpg" width="160" height="90"/>
      <media:thumbnail url="https://a.example/l.jpg" width="1280" height="720"/></item></channel></rss>
      """
    let server = try TestServer { _ in .answer(TestAnswer(feed)) }
    defer { server.stop() }
    func object(_ text: Substring) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
    let list = try await Feedfall.run("list", "--json", server.origin + "/feed.xml")
    let row = try object(list.output.split(separator: "\n")[0])
    for (name, value) in [
      "author": "Ann", "channel": "Films", "summary": "Words", "license": "CC0", "coverURL": "https://a.example/l.jpg",
      "nextPage": "https://a.example/2", "pageURL": "https://a.example/1", "playbackURL": "https://a.example/1.mp4",
    ] { #expect(row[name] as? String == value, "\(name)") }
    #expect(row["source"] as? String == "Films")
    #expect(row["views"] as? Int == 7 && row["bytes"] as? Int == 9 && row["width"] as? Int == 640)
    let filtered = try await Feedfall.run("list", "--where", "source:films", server.origin + "/feed.xml")
    #expect(filtered.output.hasPrefix("A\t"))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("list-and-probe-\(getpid()).xml")
    try Data(feed.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let probe = try await Feedfall.run("probe", "--json", file.path)
    let items = try #require(try object(probe.output[...])["items"] as? [[String: Any]])
    #expect(Set(items[0].keys) == Set(row.keys).subtracting(["nextPage", "recordID", "source"]))
  }

  @Test func `a missing file is reported`() async throws {
    let outcome = try await Feedfall.run("list", "/nowhere/feed.json")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("/nowhere/feed.json"))
  }

  @Test(arguments: [
    (#"{"data":{"info_list":[],"end":1}}"#, "feedfall: Found no videos: the source is empty. Check the address.\n"),
    (
      "[1,2]",
      "feedfall: Skipped 2 items that are not videos.\nfeedfall: Found no videos: no item of the source is a video. Check the address.\n"
    ),
  ])
  func `a list without videos fails and says why`(body: String, errors: String) async throws {
    let server = try TestServer { _ in .answer(TestAnswer(body)) }
    defer { server.stop() }
    let outcome = try await Feedfall.run("list", server.origin + "/videos")
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors == errors)
  }

  @Test func `list prints the count of items that it could not understand`() async throws {
    let body = #"[{"title":"Film","flv":"https://films.example/1.mp4"},{},null]"#
    let server = try TestServer { _ in .answer(TestAnswer(body)) }
    defer { server.stop() }
    let outcome = try await Feedfall.run("list", server.origin + "/videos")
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Film\t"))
    #expect(outcome.errors.hasPrefix("feedfall: Skipped 2 items that are not videos.\n"))
  }

  @Test(arguments: ["list", "render", "--help", "--version", "export", "list --help"])
  func `a failure to write the output is reported`(command: String) async throws {
    let outcome = try await run("/bin/sh", ["-c", "\(Feedfall.path) \(command) > /dev/full"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("Could not write the output: No space left on device"))
  }

  @Test func `a failure to write errors is a failure`() async throws {
    let outcome = try await run("/bin/sh", ["-c", "\(Feedfall.path) download --queue 2> /dev/full"])
    #expect(outcome.status == 1 && outcome.output.isEmpty)
  }

  @Test(arguments: ["list", "--version"])
  func `a closed pipe is no failure, with and without its signal`(command: String) async throws {
    try await withFolder { folder in
      // The only reader of the named pipe is gone before the program starts.
      let pipe = "mkfifo \(folder)/pipe && exec 3<>\(folder)/pipe 4>\(folder)/pipe 3>&-"
      for (trap, status) in [("trap '' PIPE", 0 as Int32), (":", 128 + SIGPIPE)] {
        let outcome = try await run(
          "/bin/sh", ["-c", "rm -f \(folder)/pipe; \(pipe); \(trap); \(Feedfall.path) \(command) >&4"])
        #expect(outcome.errors.isEmpty && outcome.status == status, "\(trap) \(outcome)")
      }
    }
  }

  @Test func `list asks several servers at the same time, and prints in the order of the sources`() async throws {
    let arrived = Mutex(0)
    try await withServer { request in
      arrived.withLock { $0 += 1 }
      try? blockUntil("all sources have been requested") { arrived.withLock { $0 } >= 5 }
      let page = request.path.dropFirst().prefix { $0 != "." }
      return .answer(TestAnswer("<rss><channel><item><title>Film \(page)</title></item></channel></rss>"))
    } _: { server in
      try await withFolder { folder in
        let tables = (1...5).map { "[[source]]\nname = \"S\($0)\"\naddress = \"\(server.origin)/\($0).xml\"\n" }
        try FileManager.default.createDirectory(atPath: folder + "/feedfall", withIntermediateDirectories: true)
        try Data(("timeout = 600\n" + tables.joined()).utf8).write(to: URL(filePath: folder + "/feedfall/config.toml"))
        let outcome = try await Feedfall.run("list", environment: ["XDG_CONFIG_HOME": folder])
        #expect(
          outcome.output.split(separator: "\n").map { $0.prefix(6) } == (1...5).map { "Film \($0)" }, "\(outcome)")
      }
    }
  }

  @Test func `entries of a list that are not opened are counted`() async throws {
    try await withFolder { folder in
      let feed = "<outline text='A' xmlUrl='http://127.0.0.1:1/"
      let outlines = (1...503).map { "\(feed)\($0)'/>" }.joined() + "<outline text='B' xmlUrl='x'/>"
      try Data("<opml version='2.0'><body>\(outlines)</body></opml>".utf8).write(to: URL(filePath: folder + "/a.opml"))
      let outcome = try await Feedfall.run("render", "--size", "60x9", folder + "/a.opml")
      #expect(
        outcome.errors.contains(
          "a.opml: Skipped 1 entry without a web address."),
        "\(outcome.errors)")
    }
  }

  @Test func `a slow producer on standard input has no time-out`() async throws {
    let item = #"{"title":"Late film","flv":"https://films.example/1.mp4"}"#
    let producer = "{ sleep 1; echo '{\"data\":{\"info_list\":[\(item)],\"end\":1}}'; }"
    let outcome = try await run(
      "/bin/sh", ["-c", "\(producer) | \(Feedfall.path) render - --timeout 0.1 --size 60x12"])
    #expect(outcome.output.contains("Late film"))
    #expect(!outcome.output.contains("no answer"))
  }

  @Test func `a closed standard input is empty`() async throws {
    let outcome = try await run("/bin/sh", ["-c", "'\(Feedfall.path)' list - <&-"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "feedfall: Could not load the videos: standard input is empty. Check its content.\n")
  }

  @Test func `a server's Retry-After is reported in seconds`() async throws {
    let server = try TestServer { _ in .answer(TestAnswer("", status: 429, headers: ["Retry-After": "7"])) }
    defer { server.stop() }
    let outcome = try await Feedfall.run("list", "--timeout", "6", server.origin)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasSuffix(": the server answered 429 Too Many Requests. Retry in 7 s.\n"))
  }

  @Test func `list waits where a server asks for less than the time-out`() async throws {
    let count = Mutex(0)
    let server = try TestServer { request in
      let isRefused = count.withLock { count in
        count += 1
        return count % 2 == 0
      }
      guard !isRefused else { return .answer(TestAnswer("", status: 429, headers: ["Retry-After": "1"])) }
      let page = request.query["page"] ?? ""
      let item = #"{"title":"Film \#(page)","flv":"https://films.example/\#(page).mp4"}"#
      return .answer(TestAnswer(#"{"data":{"info_list":[\#(item)],"end":\#(page == "2" ? 1 : 0)}}"#))
    }
    defer { server.stop() }
    let outcome = try await Feedfall.run("list", "--pages", "3", "--timeout", "60", server.origin + "/videos.json")
    // The first wait is reported.
    #expect(outcome.status == 0)
    #expect(outcome.errors == "feedfall: Waiting 1 s: the server answered 429 Too Many Requests.\n")
    #expect(outcome.output.split(separator: "\n").map { $0.prefix(6) } == ["Film 0", "Film 1", "Film 2"])
  }

  @Test(arguments: [
    (["--columns", "2", "--min-column-width", "20"], "Usage:"), (["list", "a", "b"], "Usage:"),
    (["--nonsense"], "Usage:"), (["import", "a", "b"], "Usage:"), (["render", "--size", "0x5"], "Usage:"),
    (["render", "--size", "1001x5"], "Usage:"), (["list", "--pages", "0"], "Usage:"),
    (["render", "--keys", "j<Nope>"], "<Nope> is not a key"), (["render", "--size", "80"], "from 1x1 to 1000x1000"),
    (["--layout", "spiral"], "Write waterfall, grid, list, carousel or justified."),
    (["--page-size", "1001"], "'1001' is invalid for '--page-size <n>'. Write a whole number from 1 to 1000."),
    (["--first-page", "1000001"], "Write a whole number from 0 to 1000000."),
    (["--timeout", "3601"], "Write a number from 0.1 to 3600."),
    (["--columns", "0"], "Write a whole number from 1 to 100."),
    (["--min-column-width", "3"], "Write a whole number from 4 to 1000."),
  ])
  func `a usage error is reported with status 2 and the expected values`(arguments: [String], words: String)
    async throws
  {
    let outcome = try await run(Feedfall.path, arguments)
    #expect(outcome.status == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("Usage:") && outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func `help lists the options, and the version is one line`() async throws {
    let help = try await Feedfall.run("--help")
    #expect(help.status == 0)
    for word in ["--layout", "--columns", "--no-mouse", "list", "render"] {
      #expect(help.output.contains(word))
    }
    let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("--layout <waterfall|grid|list|carousel|justified> The layout of cards"))
    let version = try await Feedfall.run("--version")
    #expect(version.output.hasPrefix("feedfall "))
  }

  @Test func `help prints the topics of the manual and the options of commands`() async throws {
    let topics = try await Feedfall.run("help")
    #expect(topics.status == 0 && topics.output.contains("\n  keys             move through the cards"))
    let keys = try await Feedfall.run("help", "Keys")
    #expect(keys.status == 0 && keys.output.hasPrefix("# Keys: "))
    let list = try await Feedfall.run("help", "list")
    let same = try await Feedfall.run("list", "--help")
    #expect(list.status == 0 && list.output == same.output)
    let unknown = try await run(Feedfall.path, ["help", "kyes"])
    #expect(unknown.status == 2 && unknown.output.isEmpty)
    #expect(
      unknown.errors.hasPrefix("feedfall: Could not find “kyes” in the manual. Did you mean keys? The topics are "))
    #expect(unknown.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: ["1x1", "7x3", "80x24", "300x100", "1000x1000"])
  func `render prints the screen at any size`(size: String) async throws {
    let outcome = try await Feedfall.run("render", "--size", size)
    #expect(outcome.status == 0)
    let rows = try #require(Int(size.split(separator: "x")[1]))
    #expect(outcome.output.split(separator: "\n", omittingEmptySubsequences: false).count == rows + 1)
  }

  @Test func `an unknown terminal is reported with status 2`() async throws {
    for term in ["dumb", "no-such-terminal"] {
      let outcome = try await run(
        "/usr/bin/script", ["-qec", Feedfall.path, "/dev/null"], environment: ["TERM": term])
      #expect(outcome.status == 2)
      #expect(outcome.output.contains("TERM"))
    }
  }
}
