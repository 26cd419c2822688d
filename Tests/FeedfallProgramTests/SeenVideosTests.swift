import FeedfallFeeds
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import feedfall

@Suite(.hangLimit) struct SeenVideosTests {
  private func videos(_ numbers: some Sequence<Int>) -> [Video] {
    numbers.map { Video(id: "https://films.example/\($0)", title: "\($0)", playback: .unknown) }
  }

  private func titles(_ videos: [Video]?) -> [String]? { videos?.map(\.title) }

  @Test func `the first check of a source has no news, later ones have the videos since`() async throws {
    try await withFolder { folder in
      let path = folder + "/state/feedfall/checked"
      var first = SeenVideos(path: path)
      #expect(titles(first.add(videos([2, 1]), of: "a.example")) == nil)
      #expect(first.save() == nil)
      var second = SeenVideos(path: path)
      #expect(titles(second.add(videos([4, 3, 2]), of: "a.example")) == ["4", "3"])
      #expect(titles(second.add(videos([4]), of: "b.example")) == nil)
      #expect(second.save() == nil)
      var third = SeenVideos(path: path)
      #expect(titles(third.add(videos([4, 1]), of: "a.example")) == [])
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("example"))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `the last videos of a source are remembered, and each page as a whole`() async throws {
    try await withFolder { folder in
      var seen = SeenVideos(path: folder + "/checked")
      _ = seen.add(videos(0..<1_000), of: "a")
      #expect(seen.add(videos(0..<1_000), of: "a")?.isEmpty == true)
      for number in 1_000..<1_500 { _ = seen.add(videos([number]), of: "a") }
      #expect(seen.add(videos([1_499, 1_200]), of: "a")?.isEmpty == true)
      #expect(titles(seen.add(videos([5]), of: "a")) == ["5"])
    }
  }

  @Test func `invalid lines are skipped, and a failure is returned`() async throws {
    try await withFolder { folder in
      let path = folder + "/checked"
      var seen = SeenVideos(path: path)
      _ = seen.add(videos([1]), of: "a")
      #expect(seen.save() == nil)
      let valid = try String(contentsOfFile: path, encoding: .utf8)
      try ("no hash\n\u{1B}\n" + valid + "0123\n").write(toFile: path, atomically: true, encoding: .utf8)
      var again = SeenVideos(path: path)
      #expect(titles(again.add(videos([2, 1]), of: "a")) == ["2"])
      #expect(SeenVideos(path: path + "/below/a/file").save() != nil)
    }
  }
}
