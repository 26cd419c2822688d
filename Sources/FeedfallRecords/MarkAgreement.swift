import FeedfallFeeds
import FeedfallText

extension MarkSync {
  struct Place: Hashable {
    var id: String
    var mark: Mark
  }

  struct Agreement: Equatable {
    /// Nil if the server's value is unknown: then no change by the user agrees with it.
    var isSet: Bool?
    /// That of the last event that it covers, in milliseconds since 1970.
    var time: Int
    /// The number of the last request whose answer may be older than the agreement.
    var request = 0

    /// Whether both sides knew an event when they agreed. A time to come is that of a clock that was ahead, and says
    /// nothing about other events. Logs replace such times by 0.
    func covers(_ event: UserEvent, at now: Int) -> Bool {
      event.time > 0 && (event.time == time || (event.time < time && time <= now))
    }
  }
}

extension UserValue {
  /// The exchanged mark that the value means, and whether it is set; nil for other values.
  var change: (mark: Mark, isSet: Bool)? {
    switch self {
    case .watched(let time): (.watched, time != nil)
    case .flag(let mark, let isSet) where mark.row.server != nil: (mark, isSet)
    default: nil
    }
  }
}
