import FeedfallDocuments
import FeedfallText

extension FeedKind {
  /// The items of the Internet Archive.
  public static let archive = FeedKind("archive", hasDetails: true, fewestVideos: 10)
}

/// The answers of the Internet Archive: `advancedsearch.php`, and `metadata` of an item or a collection.
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
      answer.videos = [item.video(files, &shared)]
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
      shared.shared(facts.texts("creator").map { cleanedLine($0, isHTML: true) }.joined(separator: ", "))
      .nonEmpty
    let date = facts.texts("date").first
    video.published =
      date.flatMap { UnixTime(rfc3339: $0) } ?? facts.texts("publicdate").first.flatMap { UnixTime(feedDate: $0) }
    video.year = (facts.texts("year").first ?? date).flatMap { Int($0.prefix(4)) }
    video.views = facts.count("downloads")
    video.summary = cleanedText(facts.texts("description").joined(separator: "\n\n")).nonEmpty
    video.licenceURL = facts.texts("licenseurl").first.flatMap { WebAddress($0) }
    video.adopt((files ?? []).compactMap(file))
    return video
  }

  private func line(_ name: StaticString, limit: Int) -> String? {
    facts.texts(name).first.map { cleanedLine($0, isHTML: true, limit: limit) }.nonEmpty
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
    let isWidelySupported = format.contains("h.264") || format.contains("mpeg4")
    offered.rank = (isWidelySupported ? 0 : 2) + (file["source"]?.string == "derivative" ? 0 : 1)
    return offered
  }

  private func path(of name: String) -> String {
    let segments = name.split(separator: "/").map { PercentCoding.encodeSegment(String($0)) }
    return "download/\(id)/" + segments.joined(separator: "/")
  }
}
