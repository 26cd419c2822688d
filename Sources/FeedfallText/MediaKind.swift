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
  static func of(mimeType type: String, at address: WebAddress) -> MediaKind? {
    if isStreamType(type) { return .stream }
    if type.hasPrefix("video/") || type.hasPrefix("application/x-ms-wm") || type.hasPrefix("application/mp4") {
      return .video
    }
    switch type {
    case "video", "mp4", "application/vnd.rn-realmedia", "application/x-matroska", "application/ogg": return .video
    case "audio", "mp3": return .audio
    case "application/x-shockwave-flash", "application/futuresplash":
      // Flash programs are obsolete, but the pages of some players still have this type.
      return FileExtension.of(address.path) == "swf" ? .unusable : .player
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
    guard let kind = FileExtension.kinds[FileExtension.of(address.path)] else { return nil }
    self = kind
  }

  /// By MIME type, in lower case and without parameters, then file extension, then medium: PeerTube sends `audio/mp4`
  /// with `medium="video"`.
  package init(type: String?, medium: String? = nil, address: MediaAddress) {
    let known: MediaKind? =
      switch address {
      case .web(let address): type.flatMap { Self.of(mimeType: $0, at: address) } ?? MediaKind(pathOf: address)
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
    (.unusable, "7z css dmg doc docx epub exe gz iso js json pdf ppt rar srt swf torrent txt vtt xml zip"),
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
    let name = of(address.path)
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

/// Recognizes media files by their first bytes.
package enum MediaStart {
  /// The count of bytes that are needed: two frames of most sounds, which have no other mark.
  package static let byteCount = 4_096

  private typealias Mark = (offset: Int, bytes: [UInt8])

  /// The marks of each format, all of which it has.
  private static let formats: [[Mark]] =
    [
      [(4, "ftyp")], [(4, "moov")], [(4, "mdat")], [(4, "wide")], [(0, "OggS")], [(0, "FLV\u{1}")], [(0, "ID3")],
      [(0, "fLaC")], [(8, "AVI ")], [(8, "WAVE")], [(0, "FORM"), (8, "AIF")], [(0, "caff\0\u{1}")], [(0, ".snd\0\0")],
      [(0, "wvpk")], [(0, "TTA1\u{1}\0")], [(0, "MAC "), (5, "\u{F}")], [(0, "#!AMR")], [(0, ".RMF\0\0")],
      [(0, "nut/multimedia container\0")], [(0, "DKIF\0\0")], [(0, "YUV4MPEG2 ")],
    ].map { $0.map { ($0, Array($1.utf8)) } } + [
      [(0, [0x1A, 0x45, 0xDF, 0xA3])], [(0, [0x00, 0x00, 0x01, 0xBA])], [(0, [0x00, 0x00, 0x01, 0xB3])],
      [(0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])], [(0, [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01])],
      [(0, [0xB7, 0xD8, 0x00, 0x20, 0x37, 0x49, 0xDA, 0x11])], [(0, Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11])],
      [(0, [0x2E, 0x72, 0x61, 0xFD])], [(0, [0x7F, 0xFE, 0x80, 0x01])], [(0, [0xFE, 0x7F, 0x01, 0x80])],
      [(0, [0x1F, 0xFF, 0xE8, 0x00])],
      [(0, [0xFF, 0x1F, 0x00, 0xE8])],
    ]

  /// Whether the bytes are those of a medium, or the name is and the bytes are not those of a text. `start` holds the
  /// first `byteCount` bytes, or all of a shorter file; the extension is in lower case.
  package static func isMedium(_ start: [UInt8], fileExtension: String) -> Bool {
    isMedium(start) || FileExtension.isMedia(fileExtension) && !isText(start)
  }

  package static func isMedium(_ start: [UInt8]) -> Bool {
    formats.contains { $0.allSatisfy { start.dropFirst($0.offset).starts(with: $0.bytes) } }
      || isTransportStream(start) || SoundFrame.isFollowed(in: start)
  }

  /// The sizes of the packets of a transport stream with the places of the byte with which all begin; cameras write
  /// four bytes before each.
  private static let packets = [(first: 0, size: 188), (first: 4, size: 192), (first: 0, size: 204)]

  /// Texts such as playlists may have the byte in both places, too: it is the letter G.
  private static func isTransportStream(_ start: [UInt8]) -> Bool {
    packets.contains { start[safe: $0.first] == 0x47 && start[safe: $0.first + $0.size] == 0x47 } && !isUnicode(start)
  }

  /// Whether the bytes are those of a text in UTF-8, whose last character may be cut off.
  private static func isUnicode(_ start: [UInt8]) -> Bool {
    let end = start.lastIndex { $0 < 0x80 } ?? 0
    return isText(start) && String(validating: start[..<end], as: UTF8.self) != nil
  }

  /// Whether the bytes are those of a text in ASCII or a superset of it; true for none.
  private static func isText(_ start: [UInt8]) -> Bool {
    start.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x08...0x0D).contains($0) || $0 == 0x1B }
  }

  /// The header of a frame of MPEG audio, AAC (ADTS) or AC-3. It has few fixed bits, so that it only counts with
  /// another one where the frame ends.
  private enum SoundFrame {
    private enum Format: Equatable {
      case mpeg(layer: Int)
      case adts, ac3
    }

    /// `length` is in bytes.
    private typealias Header = (format: Format, length: Int)

    static func isFollowed(in start: [UInt8]) -> Bool {
      guard let first = header(start[...]), first.length < start.count, let second = header(start[first.length...])
      else { return false }
      return first.format == second.format
    }

    private static func header(_ bytes: ArraySlice<UInt8>) -> Header? {
      let head = Array(bytes.prefix(6))
      guard head.count == 6 else { return nil }
      var found: Header?
      if head[0] == 0x0B, head[1] == 0x77 { found = ac3(head) }
      if head[0] == 0xFF, head[1] & 0xE0 == 0xE0 { found = head[1] & 0xF6 == 0xF0 ? adts(head) : mpeg(head) }
      return found.flatMap { $0.length >= head.count ? $0 : nil }
    }

    /// ISO 13818-7, 6.2.
    private static func adts(_ head: [UInt8]) -> Header? {
      guard head[2] >> 2 & 0xF < 13 else { return nil }
      return (.adts, Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5))
    }

    private static let bitRates: [[Int]] = [
      [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
      [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
      [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    private static let lowBitRates: [[Int]] = [
      [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
      [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
      [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    /// ISO 11172-3, 2.4.1.3, and its extensions to lower sampling rates: MPEG-2 and MPEG-2.5.
    private static func mpeg(_ head: [UInt8]) -> Header? {
      let (version, layer, rate) = (head[1] >> 3 & 3, 4 - Int(head[1] >> 1 & 3), Int(head[2] >> 2 & 3))
      let (isFull, bitRate) = (version == 3, Int(head[2] >> 4) - 1)
      guard version != 1, layer != 4, rate != 3, (0..<14).contains(bitRate) else { return nil }
      let sampleRate = [44_100, 48_000, 32_000][rate] / (isFull ? 1 : version == 2 ? 2 : 4)
      let bits = (isFull ? bitRates : lowBitRates)[layer - 1][bitRate] * 1_000
      let padding = Int(head[2] >> 1 & 1)
      if layer == 1 { return (.mpeg(layer: 1), (12 * bits / sampleRate + padding) * 4) }
      return (.mpeg(layer: layer), (layer == 3 && !isFull ? 72 : 144) * bits / sampleRate + padding)
    }

    private static let ac3BitRates = [
      32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
    ]

    /// ETSI TS 102 366, 4.4.1 and annex E.
    private static func ac3(_ head: [UInt8]) -> Header? {
      let (identity, rate, code) = (head[5] >> 3, head[4] >> 6, Int(head[4] & 0x3F))
      guard identity <= 16 else { return nil }
      if identity > 10 { return (.ac3, (Int(head[2] & 7) << 8 | Int(head[3]) + 1) * 2) }
      guard rate != 3, code < 2 * ac3BitRates.count else { return nil }
      let bitRate = ac3BitRates[code / 2]
      return switch rate {
      case 0: (.ac3, bitRate * 4)
      case 1: (.ac3, (bitRate * 320 / 147 + code % 2) * 2)
      default: (.ac3, bitRate * 6)
      }
    }
  }
}
