import FeedfallText

/// Vimeo: `/NAME`, `/channels/NAME` and `/groups/NAME` have a feed of their videos.
enum VimeoSite: Site {
  /// The first segments of pages that are no user.
  private static let pages: Set<String> = [
    "album", "blog", "categories", "create", "features", "for-hire", "help", "home", "join", "log_in", "manage",
    "ondemand", "search", "settings", "showcase", "solutions", "stock", "upgrade", "watch",
  ]

  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    guard ["vimeo.com", "www.vimeo.com"].contains(address.host) else { return nil }
    let segments = address.pathSegments
    guard let first = segments.first, segments.last != "rss" else { return nil }
    let owner: [String]
    switch first {
    case "channels", "groups":
      guard segments.count == 2 || (segments.count == 3 && segments[2] == "videos") else { return nil }
      owner = Array(segments.prefix(2))
    case _ where pages.contains(first) || first.allSatisfy(\.isNumber): return nil
    default:
      guard segments.count == 1 || segments == [first, "videos"] else { return nil }
      owner = [first]
    }
    let path = owner.map(PercentCoding.encodeSegment).joined(separator: "/")
    return WebAddress("https://vimeo.com/\(path)/videos/rss")
  }
}

/// Odysee: `/@CHANNEL` and `/@CHANNEL:ID` have a feed.
enum OdyseeSite: Site {
  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    guard ["odysee.com", "www.odysee.com"].contains(address.host), address.pathSegments.count == 1,
      let channel = address.pathSegments.first, channel.hasPrefix("@"), channel.count > 1
    else { return nil }
    return WebAddress("https://odysee.com/$/rss/\(PercentCoding.encodeSegment(channel))")
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

  /// `/file/d/ID/view`, `/open?id=ID` and `/uc?id=ID`, also with the number of the user's account: `/file/u/0/d/ID/view`.
  /// `confirm` skips the warning about large files.
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

/// BitChute: `/channel/NAME` has a feed. `/channel/ID` has none and is listed by yt-dlp.
enum BitChuteSite: Site {
  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    guard ["bitchute.com", "www.bitchute.com", "old.bitchute.com"].contains(address.host) else { return nil }
    let segments = address.pathSegments
    guard segments.count == 2, segments[0] == "channel" else { return nil }
    return WebAddress("https://www.bitchute.com/feeds/rss/channel/\(PercentCoding.encodeSegment(segments[1]))/")
  }
}

/// MediathekViewWeb: its search, `/#query=WORDS`, has a feed.
enum MediathekViewSite: Site {
  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    guard ["mediathekviewweb.de", "www.mediathekviewweb.de"].contains(address.host) else { return nil }
    guard address.pathSegments.isEmpty else { return nil }
    let names = (address.fragment ?? "").split(separator: "&").filter {
      $0.hasPrefix("query=") || $0.hasPrefix("everywhere=")
    }
    return WebAddress("https://mediathekviewweb.de/feed" + (names.isEmpty ? "" : "?" + names.joined(separator: "&")))
  }
}
