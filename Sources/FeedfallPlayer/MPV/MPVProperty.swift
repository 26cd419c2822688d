import FeedfallDocuments
import FeedfallFeeds
import FeedfallPlaying
import FeedfallText

/// A property of mpv that has changed.
enum MPVProperty: Equatable, Sendable {
  case isPaused(Bool)
  case time(Double?)
  case duration(Double?)
  case isStalled(Bool)
  case loaded(until: Double?)
  case soundOutput(String?)
  case pictureOutput(String?)
  /// Of the film as it is.
  case pictureSize(PixelSize?)
  /// Of what is put out, after it was made smaller.
  case shownSize(PixelSize?)
  case tracks([MediaTrack])
  /// What is said just now.
  case subtitle(String?)

  /// What mpv is asked to tell of.
  static let names: [StaticString] = [
    "pause", "time-pos", "duration", "paused-for-cache", "demuxer-cache-time", "current-ao", "current-vo",
    "video-params",
    "video-out-params", "track-list", "sub-text",
  ]

  init?(_ object: JSONObject) {
    let value = object["data"]
    switch object["name"]?.string {
    case "pause": self = .isPaused(value?.bool ?? false)
    case "time-pos": self = .time(value?.double)
    case "duration": self = .duration(value?.double)
    case "paused-for-cache": self = .isStalled(value?.bool ?? false)
    case "demuxer-cache-time": self = .loaded(until: value?.double)
    case "current-ao": self = .soundOutput(value?.string)
    case "current-vo": self = .pictureOutput(value?.string)
    case "video-params": self = .pictureSize(value?.object.flatMap(Self.pictureSize))
    case "video-out-params": self = .shownSize(value?.object.flatMap(Self.pictureSize))
    case "track-list": self = .tracks((value?.elements() ?? []).compactMap { $0.object.flatMap(Self.track) })
    case "sub-text": self = .subtitle(value?.string.map { cleanedText($0, isMarkup: false, limit: 500) })
    default: return nil
    }
  }

  private static func pictureSize(_ object: JSONObject) -> PixelSize? {
    guard let width = object["dw"]?.integer, let height = object["dh"]?.integer else { return nil }
    let isTurned = (object["rotate"]?.integer ?? 0) % 180 != 0
    return isTurned ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
  }

  private static func track(_ object: JSONObject) -> MediaTrack? {
    guard let number = object["id"]?.integer, let kind = kind(object["type"]?.string) else { return nil }
    return MediaTrack(
      kind: kind, number: number, title: words(object["title"]), language: words(object["lang"]),
      isSelected: object["selected"]?.bool ?? false)
  }

  private static func kind(_ name: String?) -> MediaTrack.Kind? {
    switch name {
    case "video": .picture
    case "audio": .sound
    case "sub": .subtitles
    default: nil
    }
  }

  /// A film's own words, which may be anything.
  private static func words(_ value: JSONValue?) -> String? {
    guard let text = value?.string.map({ cleanedLine($0, limit: 100) }), !text.isEmpty else { return nil }
    return text
  }
}
