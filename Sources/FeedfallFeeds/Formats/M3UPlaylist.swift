import FeedfallDocuments
import FeedfallText

extension FeedKind {
  /// M3U, PLS, XSPF and ASX.
  public static let playlist = FeedKind("playlist", hasOwnIDs: true)
}

/// An M3U playlist: an address per line, and tags about it in the preceding lines.
///
/// Entries whose address is of another scheme are counted. IPTV lists have `#EXTINF:-1 tvg-logo="…" group-title="…",Title`; other tags are ignored. A playlist of the segments of
/// a stream (RFC 8216) is one video, which is played by the address of the playlist.
struct M3UPlaylist: FeedFormat {
  let kind = FeedKind.playlist
  private let bytes: [UInt8]
  private let address: MediaAddress?
  private var position: Int
  private var shared = SharedTexts()
  private var pending = Pending()
  private let isStream: Bool
  private var hasGivenStream = false
  private(set) var title: String?
  private(set) var skipped = SkippedEntries()

  /// The tags before an address.
  private struct Pending {
    var title: String?
    var duration: VideoDuration?
    var attributes: [(name: ArraySlice<UInt8>, value: String)] = []
    var group: String?
    var userAgent: String?
    var referrer: String?
  }

  private static let starts = ["#extm3u", "#extinf", "#ext-x-"]

  static func matches(start: [UInt8]) -> Bool {
    let start = FeedFormats.textStart(start).prefix(7).map(\.lowercased)
    return starts.contains { start.elementsEqual($0.utf8) }
  }

  init(_ bytes: [UInt8], address: MediaAddress?) {
    self.bytes = bytes
    self.address = address
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    isStream = Self.isStream(bytes)
  }

  /// Whether it is a playlist of a stream by its structure (RFC 8216, 4.3): one of media states the longest duration and
  /// has plain durations, a master playlist has variants and no durations. A list of channels may have any of their tags.
  private static func isStream(_ bytes: [UInt8]) -> Bool {
    let start = Array(bytes.prefix(maximumTagByteCount))
    guard start.firstIndex(of: "#ext-x-", from: 0) != nil else { return false }
    var (hasTarget, hasVariants, hasDurations) = (false, false, false)
    for line in start.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      let line = line.drop { $0 <= 0x20 }
      guard line.first == UInt8(ascii: "#") else { continue }
      if let information = rest(of: line, after: "#extinf:") {
        guard isDuration(information.prefix { $0 != .comma }) else { return false }
        hasDurations = true
      }
      hasTarget = hasTarget || rest(of: line, after: "#ext-x-targetduration") != nil
      hasVariants = hasVariants || rest(of: line, after: "#ext-x-stream-inf") != nil
    }
    return hasTarget || hasVariants && !hasDurations
  }

  private static let maximumTagByteCount = 65_536

  /// Whether the text is a decimal number; lists of channels write -1, or attributes after the number.
  private static func isDuration(_ text: ArraySlice<UInt8>) -> Bool {
    let text = Array(text).trimmingBlanks()
    return !text.isEmpty && text.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
  }

  /// The rest of a line after a tag, whose name is in lower case; nil for another tag.
  private static func rest(of line: ArraySlice<UInt8>, after name: String) -> ArraySlice<UInt8>? {
    guard line.count >= name.utf8.count, line.prefix(name.utf8.count).map(\.lowercased).elementsEqual(name.utf8) else {
      return nil
    }
    return line.dropFirst(name.utf8.count)
  }

  mutating func next() -> Video? {
    if isStream { return stream() }
    while let line = nextLine() {
      if line.first == UInt8(ascii: "#") {
        parseTag(line)
      } else if let url = MediaAddress(
        reference: String(decoding: adoptHeaders(of: line), as: UTF8.self), in: address, .path)
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
    guard !hasGivenStream, let address else { return nil }
    hasGivenStream = true
    return Video(
      id: address.text, title: address.name ?? Video.untitled,
      playback: .direct([MediaFile(url: address, mimeType: "application/vnd.apple.mpegurl")]))
  }

  /// Returns the next line that is not empty, without surrounding blanks.
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

  private mutating func parseTag(_ line: ArraySlice<UInt8>) {
    func rest(after name: String) -> ArraySlice<UInt8>? { Self.rest(of: line, after: name) }
    if let information = rest(after: "#extinf:") {
      parseInformation(information)
    } else if let group = rest(after: "#extgrp:") {
      pending.group = cleanedLine(String(decoding: group, as: UTF8.self), limit: 200).nonEmpty
    } else if let option = rest(after: "#extvlcopt:") {
      parseOption(option)
    } else if let name = rest(after: "#playlist:") {
      title = cleanedLine(String(decoding: name, as: UTF8.self), limit: 200).nonEmpty
    }
  }

  /// Parses an option of VLC, such as `http-user-agent=Name`.
  private mutating func parseOption(_ option: ArraySlice<UInt8>) {
    let name = option.prefix { $0 != UInt8(ascii: "=") }
    setHeader(
      String(decoding: name.map(\.lowercased), as: UTF8.self),
      to: String(decoding: option.dropFirst(name.count + 1), as: UTF8.self))
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
    for item in line[(bar + 1)...].split(whereSeparator: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "|") }) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      setHeader(
        String(decoding: name.map(\.lowercased), as: UTF8.self),
        to: PercentCoding.decode(item.dropFirst(name.count + 1), plusIsBlank: false))
    }
    return line[..<bar]
  }

  /// Parses `-1 tvg-logo="…",Title`; the title follows the first comma outside quotation marks.
  private mutating func parseInformation(_ information: ArraySlice<UInt8>) {
    var isQuoted = false
    let comma = information.firstIndex { byte in
      if byte == .quote { isQuoted.toggle() }
      return byte == .comma && !isQuoted
    }
    let facts = information[..<(comma ?? information.endIndex)]
    let name = information[min(facts.endIndex + 1, information.endIndex)...]
    pending.title = cleanedLine(String(decoding: name, as: UTF8.self)).nonEmpty
    let number = facts.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    pending.duration = Double(String(decoding: number, as: UTF8.self)).flatMap { VideoDuration(seconds: $0) }
    pending.attributes = XMLText.attributes(bytes, (facts.startIndex + number.count)..<facts.endIndex)
  }

  private mutating func video(_ url: MediaAddress) -> Video {
    func attribute(_ name: String) -> String? {
      pending.attributes.first { $0.name.map(\.lowercased).elementsEqual(name.utf8) }?.value.nonEmpty
    }
    let name = pending.title ?? attribute("tvg-name").map { cleanedLine($0) }.nonEmpty
    var file = MediaFile(url: url)
    file.headers = RequestHeaders(userAgent: pending.userAgent, referrer: pending.referrer)
    var video = Video(id: url.text, title: name ?? url.name ?? url.text, playback: .direct([file]))
    video.duration = pending.duration
    if let logo = attribute("tvg-logo") ?? attribute("logo"), let cover = MediaAddress(reference: logo, in: address) {
      video.covers = [Cover(url: cover)]
    }
    video.group = shared.shared(attribute("group-title").map { cleanedLine($0, limit: 200) }.nonEmpty ?? pending.group)
    return video
  }
}
