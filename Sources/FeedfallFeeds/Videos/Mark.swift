import FeedfallText

/// A mark of a video. Logs, filters, cards, keymaps, messages, JSON and servers read its row, so that another mark is a
/// case with a row.
public enum Mark: UInt8, CaseIterable, Hashable, Sendable {
  case watched, starred, queued, hidden, downloaded

  public struct Row: Sendable {
    /// In logs, filters, JSON and the details.
    public let name: StaticString
    /// On cards.
    public var sign: String?
    public var key: Key?
    /// The names of setting and of removing the mark, with `%` for the title of the video.
    public var set = ""
    public var removed = ""
    public var server: Server?
  }

  /// The key that sets and removes the mark, in cards and details.
  public struct Key: Sendable {
    /// In the name of the command.
    public let name: String
    public let character: Character
    public let help: String
    /// In the status line.
    public let hint: String
  }

  /// The names of the mark on servers, and in the files of exchanged marks.
  public struct Server: Sendable {
    public let name: String
    /// After the user in a tag.
    public let googleReader: String
    /// The member of `UserData` in an item.
    public let jellyfin: StaticString
  }

  public var row: Row {
    switch self {
    case .watched:
      Row(
        name: "watched", sign: "✓",
        key: Key(name: "watched", character: "x", help: "mark as watched or unwatched", hint: "watched"),
        set: "marked % as watched", removed: "marked % as unwatched",
        server: Server(name: "read", googleReader: "state/com.google/read", jellyfin: "Played"))
    case .starred:
      Row(
        name: "starred", sign: "★",
        key: Key(name: "star", character: "*", help: "star, or remove the star", hint: "star"),
        set: "starred %", removed: "removed the star of %",
        server: Server(name: "starred", googleReader: "state/com.google/starred", jellyfin: "IsFavorite"))
    case .queued: Row(name: "queued", sign: "◷", set: "queued %", removed: "removed % from the queue")
    case .hidden:
      Row(
        name: "hidden",
        key: Key(name: "hidden", character: "X", help: "hide the video; the filter hidden shows it", hint: "hide"),
        set: "hid %", removed: "showed % again")
    case .downloaded: Row(name: "downloaded", sign: "↓")
    }
  }

  public var name: String { "\(row.name)" }

  /// The marks that servers store.
  public static let exchanged = allCases.filter { $0.row.server != nil }
}

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

  public init(_ mark: Mark, _ isSet: Bool, ids: [String]) { (self.mark, self.isSet, self.ids) = (mark, isSet, ids) }
}

/// The result of a change.
public enum MarkResult: Equatable, Sendable {
  case sent
  /// The server refuses this change, but others may succeed.
  case refused(FeedFailure)
  case failed(FeedFailure)
}
