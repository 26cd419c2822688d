/// Detects that a file plays without the sound device that it needs.
struct SoundWatch: Equatable, Sendable {
  /// From when on the device is missed; nil before the first picture or sound.
  private var due: SuspendingClock.Instant?
  /// The value that was reported last.
  private var hasDevice = true

  /// Right after the first picture mpv may not have reported the device yet.
  private static let openingTime = Duration.milliseconds(300)
  /// While a file plays, mpv also has to load its sound before it opens the device.
  static let lateOpeningTime = Duration.seconds(2)

  /// Begins when the sound begins. The device may open within this time.
  mutating func begin(at now: SuspendingClock.Instant, within time: Duration = openingTime) { due = now + time }

  /// Returns whether there is a device, or none is needed, if that must be reported; else nil.
  mutating func update(hasDevice new: Bool, at now: SuspendingClock.Instant) -> Bool? {
    guard let due, now >= due, new != hasDevice else { return nil }
    hasDevice = new
    return new
  }
}
