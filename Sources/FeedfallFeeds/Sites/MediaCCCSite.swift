import FeedfallText

/// media.ccc.de, the talks of the Chaos Computer Club and its friends, and its live streams.
///
/// | page | list |
/// |---|---|
/// | `/`, `/recent`, `/popular`, `/popular/YEAR`, `/promoted`, `/search?q=` | the talks of this list |
/// | `/c/ACRONYM` | the talks of a conference |
/// | `/b`, `/b/FOLDER` | the talks of all conferences in a folder, conference after conference |
/// | `/v/SLUG` | one talk |
/// | `streaming.media.ccc.de` | what is on the air |
/// | `/public/…`, also at `api.media.ccc.de` | the interface for programs, as it stands |
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

  /// The most talks that an answer holds.
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

  /// A folder is a part of the list of conferences, so that it is named by a fragment (RFC 3986, 3.5).
  private static func folderMark(_ folder: some Collection<String>) -> String {
    folder.isEmpty ? "" : "#" + folder.map(PercentCoding.encodeSegment).joined(separator: "/")
  }

  /// The folder that an address of the list of conferences names; empty for all of it.
  static func folder(in address: WebAddress?) -> String {
    address?.fragment.map { PercentCoding.decode($0.utf8, plusIsBlank: false) } ?? ""
  }
}
