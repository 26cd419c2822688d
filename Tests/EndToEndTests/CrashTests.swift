import Foundation
import TestServer
import TestSupport
import Testing

/// Crashes at each change of a file, rebuilt from a record of all changes that the program has made.
@Suite(.hangLimit, .serialized) struct CrashTests {
  static let recorder = builtProgram("libCFeedfallRecorder.so")

  /// Runs the program with a home folder, and returns what it has printed. Throws if it has crashed.
  private func run(
    _ arguments: [String], home: String, cache: String, _ environment: [String: String] = [:]
  ) throws -> Outcome {
    let folders = [
      "HOME": home, "XDG_STATE_HOME": home + "/.local/state", "XDG_CONFIG_HOME": home + "/.config",
      "XDG_CACHE_HOME": cache,
    ]
    let outcome = try runBlocking(Feedfall.path, arguments, environment: folders.merging(environment) { $1 })
    guard outcome.status < 128 else { throw TestFailure("\(arguments): status \(outcome.status)") }
    return outcome
  }

  /// Commands, and what shows their results.
  private struct Scene {
    var commands: [[String]]
    /// Prints what must not be lost.
    var observation: [[String]]
    /// Must work after each crash.
    var next: [String]
    /// The files at the start.
    var start: [String: Data?] = [:]
    /// The folder in the home folder whose complete files are what must not be lost, in place of the output.
    var films: String?
    /// The file in the home folder whose complete lines are what must not be lost, in place of the output.
    var lines: String?
  }

  /// The first word of a command that types the others into the program.
  private static let typing = "type"

  /// Runs a command or types into the program, in a home folder.
  private func perform(
    _ command: [String], home: String, cache: String, _ environment: [String: String]
  ) throws -> Outcome {
    guard command[0] == Self.typing else { return try run(command, home: home, cache: cache, environment) }
    let folders = ["HOME": home, "XDG_STATE_HOME": home + "/.local/state", "XDG_CONFIG_HOME": home + "/.config"]
    let terminal = try ScriptedTerminal(
      Feedfall.path, "--images", "none", environment: folders.merging(environment) { $1 })
    try terminal.waitFor("Sintel")
    for text in command.dropFirst() { terminal.type(text) }
    var status: Int32 = 0
    try blockUntil("the program has ended") {
      _ = terminal.drain()
      return waitpid(terminal.process, &status, WNOHANG) != 0
    }
    return Outcome(status: status, output: "", errors: "")
  }

  /// The output of the commands in a home folder, without titles, which are stored behind the marks. The folder is
  /// removed.
  private func observe(_ scene: Scene, home: String, cache: String) throws -> String {
    defer { try? FileManager.default.removeItem(atPath: home) }
    var seen = ""
    for command in scene.observation {
      let outcome = try run(command, home: home, cache: cache)
      #expect(outcome.status == 0 && (outcome.errors == "" || scene.films != nil), "\(command): \(outcome)")
      seen += outcome.output.split(separator: "\n").map { "\($0.split(separator: "\t").last ?? "")\n" }.joined() + "-\n"
    }
    if let path = scene.lines.map({ "\(home)/\($0)" }) {
      let bytes = (try? fileBytes(of: path)) ?? []
      return String(decoding: bytes.prefix(1 + (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1)), as: UTF8.self)
    }
    guard let films = scene.films.map({ "\(home)/\($0)" }) else { return seen }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: films)) ?? []
    // A film that is there twice counts twice.
    return try names.filter { $0.hasSuffix(".mp4") }.map { "\(try fileBytes(of: "\(films)/\($0)"))\n" }.sorted()
      .joined()
  }

  /// Runs all commands, crashes them at each change in each way, and checks that what the completed commands have
  /// reported is there, and of a running one all or nothing.
  private func check(_ scene: Scene) throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.path + "/feedfall-crash-\(UUID().uuidString.prefix(8))"
    defer { try? files.removeItem(atPath: folder) }
    // Files may contain the path of the home folder, so the original makes room for what a crash leaves.
    let (home, original, cache, record) = (
      folder + "/home", folder + "/original", folder + "/cache", folder + "/record"
    )
    try scene.start.write(to: home)
    var disk = RecordedDisk(scene.start, in: home)
    var known: Set<[String: Data?]> = []
    var (lineCount, changeCount) = (0, 0)
    try files.moveItem(atPath: home, toPath: original)
    try files.copyItem(atPath: original, toPath: home)
    var before = try observe(scene, home: home, cache: cache)
    for command in scene.commands {
      try files.moveItem(atPath: original, toPath: home)
      let environment = ["LD_PRELOAD": Self.recorder, "RECORD_ROOT": home, "RECORD_FILE": record]
      let outcome = try perform(command, home: home, cache: cache, environment)
      #expect(outcome.status == 0, "\(command): \(outcome)")
      try files.moveItem(atPath: home, toPath: original)
      try files.copyItem(atPath: original, toPath: home)
      let after = try observe(scene, home: home, cache: cache)
      let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").map(String.init)
      for line in lines[lineCount...] {
        try disk.apply(line)
        changeCount += 1
        let isLast = changeCount == lines.count
        for crash in RecordedDisk.Crash.allCases {
          let content = disk.content(after: crash)
          guard known.insert(content).inserted || isLast else { continue }
          try content.write(to: home)
          disk.setTimes(in: home)
          let seen = try observe(scene, home: home, cache: cache)
          #expect(seen == after || (seen == before && !isLast), "\(command), \(crash), after \(line.prefix(200))")
          try content.write(to: home)
          disk.setTimes(in: home)
          let next = try run(scene.next, home: home, cache: cache)
          #expect(next.status == 0, "\(scene.next), \(crash), after \(line.prefix(200)): \(next)")
          try files.removeItem(atPath: home)
        }
      }
      (before, lineCount) = (after, lines.count)
    }
    #expect(changeCount > scene.commands.count)
  }

  private func address(_ name: String) -> String { "http://127.0.0.1:1/\(name).mp4" }

  @Test func `no mark is lost by a kill or a power cut at any change of a file`() async throws {
    try await onThread { [self] in
      try check(
        Scene(
          commands: [
            ["queue", "add", address("a")], ["queue", "add", address("b")], ["queue", "add", address("c")],
            ["queue", "remove", address("b")],
          ],
          observation: [["queue"]], next: ["queue", "add", address("z")]))
    }
  }

  @Test func `no mark is lost by a kill or a power cut during a compaction`() async throws {
    let long = String(repeating: "x", count: 2_000)
    let filler = (0..<2_200).map { "{\"time\":\($0),\"id\":\"\(long)\",\"position\":\($0 + 1)}\n" }.joined()
    let log = "{\"time\":1,\"id\":\"old\",\"watched\":1}\n" + filler
    let state = ".local/state/feedfall"
    let start: [String: Data?] = [
      ".local": nil, ".local/state": nil, state: nil, state + "/device": Data("a-12345678\n".utf8),
      state + "/a-12345678.jsonl": Data(log.utf8),
    ]
    try await onThread { [self] in
      try check(
        Scene(
          commands: [["queue", "add", address("a")], ["queue", "add", address("b")]], observation: [["queue"]],
          next: ["queue", "add", address("z")], start: start))
    }
  }

  @Test func `no source is lost by a kill or a power cut at any change of a file`() async throws {
    try await withFolder { folder in
      let lists = try ["a", "b"].map { name in
        let text =
          "<opml version=\"2.0\"><body><outline type=\"rss\" text=\"\(name)\" xmlUrl=\"\(address(name))\"/></body></opml>"
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).opml"))
        return "\(folder)/\(name).opml"
      }
      try await onThread { [self] in
        try check(
          Scene(commands: lists.map { ["import", $0] }, observation: [["export"]], next: ["import", lists[1]]))
      }
    }
  }

  @Test func `no check is lost by a kill or a power cut at any change of a file`() async throws {
    try await withFolder { folder in
      let feed = folder + "/feed.json"
      try Data("[{\"id\": \"1\", \"title\": \"Film\", \"url\": \"https://v.example/1.mp4\"}]".utf8)
        .write(to: URL(filePath: feed))
      try await onThread { [self] in
        try check(Scene(commands: [["check", feed]], observation: [["check", feed]], next: ["check", feed]))
      }
    }
  }

  @Test func `no download is lost by a kill or a power cut at any change of a file`() async throws {
    let bytes = (0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try await withServer { request in
      var answer = TestAnswer.media(bytes, type: "video/mp4", for: request)
      answer.headers["ETag"] = "\"1\""
      return .answer(answer)
    } _: { server in
      let queue = ["download", "--queue"]
      let scene = Scene(
        commands: [["download", "\(server.origin)/film.mp4"]], observation: [queue], next: queue,
        films: "Videos/feedfall")
      try await onThread { [self] in try check(scene) }
    }
  }

  @Test func `no typed command is lost by a kill or a power cut at any change of a file`() async throws {
    try await onThread { [self] in
      try check(
        Scene(
          commands: [[Self.typing, ":layout list\r", "q"], [Self.typing, ":where star\r", "q"]],
          observation: [], next: ["history"], lines: ".local/state/feedfall/commands"))
    }
  }

  /// A command that reports success has stored its mark; after a failure it says why, and the next command works.
  @Test(arguments: [0, ENOSPC, EIO, EINVAL])
  func `after the failure of any change of a file, no mark that was reported as saved is lost`(error: Int32)
    async throws
  {
    try await withFolder { folder in
      try await onThread { [self] in
        for number in 0..<60 {
          let (home, cache, record) = ("\(folder)/\(number)", folder + "/cache", "\(folder)/\(number).record")
          try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
          let fault = [
            "LD_PRELOAD": Self.recorder, "RECORD_ROOT": home, "RECORD_FILE": record,
            "RECORD_FAULT": "\(number):\(error)",
          ]
          let first = try run(["queue", "add", address("a")], home: home, cache: cache, fault)
          let second = try run(["queue", "add", address("b")], home: home, cache: cache)
          #expect(second.status == 0, "\(number): \(second)")
          let seen = try run(["queue"], home: home, cache: cache)
          #expect(seen.status == 0 && seen.output.contains(address("b")))
          if first.status == 0 {
            #expect(seen.output.contains(address("a")), "\(number): \(first)")
          } else {
            #expect(first.errors.split(separator: "\n").count == 1, "\(number): \(first)")
          }
          let changeCount = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").count
          if number > changeCount { return }
        }
        Issue.record("a command makes more changes than expected")
      }
    }
  }
}
