import FeedfallDocuments
import FeedfallText

extension FeedDecoder {
  /// Completes a video on this machine by what `ffprobe -of json -show_format -show_streams` has printed of its file.
  ///
  /// Throws where that is no description of a file.
  public static func decodeFileFacts(_ output: [UInt8], completing video: Video) throws(FeedFailure) -> Video {
    guard let object = JSONObject(document: output), let format = object["format"]?.object else {
      throw FeedFailure(.permanent, "ffprobe's answer tells nothing of the file")
    }
    return FileFacts(format: format, streams: object["streams"]?.elements().map { $0.compactMap(\.object) } ?? [])
      .completing(video)
  }
}

/// What ffprobe tells of a file.
private struct FileFacts {
  let format: JSONObject
  let streams: [JSONObject]

  func completing(_ video: Video) -> Video {
    var video = video
    video.duration = duration ?? video.duration
    video.pictureSize = pictureSize ?? video.pictureSize
    video.author = line("artist", "ARTIST") ?? line("author", "AUTHOR") ?? video.author
    video.channel = line("show", "SHOW") ?? line("album", "ALBUM") ?? video.channel
    video.licence = line("copyright", "COPYRIGHT") ?? video.licence
    // The card keeps the file's name.
    let title = line("title", "TITLE").flatMap { $0 == video.title ? nil : $0 }
    video.summary =
      [title, text("description", "DESCRIPTION") ?? text("comment", "COMMENT")].compactMap { $0 }.joined(
        separator: "\n\n"
      ).nonEmpty
    video.isPartial = false
    return video
  }

  private var duration: VideoDuration? {
    let seconds = format["duration"]?.double ?? picture?["duration"]?.double
    return seconds.flatMap { $0.magnitude < 1e9 ? VideoDuration(seconds: Int($0.rounded())) : nil }
  }

  /// The first stream of pictures that is no cover.
  private var picture: JSONObject? {
    streams.first {
      $0["codec_type"]?.string == "video" && $0["disposition"]?.object?["attached_pic"]?.bool != true
    }
  }

  private var pictureSize: PixelSize? {
    guard let picture, let width = picture["width"]?.integer, let height = picture["height"]?.integer else {
      return nil
    }
    return isUpright(picture) ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
  }

  /// Whether a camera was held upright, so that a player turns the picture.
  private func isUpright(_ picture: JSONObject) -> Bool {
    let turns = (picture["side_data_list"]?.elements() ?? []).compactMap { $0.object?["rotation"]?.integer }
    return turns.contains { $0 % 180 != 0 }
  }

  /// Matroska writes the names of its tags in capital letters.
  private func tag(_ name: StaticString, _ capitals: StaticString) -> String? {
    let tags = format["tags"]?.object
    return (tags?[name] ?? tags?[capitals])?.text
  }

  private func line(_ name: StaticString, _ capitals: StaticString) -> String? {
    tag(name, capitals).map { cleanedLine($0, limit: 200) }.nonEmpty
  }

  private func text(_ name: StaticString, _ capitals: StaticString) -> String? {
    tag(name, capitals).map { cleanedText($0, isMarkup: false) }.nonEmpty
  }
}
