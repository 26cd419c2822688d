import FeedfallText

/// A mark of a video that a server stores.
public enum ServerMark: String, CaseIterable, Hashable, Sendable {
  case read, starred
}

/// A video with its marks on the server.
public struct MarkedVideo: Equatable, Sendable {
  public var video: Video
  public var marks: Set<ServerMark>

  public init(_ video: Video, _ marks: Set<ServerMark>) {
    (self.video, self.marks) = (video, marks)
  }
}

/// A change of one mark of several videos of a server.
public struct MarkChange: Equatable, Sendable {
  public var mark: ServerMark
  public var isSet: Bool
  /// Those of the videos, at most `maximumCount`.
  public var ids: [String]

  public static let maximumCount = 100

  public init(_ mark: ServerMark, _ isSet: Bool, ids: [String]) {
    (self.mark, self.isSet, self.ids) = (mark, isSet, ids)
  }
}

/// The result of a change.
public enum MarkResult: Equatable, Sendable {
  case sent
  /// The server refuses this change, but others may succeed.
  case refused(FeedFailure)
  case failed(FeedFailure)
}
