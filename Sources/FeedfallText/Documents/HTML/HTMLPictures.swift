/// The pictures in a text in HTML that may serve as covers, the best first. An `img` has one address: of a lazily
/// loaded one that of its picture, not that of the placeholder in `src`. Tracking pixels, emoji and placeholders are
/// left out. Pictures of the same rank stay in the order of the text.
package struct HTMLPictures {
  package var addresses: [WebAddress] { ranked.prefix(Self.maximumCount).map { $0.address } }
  private var ranked: [(address: WebAddress, rank: Rank)] = []
  private let base: WebAddress?
  /// The picture of the `source` elements before the `img` of a `picture` element.
  private var source: WebAddress?

  private enum Rank: Comparable { case large, small, decorative }

  private static let maximumCount = 3
  private static let maximumTagCount = 100
  private static let maximumByteCount = 256 << 10

  /// - Complexity: O(n) in the bytes, of which the first 256 kB are searched.
  package init(in html: [UInt8], base: WebAddress?) {
    self.base = base
    let end = min(html.count, Self.maximumByteCount)
    // Most texts have none.
    guard HTMLPage.mayHave(.picture, html, in: 0..<end) else { return }
    var (index, tagCount) = (0, 0)
    // Pictures after enough large ones have no lower rank.
    while tagCount < Self.maximumTagCount,
      ranked.count < Self.maximumCount || ranked[Self.maximumCount - 1].rank != .large,
      let start = html.firstIndex(of: UInt8(ascii: "<"), in: index..<end)
    {
      index = start + 1
      guard let first = html[safe: index]?.lowercased, let second = html[safe: index + 1]?.lowercased else { break }
      if Self.mayMatter(first, second) {
        guard let tag = HTMLTag(in: html, at: start) else { continue }
        index = max(tag.end, index)
        if append(tag) { tagCount += 1 }
      } else if first.isASCIILetter {
        index = Self.end(ofTagAt: index, in: html, before: end)
      }
      guard index < end else { break }
    }
  }

  /// Whether a tag that begins with these letters may be a comment or one of `img`, `picture`, `source`, `script` and
  /// `style`. Passing over others is much faster than parsing them.
  private static func mayMatter(_ first: UInt8, _ second: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "!"): true
    case UInt8(ascii: "i"): second == UInt8(ascii: "m")
    case UInt8(ascii: "p"): second == UInt8(ascii: "i")
    case UInt8(ascii: "s"): "oct".utf8.contains(second)
    default: false
    }
  }

  /// Returns the index after a tag; a `>` in a quoted value does not end it.
  private static func end(ofTagAt start: Int, in html: [UInt8], before end: Int) -> Int {
    var (index, last) = (start, UInt8(ascii: "<"))
    while index < end, html[index] != UInt8(ascii: ">") {
      let byte = html[index]
      if last == UInt8(ascii: "="), byte == .quote || byte == UInt8(ascii: "'") {
        index = html.firstIndex(of: byte, in: index + 1..<end) ?? end - 1
      }
      if byte > .space { last = byte }
      index += 1
    }
    return min(index + 1, end)
  }

  /// Returns whether the tag is one of a picture.
  private mutating func append(_ tag: HTMLTag) -> Bool {
    switch tag.name {
    case "picture": source = nil
    case "source": source = source ?? (Self.isDecodable(tag["type"]) ? sets(in: tag) : nil)
    case "img": append(picture: tag)
    default: return false
    }
    return true
  }

  private static func isDecodable(_ type: String?) -> Bool {
    guard let type = type?.lowercased().nonEmpty else { return true }
    return ["image/jpeg", "image/jpg", "image/png", "image/webp", "image/gif"].contains { type.hasPrefix($0) }
  }

  private mutating func append(picture tag: HTMLTag) {
    let inSource = source
    source = nil
    guard let rank = Self.rank(of: tag), let address = address(of: tag) ?? inSource else { return }
    insert(address, max(rank, CoverName(address.text).isDecorative ? .decorative : .large))
  }

  private mutating func insert(_ address: WebAddress, _ rank: Rank) {
    guard !ranked.contains(where: { $0.address == address }) else { return }
    ranked.insert((address, rank), at: ranked.firstIndex { $0.rank > rank } ?? ranked.count)
  }

  // MARK: - Sizes

  /// The minimum length of each side, in pixels; anything smaller is no picture.
  package static let minimumSide = 8
  /// A picture with a shorter longest side is decorative, such as an icon.
  private static let smallSide = 64
  private static let largeSide = 200

  /// Nil if the tag is no picture that is meant to be seen.
  private static func rank(of tag: HTMLTag) -> Rank? {
    let style = (tag["style"] ?? "").utf8.filter { $0 > .space }.map(\.lowercased)
    let classes = (tag["class"] ?? "").lowercased().split(separator: " ")
    let isHidden =
      tag["hidden"] != nil || style.contains(sequence: "display:none".utf8)
      || style.contains(sequence: "visibility:hidden".utf8)
    guard !isHidden, !classes.contains("emoji"), !classes.contains("wp-smiley") else { return nil }
    let sides = ["width", "height"].compactMap { name in
      tag[name].flatMap(pixels) ?? length(name, in: style)
    }
    if sides.contains(where: { $0 < minimumSide }) { return nil }
    return sides.max().map { $0 < smallSide ? .decorative : $0 < largeSide ? .small : .large } ?? .large
  }

  /// Returns a length such as `300` or `300px`; nil for `50%` and other units.
  private static func pixels(_ text: String) -> Int? {
    let bytes = Array(text.utf8).trimmingBlanks()
    let digits = bytes.prefix(6).prefix(while: \.isASCIIDigit)
    let unit = bytes.dropFirst(digits.count).prefix { $0 != UInt8(ascii: ".") }.map(\.lowercased)
    let isPixel = unit.isEmpty || unit.starts(with: "px".utf8)
    return isPixel ? Int(String(decoding: digits, as: UTF8.self)) : nil
  }

  /// Returns a length in CSS without blanks and in lower case.
  private static func length(_ name: String, in style: [UInt8]) -> Int? {
    let declaration = style.split(separator: UInt8(ascii: ";")).first { $0.starts(with: "\(name):".utf8) }
    return declaration.flatMap { pixels(String(decoding: $0.dropFirst(name.utf8.count + 1), as: UTF8.self)) }
  }

  // MARK: - Addresses

  /// Attributes of scripts that load pictures when they are scrolled into view.
  private static let lazyNames = ["data-src", "data-lazy-src", "data-original", "data-lazy", "data-hi-res-src"]
  private static let setNames = ["data-srcset", "data-lazy-srcset", "srcset"]

  private func address(of tag: HTMLTag) -> WebAddress? {
    Self.lazyNames.firstNonNil { tag[$0].flatMap(lazyAddress) } ?? sets(in: tag) ?? tag["src"].flatMap(usableAddress)
  }

  private func sets(in tag: HTMLTag) -> WebAddress? {
    Self.setNames.firstNonNil { tag[$0].flatMap { SourceSet($0).best }.flatMap(usableAddress) }
  }

  /// Such an attribute may also have a number, a word or a script.
  private func lazyAddress(_ text: String) -> WebAddress? {
    text.utf8.contains { $0 == .slash || $0 == UInt8(ascii: ".") } && !text.utf8.contains(UInt8(ascii: "{"))
      ? usableAddress(text) : nil
  }

  private func usableAddress(_ text: String) -> WebAddress? {
    let start = text.utf8.prefix(6).map(\.lowercased)
    guard !["data:", "blob:", "cid:", "about:"].contains(where: { start.starts(with: $0.utf8) }),
      let address = WebAddress(reference: text, base: base), !CoverName(address.text).isPlaceholder
    else { return nil }
    return address
  }

  /// The `srcset` of a picture (html.spec.whatwg.org, 4.8.4.2.1): its addresses, which may contain commas, with widths
  /// in pixels or factors.
  package struct SourceSet {
    /// The narrowest of at least 640 pixels, which fill a card at twice its size, or else the widest.
    package private(set) var best: String?
    private var bestWidth = 0

    private static let usualWidth = 640
    /// The width of a picture for the usual density, unless it is stated.
    private static let plainWidth = 320

    package init(_ text: String) {
      let bytes = Array(text.utf8)
      var index = 0
      while index < bytes.count {
        guard bytes[index] > .space, bytes[index] != UInt8(ascii: ",") else {
          index += 1
          continue
        }
        let start = index
        while index < bytes.count, bytes[index] > .space { index += 1 }
        var address = bytes[start..<index]
        var descriptor = bytes[index..<index]
        if address.last == UInt8(ascii: ",") {
          while address.last == UInt8(ascii: ",") { address.removeLast() }
        } else {
          let end = bytes.firstIndex(of: UInt8(ascii: ","), in: index..<bytes.count) ?? bytes.count
          descriptor = bytes[index..<end]
          index = end
        }
        offer(address, Self.width(Array(descriptor).trimmingBlanks()))
      }
    }

    private mutating func offer(_ address: ArraySlice<UInt8>, _ width: Int) {
      let isBetter = bestWidth < Self.usualWidth ? width > bestWidth : (Self.usualWidth..<bestWidth).contains(width)
      guard isBetter else { return }
      (best, bestWidth) = (String(decoding: address, as: UTF8.self), width)
    }

    private static func width(_ descriptor: [UInt8]) -> Int {
      guard let unit = descriptor.last?.lowercased,
        let number = Double(String(decoding: descriptor.dropLast(), as: UTF8.self)), number > 0, number < 100_000
      else { return plainWidth }
      return unit == UInt8(ascii: "w")
        ? Int(number) : unit == UInt8(ascii: "x") ? Int(number * Double(plainWidth)) : plainWidth
    }
  }

  private struct CoverName {
    private let host: ArraySlice<UInt8>
    /// In lower case, without the query.
    private let path: ArraySlice<UInt8>

    init(_ address: String) {
      let text = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }.map(\.lowercased)[...]
      let rest = text.firstIndex(of: .slash).map { text[$0...].drop { $0 == .slash } } ?? text
      host = rest.prefix { $0 != .slash }
      path = rest.dropFirst(host.count)
    }

    private static let countingHosts = [
      "feeds.feedburner.com", "feedproxy.google.com", "doubleclick.net", "google-analytics.com", "pixel.wp.com",
      "stats.wordpress.com", "feedsportal.com", "quantserve.com", "scorecardresearch.com", "s.w.org",
    ]
    private static let placeholderWords = keys([
      "pixel", "1x1", "spacer", "blank", "transparent", "trans", "tracking", "tracker", "beacon", "grey", "gray", "dot",
      "placeholder", "loading", "loader",
    ])
    /// Words that say nothing beside one of those.
    private static let neutralWords = keys(["ajax", "clear", "image", "img", "lazy", "lazyload", "default"])
    private static let decorativeWords = keys([
      "ad", "ads", "avatar", "avatars", "badge", "badges", "btn", "button", "buttons", "counter", "emoji", "emoticon",
      "emoticons", "favicon", "icon", "icons", "logo", "pixel", "share", "smiley", "smilies", "social", "sprite",
      "twemoji",
    ])
    private static let decorativeHosts = ["gravatar.com", "shields.io"]

    /// The hashes of words, by which they are found without a copy.
    private static func keys(_ words: [String]) -> Set<UInt64> { Set(words.map { FNV1a.hash($0) }) }

    private static func words(_ text: ArraySlice<UInt8>) -> [UInt64] {
      text.split { !($0.isASCIILetter || $0.isASCIIDigit || $0 >= 0x80) }.map { FNV1a.hash($0) }
    }

    /// Whether the picture is a tracking pixel, an emoji, or a placeholder until a script loads the picture.
    var isPlaceholder: Bool {
      if isOn(Self.countingHosts) { return true }
      let name = path.split(separator: .slash).last ?? []
      let words = Self.words(name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name)
      return words.contains(where: Self.placeholderWords.contains)
        && words.allSatisfy { Self.placeholderWords.contains($0) || Self.neutralWords.contains($0) }
    }

    var isDecorative: Bool {
      isOn(Self.decorativeHosts) || Self.words(path).contains(where: Self.decorativeWords.contains)
    }

    private func isOn(_ hosts: [String]) -> Bool {
      hosts.contains { other in
        let end = host.suffix(other.utf8.count)
        return end.elementsEqual(other.utf8)
          && (end.startIndex == host.startIndex || host[end.startIndex - 1] == UInt8(ascii: "."))
      }
    }
  }
}
