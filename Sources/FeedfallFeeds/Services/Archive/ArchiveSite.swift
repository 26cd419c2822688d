import FeedfallText

/// The Internet Archive.
///
/// | page | videos |
/// |---|---|
/// | `/details/ID`, `/download/ID`, `/embed/ID` | a collection or one item, depending on the metadata |
/// | `/details/ID/FILE`, `/download/ID/FILE` | one video of an item |
/// | `/search?query=WORDS` | the results of a search |
/// | the same with `sort`, `and[]`, `not[]`; a collection also with `query` | in that order, filtered |
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
      guard segments.count >= 2, isIdentifier(segments[1]) else { return nil }
      // The file, or the page size of a collection, is stored in the fragment, which is not sent to the server.
      if segments.count > 2, segments[0] != "metadata", segments[0] != "embed" {
        let file = segments.dropFirst(2).map(PercentCoding.encodeSegment).joined(separator: "/")
        return WebAddress("\(origin)/metadata/\(segments[1])#file=\(file)")
      }
      return WebAddress("\(origin)/metadata/\(segments[1])" + collectionMark(address, count: count))
    case "search", "search.php":
      // A search in full texts or transcripts has no list of videos.
      guard let words = address.queryValue("query"), !words.isEmpty, address.queryValue("sin").nonEmpty == nil else {
        return nil
      }
      let query = "(\(words)) AND mediatype:(movies)" + filters(of: address)
      return search(query, sort: order(of: address), count: count, origin: origin)
    case "advancedsearch.php": return address.queryValue("q") == nil ? nil : completed(address, count: count)
    default: return nil
    }
  }

  static func isIdentifier(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
  }

  static func file(in address: WebAddress?) -> String? {
    let start = "file="
    guard let fragment = address?.fragment, fragment.hasPrefix(start) else { return nil }
    return PercentCoding.decode(fragment.utf8.dropFirst(start.utf8.count), plusIsBlank: false).nonEmpty
  }

  static func page(ofCreator name: String) -> WebAddress? {
    let name = cleanedLine(name, limit: 200).filter { $0 != "\"" && $0 != "\\" }
    return name.isEmpty ? nil : WebAddress("\(origin)/search?query=\(PercentCoding.encode("creator:\"\(name)\""))")
  }

  /// The count of items in an answer to a request without one.
  private static let defaultCount = 50

  /// Returns the page after an answer with `count` items from the place `start`; nil after the last one.
  ///
  /// A total below the count so far is wrong; then a full page is followed by another one.
  static func page(after address: WebAddress, start: Int?, count: Int, found: Int) -> NextPage? {
    let shown = min(max(start ?? 0, 0), deepestPlace) + count
    let isFull = count >= address.queryValue("rows").flatMap { Int($0) } ?? defaultCount
    guard count > 0, shown < deepestPlace, shown < found || isFull && shown > found else { return nil }
    let page = address.queryValue("page").flatMap { Int($0) } ?? 1
    return NextPage(tokens: [("page", String(min(max(page, 0), deepestPlace) + 1))], after: address)
  }

  static func search(inCollection id: String, from address: WebAddress?) -> WebAddress? {
    let mark = address.flatMap { WebAddress("\($0.origin)/?\($0.fragment ?? "")") }
    let filters = mark?.queryValue("filters") ?? ""
    return search(
      "collection:\(id) AND mediatype:(movies)" + filters,
      sort: mark?.queryValue("sort") ?? (filters.isEmpty ? "downloads desc" : nil),
      count: mark?.queryValue("rows").flatMap { Int($0) }, origin: address?.origin ?? origin)
  }

  /// The fragment with the page size, the order and the filters of a collection's page.
  private static func collectionMark(_ address: WebAddress, count: Int?) -> String {
    let words = address.queryValue("query").nonEmpty.map { " AND (\($0))" } ?? ""
    let filters = (words + filters(of: address)).nonEmpty
    let items = [("rows", count.map { String($0) }), ("sort", order(of: address)), ("filters", filters)]
    let mark = items.compactMap { name, value in value.map { "\(name)=\(PercentCoding.encode($0))" } }
    return mark.isEmpty ? "" : "#" + mark.joined(separator: "&")
  }

  /// The order of a page in the syntax of the search: `-date` becomes `date desc`. Nil for relevance or no order.
  private static func order(of address: WebAddress) -> String? {
    guard let name = (address.queryValue("sort") ?? address.queryValue("sort[]")).nonEmpty else { return nil }
    let field = name.hasPrefix("-") ? String(name.dropFirst()) : name
    guard field != "_score", field.utf8.allSatisfy({ $0.isASCIILetter || $0 == UInt8(ascii: "_") }) else { return nil }
    return (["title": "titleSorter", "creator": "creatorSorter"][field] ?? field) + (name == field ? " asc" : " desc")
  }

  /// The filters of a page in the syntax of the search. Several `and[]=year:"1936"` of one field are alternatives;
  /// `not[]` excludes.
  private static func filters(of address: WebAddress) -> String {
    var fields: [(name: Substring, filters: [String])] = []
    var result = ""
    for item in address.queryItems {
      guard ["and[]", "not[]"].contains(item.name), let field = item.value.split(separator: ":").first else { continue }
      if item.name == "not[]" {
        result += " AND NOT (\(item.value))"
      } else if let place = fields.firstIndex(where: { $0.name == field }) {
        fields[place].filters.append(item.value)
      } else if fields.count < maximumFieldCount {
        fields.append((field, [item.value]))
      }
    }
    return fields.map { " AND (\($0.filters.joined(separator: " OR ")))" }.joined() + result
  }

  private static let maximumFieldCount = 64

  private static func search(_ words: String, sort: String?, count: Int?, origin: String) -> WebAddress? {
    let query = "q=\(PercentCoding.encode(words))" + (sort.map { "&sort[]=\(PercentCoding.encode($0))" } ?? "")
    return WebAddress("\(origin)/advancedsearch.php?\(query)").map { completed($0, count: count) }
  }

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
