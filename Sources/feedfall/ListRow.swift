import FeedfallFeeds
import FeedfallText
import FoundationEssentials

/// The output for one video. Unknown values are omitted.
struct ListRow: Encodable {
  var id: String
  var title: String
  var durationSeconds: Int?
  var coverURL: String?
  var playbackURL: String?
  var pageURL: String?
  var channel: String?
  var published: String?
  var width: Int?
  var height: Int?

  init(_ video: Video) {
    id = video.id
    title = video.title
    if case .seconds(let seconds) = video.duration { durationSeconds = seconds }
    coverURL = video.covers.first?.url.text
    playbackURL = video.playbackURL?.text
    pageURL = video.pageURL?.text
    channel = video.channel ?? video.author
    published = video.published?.description
    width = video.pictureSize?.width
    height = video.pictureSize?.height
  }

  /// The row as a JSON object on one line, with sorted keys.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  /// The title, duration, channel and playback address, separated by tabs. Unknown values are empty.
  var text: String {
    let duration = durationSeconds.map { VideoDuration.seconds($0).description }
    return [title, duration ?? "", channel ?? "", playbackURL ?? pageURL ?? ""].joined(separator: "\t")
  }
}
