import FeedfallDocuments
import FeedfallText

extension FeedKind {
  /// The items of the Internet Archive.
  public static let archive = FeedKind("archive", hasDetails: true, fewestVideos: 10)
}

/// The answers of the Internet Archive: `advancedsearch.php`, `scrape`, and `metadata` of an item or a collection.
enum ArchiveAnswer: ServiceAnswerFormat {
  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    if let response = object["response"]?.object,
      let items = response["docs"]?.elements(limit: ServiceAnswer.maximumCount)
    {
      return search(response, items, from: address)
    }
    if let facts = object["metadata"]?.object, let files = object["files"]?.elements(limit: ServiceAnswer.maximumCount)
    {
      return item(facts, files.compactMap(\.object), from: address)
    }
    guard object.isEmpty, address?.pathSegments.first == "metadata" else { return nil }
    var answer = ServiceAnswer(.archive)
    answer.failure = FeedFailure(
      .permanent, "the Internet Archive has no such item", advice: "check the address")
    return answer
  }

  private static func search(_ response: JSONObject, _ items: [JSONValue], from address: WebAddress?) -> ServiceAnswer {
    var shared = SharedTexts()
    var answer = ServiceAnswer(.archive)
    answer.append(items) { facts in
      ArchiveItem(facts, address: address).map { $0.isVideo ? [$0.video(nil, &shared)] : [] }
    }
    let total = response.count("numFound")
    // The total includes other media, so it is only valid for a page without any.
    if answer.videos.count + answer.skippedCount == items.count { answer.total = total }
    let shown = min(response.count("start") ?? 0, ArchiveSite.deepestPlace) + items.count
    if !items.isEmpty, shown < min(total ?? 0, ArchiveSite.deepestPlace) {
      answer.nextAddress = address.map(ArchiveSite.page(after:))
    }
    return answer
  }

  /// Decodes an item; the videos of a collection are found by a search.
  private static func item(_ facts: JSONObject, _ files: [JSONObject], from address: WebAddress?) -> ServiceAnswer? {
    guard let item = ArchiveItem(facts, address: address) else { return nil }
    var answer = ServiceAnswer(.archive)
    if item.isCollection {
      answer.title = facts.line("title")
      answer.nextAddress = ArchiveSite.search(inCollection: item.identifier, from: address)
    } else {
      var shared = SharedTexts()
      answer.title = facts.line("title")
      answer.videos = item.videos(files, &shared)
      if let file = ArchiveSite.file(in: address) {
        answer.videos = answer.videos.filter { $0.hasFile(named: file) }
        answer.failure = FeedFailure(
          .permanent, "the item has no video \(cleanedLine(file, limit: 80))", advice: "check the address")
      }
    }
    return answer
  }
}

/// An item of the Internet Archive, in a search (`doc`) or by itself with its files (`metadata`).
///
/// The same member may be a text, a number or a list.
struct ArchiveItem {
  private let facts: JSONObject
  private let id: String
  private let address: WebAddress?

  /// Returns nil without an identifier that is valid in an address.
  init?(_ facts: JSONObject, address: WebAddress?) {
    guard let id = facts.texts("identifier").first, Self.isIdentifier(id) else { return nil }
    self.facts = facts
    self.id = id
    self.address = address
  }

  static func isIdentifier(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
  }

  var identifier: String { id }
  var isCollection: Bool { kind == "collection" }

  /// Whether the item may contain a video; true if its type is missing.
  var isVideo: Bool { kind == "movies" || kind == nil }

  private var kind: String? { facts.texts("mediatype").first?.lowercased() }

  /// The videos of an item with its files: each has the copies of one original. Sounds count only without a video.
  func videos(_ files: [JSONObject], _ shared: inout SharedTexts) -> [Video] {
    let groups = ArchiveFileGroup.groups(of: files) { file($0) }
    let whole = video([], &shared)
    guard !groups.isEmpty else { return [whole] }
    return groups.map { group in
      var video = whole
      video.adopt(group.offers)
      guard groups.count > 1 else { return video }
      video.id = "\(id)/\(group.name)"
      video.title = group.title
      video.group = whole.title
      if let picture = group.thumbnail.flatMap({ place(path(of: $0)) }) { video.covers = [Cover(url: picture)] }
      return video
    }
  }

  /// `files` are from the details request; nil before it.
  func video(_ files: [JSONObject]?, _ shared: inout SharedTexts) -> Video {
    let page = place("details/\(id)")
    let details = files != nil ? nil : place("metadata/\(id)")
    var video = Video(
      id: id, title: line("title", limit: 500) ?? id,
      playback: details.map { .details($0, page: page) } ?? page.map(Playback.page) ?? .unknown)
    video.covers = [place("services/img/\(id)")].compactMap { $0.map { Cover(url: $0) } }
    video.pageURL = page
    video.author =
      shared.shared(facts.texts("creator").map { cleanedLine($0) }.joined(separator: ", "))
      .nonEmpty
    video.channelURL = facts.texts("creator").first.flatMap { ArchiveSite.page(ofCreator: $0) }
    let date = facts.texts("date").first
    video.published =
      date.flatMap { UnixTime(rfc3339: $0) } ?? facts.texts("publicdate").first.flatMap { UnixTime(feedDate: $0) }
    video.year = (facts.texts("year").first ?? date).flatMap { Int($0.prefix(4)) }
    video.views = facts.count("downloads")
    video.summary = cleanedText(facts.texts("description").joined(separator: "\n\n"), as: .html).nonEmpty
    video.licenceURL = facts.texts("licenseurl").first.flatMap { WebAddress($0) }
    return video
  }

  private func line(_ name: StaticString, limit: Int) -> String? {
    facts.texts(name).first.map { cleanedLine($0, limit: limit) }.nonEmpty
  }

  private func place(_ path: String) -> WebAddress? { WebAddress((address?.origin ?? ArchiveSite.origin) + "/" + path) }

  /// The Archive's copies in a widely supported format come before uploaded files.
  private func file(_ file: JSONObject) -> OfferedFile? {
    guard let name = file["name"]?.string, file["private"]?.bool != true, let url = place(path(of: name)) else {
      return nil
    }
    let format = file["format"]?.string?.lowercased() ?? ""
    var offered = OfferedFile(url, type: nil)
    guard offered.kind == .video || offered.kind == .audio else { return nil }
    offered.size = file.pictureSize()
    offered.byteCount = file.count("size")
    offered.duration = file["length"].flatMap { $0.text }.flatMap { VideoDuration(feedText: $0) }
    offered.isWidelySupported = format.contains("h.264") || format.contains("mpeg4")
    offered.rank = (format.contains("h.264") ? 0 : 2) + (file["source"]?.string == "derivative" ? 0 : 1)
    return offered
  }

  private func path(of name: String) -> String {
    let segments = name.split(separator: "/").map { PercentCoding.encodeSegment(String($0)) }
    return "download/\(id)/" + segments.joined(separator: "/")
  }
}

/// The copies of one original file of an item.
private struct ArchiveFileGroup {
  /// The name of the original.
  let name: String
  var title: String
  var offers: [OfferedFile] = []
  /// The name of a picture from the video.
  var thumbnail: String?

  init(_ name: String) {
    self.name = name
    let last = name.split(separator: "/").last.map(String.init) ?? name
    let stem = last.lastIndex(of: ".").map { String(last[..<$0]) }.nonEmpty ?? last
    title = cleanedLine(stem).nonEmpty ?? Video.untitled
  }

  /// The groups with something to play, in the order of the files.
  static func groups(of files: [JSONObject], _ offer: (JSONObject) -> OfferedFile?) -> [ArchiveFileGroup] {
    var groups: [ArchiveFileGroup] = []
    var places: [ExactText: Int] = [:]
    for file in files {
      guard let name = file["name"]?.string else { continue }
      let original = original(of: file, named: name, first: groups.first?.name)
      let offered = offer(file)
      let isThumbnail = file["format"]?.string == "Thumbnail"
      guard offered != nil || isThumbnail else { continue }
      let place = places[ExactText(original)] ?? groups.count
      if place == groups.count {
        places[ExactText(original)] = place
        groups.append(ArchiveFileGroup(original))
      }
      if let offered {
        groups[place].offers.append(offered)
      } else {
        groups[place].thumbnail = groups[place].thumbnail ?? name
      }
      if name == original, let title = file.line("title") { groups[place].title = title }
    }
    let videos = groups.filter { $0.offers.contains { $0.kind == .video } }
    return videos.isEmpty ? groups.filter { !$0.offers.isEmpty } : videos
  }

  /// The name of the file from which a copy was made; `first` if it is a copy that does not say so.
  private static func original(of file: JSONObject, named name: String, first: String?) -> String {
    guard file["source"]?.string == "derivative" else { return name }
    return file.texts("original").first ?? first ?? name
  }
}

extension Video {
  /// Whether one of the files at `/download/ID/NAME` has this name.
  fileprivate func hasFile(named name: String) -> Bool {
    guard case .direct(let files) = playback else { return false }
    return files.contains { $0.url.web?.pathSegments.dropFirst(2).joined(separator: "/") == name }
  }
}

/// An item in an answer of the Archive's scrape API: `{"items": […], "cursor": …}`.
enum ArchiveScrapeItem: JSONListFormat {
  static let kind = FeedKind.archive
  static let matchesInNamedLists = true

  static func matches(_ item: JSONObject) -> Bool {
    item["identifier"] != nil && item["url"] == nil && item["id"] == nil
  }

  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem {
    guard let item = ArchiveItem(item, address: address?.web) else { return .unusable }
    return item.isVideo ? .video(item.video(nil, &shared)) : .videos([])
  }
}
