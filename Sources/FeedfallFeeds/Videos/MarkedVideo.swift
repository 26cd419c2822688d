import FeedfallText

/// A video with its marks on the server, which are some of `Mark.exchanged`.
public struct MarkedVideo: Equatable, Sendable {
  public var video: Video
  public var marks: Set<Mark>

  public init(_ video: Video, _ marks: Set<Mark>) { (self.video, self.marks) = (video, marks) }
}

/// A change of one mark of several videos of a server.
public struct MarkChange: Equatable, Sendable {
  public var mark: Mark
  public var isSet: Bool
  /// Those of the videos, at most `maximumCount`.
  public var ids: [String]

  public static let maximumCount = 100

  public init(_ mark: Mark, _ isSet: Bool, ids: [String]) {
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
