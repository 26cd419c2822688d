import FeedfallFeeds
import FeedfallText

/// A mark that a command sets or removes, by a name such as `watched` or `unwatched`.
public struct Marking: Equatable, Sendable {
  public let mark: Mark
  public let isSet: Bool

  public init(_ mark: Mark, _ isSet: Bool) { (self.mark, self.isSet) = (mark, isSet) }

  /// Nil for another name.
  public init?(_ name: String) {
    guard let marking = Self.all.first(where: { $0.name == name }) else { return nil }
    self = marking
  }

  public var name: String { (isSet ? "" : "un") + mark.name }

  /// Those of commands: a download is no mark that can be set.
  public static let all = Mark.allCases.filter { $0 != .downloaded }.flatMap { mark in
    [true, false].map { Marking(mark, $0) }
  }

  /// Whether the facts of the videos are stored, because a tab shows them after they have left their feed. The facts of
  /// thousands of watched videos would only fill the log.
  public var storesFacts: Bool { isSet && mark.listsVideos }
}

extension Mark {
  /// Whether the user sets it to find the video again.
  var listsVideos: Bool {
    switch self {
    case .starred, .queued, .downloaded: true
    case .watched, .hidden: false
    }
  }
}

extension UserData {
  /// The changes that set or remove a mark of videos, each once. Those that have it, or lack it, are left out. Queued
  /// videos get the last places, in this order, or those from `place` on. O(n), and without it O(m) in all records.
  public func changes(_ marking: Marking, of keys: [VideoKey], at now: Int, place: Double? = nil) -> [Change] {
    var place = place ?? (marking == Marking(.queued, true) ? nextPlace : 0)
    var seen: Set<VideoKey> = []
    return keys.compactMap { key in
      let record = self[key]
      guard record.has(marking.mark) != marking.isSet, seen.insert(key).inserted else { return nil }
      let value = UserValue(marking.mark, marking.isSet, at: UnixTime(seconds: now / 1_000), place: place)
      let endsBegun = marking.mark == .watched && record.position != nil
      place += 1
      return Change(key: key, values: [value] + (endsBegun ? [.position(nil)] : []))
    }
  }
}
