import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing

@testable import FeedfallProgram

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
      var first = try SeenVideos(path: path)
      #expect(check(&first, [2, 1], of: "a.example") == nil)
      try first.save()
      var second = try SeenVideos(path: path)
      #expect(check(&second, [4, 3, 2], of: "a.example") == ["4", "3"])
      #expect(check(&second, [4], of: "b.example") == nil)
      try second.save()
      var third = try SeenVideos(path: path)
      #expect(check(&third, [4, 1], of: "a.example") == [])
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(!text.contains("example"))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `the last videos of a source are remembered, and each page as a whole`() async throws {
    try await withFolder { folder in
      var seen = try SeenVideos(path: folder + "/checked")
      seen.add(videos(0..<1_000), of: "a")
      #expect(check(&seen, 0..<1_000, of: "a") == [])
      for number in 1_000..<1_500 { seen.add(videos([number]), of: "a") }
      #expect(check(&seen, [1_499, 1_200], of: "a") == [])
      #expect(check(&seen, [5], of: "a") == ["5"])
    }
  }

  @Test func `invalid lines and ends of lines are skipped, and a failure is thrown`() async throws {
    try await withFolder { folder in
      let path = folder + "/checked"
      var seen = try SeenVideos(path: path)
      seen.add(videos([1]), of: "a")
      try seen.save()
      let valid = try String(contentsOfFile: path, encoding: .utf8)
      try ("no hash\n\u{1B}\n" + valid.dropLast() + " 0123\n0123\n").write(
        toFile: path, atomically: true, encoding: .utf8)
      var again = try SeenVideos(path: path)
      #expect(check(&again, [2, 1], of: "a") == ["2"])
      #expect(throws: SystemError(ENOTDIR)) { try SeenVideos(path: path + "/below/a/file") }
    }
  }

  @Test func `two checks at the same time save the sources of both`() async throws {
    try await withFolder { folder in
      let path = folder + "/checked"
      var before = try SeenVideos(path: path)
      before.add(videos([1]), of: "both")
      try before.save()
      var (first, second) = (try SeenVideos(path: path), try SeenVideos(path: path))
      first.add(videos([1]), of: "a")
      first.add(videos([2, 1]), of: "both")
      second.add(videos([1]), of: "b")
      try first.save()
      try second.save()
      let saved = try SeenVideos(path: path)
      for address in ["a", "b", "both"] { #expect(titles(saved.new(videos([3, 1]), of: address)) == ["3"]) }
      #expect(titles(saved.new(videos([2]), of: "both")) == [])
    }
  }

  @Test func `a file that cannot be locked is not saved`() async throws {
    try await withFolder { folder in
      let path = folder + "/checked"
      try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
      var seen = try SeenVideos(path: path)
      seen.add(videos([1]), of: "a")
      #expect(throws: SystemError.self) { try seen.save() }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `a full file still remembers new sources`() async throws {
    try await withFolder { folder in
      let path = folder + "/checked"
      func digits(_ number: Int) -> String { String(repeating: "0", count: 12) + String(number + 0x1000, radix: 16) }
      let lines = (0..<2_001).map { "\(digits($0)) \(digits($0))\n" }
      try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
      for (numbers, news) in [([1], nil), ([2, 1], ["2"]), ([3, 2, 1], ["3"])] {
        var seen = try SeenVideos(path: path)
        #expect(check(&seen, numbers, of: "a") == news)
        try seen.save()
      }
      let saved = try String(contentsOfFile: path, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: true)
      #expect(saved.count == 2_000 && saved[0] + "\n" == lines[2])
    }
  }

  @Test func `a file that cannot be read is not replaced`() async throws {
    try await withFolder { folder in
      let path = folder + "/checked"
      var seen = try SeenVideos(path: path)
      seen.add(videos([1]), of: "a")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(throws: SystemError.notAFile) { try SeenVideos(path: path) }
      #expect(throws: SystemError.notAFile) { try seen.save() }
      try FileManager.default.removeItem(atPath: path)
      let large = Data(repeating: UInt8(ascii: "a"), count: 16 << 20 + 1)
      try large.write(to: URL(filePath: path))
      #expect(throws: SystemError(EFBIG)) { try SeenVideos(path: path) }
      #expect(throws: SystemError(EFBIG)) { try seen.save() }
      #expect(try Data(contentsOf: URL(filePath: path)) == large)
    }
  }

  @Test(arguments: 1...20)
  func `after any checks the latest sources are known with all their videos`(seed: UInt64) async throws {
    try await withFolder { folder in
      var chances = SeededGenerator(seed: seed)
      let path = folder + "/checked"
      /// The sources in the order of their last checks.
      var model: [(address: String, known: Set<Int>)] = []
      for _ in 0..<40 {
        var seen = try SeenVideos(path: path, maximumSourceCount: 5)
        for _ in 0..<Int.random(in: 1...3, using: &chances) {
          let address = "s\(Int.random(in: 0..<8, using: &chances))"
          let place = model.firstIndex { $0.address == address }
          var source = place.map { model.remove(at: $0) } ?? (address: address, known: [])
          if chances.chance(1, in: 4) {
            seen.use(address)
            if place != nil { model.append(source) }
            continue
          }
          let numbers = (0..<Int.random(in: 0...4, using: &chances)).map { _ in Int.random(in: 0..<30, using: &chances)
          }
          let isLast = seen.isLast(videos(numbers), of: address)
          #expect(isLast == (place == nil || numbers.contains(where: source.known.contains)))
          var unique: Set<Int> = source.known
          let news = numbers.filter { unique.insert($0).inserted }.map(String.init)
          #expect(check(&seen, numbers, of: address) == (place == nil ? nil : news))
          source.known.formUnion(numbers)
          model.append(source)
        }
        try seen.save()
        model = model.suffix(5)
      }
    }
  }
}
