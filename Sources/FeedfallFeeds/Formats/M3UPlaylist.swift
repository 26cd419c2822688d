import FeedfallText

/// An M3U playlist: an address per line, and tags about it in the preceding lines.
///
/// Entries whose address has an unsupported scheme are counted. Lists of channels have attributes in `#EXTINF`. Unknown
/// tags are ignored. A playlist of the segments of a stream (RFC 8216) is one video, played from the playlist's
/// address.
struct M3UPlaylist: FeedFormat {
  let kind = FeedKind.playlist
  private let bytes: [UInt8]
  private let address: MediaAddress?
  private var position: Int
  private var shared = SharedTexts()
  private var pending = Pending()
  private let isStream: Bool
  private var hasGivenStream = false
  private(set) var header = FeedHeader()
  private(set) var skipped = SkippedEntries()

  private struct Pending {
    var information: Information?
    var group: String?
    var artist: String?
    var album: String?
    var cover: String?
    var userAgent: String?
    var referrer: String?
  }

  /// The group of all following entries. A group that is named before an entry is not replaced by one within an entry.
  private var group: String?
  private var groupIsForAll = false

  static func matches(start: ArraySlice<UInt8>) -> Bool {
    guard let name = tag(start)?.name else { return false }
    return name == "extm3u" || name == "extinf" || name.hasPrefix("ext-x-")
  }

  init(_ bytes: [UInt8], address: MediaAddress?) {
    (self.bytes, self.address) = (bytes, address)
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    isStream = Self.isStream(bytes)
  }

  /// Whether its structure is that of a stream (RFC 8216, 4.3): a media playlist states the longest duration and has
  /// plain durations, a master playlist has variants and no durations. A list of channels may have any of these tags,
  /// but its entries are often playlists or have tags of players.
  fileprivate static func isStream(_ bytes: [UInt8]) -> Bool {
    let start = Array(bytes.prefix(maximumTagByteCount))
    guard start.firstIndex(of: "#ext-x-", from: 0) != nil else { return false }
    var (hasTarget, hasVariants, hasDurations) = (false, false, false)
    for line in start.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = line.drop { $0 <= 0x20 }
      guard let (name, text) = tag(line) else {
        // A segment is not a playlist.
        if hasDurations, line.prefix(while: { $0 != UInt8(ascii: "?") }).suffix(5).elementsEqual(".m3u8".utf8) {
          return false
        }
        continue
      }
      switch name {
      case "extinf":
        guard Information.isOfSegment(text) else { return false }
        hasDurations = true
      case "extgrp", "extvlcopt", "kodiprop", "playlist": return false
      case "ext-x-targetduration": hasTarget = true
      case "ext-x-stream-inf": hasVariants = true
      default: continue
      }
    }
    return hasTarget || hasVariants && !hasDurations
  }

  private static let maximumTagByteCount = 65_536

  /// The name of a tag in lower case, such as `extinf` of `#EXTINF:` or `# EXTINF `, and the text after it and the colon;
  /// nil if the line is not a tag.
  private static func tag(_ line: ArraySlice<UInt8>) -> (name: String, text: ArraySlice<UInt8>)? {
    guard line.first == UInt8(ascii: "#") else { return nil }
    let tag = line.dropFirst().drop { $0 == .space }
    let name = tag.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    let rest = tag[name.endIndex...].drop { $0 == .space }
    let text = rest.first == .colon ? rest.dropFirst() : rest
    return (String(decoding: name.prefix(32), as: UTF8.self).lowercased(), text)
  }

  mutating func next() -> Video? {
    if isStream { return stream() }
    while let line = nextLine() {
      if let (name, text) = Self.tag(line) {
        parseTag(name, text)
      } else if let url = MediaAddress(
        medium: String(decoding: adoptHeaders(of: line), as: UTF8.self), in: address, .path)
      {
        defer { pending = Pending() }
        return video(url)
      } else {
        skipped.insert(String(decoding: line.prefix(64), as: UTF8.self))
        pending = Pending()
      }
    }
    return nil
  }

  private mutating func stream() -> Video? {
    guard !hasGivenStream, let address, !isInPipe else { return nil }
    hasGivenStream = true
    return Video(
      id: address.text, title: address.name ?? Video.untitled,
      playback: .direct([MediaFile(url: address, mimeType: "application/vnd.apple.mpegurl")]))
  }

  /// Whether the document has no address, or only that of the folder for its relative paths.
  private var isInPipe: Bool { address == nil || address?.file?.path.last == .slash }

  func failure(after count: Int) -> FeedFailure? { isStream && isInPipe ? .streamInPipe : nil }

  private mutating func nextLine() -> ArraySlice<UInt8>? {
    while position < bytes.count {
      let end = bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      var line = bytes[position..<end].drop { $0 <= 0x20 }
      while let last = line.last, last <= 0x20 { line.removeLast() }
      position = end + 1
      if !line.isEmpty { return line }
    }
    return nil
  }

  private mutating func parseTag(_ name: String, _ text: ArraySlice<UInt8>) {
    var value: String? { cleanedLine(String(decoding: text, as: UTF8.self), limit: 200).nonEmpty }
    switch name {
    case "extinf": pending.information = Information(text)
    case "extgrp": adoptGroup(value)
    case "extvlcopt", "kodiprop": parseOption(text)
    case "playlist": header.title = value
    case "extart": pending.artist = value
    case "extalb": pending.album = value
    case "extimg", "extalbumarturl": pending.cover = value
    default: break
    }
  }

  private mutating func adoptGroup(_ name: String?) {
    let isForAll = pending.information == nil
    if groupIsForAll, !isForAll {
      pending.group = name
    } else {
      (group, groupIsForAll) = (name, isForAll && name != nil)
    }
  }

  /// Parses an option of VLC, such as `http-user-agent=Name`, or a property of Kodi, such as
  /// `inputstream.adaptive.stream_headers=User-Agent=Name&Referer=…`.
  private mutating func parseOption(_ option: ArraySlice<UInt8>) {
    let name = Array(option.prefix { $0 != UInt8(ascii: "=") }).trimmingBlanks().map(\.lowercased)
    let value = option.drop { $0 != UInt8(ascii: "=") }.dropFirst()
    if name.reversed().starts(with: "_headers".utf8.reversed()) {
      adoptHeaders(listed: value)
    } else {
      let text = String(decoding: Array(value).trimmingBlanks(), as: UTF8.self)
      setHeader(String(decoding: name, as: UTF8.self), to: text)
    }
  }

  private mutating func setHeader(_ name: String, to value: String) {
    switch name {
    case "http-user-agent", "user-agent": pending.userAgent = value
    case "http-referrer", "http-referer", "referer", "referrer": pending.referrer = value
    default: break
    }
  }

  /// Adopts the headers of Kodi's `address|User-Agent=Name&Referer=…`, and returns the address before them.
  private mutating func adoptHeaders(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let bar = line.firstIndex(of: UInt8(ascii: "|")), line[bar...].contains(UInt8(ascii: "=")),
      Array(line[..<bar]).contains(sequence: "://".utf8)
    else { return line }
    adoptHeaders(listed: line[(bar + 1)...])
    return line[..<bar]
  }

  /// Adopts the headers of `User-Agent=Name&Referer=…`.
  private mutating func adoptHeaders(listed text: ArraySlice<UInt8>) {
    for item in text.split(whereSeparator: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "|") }) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      setHeader(
        String(decoding: name.map(\.lowercased), as: UTF8.self),
        to: PercentCoding.decode(item.dropFirst(name.count + 1), plusIsBlank: false))
    }
  }

  private mutating func video(_ url: MediaAddress) -> Video {
    let information = pending.information
    let name = information?.title ?? information?["tvg-name"].map { cleanedLine($0) }.nonEmpty
    var file = MediaFile(url: url)
    file.headers = RequestHeaders(userAgent: pending.userAgent, referrer: pending.referrer)
    var video = Video(id: url.text, title: name ?? url.name ?? url.text, playback: .direct([file]))
    video.duration = information?.duration
    let logo = information?["tvg-logo"] ?? information?["logo"] ?? pending.cover
    if let cover = logo.flatMap({ MediaAddress(reference: $0, in: address) }) { video.covers = [Cover(url: cover)] }
    video.author = shared.shared(pending.artist)
    video.channel = shared.shared(pending.album)
    let named = information?["group-title"].map { cleanedLine($0, limit: 200) }.nonEmpty
    video.group = shared.shared(named ?? pending.group ?? group)
    return video
  }

  /// Whether the address or the content type of a document says that it is a playlist of this format.
  static func isNamed(by address: MediaAddress?, contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" }.lowercased()
    if type.hasSuffix("mpegurl") || type.hasSuffix("uri-list") { return true }
    let name = address?.name?.lowercased() ?? ""
    return name.hasSuffix(".m3u") || name.hasSuffix(".m3u8")
  }

  /// In bytes, to recognize a list without its first line.
  static let sampleByteCount = 4_096
  private static let sampleLineCount = 20

  private static let tags: Set<String> = [
    "extm3u", "extinf", "extgrp", "extvlcopt", "extenc", "extimg", "extart", "extalb", "extgenre", "playlist",
    "kodiprop",
  ]

  /// Whether a text without `#EXTM3U` is a list: one of its first lines is a tag, or each is an address. If it
  /// `isNamed` a playlist, they may also be paths.
  static func isList(_ bytes: [UInt8], isNamed: Bool) -> Bool {
    var sample = bytes.prefix(sampleByteCount).drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    // The last line of the sample may be cut.
    if bytes.count > sampleByteCount, let end = sample.lastIndex(of: 0x0A) { sample = sample[..<end] }
    let lines = sample.split(maxSplits: 2 * sampleLineCount, whereSeparator: { $0 == 0x0A || $0 == 0x0D })
      .prefix(sampleLineCount).map { Array($0).trimmingBlanks() }.filter { !$0.isEmpty }
    if lines.contains(where: { (tag($0[...])?.name).map { tags.contains($0) || $0.hasPrefix("ext-x-") } ?? false }) {
      return true
    }
    let entries = lines.filter { $0.first != UInt8(ascii: "#") }
    return !entries.isEmpty && entries.allSatisfy { isAddress($0) || isNamed && isPath($0) }
  }

  private static func isAddress(_ line: [UInt8]) -> Bool {
    let scheme = line.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "+") }
    return (2...12).contains(scheme.count) && line[scheme.count...].starts(with: "://".utf8) && !line.contains(.space)
  }

  private static func isPath(_ line: [UInt8]) -> Bool {
    if line.contains(.slash) || line.contains(.backslash) { return true }
    let end = line.reversed().prefix { $0.isASCIILetter || $0.isASCIIDigit }
    return (2...5).contains(end.count) && line.count > end.count + 1
      && line[line.count - end.count - 1] == UInt8(ascii: ".")
  }

  /// The facts that `#EXTINF` states about an entry of an M3U playlist, in the syntax of IPTV lists:
  ///
  ///     information = [length] [","] *(name "=" value) [","] title
  ///
  /// A value is bare or in double or single quotes, which it may also contain. It ends before the next attribute, a
  /// comma or the end of the line. Attributes after a comma are quoted and followed by another comma; otherwise they
  /// are the title.
  struct Information {
    private(set) var duration: VideoDuration?
    private(set) var title: String?
    private var attributes: [(name: String, value: String)] = []

    private static let maximumAttributeCount = 64

    init(_ text: ArraySlice<UInt8>) {
      var scanner = Scanner(text)
      duration = scanner.length()
      let hasComma = scanner.consumeComma()
      let start = scanner
      while attributes.count < Self.maximumAttributeCount, let (name, value) = scanner.attribute(isQuoted: hasComma) {
        attributes.append((String(decoding: name, as: UTF8.self).lowercased(), XMLText.decoded(value)))
      }
      if hasComma, !attributes.isEmpty, !scanner.consumeComma() {
        (scanner, attributes) = (start, [])
      } else if !hasComma {
        scanner.skipToTitle()
      }
      // In `-1,,Title` the artist is missing.
      if hasComma, attributes.isEmpty { _ = scanner.consumeComma() }
      title = cleanedLine(String(decoding: scanner.rest, as: UTF8.self)).nonEmpty
    }

    /// The value of an attribute, by its name in lower case; nil if it is empty.
    subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value.nonEmpty }

    /// Whether this describes a segment of a stream: it has a decimal number and no attributes.
    static func isOfSegment(_ text: ArraySlice<UInt8>) -> Bool {
      let number = Array(text.prefix { $0 != .comma }).trimmingBlanks()
      return !number.isEmpty && number.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    }

    private struct Scanner {
      private let bytes: ArraySlice<UInt8>
      private var index: Int

      private static let maximumNameByteCount = 64

      init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
      }

      var rest: ArraySlice<UInt8> { bytes[index...] }

      /// Reads `-1`, `61.5` or `1:02:03`; nil if it is missing or not positive.
      mutating func length() -> VideoDuration? {
        skipBlanks()
        let number = rest.prefix {
          $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == .colon || $0 == UInt8(ascii: "-")
            || $0 == UInt8(ascii: "+")
        }
        index += number.count
        return VideoDuration(feedText: String(decoding: number, as: UTF8.self))
      }

      mutating func consumeComma() -> Bool {
        var place = index
        skipBlanks(&place)
        guard place < bytes.endIndex, bytes[place] == .comma else { return false }
        index = place + 1
        return true
      }

      /// Reads `name="value"`, `name='value'` or, unless `isQuoted`, `name=value`.
      mutating func attribute(isQuoted: Bool) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        var place = index
        skipBlanks(&place)
        guard let start = startOfValue(from: place) else { return nil }
        let name = bytes[place...].prefix(while: Self.isOfName)
        guard start < bytes.endIndex, bytes[start] == .quote || bytes[start] == UInt8(ascii: "'") else {
          guard !isQuoted else { return nil }
          let end = endOfBareValue(from: start)
          index = end
          return (name, bytes[start..<end])
        }
        if let end = endOfQuotedValue(from: start + 1, quote: bytes[start]) {
          index = end + 1
          return (name, bytes[(start + 1)..<end])
        }
        let end = bytes[start...].firstIndex(of: .comma) ?? bytes.endIndex
        index = end
        return (name, bytes[(start + 1)..<max(start + 1, end)])
      }

      /// Without a comma, the rest is the title.
      mutating func skipToTitle() {
        if let comma = rest.firstIndex(of: .comma) { index = comma + 1 }
      }

      /// The place after `name=` and blanks; nil if there is no attribute at `place`.
      private func startOfValue(from place: Int) -> Int? {
        let name = bytes[place...].prefix(Self.maximumNameByteCount).prefix(while: Self.isOfName)
        guard let first = name.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return nil }
        var end = name.endIndex
        skipBlanks(&end)
        guard end < bytes.endIndex, bytes[end] == UInt8(ascii: "=") else { return nil }
        end += 1
        skipBlanks(&end)
        return end
      }

      /// The first quote before an attribute, a comma or the end of the line.
      private func endOfQuotedValue(from start: Int, quote: UInt8) -> Int? {
        var place = start
        while let end = bytes[place...].firstIndex(of: quote) {
          if isEnd(end + 1) { return end }
          place = end + 1
        }
        return nil
      }

      /// The first blank before an attribute, a comma or the end of the line, or else that comma or end.
      private func endOfBareValue(from start: Int) -> Int {
        var place = start
        while place < bytes.endIndex, bytes[place] != .comma {
          if bytes[place] <= 0x20 {
            if isEnd(place) { return place }
            skipBlanks(&place)
          } else {
            place += 1
          }
        }
        return place
      }

      /// Whether an attribute, a comma or the end of the line follows, after any blanks.
      private func isEnd(_ place: Int) -> Bool {
        var place = place
        skipBlanks(&place)
        return place >= bytes.endIndex || bytes[place] == .comma || startOfValue(from: place) != nil
      }

      private static func isOfName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: ".")
      }

      private mutating func skipBlanks() { skipBlanks(&index) }

      private func skipBlanks(_ place: inout Int) {
        while place < bytes.endIndex, bytes[place] <= 0x20 { place += 1 }
      }
    }
  }
}

extension FeedDecoder {
  /// Whether a playlist, by its first bytes, is a list of videos rather than one stream; false for an unreadable one.
  package static func isList(playlist start: [UInt8]?) -> Bool { start.map { !M3UPlaylist.isStream($0) } ?? false }
}
