import FeedfallText

/// The time of the session, as far as events state it.
///
/// The time for which ages are shown moves once a minute, because each change renders the ages of all cards again. An
/// event with a time of its own sets it.
struct SessionClock: Sendable {
  /// The time of the last event with one, for the user's records, in milliseconds since 1970.
  private(set) var now = 0
  private(set) var shown: UnixTime?

  /// In seconds.
  private static let step = 60

  /// - Parameter now: the time of the event in milliseconds since 1970; nil if it is unknown.
  mutating func update(with event: AppEvent, at now: Int?) {
    self.now = now ?? self.now
    let seconds = self.now / 1_000
    if let time = event.time {
      shown = time
    } else if self.now > 0, shown.map({ seconds - $0.seconds >= Self.step }) ?? true {
      shown = UnixTime(seconds: seconds)
    }
  }
}
