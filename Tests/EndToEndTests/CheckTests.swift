import Foundation
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
}
