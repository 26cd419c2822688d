import FeedfallDocuments
import FeedfallText

/// An item of the Internet Archive, as its search tells it (`doc`) and by itself with its files (`metadata`).
///
/// What is one text in one item is a list or a number in another.
struct ArchiveItem {
  private let facts: JSONObject
  private let id: String
  private let address: WebAddress?

  /// Nil without an identifier that fits into an address.
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

  /// Whether it may hold a video; a list that doesn't tell is believed.
  var isVideo: Bool { kind == "movies" || kind == nil }

  private var kind: String? { facts.texts("mediatype").first?.lowercased() }

  /// `files` are what a second request tells; nil where it was not made yet.
  func video(_ files: [JSONObject]?, _ shared: inout SharedTexts) -> Video {
    let page = place("details/\(id)")
    let isKnown = files != nil
    let details = isKnown ? nil : place("metadata/\(id)")
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
      .flatMap { (1_800...2_200).contains($0) ? $0 : nil }
    video.views = facts.count("downloads")
    video.summary = cleanedText(facts.texts("description").joined(separator: "\n\n")).nonEmpty
    video.licenceURL = facts.texts("licenseurl").first.flatMap { WebAddress($0) }
    video.play((files ?? []).compactMap(file))
    return video
  }

  private func line(_ name: StaticString, limit: Int) -> String? {
    facts.texts(name).first.map { cleanedLine($0, isHTML: true, limit: limit) }.nonEmpty
  }

  private func place(_ path: String) -> WebAddress? { WebAddress((address?.origin ?? ArchiveSite.origin) + "/" + path) }

  /// The Archive's own copies in the form that everything plays come before what was sent in.
  private func file(_ file: JSONObject) -> OfferedFile? {
    guard let name = file["name"]?.string, file["private"]?.bool != true, let url = place(path(of: name)) else {
      return nil
    }
    let format = file["format"]?.string?.lowercased() ?? ""
    guard MediaTypes.kind(ofPath: url) == .video || MediaTypes.kind(ofPath: url) == .audio else { return nil }
    var offered = OfferedFile(url, type: nil)
    offered.size = file.pictureSize()
    offered.byteCount = file.count("size")
    offered.duration = file["length"].flatMap { $0.text }.flatMap { VideoDuration(feedText: $0) }
    let isWellPlayed = format.contains("h.264") || format.contains("mpeg4")
    offered.rank = (isWellPlayed ? 0 : 2) + (file["source"]?.string == "derivative" ? 0 : 1)
    return offered
  }

  private func path(of name: String) -> String {
    let segments = name.split(separator: "/").map { PercentCoding.encodeSegment(String($0)) }
    return "download/\(id)/" + segments.joined(separator: "/")
  }
}
