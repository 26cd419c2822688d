import FeedfallDocuments
import FeedfallText

/// A file of a MediaWiki with its `videoinfo`, as Wikimedia Commons tells it.
struct CommonsVideo {
  private let page: JSONObject
  private let info: JSONObject
  private let address: WebAddress?

  /// Nil for a file that has no length: a picture, a document.
  init?(_ page: JSONObject, address: WebAddress?) {
    guard let info = page["videoinfo"]?.elements(limit: 1)?.first?.object, (info["duration"]?.double ?? 0) > 0 else {
      return nil
    }
    self.page = page
    self.info = info
    self.address = address
  }

  /// Where the file stands among what a search has found.
  var place: Int? { page["index"]?.integer }

  func video(_ shared: inout SharedTexts) -> Video {
    let description = info.address("descriptionurl", base: address)
    let name = name
    var video = Video(
      id: page.line("pageid", limit: 40) ?? page.line("title", limit: 500) ?? description?.text ?? Video.untitled,
      title: name ?? Video.untitled, playback: description.map(Playback.page) ?? .unknown)
    video.duration = info["duration"]?.double.flatMap { $0 < 1e9 ? VideoDuration(seconds: Int($0.rounded())) : nil }
    video.play(files)
    // The size of the original, of which the files are copies in other sizes.
    video.pictureSize = info.pictureSize() ?? video.pictureSize
    video.covers = covers
    video.pageURL = description
    video.author = shared.shared(said("Artist") ?? info.line("user"))
    video.published = info["timestamp"]?.string.flatMap { UnixTime(rfc3339: $0) }
    video.summary = metadata("ImageDescription").map { cleanedText($0) }.nonEmpty
    video.licence = shared.shared(said("LicenseShortName"))
    video.licenceURL = shared.shared(metadata("LicenseUrl").flatMap { WebAddress(reference: $0, base: address) })
    return video
  }

  /// The title without `File:` and the ending, else the name that its page gives it.
  private var name: String? {
    guard let title = page.line("title", limit: 500) else { return said("ObjectName", limit: 500) }
    let file = title.hasPrefix("File:") ? String(title.dropFirst("File:".count)) : title
    return (file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file).nonEmpty
  }

  private func metadata(_ name: StaticString) -> String? { info["extmetadata"]?.object?[name]?.object?["value"]?.text }

  private func said(_ name: StaticString, limit: Int = 200) -> String? {
    metadata(name).map { cleanedLine($0, isHTML: true, limit: limit) }.nonEmpty
  }

  /// The original is among its own derivatives; where there are none it is all there is.
  private var files: [OfferedFile] {
    let derivatives = info.objects("derivatives").compactMap { derivative -> OfferedFile? in
      guard let url = derivative.address("src", base: address) else { return nil }
      var file = OfferedFile(url, type: derivative["type"]?.string)
      file.size = derivative.pictureSize()
      // The old form that few can play well comes after the others.
      file.rank = file.mimeType == "video/quicktime" ? 1 : 0
      return file
    }
    guard let url = info.address("url", base: address), !derivatives.contains(where: { $0.url == url }) else {
      return derivatives
    }
    var original = OfferedFile(url, type: info["mime"]?.string)
    original.size = info.pictureSize()
    original.byteCount = info.count("size")
    return derivatives + [original]
  }
}

extension CommonsVideo {
  /// The widths in which Wikimedia gives pictures; others are refused.
  static let coverWidths = [250, 330, 500, 960, 1_280, 1_920]

  /// The width that the lists are asked for.
  static let listedWidth = 500

  /// The cover that is told, in all widths that there are up to the video's own.
  private var covers: [Cover] {
    guard let told = info.address("thumburl", base: address) else { return [] }
    guard let size = info.pictureSize(), let place = told.text.range(ofPart: "/\(Self.listedWidth)px-") else {
      return [Cover(url: told, width: info.count("thumbwidth"), height: info.count("thumbheight"))]
    }
    return Self.coverWidths.filter { $0 == Self.listedWidth || $0 < size.width }.compactMap { width in
      WebAddress(told.text.replacingCharacters(in: place, with: "/\(width)px-")).map {
        Cover(url: $0, width: width, height: max(1, width * size.height / size.width))
      }
    }
  }
}

extension String {
  /// Where a part of ASCII first stands.
  fileprivate func range(ofPart part: String) -> Range<Index>? {
    let bytes = Array(utf8)
    guard let start = bytes.firstIndex(of: part, from: 0) else { return nil }
    let lower = utf8.index(startIndex, offsetBy: start)
    return lower..<utf8.index(lower, offsetBy: part.utf8.count)
  }

  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
