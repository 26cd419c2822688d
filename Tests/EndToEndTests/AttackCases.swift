import Foundation
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia
@testable import FeedfallPlayer

// Helpers of the attacks in the table of cases.

/// An obstacle that others can put in the place of a file.
enum Obstacle { case link, pipe }

/// The places of files that a download makes.
struct DownloadPlaces {
  var part: String
  var facts: String { part + ".json" }
  /// A file of the user that nothing may change.
  var victim: String

  func link(_ path: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
  }
}

extension CaseTable {
  private static let precious = "precious\n"
  /// Stands for the path of a feed with one video.
  static let feedPath = "FEED"

  private static func write(_ text: String, _ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private static func text(_ path: String) throws -> String { String(decoding: try fileBytes(of: path), as: UTF8.self) }

  /// The program neither crashes nor fails without one sentence.
  private static func expectSentence(_ outcome: Outcome) {
    #expect(outcome.status < 128, "\(outcome)")
    if outcome.status != 0 { #expect(outcome.errors.hasPrefix("feedfall: "), "\(outcome)") }
  }

  // MARK: - Downloads

  private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }

  /// Downloads a film twice, the second time after a change of its folder.
  private static func download(
    prepare: (_ places: DownloadPlaces, _ address: String) throws -> Void,
    check: (Outcome, _ film: String, TestServer) throws -> Void
  ) async throws {
    try await withFolder { folder in
      try await withServer { request in
        var answer = TestAnswer.media(bytes, type: "video/mp4", for: request)
        answer.headers["ETag"] = "\"1\""
        return .answer(answer)
      } _: { server in
        let address = server.origin + "/film.mp4"
        let command = ["download", "--download-folder", folder + "/videos", address]
        #expect(try await run(Feedfall.path, command).status == 0)
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder + "/videos").first)
        let film = "\(folder)/videos/\(name)"
        unlink(film)
        let victim = folder + "/victim"
        try write(precious, victim)
        try prepare(DownloadPlaces(part: String(film.dropLast(4)) + ".part", victim: victim), address)
        let outcome = try await run(Feedfall.path, command)
        expectSentence(outcome)
        #expect(try text(victim) == precious)
        try check(outcome, film, server)
      }
    }
  }

  static func partAttack(_ plant: (DownloadPlaces) throws -> Void) async throws {
    try await download { places, _ in
      try plant(places)
    } check: { outcome, film, _ in
      let isWhole = try outcome.status != 0 || fileBytes(of: film) == bytes
      #expect(isWhole)
    }
  }

  static func headerInjection() async throws {
    try await download { places, address in
      try Data(bytes.prefix(100_000)).write(to: URL(filePath: places.part))
      let etag = #""\"1\"\r\nX-Injected: yes""#
      let facts = #"{"id":"\#(address)","index":0,"address":"\#(address)","etag":\#(etag),"byteCount":200000}"#
      try write(facts, places.facts)
    } check: { outcome, film, server in
      let isWhole = try fileBytes(of: film) == bytes
      #expect(isWhole && outcome.status == 0 && server.requests.allSatisfy { $0.headers["x-injected"] == nil })
    }
  }

  static func partsFolderAttack() async throws {
    try await withFolder { folder in
      let (path, victim) = (folder + "/.film.parts", folder + "/victim")
      try write(precious, victim)
      try write("part", path + "/yt-dlp/video.mp4.part")
      #expect(symlink(victim, path + "/yt-dlp/stream.mkv") == 0)
      #expect(link(victim, path + "/yt-dlp/video.mp4") == 0 && mkfifo(path + "/yt-dlp/video.vtt", 0o600) == 0)
      #expect(try PartsFolder(path).parts("yt-dlp").names == ["video.mp4.part"])
      #expect(try text(victim) == precious)
      #expect(symlink("yt-dlp", path + "/ffmpeg") == 0)
      #expect(throws: DownloadFailure.self) { try PartsFolder(path).parts("ffmpeg") }
    }
  }

  // MARK: - The folders of the state and the configuration

  private static func folders(_ folder: String) -> [String: String] {
    ["HOME": folder, "XDG_STATE_HOME": folder + "/state", "XDG_CONFIG_HOME": folder + "/config"]
  }

  private static let feed = #"[{"id": "1", "title": "Film", "url": "https://v.example/1.mp4"}]"#

  static func stateAttack(_ words: String..., at name: String, kind: Obstacle, status: Int32? = nil) async throws {
    try await withFolder { folder in
      let (path, victim) = ("\(folder)/state/feedfall/\(name)", folder + "/victim")
      try write(feed, folder + "/feed.json")
      try write("a-12345678\n", folder + "/state/feedfall/device")
      try write(precious, victim)
      #expect((kind == .link ? symlink(victim, path) : mkfifo(path, 0o600)) == 0)
      let outcome = try await run(
        Feedfall.path, words.map { $0 == feedPath ? folder + "/feed.json" : $0 }, environment: folders(folder))
      expectSentence(outcome)
      if let status { #expect(outcome.status == status, "\(outcome)") }
      #expect(try text(victim) == precious)
    }
  }

  static func linkedStateFolder() async throws {
    try await withFolder { folder in
      try write("", folder + "/synced/a")
      try write("", folder + "/state/a")
      #expect(symlink("../synced", folder + "/state/feedfall") == 0)
      for words in [["queue", "add", "http://127.0.0.1:1/a.mp4"], ["queue"]] {
        let outcome = try await run(Feedfall.path, words, environment: folders(folder))
        #expect(outcome.status == 0 && outcome.errors.isEmpty && (words.count > 1 || outcome.output.contains("/a")))
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/synced").contains("device"))
    }
  }

  // MARK: - The machine

  private static func shell(_ script: String, _ words: String..., environment: [String: String] = [:]) async throws
    -> Outcome
  {
    try await run("/bin/sh", ["-c", script, Feedfall.path] + words, environment: environment)
  }

  static func hiddenArguments() async throws {
    try await onThread {
      let terminal = try ScriptedTerminal(
        Feedfall.path, "http://anna:geheim@127.0.0.1:1/feed?api_key=geheim", "--proxy", "http://geheim@127.0.0.1:2",
        "--images", "none")
      try terminal.waitFor("127.0.0.1")
      let shown = try fileBytes(of: "/proc/\(terminal.process)/cmdline").map { $0 == 0 ? UInt8(ascii: " ") : $0 }
      let text = String(decoding: shown, as: UTF8.self)
      #expect(
        text.contains("127.0.0.1:1/feed") && text.contains("--images none") && !text.contains("geheim"), "\(text)")
    }
  }

  static func memoryLimits() async throws {
    for limit in ["-d 8192", "-d 16384", "-d 32768", "-d 49152", "-v 65536", "-v 98304"] {
      let outcome = try await shell("ulimit \(limit) && exec \"$0\" list")
      let isSentence = outcome.status == 1 && outcome.errors.hasPrefix("feedfall: Could not start: ")
      // The loader itself reports 127.
      #expect(outcome.status == 0 || isSentence || outcome.status == 127, "\(limit): \(outcome)")
    }
  }

  static func withoutProc() async throws {
    let script = "unshare -m sh -c 'mount -t tmpfs none /proc && echo mounted && exec \"$0\" --version' \"$0\""
    let outcome = try await shell(script)
    guard outcome.output.hasPrefix("mounted") else {
      return print("a machine without /proc is not tested: this user may not mount one")
    }
    #expect(outcome.status == 0 && outcome.output.hasPrefix("mounted\nfeedfall "), "\(outcome)")
  }

  static func closedOutputs() async throws {
    try await withFolder { folder in
      try write(feed, folder + "/feed.json")
      for words in ["--version", "--help", "list --help", "list '\(folder)/feed.json'"] {
        let outcome = try await shell("exec \"$0\" \(words) >&-")
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("feedfall: Could not write the output: "), "\(outcome)")
      }
    }
  }

  static func closedStandardFiles() async throws {
    try await withFolder { folder in
      let state = folders(folder)
      // The second command fails, and has a message to write.
      let good = "\"$0\" mark watched http://127.0.0.1:1/a"
      let outcome = try await shell(
        "\(good) <&- >&- 2>&-; exec \(good) '' <&- >&- 2>&-", environment: state)
      #expect(outcome.status == 1)
      let stored = try FileManager.default.contentsOfDirectory(atPath: folder + "/state/feedfall").map {
        try text("\(folder)/state/feedfall/\($0)")
      }
      #expect(stored.allSatisfy { !$0.contains("feedfall:") } && stored.contains { $0.contains("127.0.0.1:1/a") })
    }
  }

  // MARK: - Documents

  static func extremeProportions() {
    let lengths = [1, 2, 3, 720, 1 << 20, Int(Int32.max), .max - 1, .max]
    for frame in [Size(width: 1, height: 1), Size(width: 720, height: 431), Size(width: 16_384, height: 341)] {
      for width in lengths + [0, -1, .min] {
        for height in lengths + [0, -1, .min] {
          let content = Rect(letterboxing: Size(width: width, height: height), in: frame)
          #expect(content.intersection(Rect(origin: .zero, size: frame)) == content)
        }
      }
    }
  }

  static func hostileTitles() async throws {
    try await withFolder { folder in
      let titles = [#"--help\u001b]0;x\u0007"#, #"\u202eabc\u2066"#, #"a\u0000b\r\nc"#, #"\u009b31m$(reboot)"#]
      let items = titles.enumerated().map {
        #"{"id": "\#($0)", "title": "\#($1)", "url": "https://v.example/\#($0).mp4"}"#
      }
      try write("[\(items.joined(separator: ","))]", folder + "/feed.json")
      for options in [[], ["--json"]] {
        let outcome = try await run(Feedfall.path, ["list"] + options + [folder + "/feed.json"])
        let isHarmless = outcome.output.unicodeScalars.allSatisfy {
          $0 == "\n" || $0 == "\t"
            || $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        }
        #expect(outcome.status == 0 && isHarmless && outcome.output.count { $0 == "\n" } == titles.count, "\(outcome)")
      }
    }
  }

  static func localFileDownload() async throws {
    let item = #"{"id": "1", "title": "Film", "url": "file:///etc/passwd", "thumbnail": "file:///etc/passwd"}"#
    let answer = TestAnswer("[\(item), \(feed.dropFirst().dropLast())]")
    try await withServer { _ in
      .answer(answer)
    } _: { server in
      let outcome = try await Feedfall.run("list", "--json", server.origin + "/feed.json")
      #expect(outcome.status == 0 && outcome.output.contains("v.example") && !outcome.output.contains("passwd"))
    }
  }
}
