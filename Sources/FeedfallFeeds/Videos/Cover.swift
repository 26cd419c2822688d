import FeedfallText

/// A cover picture of a video.
public struct Cover: Equatable, Sendable {
  /// The origin of the picture, the best first.
  public enum Origin: Sendable {
    /// The feed names it as the picture of the video.
    case video
    /// It is in the text about the video.
    case text
    /// It is that of the channel, in place of one of the video.
    case channel
  }

  public var url: MediaAddress
  // Compact, because there are thousands of them; 0 means unknown.
  private var storedWidth: Int32
  private var storedHeight: Int32
  public private(set) var origin = Origin.video
  /// Whether the size was read from the picture, because the feed names none.
  private var isSizeLearned = false

  /// The width in pixels; nil if it is unknown.
  public var width: Int? { storedWidth > 0 ? Int(storedWidth) : nil }
  /// The height in pixels; nil if it is unknown.
  public var height: Int? { storedHeight > 0 ? Int(storedHeight) : nil }

  /// A width or height outside 1...100,000 counts as unknown.
  public init(url: MediaAddress, width: Int? = nil, height: Int? = nil) {
    func stored(_ length: Int?) -> Int32 {
      length.flatMap { (1...PixelSize.maximum).contains($0) ? Int32($0) : nil } ?? 0
    }
    self.url = url.unescapingAmpersands
    storedWidth = stored(width)
    storedHeight = stored(height)
  }

  /// A width or height outside 1...100,000 counts as unknown.
  public init(url: WebAddress, width: Int? = nil, height: Int? = nil) {
    self.init(url: .web(url), width: width, height: height)
  }

  fileprivate init(url: WebAddress, of origin: Origin) {
    self.init(url: url)
    self.origin = origin
  }

  var namedSize: PixelSize? { isSizeLearned ? nil : size }

  /// The size of the picture, known from an earlier request for it; nil if the feed names one.
  public var learnedSize: PixelSize? { isSizeLearned ? size : nil }

  private var size: PixelSize? { width.flatMap { width in height.flatMap { PixelSize(width: width, height: $0) } } }

  /// Sets the size of the picture, unless the feed names one. A learned size determines the proportions of the card,
  /// but not which of several covers is requested; otherwise the next start would request another one.
  public mutating func learn(_ size: PixelSize) {
    guard namedSize?.aspect == nil else { return }
    (storedWidth, storedHeight, isSizeLearned) = (Int32(size.width), Int32(size.height), true)
  }

  /// Whether the file has the name of YouTube's letterboxed pictures: 16:9 in 4:3.
  var hasBars: Bool {
    // Most addresses are told by one pass over their bytes, without finding their parts.
    guard Self.mayHaveBars(url.text), let path = (url.web?.path ?? url.file?.text)?.utf8 else { return false }
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
    let name = path[start...]
    let isCoded = name.contains(UInt8(ascii: "%"))
    return isCoded ? Self.hasBars(PercentCoding.decodedBytes(name, plusIsBlank: false)) : Self.hasBars(name)
  }

  /// Whether a text contains an escape or `dd` or `qd`, as both names do.
  private static func mayHaveBars(_ text: String) -> Bool {
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "%") { return true }
      if byte == UInt8(ascii: "d"), last == UInt8(ascii: "d") || last == UInt8(ascii: "q") { return true }
      last = byte
    }
    return false
  }

  private static func hasBars(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    let stem = name[..<(name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)]
    return stem.elementsEqual("hqdefault".utf8) || stem.elementsEqual("sddefault".utf8)
  }
}

extension [Cover] {
  /// Appends pictures of a text about the video, which are tried after those of the video.
  mutating func append(inText pictures: [WebAddress]) {
    for picture in pictures { appendNew(Cover(url: picture, of: .text)) }
  }

  mutating func append(ofChannel picture: WebAddress?) {
    if let picture { appendNew(Cover(url: picture, of: .channel)) }
  }

  /// Leaves no room for more, because there are thousands of lists.
  private mutating func appendNew(_ cover: Cover) {
    if !contains(where: { $0.url == cover.url }) { self = self + [cover] }
  }

  /// The covers of the best origin. Others are only tried after them, so they have no influence on the card's form.
  package var best: ArraySlice<Cover> { prefix { $0.origin == self[0].origin } }
}

/// A width and a height in pixels, both positive.
public struct PixelSize: Equatable, Sendable {
  // Compact, because there are thousands of them.
  private let storedWidth: Int32
  private let storedHeight: Int32

  public var width: Int { Int(storedWidth) }
  public var height: Int { Int(storedHeight) }

  static let maximum = 100_000

  /// Returns nil unless both are in 1...100,000.
  public init?(width: Int, height: Int) {
    guard (1...PixelSize.maximum).contains(width), (1...PixelSize.maximum).contains(height) else { return nil }
    storedWidth = Int32(width)
    storedHeight = Int32(height)
  }

  /// Width divided by height; nil for at most 2 by 2 pixels, which stand for no picture.
  public var aspect: Double? { max(width, height) > 2 ? Double(width) / Double(height) : nil }
}

extension JSONObject {
  func pictureSize(_ width: StaticString = "width", _ height: StaticString = "height") -> PixelSize? {
    guard let width = self[width]?.integer, let height = self[height]?.integer else { return nil }
    return PixelSize(width: width, height: height)
  }
}
