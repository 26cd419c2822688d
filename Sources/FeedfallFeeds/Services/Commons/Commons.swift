import FeedfallText

extension Service {
  /// The answer of the MediaWiki API to a query for files with their `videoinfo`, or their `imageinfo` where the wiki has
  /// no extension for videos. With `formatversion=2` the pages are a list, otherwise an object by their numbers.
  static let commons: Service = Service(
    .commons, site: .commons,
    other: { item, _ in isCommonsVideo(item) ? nil : .unusable },
    facts: [
      .id("pageid|title|videoinfo[].descriptionurl|imageinfo[].descriptionurl", limit: 500),
      .page("videoinfo[].descriptionurl|imageinfo[].descriptionurl"),
      .duration("videoinfo[].duration|imageinfo[].duration", in: .nearestSecond),
      Fact { draft in
        guard let info = fileInfo(draft.item) else { return }
        draft.video.title = commonsName(draft.item) ?? Video.untitled
        draft.video.adopt(commonsFiles(info, base: draft.web))
        // The files are copies of the original in other sizes.
        draft.video.pictureSize = info.pictureSize() ?? draft.video.pictureSize
        draft.video.covers = commonsCovers(info, base: draft.web)
        draft.video.published = info["timestamp"]?.string.flatMap { UnixTime(rfc3339: $0) }
      },
      .author("\(metadata("Artist"))|videoinfo[].user|imageinfo[].user", as: .html),
      .summary("\(metadata("ImageDescription"))", as: .html), .licence("\(metadata("LicenseShortName"))", as: .html),
      .licencePage("\(metadata("LicenseUrl"))"),
    ],
    answer: { object, address in
      // An empty list has no `query`, but `batchcomplete`.
      guard object["query"]?.object != nil || object["batchcomplete"] != nil else { return nil }
      let pages = (object["query"]?.object?["pages"]?.values(limit: .max) ?? []).compactMap(\.object)
      let sorted = pages.sorted { ($0["index"]?.integer ?? 0) < ($1["index"]?.integer ?? 0) }
      var answer = ServiceAnswer(kind: .commons, videos: commons.videos(of: sorted, from: address))
      // The tokens of a single file continue its earlier versions.
      if let tokens = object["continue"]?.object?.texts, let address,
        !tokens.contains(where: { ["vistart", "iistart"].contains($0.name) })
      {
        answer.nextPage = NextPage(tokens: tokens, after: address)
      }
      if answer.videos.isEmpty, address?.queryValue("titles") != nil {
        answer.failure = FeedFailure(
          .permanent, "the file does not exist or is not a video", advice: "check the address")
      }
      return answer
    })

  private static func metadata(_ name: String) -> String {
    ["videoinfo", "imageinfo"].map { "\($0)[].extmetadata.\(name).value" }.joined(separator: "|")
  }

  private static func fileInfo(_ page: JSONObject) -> JSONObject? {
    (page["videoinfo"] ?? page["imageinfo"])?.elements(limit: 1)?.first?.object
  }

  /// Pictures and documents have no duration. On a wiki without an extension for videos, no file has one; there the type
  /// decides, or the name if the type is only that of a container.
  private static func isCommonsVideo(_ page: JSONObject) -> Bool {
    guard let info = fileInfo(page) else { return false }
    if let duration = info["duration"] { return duration.double ?? 0 > 0 }
    let type = info["mime"]?.string ?? ""
    return type.hasPrefix("video/")
      || type == "application/ogg" && info["url"]?.string?.lowercased().hasSuffix(".ogv") == true
  }

  /// The number of the namespace of files, whose name depends on the language of the wiki.
  private static let fileNamespace = 6

  /// The title without the name of the namespace and the file extension, or the name in the metadata.
  private static func commonsName(_ page: JSONObject) -> String? {
    guard let title = page.line("title", limit: 500) else {
      let name = fileInfo(page)?["extmetadata"]?.object?["ObjectName"]?.object?["value"]?.text
      return name.map { cleanedLine($0, as: .html) }.nonEmpty
    }
    let isFile = page["ns"]?.integer == fileNamespace || title.hasPrefix("File:")
    let file = isFile ? title.firstIndex(of: ":").map { String(title[$0...].dropFirst()) } ?? title : title
    return (file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file).nonEmpty
  }

  /// The derivatives, which usually include the original.
  private static func commonsFiles(_ info: JSONObject, base: WebAddress?) -> [OfferedFile] {
    let derivatives = info.objects("derivatives").compactMap { derivative -> OfferedFile? in
      guard let url = derivative.address("src", base: base) else { return nil }
      var file = OfferedFile(url, type: derivative["type"]?.string)
      file.size = derivative.pictureSize()
      // Few players support this old format well.
      file.rank = file.mimeType == "video/quicktime" ? 1 : 0
      return file
    }
    guard let url = info.address("url", base: base), !derivatives.contains(where: { $0.url == .web(url) }) else {
      return derivatives
    }
    var original = OfferedFile(url, type: info["mime"]?.string)
    original.size = info.pictureSize()
    original.byteCount = info.count("size")
    return derivatives + [original]
  }

  /// The widths of pictures that Wikimedia serves; it refuses others.
  private static let coverWidths = [250, 330, 500, 960, 1_280, 1_920]
  static let commonsCoverWidth = 500

  /// The cover in all widths up to the width of the video.
  private static func commonsCovers(_ info: JSONObject, base: WebAddress?) -> [Cover] {
    guard let listed = info.address("thumburl", base: base) else { return [] }
    let parts = listed.text.utf8.split(separator: "/\(commonsCoverWidth)px-".utf8, maxSplits: 1)
    guard let size = info.pictureSize(), parts.count == 2 else {
      return [Cover(url: listed, width: info.count("thumbwidth"), height: info.count("thumbheight"))]
    }
    return coverWidths.filter { $0 == commonsCoverWidth || $0 < size.width }.compactMap { width in
      WebAddress("\(Substring(parts[0]))/\(width)px-\(Substring(parts[1]))").map {
        Cover(url: $0, width: width, height: max(1, width * size.height / size.width))
      }
    }
  }
}

extension Site {
  static let commons = Site(
    "commons.wikimedia.org", "commons.m.wikimedia.org", search: "https://commons.wikimedia.org/w/index.php?search=",
    pages: [
      Route("/w/api.php") { page in
        guard page["?action"] == "query" else { return nil }
        return .list(page.address.setting(query: "format", to: "json").setting(query: "formatversion", to: "2"))
      },
      Route("/…") { page in
        let count = String(min(max(page.count ?? 30, 1), maximumCommonsCount))
        if let words = page["?search"] {
          return commonsQuery([
            ("generator", "search"), ("gsrsearch", "filetype:video " + words), ("gsrnamespace", "6"),
            ("gsrlimit", count),
          ])
        }
        let segments = page.address.pathSegments
        // A title may contain slashes.
        let title =
          segments.first == "wiki"
          ? segments.dropFirst().joined(separator: "/") : segments == ["w", "index.php"] ? page["?title"] ?? "" : ""
        let name = String(title.map { $0 == "_" ? " " : $0 })
        if name.hasPrefix("File:") { return commonsQuery([("titles", name)]) }
        guard name.hasPrefix("Category:") else { return nil }
        return commonsQuery([
          ("generator", "categorymembers"), ("gcmtitle", name), ("gcmtype", "file"), ("gcmlimit", count),
        ])
      },
    ])

  private static let maximumCommonsCount = 50

  private static func commonsQuery(_ items: [(name: String, value: String)]) -> PageMeaning? {
    let always = [
      (name: "action", value: "query"), ("format", "json"), ("formatversion", "2"), ("prop", "videoinfo"),
      ("viprop", "url|size|mime|derivatives|extmetadata|user|timestamp"),
      ("viurlwidth", String(Service.commonsCoverWidth)),
    ]
    return .list(WebAddress(unchecked: "https://commons.wikimedia.org/w/api.php").appending(always + items))
  }
}
