import FeedfallDocuments
import FeedfallText

extension FeedDecoder {
  /// Completes a video on this machine with the output of `ffprobe -of json -show_format -show_streams` for its file.
  ///
  /// Throws if the output is not a description of a file.
  public static func decodeFileFacts(_ output: [UInt8], completing video: Video) throws(FeedFailure) -> Video {
    guard let object = JSONObject(document: output), let format = object["format"]?.object else {
      throw FeedFailure(
        .permanent, "ffprobe's output does not describe the file", advice: "check whether the file is a video")
    }
    return FileFacts(format: format, streams: object["streams"]?.elements().map { $0.compactMap(\.object) } ?? [])
      .completing(video)
  }
}

/// The properties of a file according to ffprobe.
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
    // The title of the card is the file name.
    let title = line("title", "TITLE").flatMap { $0 == video.title ? nil : $0 }
    video.summary =
      [title, text("description", "DESCRIPTION") ?? text("comment", "COMMENT")].compactMap { $0 }.joined(
        separator: "\n\n"
      ).nonEmpty
    video.isPartial = false
    return video
  }

  private var duration: VideoDuration? {
    [format["duration"]?.double, picture?["duration"]?.double].firstNonNil {
      $0.flatMap { VideoDuration(seconds: $0.rounded()) }
    }
  }

  /// The first video stream that is not a cover.
  private var picture: JSONObject? {
    streams.first {
      $0["codec_type"]?.string == "video" && $0["disposition"]?.object?["attached_pic"]?.bool != true
    }
  }

  /// The size as players show the picture: with square pixels, and upright.
  private var pictureSize: PixelSize? {
    guard let picture, let stored = picture.pictureSize() else { return nil }
    let size = pixelAspect(picture).flatMap { stored.widened(by: $0) } ?? stored
    return isRotated(picture) ? PixelSize(width: size.height, height: size.width) : size
  }

  /// The width of a stored pixel divided by its height, such as 4:3; nil if it is unknown, which is `0:1`.
  private func pixelAspect(_ picture: JSONObject) -> Double? {
    let terms = picture["sample_aspect_ratio"]?.string?.split(separator: ":").compactMap { Int($0) } ?? []
    return terms.count == 2 && terms[0] > 0 && terms[1] > 0 ? Double(terms[0]) / Double(terms[1]) : nil
  }

  /// Whether players rotate the picture by 90°, because the camera was held upright. Old versions of ffprobe have only a tag.
  private func isRotated(_ picture: JSONObject) -> Bool {
    let turns = (picture["side_data_list"]?.elements() ?? []).compactMap { $0.object?["rotation"]?.integer }
    let tag = picture["tags"]?.object?["rotate"]?.integer
    return (turns.first ?? tag).map { (45..<135).contains(abs($0 % 180)) } ?? false
  }

  /// The value of a tag; Matroska has names in capital letters.
  private func tag(_ name: StaticString, _ capitals: StaticString) -> String? {
    let tags = format["tags"]?.object
    return (tags?[name] ?? tags?[capitals])?.text
  }

  private func line(_ name: StaticString, _ capitals: StaticString) -> String? {
    tag(name, capitals).map { cleanedLine($0, limit: 200) }.nonEmpty
  }

  private func text(_ name: StaticString, _ capitals: StaticString) -> String? {
    tag(name, capitals).map { cleanedText($0, as: .plain) }.nonEmpty
  }
}

extension PixelSize {
  /// Returns nil if the width would be outside of 1...100,000.
  fileprivate func widened(by factor: Double) -> PixelSize? {
    Int(exactly: (Double(width) * factor).rounded()).flatMap { PixelSize(width: $0, height: height) }
  }
}
