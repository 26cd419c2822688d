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
    let page = Array(bytes.prefix(Self.maximumByteCount))
    var folder = ServedFolder(at: address)
    var position = 0
    while !folder.isFull, let open = page[position...].firstIndex(of: UInt8(ascii: "<")) {
      guard let tag = HTMLTag(in: page, at: open) else {
        position = open + 1
        continue
      }
      position = tag.end
      guard tag.name == "a", let href = tag["href"], !href.hasPrefix("?"), !href.hasPrefix("#") else { continue }
      folder.insert(href, published: Self.published(Self.facts(in: page, after: tag.end)))
    }
    title = folder.title
    parts = folder.folders
    videos = folder.videos
  }

  mutating func next() -> Video? {
    guard index < videos.count else { return nil }
    defer { index += 1 }
    return videos[index]
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
