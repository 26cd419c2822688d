import FeedfallText

/// What MIME types and the endings of addresses say of a medium.
enum MediaTypes {
  /// Nil where the type leaves it open.
  static func kind(ofType type: String, url: WebAddress) -> MediaOffer.Kind? {
    if type.has("mpegurl") || type == "application/dash+xml" { return .stream }
    if type.hasPrefix("video/") || type.hasPrefix("application/x-ms-wm") || type.hasPrefix("application/mp4") {
      return .video
    }
    switch type {
    case "video", "mp4", "application/vnd.rn-realmedia", "application/x-matroska", "application/ogg": return .video
    case "audio", "mp3": return .audio
    case "application/x-shockwave-flash", "application/futuresplash":
      // A Flash program is dead; a site's player that was called one lives on under the same address.
      return pathEnding(url) == "swf" ? .unusable : .player
    case "text/html", "application/xhtml+xml": return .player
    case "application/octet-stream", "binary/octet-stream", "application/binary", "application/force-download",
      "application/unknown", "unknown/unknown", "application/x-download":
      return nil
    case "application/x-bittorrent": return .unusable
    default: break
    }
    if type.hasPrefix("image/") { return .picture }
    if type.hasPrefix("text/") { return .unusable }
    // As in `x-audio/mp3`.
    if type.has("audio") { return .audio }
    return type.has("video") ? .video : nil
  }

  /// Nil where the address has no ending that is known.
  static func kind(ofPath url: WebAddress) -> MediaOffer.Kind? {
    switch pathEnding(url) {
    case "m3u8", "mpd": .stream
    case "mp4", "m4v", "webm", "mkv", "mov", "avi", "ogv", "mpg", "mpeg", "flv", "wmv", "asf", "3gp", "3g2", "ts",
      "m2ts", "mts", "vob", "rm", "rmvb", "divx", "qt", "f4v":
      .video
    case "mp3", "m4a", "m4b", "aac", "ogg", "oga", "opus", "flac", "wav", "wma", "aif", "aiff", "mka", "weba", "mid",
      "ra", "ac3", "spx":
      .audio
    case "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "bmp", "heic", "ico", "tif", "tiff": .picture
    case "torrent", "zip", "pdf", "swf", "exe", "gz", "srt", "vtt", "txt", "epub", "json", "xml", "doc", "docx", "ppt",
      "rar", "7z", "dmg", "iso", "js", "css":
      .unusable
    default: nil
    }
  }

  /// What follows the path's last dot, in lower case.
  private static func pathEnding(_ url: WebAddress) -> String {
    let path = url.path.utf8.suffix(8)
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: path[path.index(after: dot)...].map(\.lowercased), as: UTF8.self)
  }
}

extension String {
  /// Whether these bytes stand in it; without what looking for characters takes.
  fileprivate func has(_ part: String) -> Bool { Array(utf8).contains(sequence: part.utf8) }
}
