import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

/// A card's words, cut into glyphs for a width once, so that the frames after that only copy them.
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
  let meta: GlyphRun
  let badge: GlyphRun?

  /// `sourceName` stands in the place of the channel, where cards of several sources lie together.
  init(_ video: Video, width: Int, kind: LayoutKind, sourceName: String? = nil) {
    self.width = width
    let textWidth = CardMetrics.textWidth(in: width - (kind == .list ? CardMetrics.listIndent(in: width) : 0))
    title =
      kind == .list
      ? [Line(truncated(video.title, width: textWidth))]
      : wrapped(video.title, width: textWidth, maximumLines: CardMetrics.titleLines).map(Line.init)
    meta = GlyphRun(truncated(Self.metaLine(of: video, sourceName), width: textWidth))
    badge = Self.badge(of: video)
  }

  private static func metaLine(of video: Video, _ sourceName: String?) -> String {
    let length = video.live == .live ? "live" : video.duration.map(\.description)
    guard let name = sourceName ?? video.channel ?? video.author else { return length ?? "" }
    return length.map { "\($0) · \(name)" } ?? name
  }

  /// What stands on its cover.
  static func badge(of video: Video) -> GlyphRun? {
    switch video.live {
    case .live: GlyphRun("● live")
    case .upcoming: GlyphRun("upcoming")
    case .ended, nil: video.duration.map { GlyphRun($0.description) }
    }
  }
}

/// The faces of the cards that were seen last.
struct CardFaces: Sendable {
  struct Key: Hashable {
    var card: Int
    /// The width that the words are cut for.
    var width: Int
  }

  /// How many faces are kept beside those that are seen.
  private static let spareCount = 128
  private var faces: [Key: CardFace] = [:]

  /// The face of a card at a width, if it was prepared.
  subscript(key: Key) -> CardFace? { faces[key] }

  /// Sees to it that all of these are there.
  mutating func prepare(_ keys: [Key], make: (Key) -> CardFace) {
    for key in keys where faces[key] == nil { faces[key] = make(key) }
    guard faces.count > keys.count + Self.spareCount else { return }
    let seen = Set(keys)
    faces = faces.filter { seen.contains($0.key) }
  }

  mutating func forget(_ card: Int) { faces = faces.filter { $0.key.card != card } }

  mutating func forgetAll() { faces = [:] }
}
