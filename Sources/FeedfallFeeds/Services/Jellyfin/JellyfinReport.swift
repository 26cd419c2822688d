import FeedfallText

/// The bodies of reports on playback (`PlaybackProgressInfo` and `UpdateUserItemDataDto` of Jellyfin's OpenAPI
/// description).
public enum JellyfinReport {
  static let ticksPerSecond = 10_000_000.0

  /// Returns the report for the session of the key's user.
  public static func session(_ report: PlaybackReport, of version: JellyfinVersion) -> String {
    let isPaused = report.moment == .progress(isPaused: true)
    let method = version.isConverted ? "Transcode" : "DirectPlay"
    return #"{"ItemId":"\#(version.item.text)","MediaSourceId":"\#(version.id.text)","#
      + #""PositionTicks":\#(ticks(report.seconds)),"IsPaused":\#(isPaused),"CanSeek":true,"PlayMethod":"\#(method)"}"#
  }

  /// Returns the new position and its time for a user without a session; nil at the start, where it has not changed.
  public static func userData(_ report: PlaybackReport, at now: UnixTime) -> String? {
    guard report.moment != .started else { return nil }
    let date = #""LastPlayedDate":"\#(now)""#
    guard report.isWatched else { return #"{"PlaybackPositionTicks":\#(ticks(report.seconds)),\#(date)}"# }
    return report.moment == .stopped ? #"{"PlaybackPositionTicks":0,"Played":true,\#(date)}"# : nil
  }

  private static func ticks(_ seconds: Double) -> Int {
    Int(exactly: (min(max(seconds.isFinite ? seconds : 0, 0), 1e8) * ticksPerSecond).rounded()) ?? 0
  }
}
