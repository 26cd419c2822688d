import FeedfallText

/// Wikimedia Commons: categories, searches and single files.
///
/// | page | videos |
/// |---|---|
/// | `/wiki/Category:NAME`, `/w/index.php?title=Category:NAME` | a category |
/// | `…?search=WORDS`, of `/w/index.php`, `/wiki/Special:Search` and `/wiki/Special:MediaSearch` | the results of a search |
/// | `/wiki/File:NAME` | one video |
/// | `/w/api.php?action=query&…` | API, unchanged |
enum CommonsSite: Site {
  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    guard ["commons.wikimedia.org", "commons.m.wikimedia.org"].contains(address.host) else { return nil }
    let segments = address.pathSegments
    if segments == ["w", "api.php"] {
      guard address.queryValue("action") == "query" else { return nil }
      return address.setting(query: "format", to: "json").setting(query: "formatversion", to: "2")
    }
    let count = String(min(max(count ?? 30, 1), maximumCount))
    if let words = address.queryValue("search"), !words.isEmpty {
      return query([
        ("generator", "search"), ("gsrsearch", "filetype:video " + words), ("gsrnamespace", "6"), ("gsrlimit", count),
      ])
    }
    let title = title(segments, address).map { String($0.map { $0 == "_" ? " " : $0 }) } ?? ""
    if title.hasPrefix("Category:") {
      return query([
        ("generator", "categorymembers"), ("gcmtitle", title), ("gcmtype", "file"), ("gcmlimit", count),
      ])
    }
    return title.hasPrefix("File:") ? query([("titles", title)]) : nil
  }

  private static let maximumCount = 50

  /// The title of a page, which may contain slashes.
  private static func title(_ segments: [String], _ address: WebAddress) -> String? {
    if segments.first == "wiki" { return segments.dropFirst().joined(separator: "/") }
    return segments == ["w", "index.php"] ? address.queryValue("title") : nil
  }

  private static func query(_ items: [(name: String, value: String)]) -> WebAddress? {
    let always = [
      (name: "action", value: "query"), ("format", "json"), ("formatversion", "2"), ("prop", "videoinfo"),
      ("viprop", "url|size|mime|derivatives|extmetadata|user|timestamp"),
      ("viurlwidth", String(Service.commonsCoverWidth)),
    ]
    let text = (always + items).map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    return WebAddress("https://commons.wikimedia.org/w/api.php?" + text)
  }
}
