/// Limits the data that mpv loads for a preview, which has no sound (mpv's manual, "Demuxer" and "Cache").
struct DataLimit: Equatable, Sendable {
  /// In bytes; nil for no limit.
  private var count: Int?
  /// Whether mpv reports the loaded data.
  private var isObserving = false

  /// Whether the last file has a limit.
  var isSet: Bool { count != nil }

  static let property = "demuxer-cache-state"
  /// In seconds; no more is loaded ahead.
  private static let aheadTime = 5
  /// The number of the observed property, greater than those of the other ones.
  private static let observer = 100

  /// mpv's options for a limit in bytes. All data stays in memory, so that mpv counts all of it. Without a sound track it
  /// opens no sound device.
  static func options(_ count: Int) -> [String: String] {
    ["demuxer-max-bytes": "\(count)", "demuxer-max-back-bytes": "\(count)", "cache-secs": "\(aheadTime)", "aid": "no"]
  }

  /// Sets the limit for a file that is loaded next, and returns the commands for it.
  mutating func begin(_ count: Int?) -> [MPVCommand] {
    self.count = count
    guard (count != nil) != isObserving else { return [] }
    isObserving.toggle()
    let number = MPVValue.number(Double(Self.observer))
    return isObserving
      ? [MPVCommand("observe_property", number, .text(Self.property))] : [MPVCommand("unobserve_property", number)]
  }

  /// Lifts the limit for the file that is loaded. Returns commands that set mpv's defaults and add the sound.
  mutating func lift() -> [MPVCommand] {
    guard count != nil else { return [] }
    return begin(nil) + [
      .set("demuxer-max-bytes", .text("150MiB")), .set("demuxer-max-back-bytes", .text("50MiB")),
      .set("cache-secs", 3_600_000), .set("aid", "auto"),
    ]
  }

  func isReached(by loaded: Int) -> Bool { count.map { loaded >= $0 } ?? false }
}
