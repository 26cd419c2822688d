import FeedfallText
import FeedfallWeb

/// The extension of a downloaded file: one that its first bytes permit, as the server names it.
enum DownloadExtension {
  static let startByteCount = 256

  /// - Parameter declared: the extensions that the server and the addresses name, the best first.
  static func of(start: [UInt8], declared: [String]) -> String {
    if let permitted = MediaContainer.extensions(of: start) {
      return declared.first(where: permitted.contains) ?? permitted[0]
    }
    return declared.first ?? MediaContainer.guess(start) ?? "mp4"
  }

  static func declared(by head: FileHead) -> [String] {
    let names = ContentDisposition.names(in: head.headers["content-disposition"] ?? "")
    return names.compactMap(ofMedia) + declared(contentType: head.headers["content-type"] ?? "", head.address)
  }

  static func declared(contentType: String, _ address: WebAddress) -> [String] {
    [FileExtension.ofMedia(mimeType: contentType), FileExtension.ofMedia(at: address)].compactMap(\.self)
      + address.queryItems.compactMap { ofMedia($0.value) }
  }

  /// The extension of a name if it is that of a video or a sound. Other characters may follow it.
  static func ofMedia(_ name: String) -> String? {
    func isPart(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit }
    let bytes = name.utf8
    guard let last = bytes.lastIndex(where: isPart),
      let dot = bytes[...last].lastIndex(of: UInt8(ascii: "."))
    else { return nil }
    let text = String(decoding: bytes[bytes.index(after: dot)...].prefix(while: isPart), as: UTF8.self).lowercased()
    return FileExtension.isMedia(text) ? text : nil
  }

  /// The names of a file in a Content-Disposition header (RFC 6266).
  enum ContentDisposition {
    private static let maximumByteCount = 8 << 10

    /// Returns the names, an extended one (RFC 8187) first. Quotes may be missing, and names may be encoded as in mail.
    static func names(in header: String) -> [String] {
      var (extended, plain, pieces) = ([String](), [String](), "")
      for (name, value) in parameters(header.utf8.prefix(maximumByteCount)) {
        switch name {
        case "filename*": extended.append(decoded(extended: value))
        case "filename": plain.append(decoded(value))
        // The pieces of a long name (RFC 2231, 3).
        case _ where name.hasPrefix("filename*"): pieces += name.hasSuffix("*") ? decoded(extended: value) : value
        default: break
        }
      }
      return extended + (pieces.isEmpty ? [] : [pieces]) + plain
    }

    private static func parameters(_ header: Substring.UTF8View) -> [(name: String, value: String)] {
      var parameters: [(String, String)] = []
      var (bytes, isQuoted) = ([UInt8](), false)
      func text(_ part: ArraySlice<UInt8>) -> String {
        String(decoding: Array(part).trimmingBlanks(), as: UTF8.self)
      }
      func end() {
        let name = bytes.prefix { $0 != UInt8(ascii: "=") }
        parameters.append((text(name).lowercased(), text(bytes.dropFirst(name.count + 1))))
        bytes = []
      }
      for byte in header {
        switch byte {
        case .quote where isQuoted && bytes.last == UInt8(ascii: "\\"): bytes[bytes.count - 1] = byte
        case .quote: isQuoted.toggle()
        case UInt8(ascii: ";") where !isQuoted: end()
        default: bytes.append(byte)
        }
      }
      end()
      return parameters
    }

    /// Decodes `UTF-8'en'name`, in which only the name matters.
    private static func decoded(extended value: String) -> String {
      let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
      return PercentCoding.decode((parts.count == 3 ? parts[2] : value[...]).utf8, plusIsBlank: false)
    }

    /// Decodes what browsers decode although the name has no encoding: percent codes and the words of mail (RFC 2047).
    private static func decoded(_ value: String) -> String {
      let parts = value.split(separator: "?", omittingEmptySubsequences: false)
      if parts.count == 5, parts[0] == "=", parts[2].lowercased() == "b", let bytes = Base64.decode(String(parts[3])) {
        return String(decoding: bytes, as: UTF8.self)
      }
      return PercentCoding.decode(value.utf8, plusIsBlank: false)
    }
  }

  private enum MediaContainer {
    /// Where a file has these bytes, it may have these extensions, the usual one first.
    private static let rows: [(offset: Int, mark: [UInt8], extensions: String)] = [
      (0, Array("FLV\u{1}".utf8), "flv"), (0, Array("fLaC".utf8), "flac"),
      (8, Array("AVI ".utf8), "avi divx"), (8, Array("WAVE".utf8), "wav"), (8, Array("AIF".utf8), "aiff aif"),
      (0, [0x00, 0x00, 0x01, 0xBA], "mpg mpeg vob"), (0, [0x00, 0x00, 0x01, 0xB3], "mpg mpeg m2v"),
      (0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "wmv wma asf"),
      (0, [0x06, 0x0E, 0x2B, 0x34], "mxf"), (0, Array(".RMF".utf8), "rm rmvb ra"), (0, Array("MThd".utf8), "mid"),
      (0, Array("ID3".utf8), "mp3 aac flac aiff aif"),
    ]
    private static let brands = [
      "M4A ": "m4a", "M4B ": "m4b", "M4V ": "m4v", "qt  ": "mov", "F4V ": "f4v", "3gp": "3gp", "3g2": "3g2",
    ]

    static func extensions(of start: [UInt8]) -> [String]? {
      func has(_ text: String, at offset: Int) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
      if has("ftyp", at: 4) {
        let brand = brands.first { has($0.key, at: 8) }?.value
        return [brand ?? "mp4", "mp4", "m4v", "m4a", "m4b", "mov", "qt", "3gp", "3g2", "f4v"]
      }
      if ["moov", "mdat", "wide"].contains(where: { has($0, at: 4) }) { return ["mov", "mp4", "m4v", "m4a", "qt"] }
      if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
        return start.contains(sequence: "webm".utf8) ? ["webm", "weba", "mkv"] : ["mkv", "mka"]
      }
      if has("OggS", at: 0) { return ogg(start) }
      if start.first == 0x47, start[safe: 188] == 0x47 { return ["ts", "mts", "m2ts"] }
      if start[safe: 4] == 0x47, start[safe: 196] == 0x47 { return ["m2ts", "mts", "ts"] }
      let row = rows.first { start.dropFirst($0.offset).starts(with: $0.mark) }
      return row?.extensions.split(separator: " ").map(String.init)
    }

    private static func ogg(_ start: [UInt8]) -> [String] {
      if start.contains(sequence: "OpusHead".utf8) { return ["opus", "ogg", "oga"] }
      if start.contains(sequence: "Speex".utf8) { return ["spx", "ogg", "oga"] }
      let hasPicture = start.contains(sequence: "theora".utf8) || start.contains(sequence: "fishead".utf8)
      return hasPicture ? ["ogv", "ogg", "ogm"] : ["ogg", "oga", "opus", "ogv", "ogm", "spx"]
    }

    /// The usual extension for a start that some other files have as well.
    static func guess(_ start: [UInt8]) -> String? {
      guard let second = start[safe: 1] else { return nil }
      if start[0] == 0x0B, second == 0x77 { return "ac3" }
      // The header of a frame; the bits of its layer tell AAC from MP3.
      guard start[0] == 0xFF, second & 0xE0 == 0xE0 else { return nil }
      return second & 0xF6 == 0xF0 ? "aac" : second & 0x06 == 0x02 ? "mp3" : nil
    }
  }
}
