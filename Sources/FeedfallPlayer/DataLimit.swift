/// Limits the data that mpv loads for a preview, which has no sound (mpv's manual, "Demuxer" and "Cache").
struct DataLimit: Equatable, Sendable {
  /// In bytes; nil for no limit.
  var count: Int?

  var isSet: Bool { count != nil }

  /// In seconds; no more is loaded ahead.
  private static let aheadTime = 5

  /// mpv's options for a limit in bytes. All data stays in memory, so that mpv counts all of it. Without a sound track it
  /// opens no sound device.
  static func options(_ count: Int) -> [String: String] {
    ["demuxer-max-bytes": "\(count)", "demuxer-max-back-bytes": "\(count)", "cache-secs": "\(aheadTime)", "aid": "no"]
  }

  /// Lifts the limit for the file that is loaded. Returns commands that set mpv's defaults and add the sound.
  mutating func lift() -> [MPVCommand] {
    guard count != nil else { return [] }
    count = nil
    return [
      .set("demuxer-max-bytes", .text("150MiB")), .set("demuxer-max-back-bytes", .text("50MiB")),
      .set("cache-secs", 3_600_000), .set("aid", "auto"),
    ]
  }

  func isReached(by loaded: Int?) -> Bool { count.map { loaded ?? 0 >= $0 } ?? false }
}
