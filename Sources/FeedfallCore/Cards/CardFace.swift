import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

/// A card's text, split into glyphs once for a width, so that drawing only copies them.
struct CardFace: Equatable, Sendable {
  struct Line: Equatable, Sendable {
    var text: String
    var glyphs: GlyphRun

    init(_ text: String) {
      self.text = text
      glyphs = GlyphRun(text)
    }
  }

  /// The card's width in cells.
  let width: Int
  let title: [Line]
  let isCentered: Bool
  /// Length and channel; nil on a classic card.
  let meta: GlyphRun?
  let badge: GlyphRun?

  /// The rows of the title and the line below it.
  var rowCount: Int { title.count + (meta == nil ? 0 : 1) }

  /// `sourceName` replaces the channel in a tab of several sources.
  init(_ video: Video, width: Int, _ metrics: CardMetrics, sourceName: String? = nil) {
    self.width = width
    let isBeside = metrics.cover == .beside
    let textWidth = CardMetrics.textWidth(in: width - (isBeside ? CardMetrics.textIndent(in: width) : 0))
    title =
      isBeside
      ? [Line(truncated(video.title, width: textWidth))]
      : wrapped(video.title, width: textWidth, maximumLines: metrics.titleLines(in: width)).map(Line.init)
    isCentered = metrics.cover == .inCell
    meta = isCentered ? nil : GlyphRun(truncated(Self.metaLine(of: video, sourceName), width: textWidth))
    badge = Self.badge(of: video)
  }

  private static func metaLine(of video: Video, _ sourceName: String?) -> String {
    let length = video.live == .live ? "live" : video.duration.map(\.description)
    guard let name = sourceName ?? video.channel ?? video.author else { return length ?? "" }
    return length.map { "\($0) · \(name)" } ?? name
  }

  /// The text on the cover.
  static func badge(of video: Video) -> GlyphRun? {
    switch video.live {
    case .live: GlyphRun("● live")
    case .upcoming: GlyphRun("upcoming")
    case .ended, nil: video.duration.map { GlyphRun($0.description) }
    }
  }
}

/// The faces of the cards that were visible last, and a few others.
struct CardFaces: Sendable {
  struct Key: Hashable {
    var card: Int
    /// The width of the text.
    var width: Int
  }

  /// The number of faces retained beside the visible ones.
  private static let spareCount = 128
  private var faces: [Key: CardFace] = [:]

  subscript(key: Key) -> CardFace? { faces[key] }

  /// Makes the missing faces.
  mutating func prepare(_ keys: [Key], make: (Key) -> CardFace) {
    for key in keys where faces[key] == nil { faces[key] = make(key) }
    guard faces.count > keys.count + Self.spareCount else { return }
    let seen = Set(keys)
    faces = faces.filter { seen.contains($0.key) }
  }

  mutating func remove(_ card: Int) { faces = faces.filter { $0.key.card != card } }

  mutating func removeAll() { faces = [:] }
}
