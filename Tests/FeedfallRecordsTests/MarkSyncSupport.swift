import FeedfallFeeds
import FeedfallText
import Testing

@testable import FeedfallRecords

protocol MarkSyncSuite {}

extension MarkSyncSuite {
  static var device: String { "desk-1" }

  func scope() throws -> FeedScope { FeedScope(try #require(WebAddress("https://rss.example/?user=anna"))) }

  static var maximumCount: Int { 100 }

  func sync() throws -> MarkSync { MarkSync(scope: try scope(), device: Self.device, maximumCount: Self.maximumCount) }

  func video(_ id: String = "7") throws -> Video {
    var video = Video(
      id: id, title: "Film \(id)", playback: .page(try #require(WebAddress("https://films.example/\(id)"))))
    video.scope = try scope()
    video.published = UnixTime(seconds: 500)
    return video
  }

  func marked(_ marks: Set<Mark>, of id: String = "7") throws -> MarkedVideo {
    MarkedVideo(try video(id), marks)
  }

  func key(_ id: String = "7") throws -> VideoKey { VideoKey(try video(id)) }

  /// No records, after the first contact with a server that has video 7 without marks.
  func contacted(at time: Int) throws -> (UserData, MarkSync) {
    var sync = try sync()
    _ = try sync.merge([marked([])], at: time)
    return (UserData(device: Self.device), sync)
  }

  func sync(reading text: String) throws -> MarkSync {
    var sync = try sync()
    sync.read(text)
    return sync
  }

  /// The state of the next program.
  func restarted(_ sync: MarkSync, _ data: UserData) throws -> MarkSync {
    var next = try self.sync()
    next.read(sync.text)
    next.findUnsent(in: data)
    return next
  }
}

extension MarkSync {
  mutating func beginRequest() -> Int {
    beginRequest(requestCount + 1)
    return requestCount
  }

  /// Merges the answer to a request that is sent now.
  mutating func merge(
    _ videos: [MarkedVideo], in data: UserData = UserData(device: "desk-1"), at now: Int
  ) -> [UserEvent] {
    merge(videos, of: beginRequest(), in: data, at: now)
  }

  /// Finds the changes while the clock is right.
  mutating func findUnsent(in data: UserData) { findUnsent(in: data, at: UserEvent.maximumTime) }
}
