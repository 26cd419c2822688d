import FeedfallText

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
