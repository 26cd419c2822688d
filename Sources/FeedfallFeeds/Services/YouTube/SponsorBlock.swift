import FeedfallText

/// SponsorBlock, a database of the parts of YouTube's videos that its users skip.
///
/// A request contains only the start of the hash of a video's ID. The answer has the segments of about a hundred
/// videos, so that the server does not learn which one is played.
///
/// Source: https://wiki.sponsor.ajay.app/w/API_Docs
public struct SponsorBlock: Equatable, Sendable {
  /// The address to which the paths of the interface are appended.
  public var server = WebAddress(unchecked: "https://sponsor.ajay.app")
  /// The categories to request.
  public var categories = [VideoSegment.Category.sponsor]

  /// 16 bits: four hexadecimal digits.
  private static let prefixByteCount = 2
  /// Further segments of a video are ignored.
  private static let maximumSegmentCount = 200

  public init() {}

  /// A kind of facts about videos.
  public struct Query<Facts: Sendable>: Sendable {
    public enum Storage: Sendable {
      /// Until the program ends, the facts of at most `maximumCount` keys.
      case memory(maximumCount: Int)
      /// In the cache on disk.
      case disk(seconds: Int)
    }

    /// The name in messages, such as `titles`.
    public let name: String
    /// The facts about a video that the server does not know.
    public let none: Facts
    public let storage: Storage
    /// Nil if there is nothing to request.
    public let request: @Sendable (String) -> WebAddress?
    /// Nil for an answer of another kind.
    public let decode: @Sendable ([UInt8], String) -> Facts?
  }

  /// The segments of a video by its ID.
  public var segments: Query<[VideoSegment]> {
    Query(
      name: "segments", none: [], storage: .memory(maximumCount: 500), request: { request(for: $0) },
      decode: { decode($0, for: $1) })
  }

  /// Returns the request for the segments of all videos whose hashes start like that of a video's ID; nil without
  /// categories.
  public func request(for id: String) -> WebAddress? {
    guard !categories.isEmpty else { return nil }
    let names = "[" + categories.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    return address("skipSegments/\(Self.hashPrefix(of: id))?categories=\(PercentCoding.encode(names))")
  }

  /// The digits by which the server finds a video, among others.
  public static func hashPrefix(of id: String) -> String {
    SHA256.hash(Array(id.utf8)).prefix(prefixByteCount).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  func address(_ path: String) -> WebAddress? {
    let start = server.path.hasSuffix("/") ? server.path.dropLast() : server.path[...]
    return WebAddress("\(server.origin)\(start)/api/\(path)")
  }

  /// Decodes the segments of one video in an answer, in ascending order of their starts; nil if it is no answer of this
  /// kind. Segments with implausible times, of other categories and of other kinds than skips are dropped.
  public func decode(_ body: [UInt8], for id: String) -> [VideoSegment]? {
    guard let videos = JSONValue(document: body)?.elements(limit: .max) else { return nil }
    let own = videos.lazy.compactMap(\.object).first { $0["videoID"]?.string == id }
    let segments = own?.objects("segments", limit: Self.maximumSegmentCount) ?? []
    return segments.compactMap(segment).sorted { $0.start < $1.start }
  }

  private func segment(_ object: JSONObject) -> VideoSegment? {
    guard object["actionType"].map({ $0.string == "skip" }) ?? true,
      let category = object["category"]?.string.flatMap(VideoSegment.Category.init), categories.contains(category),
      let times = object["segment"]?.elements(limit: 2), times.count == 2, let start = times[0].double,
      let end = times[1].double
    else { return nil }
    return VideoSegment(category, from: start, to: end)
  }
}

extension Video {
  /// The video's ID on YouTube; nil if neither its page nor a player is there.
  public var youTubeID: String? {
    let page: WebAddress? =
      switch playback {
      case .page(let page), .details(_, let page?): page
      case .direct, .details(_, nil), .list, .unknown: nil
      }
    return ([pageURL, page].compactMap(\.self) + players).lazy.compactMap(YouTubeSite.video).first?.text
  }
}

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

/// DeArrow, a database of titles for YouTube's videos that its users prefer to the original ones. It is on the server
/// of SponsorBlock, and an answer has the titles of all videos whose hashes start alike.
///
/// Source: https://wiki.sponsor.ajay.app/w/API_Docs/DeArrow
extension SponsorBlock {
  private static let maximumTitleCount = 500
  /// In characters.
  private static let maximumTitleLength = 200

  /// The titles of all videos whose hashes start with the same digits, by the IDs of the videos.
  public var titles: Query<[String: String]> {
    Query(
      name: "titles", none: [:], storage: .disk(seconds: 86_400), request: { address("branding/\($0)") },
      decode: { answer, _ in Self.decodeTitles(answer) })
  }

  /// Decodes the best title of each video in an answer by its ID; nil if it is no answer of this kind. A video whose
  /// best title is the original one, or has not been confirmed, has none.
  private static func decodeTitles(_ body: [UInt8]) -> [String: String]? {
    guard let videos = JSONObject(document: body) else { return nil }
    var titles: [String: String] = [:]
    for (id, value) in videos.all.prefix(maximumTitleCount) where YouTubeSite.VideoID(id) != nil {
      titles[id] = value.object.flatMap(title)
    }
    return titles
  }

  /// The titles are in the order of their quality.
  private static func title(of video: JSONObject) -> String? {
    guard let best = video.objects("titles", limit: 1).first, best["original"]?.bool != true,
      best["locked"]?.bool == true || best["votes"]?.integer.map({ $0 >= 0 }) == true
    else { return nil }
    // The mark `>` keeps the letters of the next word as they are, in clients that change them.
    let words = best.line("title", limit: maximumTitleLength)?.split(separator: " ").map { word in
      String(word.count > 1 && word.first == ">" ? word.dropFirst() : word)
    }
    return words?.joined(separator: " ").nonEmpty
  }
}
