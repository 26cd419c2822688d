import Foundation
import TestServer
import TestSupport
import Testing

/// A folder with the files of a user, in which the cases of downloads, queue and marks run the program.
struct DownloadHome: Sendable {
  let folder: String

  static func use(_ body: (DownloadHome) async throws -> Void) async throws {
    try await withFolder { try await body(DownloadHome(folder: $0)) }
  }

  /// Downloads a film from a server; `body` gets its address and the path of its file.
  static func withDownload(_ body: (DownloadHome, String, String) async throws -> Void) async throws {
    try await use { home in
      try await withServer { request in
        .answer(TestAnswer.media(Array(0..<200), type: "video/mp4", for: request))
      } _: { server in
        let address = server.origin + "/film.mp4"
        #expect(try await home.run("download", "--download-folder", home.folder + "/videos", address).status == 0)
        let name = try #require(home.names(in: "videos").first)
        try await body(home, address, "\(home.folder)/videos/\(name)")
      }
    }
  }

  var environment: [String: String] {
    ["HOME": folder, "XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache"]
  }

  func run(_ arguments: String..., input: String = "") async throws -> Outcome {
    try await EndToEndTests.run(Feedfall.path, arguments, environment: environment, input: Array(input.utf8))
  }

  /// The IDs of the records that a command prints.
  func ids(_ arguments: String...) async throws -> [String] {
    let end = try await EndToEndTests.run(Feedfall.path, arguments + ["--json"], environment: environment)
    return try end.output.split(separator: "\n").map { line in
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(row?["recordID"] as? String)
    }
  }

  func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)").sorted()
  }

  /// Writes a feed of two episodes and returns its path.
  func feed() throws -> String {
    let rows = (1...2).map { #"{"id": "\#($0)", "title": "Episode \#($0)", "url": "https://a.example/\#($0).mp4"}"# }
    let path = folder + "/feed.json"
    try Data("[\(rows.joined(separator: ","))]".utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  func expectRefusal(of word: String, by command: String..., sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    let end = try await EndToEndTests.run(Feedfall.path, command + [word], environment: environment)
    #expect(end.status == 2 && end.output.isEmpty, sourceLocation: sourceLocation)
    #expect(end.errors.contains("“\(word)”: it is neither an address nor an ID."), sourceLocation: sourceLocation)
    let stored = try await ids("queue") + ids("history")
    #expect(stored.isEmpty, sourceLocation: sourceLocation)
  }

  /// Runs a command on a terminal, and answers its question.
  func answer(_ answer: String, to question: String, of command: String...) async throws {
    try await onThread { [self] in
      let words = ([Feedfall.path] + command).map { "'\($0)'" }.joined(separator: " ")
      let terminal = try ScriptedTerminal("/bin/sh", "-c", words + "; echo ended", environment: environment)
      try terminal.waitFor(question)
      terminal.type(answer)
      try terminal.waitFor("ended")
    }
  }

  /// Quits the program while a slow server sends a film.
  func expectWordsAfterQuitting() async throws {
    try await withServer { request in
      .slow(
        TestAnswer.media(Array(repeating: 7, count: 1_000_000), type: "video/mp4", for: request), bytesPerSecond: 9_000)
    } _: { server in
      let feed = folder + "/feed.json"
      try Data(#"[{"id": "1", "title": "Film", "url": "\#(server.origin)/film.mp4"}]"#.utf8)
        .write(to: URL(fileURLWithPath: feed))
      try await onThread { [self] in
        let words = "'\(Feedfall.path)' --images none --download-folder '\(folder)/videos' '\(feed)'"
        let terminal = try ScriptedTerminal("/bin/sh", "-c", words, environment: environment)
        try terminal.waitFor("Film")
        terminal.type("d")
        try blockUntil("the part is written") {
          let names = (try? self.names(in: "videos")) ?? []
          return names.contains { $0.hasSuffix(".part") }
        }
        terminal.type("\u{3}")
        try terminal.waitFor("1 download resumes at the next start")
      }
    }
  }

  // MARK: - The list

  func entry(_ id: String, lacksSecret: Bool = false) -> String {
    let lacks = lacksSecret ? #","lacks":"secret""# : ""
    return #"{"id":"\#(id)","title":"Film","addresses":[{"kind":"file","url":"http://127.0.0.1:9/1.mp4"\#(lacks)}],"#
      + #""source":"Films","folder":"\#(folder)/videos","stem":"Film"}"#
  }

  func store(entries: [String]) throws {
    try FileManager.default.createDirectory(atPath: folder + "/state/feedfall", withIntermediateDirectories: true)
    try Data("{\"downloads\":[\n\(entries.joined(separator: ",\n"))\n]}\n".utf8)
      .write(to: URL(fileURLWithPath: folder + "/state/feedfall/downloads.json"))
  }
}
