import Foundation
import TestSupport
import Testing

/// The commands that print and change the user's records.
@Suite(.hangLimit) struct RecordCommandTests {
  @Test func `list knows the user's marks and a source's own order`() async throws {
    try await withFolder { folder in
      let videos = [3, 1, 2].map { #"{"id": "\#($0)", "title": "Film \#($0)", "url": "https://v.example/\#($0).mp4"}"# }
      let configuration = "[[source]]\nname = \"Films\"\naddress = \"\(folder)/feed.json\"\nwhere = \"sort:title\"\n"
      try FileManager.default.createDirectory(atPath: folder + "/feedfall", withIntermediateDirectories: true)
      try Data("[\(videos.joined(separator: ","))]".utf8).write(to: URL(fileURLWithPath: folder + "/feed.json"))
      try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/feedfall/config.toml"))
      let environment = ["XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder]
      let rows = try await Feedfall.run("list", "--json", "Films", environment: environment).output
      let ids = rows.matches(of: /"recordID":"([^"]*)"/).map(\.1)
      try #require(ids.count == 3, "\(rows)")
      let log =
        #"{"time":1000,"id":"\#(ids[0])","starred":true}"# + "\n"
        + #"{"time":1000,"id":"\#(ids[1])","hidden":true}"# + "\n"
      try Data(log.utf8).write(to: URL(fileURLWithPath: folder + "/feedfall/other.jsonl"))
      for (filter, titles) in [
        ("starred", ["Film 1"]), ("hidden", ["Film 2"]), ("", ["Film 1", "Film 3"]),
        ("film -starred", ["Film 3"]), ("hidden | -hidden", ["Film 1", "Film 2", "Film 3"]),
      ] {
        let outcome = try await Feedfall.run("list", "Films", "--where", filter, environment: environment)
        #expect(
          outcome.output.split(separator: "\n").map { String($0.prefix(6)) } == titles, "\(filter) \(outcome.errors)")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/feedfall").sorted()
      #expect(names == ["config.toml", "other.jsonl"])
    }
  }

  @Test func `the queue, the history and watched videos are changed and printed without a screen`() async throws {
    try await withFolder { folder in
      let videos = [1, 2, 3].map {
        #"{"id": "\#($0)", "title": "Film \#($0)", "url": "https://v.example/\#($0).mp4", "duration": 61}"#
      }
      try Data("[\(videos.joined(separator: ","))]".utf8).write(to: URL(fileURLWithPath: folder + "/feed.json"))
      func run(_ arguments: String...) async throws -> Outcome {
        let command =
          "\(Feedfall.path) list --json \(folder)/feed.json | \(Feedfall.path) \(arguments.joined(separator: " "))"
        return try await EndToEndTests.run("/bin/sh", ["-c", command], environment: ["XDG_STATE_HOME": folder])
      }
      func titles(_ outcome: Outcome) -> [Substring] {
        outcome.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
      }
      func object(_ line: Substring) throws -> [String: NSObject] {
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: NSObject])
      }
      let rows = try await Feedfall.run("list", "--json", folder + "/feed.json").output.split(separator: "\n")
      let ids = try rows.map { try #require(object($0)["recordID"] as? String) }
      #expect(try await run("queue", "list").status == 0)
      #expect(try await run("queue", "add", "-").status == 0)
      #expect(try await titles(run("queue", "list")) == ["Film 1", "Film 2", "Film 3"])
      #expect(try await run("queue", "remove", "'\(ids[1])'").status == 0)
      #expect(try await run("queue", "add", "https://site.example/talks/a").status == 0)
      let list = try await run("queue", "list", "--json").output.split(separator: "\n")
      #expect(list.count == 3 && list[0].contains(#""recordID":"\#(ids[0])""#) && list[0].contains(#""queued":true"#))
      #expect(
        list[0].contains(#""playbackURL":"https://v.example/1.mp4""#) && list[0].contains(#""durationSeconds":61"#))
      #expect(list[2].contains(#""pageURL":"https://site.example/talks/a""#))
      let (listed, queued) = try (object(rows[0]), object(list[0]))
      #expect(listed["id"] as? String == "1" && listed.allSatisfy { queued[$0] == nil || queued[$0] == $1 })
      let unknown = try await run("queue", "remove", "nothing", "'\(ids[2])'")
      #expect(unknown.status == 2)
      #expect(unknown.errors.contains("Could not remove “nothing”: it is neither an address nor an ID."))
      let absent = try await run("queue", "remove", "'v.example 9'", "'\(ids[2])'")
      #expect(absent.status == 1)
      #expect(absent.errors == "feedfall: Could not remove “v.example 9”: it is not queued. Check the ID.\n")
      #expect(try await titles(run("queue")) == ["Film 1", "a"])
      let marked = try await run("mark", "watched", "'\(ids[2])'")
      #expect(marked.status == 0 && marked.output == "1 video marked as watched\n")
      let watched = try await run("list", "--json", "--where", "watched", folder + "/feed.json").output
      #expect(watched.contains(#""title":"Film 3""#) && watched.split(separator: "\n").count == 1)
      #expect(try await run("mark", "unwatched", "'\(ids[2])'").output == "1 video marked as unwatched\n")
      #expect(try await run("mark", "unwatched", "'\(ids[2])'").output == "0 videos marked as unwatched\n")
      let filtered = try await run("mark", "starred", "--where", "'\"Film 1\" | \"Film 2\"'", folder + "/feed.json")
      #expect(filtered.output == "2 videos starred\n")
      #expect(try await run("mark", "unstarred", "-").output == "2 videos unstarred\n")
      let none = try await run("mark", "hidden", "--where", "nothing", folder + "/feed.json")
      #expect(none.status == 1 && none.output == "0 videos hidden\n" && none.errors.contains("none of 3 matches"))
      #expect(try await run("history").output.isEmpty)
      let log =
        #"{"time":1,"id":"\#(ids[0])","played":5}"# + "\n" + #"{"time":7000,"id":"\#(ids[1])","position":3}"# + "\n"
      try Data(log.utf8).write(to: URL(fileURLWithPath: folder + "/feedfall/other.jsonl"))
      #expect(try await titles(run("history")) == ["Film 2", "Film 1"])
      for faulty in [
        "queue list a", "queue add", "queue other", "mark", "mark watched", "mark seen 1", "mark downloaded 1",
        "mark watched 1 --where chanel:x", "history a",
      ] {
        #expect(try await run(faulty).status == 2, "\(faulty)")
      }
    }
  }
}
