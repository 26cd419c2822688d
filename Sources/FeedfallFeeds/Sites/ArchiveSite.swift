import FeedfallText

/// The Internet Archive.
///
/// | page | list |
/// |---|---|
/// | `/details/ID`, `/download/ID`, `/embed/ID` | the videos of a collection, or one item: what it is its metadata tell |
/// | `/search?query=WORDS` | what a search finds |
/// | `/advancedsearch.php?q=…`, `/metadata/ID` | the interface for programs |
enum ArchiveSite: Site {
  static let origin = "https://archive.org"

  /// Further down the search gives nothing.
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
      // How long the pages are that a collection leads to says a fragment, which no server is told.
      return WebAddress("\(origin)/metadata/\(segments[1])" + (count.map { "#rows=\($0)" } ?? ""))
    case "search", "search.php":
      guard let words = address.queryValue("query"), !words.isEmpty else { return nil }
      return search("(\(words)) AND mediatype:(movies)", sort: nil, count: count, origin: origin)
    case "advancedsearch.php": return address.queryValue("q") == nil ? nil : completed(address, count: count)
    default: return nil
    }
  }

  /// The page after the one at this address.
  static func page(after address: WebAddress) -> WebAddress {
    let page = address.queryValue("page").flatMap { Int($0) } ?? 1
    return address.setting(query: "page", to: String(min(max(page, 0), deepestPlace) + 1))
  }

  /// The search for a collection's videos, at the place that told of the collection.
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

  /// A search that asks for what cards are made of, page by page.
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
