/// A part of a video that some users skip.
public struct VideoSegment: Equatable, Sendable {
  /// The kinds of segments, by their names in SponsorBlock (wiki.sponsor.ajay.app/w/Segment_Categories).
  public enum Category: String, CaseIterable, Sendable {
    case sponsor
    case selfPromotion = "selfpromo"
    case interaction
    case intro
    case outro
    case preview
    case hook
    case withoutMusic = "music_offtopic"
    case filler

    /// The name for the user, as a part of a sentence.
    public var name: String {
      switch self {
      case .sponsor: "sponsor"
      case .selfPromotion: "self-promotion"
      case .interaction: "reminder to subscribe"
      case .intro: "intro"
      case .outro: "credits"
      case .preview: "preview"
      case .hook: "greeting"
      case .withoutMusic: "part without music"
      case .filler: "filler"
      }
    }
  }

  /// In seconds from the beginning.
  public let start: Double
  /// After the start, in seconds from the beginning.
  public let end: Double
  public let category: Category

  /// In seconds.
  private static let maximumEnd = 10.0 * 366 * 86_400

  /// Returns nil unless the times are plausible.
  public init?(_ category: Category, from start: Double, to end: Double) {
    guard start >= 0, end > start, end <= Self.maximumEnd else { return nil }
    (self.category, self.start, self.end) = (category, start, end)
  }

  public func contains(_ seconds: Double) -> Bool { start <= seconds && seconds < end }
}
