import FeedfallText

/// The listing of a folder that a web server generates: Apache, nginx, Caddy, lighttpd and Python's `http.server`.
///
/// Links to other places than the folder are ignored. The folders in it are its parts.
public enum DirectoryListing {
  /// Also to other places.
  private static let maximumLinkCount = 50_000
  private static let maximumByteCount = 8 << 20

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

  static func folder(_ bytes: [UInt8], at address: WebAddress?) -> ServedFolder {
    var folder = ServedFolder(at: address)
    guard address != nil else { return folder }
    let page = Array(bytes.prefix(Self.maximumByteCount))
    var linkCount = 0
    var entry: Entry?
    var position = 0
    while !folder.hasMore, linkCount < Self.maximumLinkCount,
      let open = page[position...].firstIndex(of: UInt8(ascii: "<"))
    {
      entry?.append(page[position..<open])
      guard let tag = HTMLTag(in: page, at: open) else {
        position = open + 1
        continue
      }
      position = tag.end
      guard tag.name == "a" else {
        entry?.adopt(tag, isEndOfLink: page[open...].starts(with: "</a>".utf8))
        continue
      }
      linkCount += 1
      entry?.insert(into: &folder)
      entry = tag["href"].flatMap { $0.hasPrefix("?") || $0.hasPrefix("#") ? nil : Entry(href: $0) }
    }
    entry?.insert(into: &folder)
    folder.hasMore = folder.hasMore || linkCount >= Self.maximumLinkCount || bytes.count > Self.maximumByteCount
    return folder
  }

  /// A link with the date and the size of its file, in the text between it and the next one.
  private struct Entry {
    let href: String
    private var text: [UInt8] = []
    private var isAfterLink = false
    /// The date and the size in attributes, which Caddy has.
    private var time: String?
    private var size: String?
    /// The value by which a column is sorted, which is the size in an older Caddy.
    private var order: String?

    private static let maximumByteCount = 1_000
    private static let maximumWordCount = 32

    init(href: String) { self.href = href }

    func insert(into folder: inout ServedFolder) {
      folder.insert(link: href) { (published, byteCount) }
    }

    mutating func append(_ part: ArraySlice<UInt8>) {
      guard isAfterLink, text.count < Self.maximumByteCount else { return }
      text.append(.space)
      text += part.prefix(Self.maximumByteCount)
    }

    mutating func adopt(_ tag: HTMLTag, isEndOfLink: Bool) {
      isAfterLink = isAfterLink || isEndOfLink
      switch tag.name {
      case "time": time = time ?? tag["datetime"]
      case "td", "tr":
        size = size ?? tag["data-size"]
        order = order ?? tag["data-order"]
      default: break
      }
    }

    /// The date, which a time of day follows, and the words behind both.
    private var dated: (date: UnixTime, rest: ArraySlice<String>)? {
      let words = text.split { $0 <= 0x20 }.prefix(Self.maximumWordCount).map { String(decoding: $0, as: UTF8.self) }
      for (index, (day, time)) in zip(words, words.dropFirst()).enumerated()
      where day.utf8.count >= 8 && day.contains("-") && time.contains(":") {
        if let date = UnixTime(feedDate: day + " " + time) { return (date, words.dropFirst(index + 2)) }
      }
      return nil
    }

    private var published: UnixTime? { time.flatMap { UnixTime(feedDate: $0) } ?? dated?.date }

    /// The size after the date, in bytes; rounded as it is shown.
    private var byteCount: Int? {
      let shown = dated?.rest.prefix(2) ?? []
      // The unit may be a separate word.
      return Self.size(size) ?? Self.size(shown.joined(separator: " ")) ?? Self.size(shown.first) ?? Self.size(order)
    }

    private static func size(_ text: String?) -> Int? {
      text.flatMap(WrittenCount.byteCount).flatMap { $0 > 0 ? $0 : nil }
    }
  }
}
