import FeedfallDocuments
import FeedfallText

extension FeedKind {
  /// The listing of a folder on a web server.
  public static let directory = FeedKind("directory")
}

/// The listing of a folder that a web server generates: Apache, nginx, Caddy, lighttpd and Python's `http.server`.
///
/// Links to other places than the folder are ignored. The folders in it are its parts.
public struct DirectoryListing: FeedFormat {
  static func matches(start: [UInt8]) -> Bool { false }

  let kind = FeedKind.directory
  private(set) var title: String?
  private(set) var parts: [WebAddress] = []
  private var videos: [Video] = []
  private var index = 0

  private static let maximumCount = 10_000
  /// The searched part of a listing, in bytes.
  private static let maximumByteCount = 8 << 20
  /// The text after a link that may hold date and size, in bytes.
  private static let maximumFactByteCount = 400

  /// Whether a web page is a listing, by its title or the marks of its generator.
  public static func isStarted(by body: [UInt8]) -> Bool {
    guard HTMLPage.isStarted(by: body) else { return false }
    let title = HTMLPage.title(of: body)?.lowercased() ?? ""
    if title.hasPrefix("index of /") || title.hasPrefix("directory listing for /") { return true }
    // Caddy's title is the name of the folder.
    let start = Array(body.prefix(65_536))
    return start.firstIndex(of: "<meta name=\"generator\" content=\"caddy\"", from: 0) != nil
      || (start.firstIndex(of: "class=\"listing\"", from: 0) != nil
        && start.firstIndex(of: "caddyserver.com", from: 0) != nil)
  }

  init(_ bytes: [UInt8], address: MediaAddress?) {
    guard let address = address?.web else { return }
    title = address.pathSegments.last.map { cleanedLine($0, limit: 200) }.nonEmpty ?? address.host
    let page = Array(bytes.prefix(Self.maximumByteCount))
    var pictures: [String: WebAddress] = [:]
    var entries: [(address: WebAddress, facts: [UInt8])] = []
    var seen: Set<WebAddress> = []
    var position = 0
    while seen.count < Self.maximumCount, let open = page[position...].firstIndex(of: UInt8(ascii: "<")) {
      guard let tag = HTMLTag(in: page, at: open) else {
        position = open + 1
        continue
      }
      position = tag.end
      guard tag.name == "a", let entry = tag["href"].flatMap({ Self.entry($0, in: address) }),
        seen.insert(entry).inserted
      else { continue }
      if entry.path.hasSuffix("/") {
        parts.append(entry)
      } else if MediaKind(pathOf: entry) == .picture {
        pictures[Self.stem(entry).lowercased()] = entry
      } else if [.video, .audio, .stream].contains(MediaKind(pathOf: entry)) {
        entries.append((entry, Self.facts(in: page, after: tag.end)))
      }
    }
    videos = entries.map { Self.video($0.address, $0.facts, pictures) }
  }

  mutating func next() -> Video? {
    guard index < videos.count else { return nil }
    defer { index += 1 }
    return videos[index]
  }

  /// The address of a link to a file or folder directly in the listed folder.
  private static func entry(_ href: String, in folder: WebAddress) -> WebAddress? {
    guard !href.hasPrefix("?"), !href.hasPrefix("#"), let address = WebAddress(resolving: href, against: folder),
      address.origin == folder.origin, address.query == nil
    else { return nil }
    let own = folder.path.lastIndex(of: "/").map { String(folder.path[...$0]) } ?? "/"
    guard address.path.hasPrefix(own) else { return nil }
    let name = address.path.dropFirst(own.count)
    return name.isEmpty || name.dropLast().contains("/") || name == "/" ? nil : address
  }

  private static func stem(_ address: WebAddress) -> String {
    let name = address.pathSegments.last ?? ""
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  private static func video(_ address: WebAddress, _ facts: [UInt8], _ pictures: [String: WebAddress]) -> Video {
    let name = stem(address)
    var video = Video(
      id: address.text, title: cleanedLine(name).nonEmpty ?? Video.untitled,
      playback: .direct([MediaFile(url: address)]))
    let covers = [name.lowercased(), "poster", "folder", "cover"].compactMap { pictures[$0] }
    video.covers = covers.prefix(1).map { Cover(url: $0) }
    video.published = published(facts)
    return video
  }

  /// The text between a link and the next one, without tags.
  private static func facts(in page: [UInt8], after start: Int) -> [UInt8] {
    var text: [UInt8] = []
    var isInTag = false
    var hasLeftLink = false
    for byte in page[start...].prefix(maximumFactByteCount * 4) {
      if byte == UInt8(ascii: "<") {
        isInTag = true
        text.append(.space)
        hasLeftLink = true
      } else if byte == UInt8(ascii: ">") {
        isInTag = false
      } else if !isInTag, hasLeftLink {
        text.append(byte)
      }
      if text.count > maximumFactByteCount { break }
    }
    return text
  }

  /// The date in `2026-01-31 10:20` or `31-Jan-2026 10:20`, the first pair of words that is one.
  private static func published(_ facts: [UInt8]) -> UnixTime? {
    let words = facts.split { $0 <= 0x20 }.prefix(8).map { String(decoding: $0, as: UTF8.self) }
    return words.indices.dropLast().firstNonNil { index in
      guard words[index].utf8.count >= 8, words[index].contains("-"), words[index + 1].contains(":") else { return nil }
      return UnixTime(feedDate: words[index] + " " + words[index + 1])
    }
  }
}
