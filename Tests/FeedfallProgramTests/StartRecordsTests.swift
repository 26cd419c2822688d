import FeedfallFeeds
import FeedfallUserData
import Foundation
import TestSupport
import Testing

@testable import feedfall

@Suite(.hangLimit) struct StartRecordsTests {
  private func video(_ number: Int) -> Video {
    Video(id: "https://films.example/\(number)", title: "Film \(number)", playback: .unknown)
  }

  /// The logs of two devices in a folder, with marks of some videos, the later ones in the second log.
  private func log(_ folder: String, ofCount count: Int, isHidden: Bool = true) throws -> UserLog {
    for (number, device) in ["other", "third"].enumerated() {
      let lines = (0..<count).map { index in
        let value: UserValue = index % 2 == 0 ? .hidden(number == 0 || isHidden) : .position(index + number)
        return UserEvent(time: index + number, device: device, key: VideoKey(video(index)), value: value).line
      }
      try Data(lines.joined().utf8).write(to: URL(filePath: "\(folder)/\(device).jsonl"))
    }
    return UserLog(folder: folder, stateFolder: folder)
  }

  @Test func `the first videos have the same records as in all logs`() async throws {
    try await withFolder { folder in
      let records = StartRecords(try log(folder, ofCount: 10_000))
      let numbers = [0, 1, 777, 9_998, 9_999, 10_000]
      let first = try #require(records.first([FeedPage(videos: numbers.map(video))]))
      let all = records.all()
      #expect(all.count == 10_000 && first.count < 1_000)
      for key in numbers.map({ VideoKey(video($0)) }) { #expect(first[key] == all[key]) }
      #expect(first.hasValues(of: .position) && !first.hasValues(of: .queued))
    }
  }

  @Test func `a field whose last values are gone depends on all records`() async throws {
    try await withFolder { folder in
      let records = StartRecords(try log(folder, ofCount: 10_000, isHidden: false))
      #expect(records.first([FeedPage(videos: [video(1)])]) == nil)
      #expect(!records.all().hasValues(of: .hidden))
    }
  }

  @Test func `a log that is replaced meanwhile is read as it was`() async throws {
    try await withFolder { folder in
      let log = try log(folder, ofCount: 10_000)
      let logs = try #require(log.index())
      try Data().write(to: URL(filePath: folder + "/other.jsonl"), options: .atomic)
      #expect(logs.records(of: [VideoKey(video(1))])?[VideoKey(video(1))].position == 2)
    }
  }

  @Test func `a log that is truncated meanwhile depends on all records`() async throws {
    try await withFolder { folder in
      let log = try log(folder, ofCount: 10_000)
      let logs = try #require(log.index())
      try FileHandle(forWritingTo: URL(filePath: folder + "/other.jsonl")).truncate(atOffset: 10)
      #expect(logs.records(of: [VideoKey(video(1))]) == nil)
    }
  }

  @Test func `short logs are read at once`() async throws {
    try await withFolder { folder in
      let records = StartRecords(try log(folder, ofCount: 10))
      #expect(records.first([FeedPage(videos: [video(1)])]) == nil)
      #expect(records.all().count == 10)
    }
  }
}
