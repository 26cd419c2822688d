/// The kind of a medium, recognized by its MIME type or its file extension.
package enum MediaKind: Equatable, Sendable {
  /// A playlist of segments, which often has several heights.
  case stream
  case video
  case audio
  case picture
  /// A page or a program that plays the medium itself.
  case player
  case unknown
  /// A torrent, a text, a program.
  case unusable

  /// Returns nil if the MIME type, in lower case and without parameters, does not determine the kind.
  package init?(mimeType type: String, address: WebAddress) {
    guard let kind = Self.kind(type, address) else { return nil }
    self = kind
  }

  private static func kind(_ type: String, _ address: WebAddress) -> MediaKind? {
    if isStreamType(type) { return .stream }
    if type.hasPrefix("video/") || type.hasPrefix("application/x-ms-wm") || type.hasPrefix("application/mp4") {
      return .video
    }
    switch type {
    case "video", "mp4", "application/vnd.rn-realmedia", "application/x-matroska", "application/ogg": return .video
    case "audio", "mp3": return .audio
    case "application/x-shockwave-flash", "application/futuresplash":
      // Flash programs are obsolete, but the pages of some players still have this type.
      return FileExtension.of(path: address) == "swf" ? .unusable : .player
    case "text/html", "application/xhtml+xml": return .player
    case "application/x-bittorrent": return .unusable
    default: break
    }
    if type.hasPrefix("image/") { return .picture }
    if type.hasPrefix("text/") { return .unusable }
    // Such as `x-audio/mp3`.
    if type.containsASCII("audio") { return .audio }
    return type.containsASCII("video") ? .video : nil
  }

  private static let generalTypes: Set<String> = [
    "application/octet-stream", "binary/octet-stream", "application/binary", "application/force-download",
    "application/unknown", "unknown/unknown", "application/x-download",
  ]

  package static func isStreamType(_ type: String) -> Bool {
    type.containsASCII("mpegurl") || type == "application/dash+xml"
  }

  package init?(pathOf address: WebAddress) {
    guard let kind = FileExtension.kinds[FileExtension.of(path: address)] else { return nil }
    self = kind
  }

  /// By MIME type, in lower case and without parameters, then file extension, then medium: PeerTube sends `audio/mp4`
  /// with `medium="video"`.
  package init(type: String?, medium: String? = nil, address: MediaAddress) {
    let known: MediaKind? =
      switch address {
      case .web(let address): type.flatMap { MediaKind(mimeType: $0, address: address) } ?? MediaKind(pathOf: address)
      case .file(let file): FileExtension.kinds[FileExtension.of(file.name)]
      case .stream: type?.hasPrefix("audio") == true ? .audio : .video
      case .frame: .picture
      }
    if let known {
      self = known
      return
    }
    switch medium {
    case "video": self = .video
    case "audio": self = .audio
    case "image": self = .picture
    case "document", "executable": self = .unusable
    default: self = type.map(Self.generalTypes.contains) == false ? .unusable : .unknown
    }
  }
}

/// The file extensions of media and of documents that list media, in lower case.
package enum FileExtension {
  private static let rows: [(kind: MediaKind, extensions: String)] = [
    (.stream, "m3u8 mpd"),
    (
      .video,
      "264 265 3g2 3gp asf avi divx dv f4v flv h264 h265 hevc ivf m1v m2ts m2v m4v mjpeg mjpg mk3d mkv mov mp4 mpe mpeg mpg mts mxf nut obu ogm ogv qt rm rmvb ts vob webm wmv wtv y4m"
    ),
    (
      .audio,
      "aac ac3 aif aifc aiff amr ape caf dts eac3 flac m4a m4b mid mka mp2 mp3 oga ogg opus ra spx tta w64 wav weba wma wv"
    ),
    (.picture, "avif bmp gif heic ico jpeg jpg png svg tif tiff webp"),
    (
      .unusable,
      "7z css dmg doc docx epub exe gz iso js json pdf ppt rar srt swf torrent txt vtt xml zip"
    ),
  ]
  private static let documents: Set<String> = [
    "asx", "atom", "gz", "html", "json", "jsonl", "m3u", "m3u8", "ndjson", "opml", "pls", "rss", "strm", "txt", "xml",
    "xspf",
  ]
  private static let lists: Set<String> = ["asx", "atom", "m3u", "opml", "pls", "rss", "xspf"]
  /// In a folder these are mostly TypeScript.
  private static let ambiguousInFolders: Set<String> = ["mts", "ts"]

  fileprivate static let kinds = [String: MediaKind](
    uniqueKeysWithValues: rows.flatMap { row in
      row.extensions.split(separator: " ").map { (String($0), row.kind) }
    })

  package static func isMedia(_ fileExtension: String) -> Bool {
    kinds[fileExtension] == .video || kinds[fileExtension] == .audio
  }

  /// Whether a file with this extension is a list of videos; nil if only its content shows that.
  package static func isList(_ fileExtension: String) -> Bool? {
    fileExtension == "m3u8" ? nil : lists.contains(fileExtension)
  }

  package static func isMediaName(_ name: String) -> Bool { isMedia(of(name)) }

  package static func ofMedia(mimeType: String) -> String? {
    let subtypes = [
      "mp4": "mp4", "webm": "webm", "ogg": "ogv", "x-matroska": "mkv", "quicktime": "mov", "x-flv": "flv",
      "mpeg": "mpg", "x-msvideo": "avi", "3gpp": "3gp", "x-ms-wmv": "wmv", "x-m4v": "m4v", "mp2t": "ts",
    ]
    let sounds = [
      "mpeg": "mp3", "mp4": "m4a", "x-m4a": "m4a", "ogg": "ogg", "flac": "flac", "wav": "wav", "aac": "aac",
      "mp3": "mp3", "x-mp3": "mp3", "x-wav": "wav", "opus": "opus", "webm": "weba", "x-matroska": "mka",
    ]
    let parts = mimeType.prefix { $0 != ";" }.lowercased().split(separator: "/").map(String.init)
    guard parts.count == 2 else { return nil }
    return parts[0] == "video" ? subtypes[parts[1]] : parts[0] == "audio" ? sounds[parts[1]] : nil
  }

  package static func ofMedia(at address: WebAddress) -> String? {
    let name = of(path: address)
    return isMedia(name) ? name : nil
  }

  /// Whether a file in a folder with this extension is a video; nil if only its content shows that.
  package static func isVideo(inFolder fileExtension: String) -> Bool? {
    ambiguousInFolders.contains(fileExtension) ? nil : kinds[fileExtension] == .video
  }

  /// Whether a word such as `videos.m3u` or `film.mp4` is the name of a file rather than of a host.
  package static func isDocumentName(_ text: String) -> Bool {
    guard !text.contains("/"), !text.contains(":"), let dot = text.lastIndex(of: ".") else { return false }
    let name = text[text.index(after: dot)...].lowercased()
    if documents.contains(name) { return true }
    // `.mov` is also the end of host names.
    return name != "mov" && [.video, .audio, .stream].contains(kinds[name])
  }

  /// The extension of the last 7 bytes of a path, in lower case; may be empty.
  fileprivate static func of(path address: WebAddress) -> String { of(address.path) }

  fileprivate static func of(_ path: String) -> String {
    let path = path.utf8.suffix(8)
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return "" }
    return String(decoding: path[path.index(after: dot)...].map(\.lowercased), as: UTF8.self)
  }
}

extension String {
  /// Compares bytes, which is faster than comparing characters.
  fileprivate func containsASCII(_ part: String) -> Bool { Array(utf8).contains(sequence: part.utf8) }
}
