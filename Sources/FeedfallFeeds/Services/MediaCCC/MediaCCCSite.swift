import FeedfallText

/// media.ccc.de, the talks and live streams of the Chaos Computer Club.
///
/// | page | request | parameters |
/// |---|---|---|
/// | `/`, `/recent`, `/promoted` | `events/recent`, `events/promoted` | `page` |
/// | `/popular`, `/popular/YEAR`, `/unpopular/YEAR` | `events/popular`, `events/unpopular` | `page` |
/// | `/search?q=` | `events/search` | `page` |
/// | `/c/ACRONYM` | `conferences/ACRONYM`: the talks of a conference | |
/// | `/a`, `/b`, `/b/FOLDER` | `conferences`: the talks of all conferences in a folder | |
/// | `/v/SLUG` | `events/SLUG` | |
/// | `streaming.media.ccc.de` | the live streams | |
/// | `/public/…`, also at `api.media.ccc.de` | unchanged | |
enum MediaCCCSite: Site {
  private static let api = "https://api.media.ccc.de/public"

  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    if address.host == "streaming.media.ccc.de" {
      return WebAddress("https://streaming.media.ccc.de/streams/v2.json")
    }
    guard isAPI(address) else {
      let request = meaning(of: address)?.list
      let isPaged = request?.path.hasPrefix("/public/events/") == true && address.pathSegments.first != "v"
      guard isPaged, let count else { return request }
      return request?.setting(query: "per_page", to: String(min(max(count, 1), maximumCount)))
    }
    return address
  }

  static func refusal(of address: WebAddress) -> FeedFailure? { meaning(of: address)?.refusal }

  private static func isAPI(_ address: WebAddress) -> Bool {
    isSite(address) && address.pathSegments.first == "public"
  }

  private static func isSite(_ address: WebAddress) -> Bool {
    ["media.ccc.de", "www.media.ccc.de", "api.media.ccc.de"].contains(address.host)
  }

  private static let maximumCount = 256

  private static func meaning(of address: WebAddress) -> PageMeaning? {
    guard isSite(address) else { return nil }
    let segments = address.pathSegments
    let name = segments.dropFirst().first.map(PercentCoding.encodeSegment)
    func list(_ path: String, passing names: [String] = ["page"]) -> PageMeaning? {
      .list(api, path, passing: names, of: address)
    }
    switch (segments.first, name) {
    case (nil, _), ("recent", _): return list("events/recent")
    case ("popular", let year), ("unpopular", let year):
      return list("events/\(segments[0])" + (year.flatMap { Int($0) }.map { "?year=\($0)" } ?? ""))
    case ("promoted", _): return list("events/promoted")
    case ("search", _): return search(address)
    case ("c", let acronym?):
      guard let part = segments.dropFirst(2).first else { return list("conferences/\(acronym)", passing: []) }
      return part == "podcast" ? nil : refused(tag: part)
    case ("tags", let tag?): return refused(tag: PercentCoding.decode(tag.utf8, plusIsBlank: false))
    case ("v", let talk?): return segments.count == 2 ? list("events/\(talk)", passing: []) : nil
    case ("a", _): return list("conferences", passing: [])
    case ("b", _): return list("conferences" + folderMark(segments.dropFirst()), passing: [])
    default: return nil
    }
  }

  private static func refused(tag: String) -> PageMeaning {
    .refused(
      "the API of media.ccc.de cannot list talks by tag",
      advice: "search for the tag: https://media.ccc.de/search?q=\(PercentCoding.encode(cleanedLine(tag, limit: 80)))")
  }

  private static func search(_ address: WebAddress) -> PageMeaning? {
    guard let words = address.queryValue("q").nonEmpty else {
      guard let name = address.queryValue("p").nonEmpty else { return nil }
      return .refused(
        "the API of media.ccc.de cannot list talks by person",
        advice: "search for the name: https://media.ccc.de/search?q=\(PercentCoding.encode(name))")
    }
    if let order = address.queryValue("sort").nonEmpty, order != "relevance" {
      return .refused("the API of media.ccc.de cannot sort a search", advice: "search without sort=")
    }
    return .list(api, "events/search?q=\(PercentCoding.encode(words))", passing: ["page"], of: address)
  }

  /// A folder is a part of the list of conferences, so it is stored in the fragment (RFC 3986, 3.5).
  private static func folderMark(_ folder: some Collection<String>) -> String {
    folder.isEmpty ? "" : "#" + folder.map(PercentCoding.encodeSegment).joined(separator: "/")
  }

  /// Returns the folder in the fragment of an address; empty for all conferences.
  static func folder(in address: WebAddress?) -> String {
    address?.fragment.map { PercentCoding.decode($0.utf8, plusIsBlank: false) } ?? ""
  }
}
