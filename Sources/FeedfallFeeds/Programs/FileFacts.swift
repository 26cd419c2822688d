import FeedfallText

/// The facts about a file on this machine in the output of `ffprobe -of json -show_format -show_streams`.
package struct FileFacts {
  package enum Picture: Equatable, Sendable {
    /// The video in a stream. The size is that of the picture with square pixels, upright; nil if it is unknown.
    case video(stream: Int, PixelSize?)
    /// A cover in the file, in a stream.
    case attached(stream: Int)
  }

  private let format: JSONObject
  private let streams: [JSONObject]

  package init(_ output: [UInt8]) throws(FeedFailure) {
    guard let object = JSONObject(document: output), let format = object["format"]?.object else {
      throw FeedFailure(
        .permanent, "ffprobe's output does not describe the file", advice: "check whether the file is a video")
    }
    self.format = format
    streams = object.objects("streams")
  }

  /// Nil for a sound without a cover.
  package var picture: Picture? {
    if let stream = streams.firstIndex(where: isVideo) { return .video(stream: stream, pictureSize) }
    return streams.firstIndex(where: isAttached).map { .attached(stream: $0) }
  }

  package func completing(_ video: Video) -> Video {
    var video = video
    video.duration = duration ?? video.duration
    video.pictureSize = pictureSize ?? video.pictureSize
    if picture == nil { video.covers.removeAll { $0.url.frame != nil } }
    // Matroska has names in capital letters.
    let tags = format["tags"]?.object
    video.author = tags?.line(at: "artist|ARTIST|author|AUTHOR") ?? video.author
    video.channel = tags?.line(at: "show|SHOW|album|ALBUM") ?? video.channel
    video.licence = tags?.line(at: "copyright|COPYRIGHT") ?? video.licence
    // The title of the card is the file name.
    let title = tags?.line(at: "title|TITLE").flatMap { $0 == video.title ? nil : $0 }
    let names: Field = "description|DESCRIPTION|comment|COMMENT"
    let text = tags.flatMap { names.first(in: $0) { $0.text.map { cleanedText($0, as: .plain) }.nonEmpty } }
    // A file beside the video may have described it.
    video.summary = video.summary ?? [title, text].compactMap(\.self).joined(separator: "\n\n").nonEmpty
    video.isPartial = false
    return video
  }

  package var duration: VideoDuration? {
    [format["duration"]?.double, videoStream?["duration"]?.double].firstNonNil {
      $0.flatMap { VideoDuration(seconds: $0.rounded()) }
    }
  }

  private var videoStream: JSONObject? { streams.first(where: isVideo) }

  private func isVideo(_ stream: JSONObject) -> Bool { hasPictures(stream) && !isAttached(stream) }

  private func hasPictures(_ stream: JSONObject) -> Bool { stream["codec_type"]?.string == "video" }

  private func isAttached(_ stream: JSONObject) -> Bool {
    hasPictures(stream) && stream["disposition"]?.object?["attached_pic"]?.bool == true
  }

  /// The size as players show the picture: with square pixels, and upright.
  private var pictureSize: PixelSize? {
    guard let stream = videoStream, let stored = stream.pictureSize() else { return nil }
    let size = pixelAspect(stream).flatMap { stored.shown(withPixels: $0) } ?? stored
    return isRotated(stream) ? PixelSize(width: size.height, height: size.width) : size
  }

  /// The width of a stored pixel divided by its height, such as 4:3; nil if it is unknown, which is `0:1`.
  private func pixelAspect(_ stream: JSONObject) -> Double? {
    let terms = stream["sample_aspect_ratio"]?.string?.split(separator: ":").compactMap { Int($0) } ?? []
    return terms.count == 2 && terms[0] > 0 && terms[1] > 0 ? Double(terms[0]) / Double(terms[1]) : nil
  }

  /// Whether players rotate the picture by 90°, because the camera was held upright. Old versions of ffprobe have only
  /// a tag. Players rotate by other angles within the picture.
  private func isRotated(_ stream: JSONObject) -> Bool {
    let turns = stream.objects("side_data_list").compactMap { $0["rotation"]?.integer }
    let tag = stream["tags"]?.object?["rotate"]?.integer
    return (turns.first ?? tag).map { (89...91).contains(abs($0 % 180)) } ?? false
  }
}

extension PixelSize {
  /// No video in use has pixels that are farther from square; the widest ones are those of lenses that squeeze the
  /// picture.
  private static let pixelAspects = 0.1...10

  /// The size with square pixels of a picture whose stored pixels have this width divided by their height; nil if that
  /// is absurd.
  fileprivate func shown(withPixels aspect: Double) -> PixelSize? {
    guard Self.pixelAspects.contains(aspect) else { return nil }
    return Int(exactly: (Double(width) * aspect).rounded()).flatMap { PixelSize(width: $0, height: height) }
  }

  func shown(withAspect aspect: Double) -> PixelSize? { shown(withPixels: aspect * Double(height) / Double(width)) }
}
