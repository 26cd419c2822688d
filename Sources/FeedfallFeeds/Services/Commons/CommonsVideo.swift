import FeedfallText

extension FeedKind {
  /// The files of a MediaWiki, in particular Wikimedia Commons.
  public static let commons = FeedKind("commons", fewestVideos: 10)
}

/// A file in an answer of the MediaWiki API to a query for files with their `videoinfo`, or their `imageinfo` where the
/// wiki has no extension for videos.
struct CommonsVideo: ServiceAnswerFormat {
  /// With `formatversion=2` the pages are a list, otherwise an object by their numbers.
  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    // An empty list has no `query`, but `batchcomplete`.
    guard object["query"]?.object != nil || object["batchcomplete"] != nil else { return nil }
    let pages = object["query"]?.object?["pages"]?.values(limit: .max) ?? []
    var shared = SharedTexts()
    let found = pages.compactMap { $0.object.flatMap { CommonsVideo($0, address: address) } }
    var answer = ServiceAnswer(kind: .commons)
    answer.videos = found.sorted { ($0.rank ?? 0) < ($1.rank ?? 0) }.map { $0.video(&shared) }
    answer.nextPage = next(object["continue"]?.object, after: address)
    if answer.videos.isEmpty, address?.queryValue("titles") != nil {
      answer.failure = FeedFailure(.permanent, "the file does not exist or is not a video", advice: "check the address")
    }
    return answer
  }

  /// Returns the query with all tokens of `continue`; nil for those of a single file, which continue its earlier
  /// versions.
  private static func next(_ tokens: JSONObject?, after address: WebAddress?) -> NextPage? {
    guard let tokens = tokens?.texts, let address, !tokens.contains(where: { versions.contains($0.name) }) else {
      return nil
    }
    return NextPage(tokens: tokens, after: address)
  }

  private static let versions: Set<String> = ["vistart", "iistart"]

  private let page: JSONObject
  private let info: JSONObject
  private let address: WebAddress?

  /// Returns nil for a file without a duration, such as a picture or a document. On a wiki without an extension for
  /// videos, no file has one; there the type decides.
  private init?(_ page: JSONObject, address: WebAddress?) {
    guard let info = (page["videoinfo"] ?? page["imageinfo"])?.elements(limit: 1)?.first?.object,
      info["duration"].map({ ($0.double ?? 0) > 0 }) ?? Self.isVideo(info)
    else { return nil }
    (self.page, self.info, self.address) = (page, info, address)
  }

  private var rank: Int? { page["index"]?.integer }

  private func video(_ shared: inout SharedTexts) -> Video {
    let description = info.address("descriptionurl", base: address)
    let name = name
    var video = Video(
      id: page.line("pageid", limit: 40) ?? page.line("title", limit: 500) ?? description?.text ?? Video.untitled,
      title: name ?? Video.untitled, playback: description.map(Playback.page) ?? .unknown)
    video.duration = info["duration"]?.double.flatMap { VideoDuration(seconds: $0.rounded()) }
    video.adopt(files)
    // The files are copies of the original in other sizes.
    video.pictureSize = info.pictureSize() ?? video.pictureSize
    video.covers = covers
    video.pageURL = description
    video.author = shared.shared(metadataLine("Artist") ?? info.line("user"))
    video.published = info["timestamp"]?.string.flatMap { UnixTime(rfc3339: $0) }
    video.summary = metadata("ImageDescription").map { cleanedText($0, as: .html) }.nonEmpty
    video.licence = shared.shared(metadataLine("LicenseShortName"))
    video.licenceURL = shared.shared(metadata("LicenseUrl").flatMap { WebAddress(reference: $0, base: address) })
    return video
  }

  /// Whether it is a video by its type, or by its name if the type is only that of a container.
  private static func isVideo(_ info: JSONObject) -> Bool {
    let type = info["mime"]?.string ?? ""
    return type.hasPrefix("video/")
      || type == "application/ogg" && info["url"]?.string?.lowercased().hasSuffix(".ogv") == true
  }

  /// The number of the namespace of files, whose name depends on the language of the wiki.
  private static let fileNamespace = 6

  /// The title without the name of the namespace and the file extension, or the name in the metadata.
  private var name: String? {
    guard let title = page.line("title", limit: 500) else { return metadataLine("ObjectName", limit: 500) }
    let isFile = page["ns"]?.integer == Self.fileNamespace || title.hasPrefix("File:")
    let file = isFile ? title.firstIndex(of: ":").map { String(title[$0...].dropFirst()) } ?? title : title
    return (file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file).nonEmpty
  }

  private func metadata(_ name: StaticString) -> String? { info["extmetadata"]?.object?[name]?.object?["value"]?.text }

  private func metadataLine(_ name: StaticString, limit: Int = 200) -> String? {
    metadata(name).map { cleanedLine($0, as: .html, limit: limit) }.nonEmpty
  }

  /// The derivatives, which usually include the original.
  private var files: [OfferedFile] {
    let derivatives = info.objects("derivatives").compactMap { derivative -> OfferedFile? in
      guard let url = derivative.address("src", base: address) else { return nil }
      var file = OfferedFile(url, type: derivative["type"]?.string)
      file.size = derivative.pictureSize()
      // Few players support this old format well.
      file.rank = file.mimeType == "video/quicktime" ? 1 : 0
      return file
    }
    guard let url = info.address("url", base: address), !derivatives.contains(where: { $0.url == .web(url) }) else {
      return derivatives
    }
    var original = OfferedFile(url, type: info["mime"]?.string)
    original.size = info.pictureSize()
    original.byteCount = info.count("size")
    return derivatives + [original]
  }
}

extension CommonsVideo {
  /// The widths of pictures that Wikimedia serves; it refuses others.
  private static let coverWidths = [250, 330, 500, 960, 1_280, 1_920]

  static let listedWidth = 500

  /// The cover in all widths up to the width of the video.
  private var covers: [Cover] {
    guard let listed = info.address("thumburl", base: address) else { return [] }
    guard let size = info.pictureSize(), let place = listed.text.firstRange(ofASCII: "/\(Self.listedWidth)px-") else {
      return [Cover(url: listed, width: info.count("thumbwidth"), height: info.count("thumbheight"))]
    }
    return Self.coverWidths.filter { $0 == Self.listedWidth || $0 < size.width }.compactMap { width in
      WebAddress(listed.text.replacingCharacters(in: place, with: "/\(width)px-")).map {
        Cover(url: $0, width: width, height: max(1, width * size.height / size.width))
      }
    }
  }
}

extension String {
  fileprivate func firstRange(ofASCII part: String) -> Range<Index>? {
    let bytes = Array(utf8)
    guard let start = bytes.firstIndex(of: part, from: 0) else { return nil }
    let lower = utf8.index(startIndex, offsetBy: start)
    return lower..<utf8.index(lower, offsetBy: part.utf8.count)
  }

  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
