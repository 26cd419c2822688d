import FeedfallText

/// Sites whose pages map to feeds.
///
/// | page | feed |
/// |---|---|
/// | `vimeo.com/NAME`, `/channels/NAME`, `/groups/NAME` | its videos |
/// | `odysee.com/@CHANNEL`, `/@CHANNEL:ID` | the channel |
/// | `bitchute.com/channel/NAME` | the channel; `/channel/ID` has none and is listed by yt-dlp |
/// | `mediathekviewweb.de/#query=WORDS` | the results of the search |
enum FeedSite: Site {
  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    switch address.host {
    case "vimeo.com", "www.vimeo.com": vimeo(address.pathSegments)
    case "odysee.com", "www.odysee.com": odysee(address.pathSegments)
    case "bitchute.com", "www.bitchute.com", "old.bitchute.com": bitChute(address.pathSegments)
    case "mediathekviewweb.de", "www.mediathekviewweb.de": mediathekView(address)
    default: nil
    }
  }

  static func isBitChuteChannel(_ address: WebAddress) -> Bool {
    request(for: address, count: nil)?.host == "www.bitchute.com"
  }

  /// The first path segments on Vimeo that name no user.
  private static let vimeoPages: Set<String> = [
    "album", "blog", "categories", "create", "features", "for-hire", "help", "home", "join", "log_in", "manage",
    "ondemand", "search", "settings", "showcase", "solutions", "stock", "upgrade", "watch",
  ]

  private static func vimeo(_ segments: [String]) -> WebAddress? {
    guard let first = segments.first, segments.last != "rss" else { return nil }
    let owner: [String]
    switch first {
    case "channels", "groups":
      guard segments.count == 2 || (segments.count == 3 && segments[2] == "videos") else { return nil }
      owner = Array(segments.prefix(2))
    case _ where vimeoPages.contains(first) || first.allSatisfy(\.isNumber): return nil
    default:
      guard segments.count == 1 || segments == [first, "videos"] else { return nil }
      owner = [first]
    }
    let path = owner.map(PercentCoding.encodeSegment).joined(separator: "/")
    return WebAddress("https://vimeo.com/\(path)/videos/rss")
  }

  private static func odysee(_ segments: [String]) -> WebAddress? {
    guard segments.count == 1, segments[0].hasPrefix("@"), segments[0].count > 1 else { return nil }
    return WebAddress("https://odysee.com/$/rss/\(PercentCoding.encodeSegment(segments[0]))")
  }

  private static func bitChute(_ segments: [String]) -> WebAddress? {
    guard segments.count == 2, segments[0] == "channel" else { return nil }
    return WebAddress("https://www.bitchute.com/feeds/rss/channel/\(PercentCoding.encodeSegment(segments[1]))/")
  }

  private static func mediathekView(_ address: WebAddress) -> WebAddress? {
    guard address.pathSegments.isEmpty else { return nil }
    let names = (address.fragment ?? "").split(separator: "&").filter {
      $0.hasPrefix("query=") || $0.hasPrefix("everywhere=")
    }
    return WebAddress("https://mediathekviewweb.de/feed" + (names.isEmpty ? "" : "?" + names.joined(separator: "&")))
  }
}

/// Share links of single files; the request is that of the file itself.
enum SharedFileSite: Site {
  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    let segments = address.pathSegments
    switch address.host {
    case "dropbox.com", "www.dropbox.com":
      let isFile = segments.first == "s" && segments.count >= 3 || segments.starts(with: ["scl", "fi"])
      return isFile ? address.setting(query: "dl", to: "1") : nil
    case "drive.google.com", "docs.google.com": return driveFile(segments, address)
    case let host where host.hasSuffix(".sharepoint.com"):
      return segments.first == ":v:" ? address.setting(query: "download", to: "1") : nil
    default: return nil
    }
  }

  /// `/file/d/ID/view`, `/open?id=ID` and `/uc?id=ID`, also with the number of the user's account:
  /// `/file/u/0/d/ID/view`. `confirm` skips the warning about large files.
  private static func driveFile(_ segments: [String], _ address: WebAddress) -> WebAddress? {
    var segments = segments
    if let account = segments.firstIndex(of: "u"), account <= 1, segments.count > account + 1 {
      segments.removeSubrange(account...account + 1)
    }
    let isPath = segments.starts(with: ["file", "d"]) && segments.count >= 3
    let isQuery = ["open", "uc"].contains(segments.last)
    guard let id = isPath ? segments[2] : isQuery ? address.queryValue("id") : nil, id.utf8.count >= 20 else {
      return nil
    }
    let file = WebAddress("https://drive.usercontent.google.com/download")?
      .appending([("id", id), ("export", "download"), ("confirm", "t")])
    return address.queryValue("resourcekey").map { file?.appending([("resourcekey", $0)]) } ?? file
  }
}
