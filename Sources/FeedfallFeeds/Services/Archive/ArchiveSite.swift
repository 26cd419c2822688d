import FeedfallText

/// The Internet Archive.
///
/// | page | videos |
/// |---|---|
/// | `/details/ID`, `/download/ID`, `/embed/ID` | a collection or one item, depending on the metadata |
/// | `/details/ID/FILE`, `/download/ID/FILE` | one video of an item |
/// | `/search?query=WORDS` | the results of a search |
/// | `/advancedsearch.php?q=…`, `/metadata/ID` | API |
enum ArchiveSite: Site {
  static let origin = "https://archive.org"

  /// The search returns nothing after this count of items.
  static let deepestPlace = 10_000

  private static let usualCount = 30
  private static let maximumCount = 100

  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    guard ["archive.org", "www.archive.org"].contains(address.host) else { return nil }
    let segments = address.pathSegments
    let count = count.map { min(max($0, 1), maximumCount) }
    switch segments.first {
    case "details", "download", "embed", "metadata":
      guard segments.count >= 2, ArchiveItem.isIdentifier(segments[1]) else { return nil }
      // The file, or the page size of a collection, is stored in the fragment, which is not sent to the server.
      if segments.count > 2, segments[0] != "metadata", segments[0] != "embed" {
        let file = segments.dropFirst(2).map(PercentCoding.encodeSegment).joined(separator: "/")
        return WebAddress("\(origin)/metadata/\(segments[1])#file=\(file)")
      }
      return WebAddress("\(origin)/metadata/\(segments[1])" + (count.map { "#rows=\($0)" } ?? ""))
    case "search", "search.php":
      guard let words = address.queryValue("query"), !words.isEmpty else { return nil }
      return search("(\(words)) AND mediatype:(movies)", sort: nil, count: count, origin: origin)
    case "advancedsearch.php": return address.queryValue("q") == nil ? nil : completed(address, count: count)
    default: return nil
    }
  }

  /// The name of the file that an address names in its fragment.
  static func file(in address: WebAddress?) -> String? {
    let start = "file="
    guard let fragment = address?.fragment, fragment.hasPrefix(start) else { return nil }
    return PercentCoding.decode(fragment.utf8.dropFirst(start.utf8.count), plusIsBlank: false).nonEmpty
  }

  /// Returns the address of the page that lists all videos by a creator; nil for an empty name.
  static func page(ofCreator name: String) -> WebAddress? {
    let name = cleanedLine(name, limit: 200).filter { $0 != "\"" && $0 != "\\" }
    return name.isEmpty ? nil : WebAddress("\(origin)/search?query=\(PercentCoding.encode("creator:\"\(name)\""))")
  }

  /// Returns the address of the next page.
  static func page(after address: WebAddress) -> WebAddress {
    let page = address.queryValue("page").flatMap { Int($0) } ?? 1
    return address.setting(query: "page", to: String(min(max(page, 0), deepestPlace) + 1))
  }

  /// Returns the search for the videos of a collection, on the server of its metadata.
  static func search(inCollection id: String, from address: WebAddress?) -> WebAddress? {
    let rows = address?.fragment.flatMap { $0.hasPrefix("rows=") ? Int($0.dropFirst("rows=".count)) : nil }
    return search(
      "collection:\(id) AND mediatype:(movies)", sort: "downloads desc", count: rows,
      origin: address?.origin ?? origin)
  }

  private static func search(_ words: String, sort: String?, count: Int?, origin: String) -> WebAddress? {
    let query = "q=\(PercentCoding.encode(words))" + (sort.map { "&sort[]=\(PercentCoding.encode($0))" } ?? "")
    return WebAddress("\(origin)/advancedsearch.php?\(query)").map { completed($0, count: count) }
  }

  /// Completes a search with the required fields, a page size and a page.
  private static func completed(_ address: WebAddress, count: Int?) -> WebAddress {
    var request = address
    let names = Set(address.queryItems.map(\.name))
    if !names.contains("fl[]"), !names.contains("fl") { request = request.appending(fields) }
    if count != nil || !names.contains("rows") {
      request = request.setting(query: "rows", to: String(count ?? usualCount))
    }
    if !names.contains("page") { request = request.setting(query: "page", to: "1") }
    return request.setting(query: "output", to: "json")
  }

  private static let fields = [
    "identifier", "title", "creator", "date", "year", "publicdate", "description", "downloads", "mediatype",
    "licenseurl",
  ].map { (name: "fl[]", value: $0) }
}
