import FeedfallText

/// media.ccc.de, the talks and live streams of the Chaos Computer Club.
///
/// | page | videos |
/// |---|---|
/// | `/`, `/recent`, `/popular`, `/popular/YEAR`, `/promoted`, `/search?q=` | the talks in the list |
/// | `/c/ACRONYM` | the talks of a conference |
/// | `/b`, `/b/FOLDER` | the talks of all conferences in a folder |
/// | `/v/SLUG` | one talk |
/// | `streaming.media.ccc.de` | the live streams |
/// | `/public/…`, also at `api.media.ccc.de` | API, unchanged |
enum MediaCCCSite: Site {
  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    switch address.host {
    case "streaming.media.ccc.de": return WebAddress("https://streaming.media.ccc.de/streams/v2.json")
    case "media.ccc.de", "www.media.ccc.de", "api.media.ccc.de": break
    default: return nil
    }
    let segments = address.pathSegments
    if segments.first == "public" { return address }
    guard let place = place(segments, address), let request = WebAddress("https://api.media.ccc.de/public/" + place)
    else { return nil }
    let isPaged = place.hasPrefix("events/") && segments.first != "v"
    return isPaged && count != nil
      ? request.setting(query: "per_page", to: String(min(max(count ?? 1, 1), maximumCount))) : request
  }

  /// The maximum count of talks in an answer.
  private static let maximumCount = 256

  private static func place(_ segments: [String], _ address: WebAddress) -> String? {
    let name = segments.dropFirst().first.map(PercentCoding.encodeSegment)
    switch (segments.first, name) {
    case (nil, _), ("recent", _): return "events/recent"
    case ("popular", let year?) where Int(year) != nil: return "events/popular?year=\(year)"
    case ("popular", _): return "events/popular"
    case ("promoted", _): return "events/promoted"
    case ("search", _): return address.queryValue("q").map { "events/search?q=\(PercentCoding.encode($0))" }
    case ("c", let acronym?): return "conferences/\(acronym)"
    case ("v", let talk?): return "events/\(talk)"
    case ("b", _): return "conferences" + folderMark(segments.dropFirst())
    default: return nil
    }
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
