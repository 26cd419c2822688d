import FeedfallText

extension Site {
  /// The pages of the Internet Archive. A collection or a single item has `details`, which depends on its metadata.
  static let archive = Site(
    "archive.org", "www.archive.org", search: ArchiveSite.origin + "/search?query=",
    where: ["id": { ArchiveSite.isIdentifier($0) }],
    pages: [
      Route("/details|download/{id}", ArchiveSite.item), Route("/embed|metadata/{id}/…", ArchiveSite.item),
      // The file is stored in the fragment, which is not sent to the server.
      Route("/details|download/{id}/…") { page in
        WebAddress("\(ArchiveSite.origin)/metadata/\(page["id"] ?? "")#file=\(page["…"] ?? "")").map(PageMeaning.list)
      },
      Route("/search|search.php/…") { page in
        // A search in full texts or transcripts has no list of videos.
        guard let words = page["?query"], page["?sin"] == nil else { return nil }
        let query = "(\(words)) AND mediatype:(movies)" + ArchiveSite.filters(of: page.address)
        let order = ArchiveSite.order(of: page.address)
        return ArchiveSite.search(query, sort: order, count: page.count, origin: ArchiveSite.origin).map(
          PageMeaning.list)
      },
      Route("/advancedsearch.php/…") { page in
        page.address.queryValue("q").map { _ in .list(ArchiveSite.completed(page.address, count: page.count)) }
      },
    ])
}

enum ArchiveSite {
  static let origin = "https://archive.org"

  /// The search returns nothing after this count of items.
  static let deepestPlace = 10_000

  private static let usualCount = 30
  private static let maximumCount = 100

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

  /// The metadata of an item. The fragment has the page size, the order and the filters of a collection.
  @Sendable fileprivate static func item(_ page: Page) -> PageMeaning? {
    let words = page["?query"].map { " AND (\($0))" } ?? ""
    let filters = (words + filters(of: page.address)).nonEmpty
    let count = page.count.map { String(min(max($0, 1), maximumCount)) }
    let items = [("rows", count), ("sort", order(of: page.address)), ("filters", filters)]
    let mark = items.compactMap { name, value in value.map { "\(name)=\(PercentCoding.encode($0))" } }
    let fragment = mark.isEmpty ? "" : "#" + mark.joined(separator: "&")
    return WebAddress("\(origin)/metadata/\(page["id"] ?? "")\(fragment)").map(PageMeaning.list)
  }

  /// The order of a page in the syntax of the search: `-date` becomes `date desc`. Nil for relevance or no order.
  fileprivate static func order(of address: WebAddress) -> String? {
    guard let name = (address.queryValue("sort") ?? address.queryValue("sort[]")).nonEmpty else { return nil }
    let field = name.hasPrefix("-") ? String(name.dropFirst()) : name
    guard field != "_score", field.utf8.allSatisfy({ $0.isASCIILetter || $0 == UInt8(ascii: "_") }) else { return nil }
    return (["title": "titleSorter", "creator": "creatorSorter"][field] ?? field) + (name == field ? " asc" : " desc")
  }

  /// The filters of a page in the syntax of the search. Several `and[]=year:"1936"` of one field are alternatives;
  /// `not[]` excludes.
  fileprivate static func filters(of address: WebAddress) -> String {
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

  fileprivate static func search(_ words: String, sort: String?, count: Int?, origin: String) -> WebAddress? {
    let query = "q=\(PercentCoding.encode(words))" + (sort.map { "&sort[]=\(PercentCoding.encode($0))" } ?? "")
    return WebAddress("\(origin)/advancedsearch.php?\(query)").map { completed($0, count: count) }
  }

  fileprivate static func completed(_ address: WebAddress, count: Int?) -> WebAddress {
    var request = address
    let names = Set(address.queryItems.map(\.name))
    if !names.contains("fl[]"), !names.contains("fl") { request = request.appending(fields) }
    if count != nil || !names.contains("rows") {
      request = request.setting(query: "rows", to: String(min(max(count ?? usualCount, 1), maximumCount)))
    }
    if !names.contains("page") { request = request.setting(query: "page", to: "1") }
    return request.setting(query: "output", to: "json")
  }

  private static let fields = [
    "identifier", "title", "creator", "date", "year", "publicdate", "description", "downloads", "mediatype",
    "licenseurl",
  ].map { (name: "fl[]", value: $0) }
}
