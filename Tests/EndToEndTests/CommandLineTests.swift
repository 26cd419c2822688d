import Foundation
import TestServer
import TestSupport
import Testing

/// The program without any terminal.
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
    ["list", "--simulate-network", "\u{1B}[2J=1"], ["render", "--size", "\u{9B}2J"],
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
        Feedfall.path, ["render", address, "--keys", "<Enter>"], environment: Feedfall.withoutConfiguration)
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
    let one = try await Feedfall.run("list")
    let all = try await Feedfall.run("list", "--pages", "100")
    #expect(one.output.split(separator: "\n").count == 12)
    #expect(all.output.split(separator: "\n").count == 30)
    #expect(all.output.hasPrefix(one.output))
  }

  @Test func `list prints JSON objects that leave out what is unknown`() async throws {
    let outcome = try await Feedfall.run("list", "--json", "--pages", "100")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 30)
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["id"] is String && object["title"] is String)
      #expect(!object.values.contains { $0 is NSNull })
    }
  }

  @Test func `a file that is not there is said to be so`() async throws {
    let outcome = try await Feedfall.run("list", "/nowhere/feed.json")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("/nowhere/feed.json"))
  }

  @Test func `a document that cannot be read is said to be so, and which page it was`() async throws {
    let outcome = try await Feedfall.run("list", "/dev/null")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("feedfall: Could not load the first page: null is empty"))
  }

  @Test(arguments: ["list", "render"])
  func `output that could not be written is said to be so`(command: String) async throws {
    let outcome = try await run("/bin/sh", ["-c", "\(Feedfall.path) \(command) > /dev/full"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("Could not write the output: No space left on device"))
  }

  @Test func `a slow producer on standard input has all the time that it needs`() async throws {
    let item = #"{"title":"Late film","flv":"https://films.example/1.mp4"}"#
    let producer = "{ sleep 1; echo '{\"data\":{\"info_list\":[\(item)],\"end\":1}}'; }"
    let outcome = try await run(
      "/bin/sh", ["-c", "\(producer) | \(Feedfall.path) render - --timeout 0.1 --size 60x12"])
    #expect(outcome.output.contains("Late film"))
    #expect(!outcome.output.contains("no answer"))
  }

  @Test func `a closed standard input is an empty one`() async throws {
    let outcome = try await run("/bin/sh", ["-c", "'\(Feedfall.path)' list - <&-"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "feedfall: Could not load the first page: standard input is empty. Check that it is what you meant.\n")
  }

  @Test func `a server that asks to wait is quoted with how long`() async throws {
    let server = try TestServer { _ in .answer(TestAnswer("", status: 429, headers: ["Retry-After": "7"])) }
    defer { server.stop() }
    let outcome = try await Feedfall.run("list", server.origin)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasSuffix("(429 Too Many Requests). Retry in 7 s.\n"))
  }

  @Test(arguments: [
    ["--layout", "spiral"], ["--columns", "0"], ["--columns", "2", "--min-column-width", "20"], ["--page-size", "0"],
    ["--timeout", "-1"], ["--simulate-network", "speed=3"], ["list", "a", "b"], ["--nonsense"], ["import", "a", "b"],
    ["render", "--size", "0x5"], ["render", "--size", "1001x5"], ["render", "--keys", "<Nope>"],
    ["list", "--pages", "0"],
  ])
  func `a wrong call is status 2 and says what is wrong`(arguments: [String]) async throws {
    let outcome = try await run(Feedfall.path, arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("Usage:"))
  }

  @Test(arguments: [
    (["--simulate-network", "latency=fast"], "a time up to 60s"), (["--simulate-network", "speed=3"], "loss=0.3"),
    (["render", "--keys", "j<Nope>"], "<Nope> is not a key"), (["render", "--size", "80"], "from 1x1 to 1000x1000"),
    (["--layout", "spiral"], "'list' or 'carousel'"),
  ])
  func `a wrong value is told with what belongs there`(arguments: [String], words: String) async throws {
    let outcome = try await run(Feedfall.path, arguments)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(words))
  }

  @Test func `help names the options and the version is a line`() async throws {
    let help = try await Feedfall.run("--help")
    #expect(help.status == 0)
    for word in ["--layout", "--columns", "--no-mouse", "--simulate-network", "list", "render"] {
      #expect(help.output.contains(word))
    }
    let version = try await Feedfall.run("--version")
    #expect(version.output.hasPrefix("feedfall "))
  }

  @Test(arguments: ["1x1", "7x3", "80x24", "300x100", "1000x1000"])
  func `render prints the screen at any size`(size: String) async throws {
    let outcome = try await Feedfall.run("render", "--size", size)
    #expect(outcome.status == 0)
    let rows = try #require(Int(size.split(separator: "x")[1]))
    #expect(outcome.output.split(separator: "\n", omittingEmptySubsequences: false).count == rows + 1)
  }

  @Test func `render types keys`() async throws {
    let outcome = try await Feedfall.run("render", "--size", "120x40", "--keys", "l<Enter>")
    #expect(outcome.output.contains("Licence"))
    #expect(outcome.output.contains("CC BY"))
  }

  @Test func `an unknown terminal is said to be so with status 2`() async throws {
    for term in ["dumb", "no-such-terminal"] {
      let outcome = try await run(
        "/usr/bin/script", ["-qec", Feedfall.path, "/dev/null"], environment: ["TERM": term])
      #expect(outcome.status == 2)
      #expect(outcome.output.contains("TERM"))
    }
  }
}
