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

  /// Returns the titles of the new videos and adds all of them.
  private func check(_ seen: inout SeenVideos, _ numbers: some Sequence<Int>, of address: String) -> [String]? {
    let videos = videos(numbers)
    defer { seen.add(videos, of: address) }
    return titles(seen.new(videos, of: address))
  }

  @Test func `the first check of a source has no news, later ones have the videos since`() async throws {
    try await withFolder { folder in
      let path = folder + "/state/feedfall/checked"
      var first = SeenVideos(path: path)
      #expect(check(&first, [2, 1], of: "a.example") == nil)
      #expect(first.save() == nil)
      var second = SeenVideos(path: path)
      #expect(check(&second, [4, 3, 2], of: "a.example") == ["4", "3"])
      #expect(check(&second, [4], of: "b.example") == nil)
      #expect(second.save() == nil)
      var third = SeenVideos(path: path)
      #expect(check(&third, [4, 1], of: "a.example") == [])
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("example"))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `the last videos of a source are remembered, and each page as a whole`() async throws {
    try await withFolder { folder in
      var seen = SeenVideos(path: folder + "/checked")
      seen.add(videos(0..<1_000), of: "a")
      #expect(check(&seen, 0..<1_000, of: "a") == [])
      for number in 1_000..<1_500 { seen.add(videos([number]), of: "a") }
      #expect(check(&seen, [1_499, 1_200], of: "a") == [])
      #expect(check(&seen, [5], of: "a") == ["5"])
    }
  }

  @Test func `invalid lines are skipped, and a failure is returned`() async throws {
    try await withFolder { folder in
      let path = folder + "/checked"
      var seen = SeenVideos(path: path)
      seen.add(videos([1]), of: "a")
      #expect(seen.save() == nil)
      let valid = try String(contentsOfFile: path, encoding: .utf8)
      try ("no hash\n\u{1B}\n" + valid + "0123\n").write(toFile: path, atomically: true, encoding: .utf8)
      var again = SeenVideos(path: path)
      #expect(check(&again, [2, 1], of: "a") == ["2"])
      #expect(SeenVideos(path: path + "/below/a/file").save() != nil)
    }
  }

  @Test func `two checks at the same time save the sources of both`() async throws {
    try await withFolder { folder in
      let path = folder + "/checked"
      var before = SeenVideos(path: path)
      before.add(videos([1]), of: "both")
      #expect(before.save() == nil)
      var (first, second) = (SeenVideos(path: path), SeenVideos(path: path))
      first.add(videos([1]), of: "a")
      first.add(videos([2, 1]), of: "both")
      second.add(videos([1]), of: "b")
      #expect(first.save() == nil && second.save() == nil)
      let saved = SeenVideos(path: path)
      for address in ["a", "b", "both"] { #expect(titles(saved.new(videos([3, 1]), of: address)) == ["3"]) }
      #expect(titles(saved.new(videos([2]), of: "both")) == [])
    }
  }

  @Test func `a file that cannot be locked is not saved`() async throws {
    try await withFolder { folder in
      let path = folder + "/checked"
      try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
      var seen = SeenVideos(path: path)
      seen.add(videos([1]), of: "a")
      #expect(seen.save() != nil)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
