import FeedfallFeeds
import FeedfallText

extension ServerMark {
  /// The field of a record that has the same meaning.
  var field: UserField {
    switch self {
    case .read: .watched
    case .starred: .starred
    }
  }

  func value(_ isSet: Bool, at time: UnixTime) -> UserValue {
    switch self {
    case .read: .watched(isSet ? time : nil)
    case .starred: .starred(isSet)
    }
  }

  /// The mark that a value means, and whether it is set; nil for the values of other fields.
  static func change(_ value: UserValue) -> (ServerMark, isSet: Bool)? {
    switch value {
    case .watched(let time): (.read, time != nil)
    case .starred(let isStarred): (.starred, isStarred)
    case .position, .duration, .queued, .hidden, .downloaded, .download, .video: nil
    }
  }
}
